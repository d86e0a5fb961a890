"""Invitations: links that let people into a campaign, one wave of it and one role."""

import re
from datetime import timedelta

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.events import record_event, subject_name
from accounts.models import Event
from accounts.tokens import hash_of, new_secret
from annotation.models import Invitation, Membership, Participation, Role

A_MOMENT = timedelta(minutes=5)


@transaction.atomic
def invite(*, campaign, actor, role, days, wave=None, max_uses=1, addressee=""):
    """An invitation and its secret, which is nowhere kept and cannot be shown again."""
    if wave and wave.campaign_id != campaign.pk:
        raise ValidationError(_("This wave belongs to another campaign; choose one of ours."))
    secret, hashed = new_secret()
    invitation = Invitation(
        campaign=campaign,
        wave=wave,
        role=role,
        addressee=addressee,
        max_uses=max_uses,
        token_hash=hashed,
        expires_at=timezone.now() + timedelta(days=days),
        created_by=actor,
    )
    invitation.full_clean()
    invitation.save()
    record_event(
        actor=actor,
        verb="invited",
        subject=invitation,
        data={"role": role, "wave": wave and wave.pk, "max_uses": max_uses, "days": days},
    )
    return invitation, secret


@transaction.atomic
def invite_class(*, campaign, actor, addressees, role, days, wave=None):
    """One link for each name or address. Pasting a list again replaces the links not yet used."""
    stale = campaign.invitations.usable_at(timezone.now()).filter(
        wave=wave, role=role, addressee__in=addressees
    )
    for invitation in stale:
        revoke(invitation=invitation, actor=actor)
    return [
        invite(campaign=campaign, actor=actor, role=role, days=days, wave=wave, addressee=addressee)
        for addressee in addressees
    ]


@transaction.atomic
def revoke(*, invitation, actor):
    """End a link; who came by it stays."""
    revoked = Invitation.objects.filter(pk=invitation.pk, revoked_at=None)
    if not revoked.update(revoked_at=timezone.now()):
        raise ValidationError(_("This invitation was withdrawn already."))
    record_event(actor=actor, verb="withdrew invitation", subject=invitation)


def usable_invitation(token):
    """The invitation of this secret, where it still lets somebody in."""
    return (
        Invitation.objects.usable_at(timezone.now())
        .select_related("campaign", "wave")
        .filter(token_hash=hash_of(token))
        .first()
    )


def just_joined(token, username):
    """The invitation of this secret, where somebody of this name joined by it a moment ago."""
    invitation = Invitation.objects.select_related("campaign").filter(token_hash=hash_of(token))
    joined = Event.objects.filter(
        verb="joined", actor__username=username, at__gt=timezone.now() - A_MOMENT
    )
    members = Membership.objects.current().filter(user__username=username)
    invitation = invitation.filter(campaign__in=members.values("campaign"))
    return next((one for one in invitation if joined.filter(subject=subject_name(one))), None)


@transaction.atomic
def accept(*, invitation, user):
    """Spend one use of the invitation: `user` joins, or gets what they did not have yet.

    The conditional UPDATE is the lock: of several that come at once, each is counted on the row
    as the one before it left it.
    """
    usable = Invitation.objects.usable_at(timezone.now()).filter(pk=invitation.pk)
    if not usable.update(uses=F("uses") + 1):
        raise ValidationError(
            _("This invitation was used up, withdrawn or has expired. Ask for a new one.")
        )
    gained = [join_campaign(invitation, user), join_wave(invitation, user)]
    if not any(gained):
        raise ValidationError(_("You are in already, so you do not need this invitation."))
    record_event(actor=user, verb="joined", subject=invitation, data={"role": invitation.role})


def join_campaign(invitation, user):
    """Whether the membership is new or its role has risen; nobody loses a role by a link."""
    membership, is_new = Membership.objects.get_or_create(
        campaign=invitation.campaign, user=user, defaults={"role": invitation.role}
    )
    if membership.ended_at:
        raise ValidationError(
            _("Your membership of this campaign was ended. Only a manager can restore it.")
        )
    if is_new or Role(membership.role).rank >= Role(invitation.role).rank:
        return is_new
    membership.role = invitation.role
    membership.save(update_fields=["role"])
    return True


def join_wave(invitation, user):
    """Whether the participation is new; one that a manager paused or ended stays so."""
    if invitation.wave is None:
        return False
    return Participation.objects.get_or_create(wave=invitation.wave, user=user)[1]


def drop_addressee(user):
    """Forget under which names and addresses somebody was invited, by whichever links.

    Lists that were pasted again left older links to the same names in the same campaigns; an
    address is theirs everywhere. What nobody used yet ends: it may have been for a namesake, and
    a list that is pasted again would not find it any more.
    """
    joined = Event.objects.filter(actor=user, verb="joined").values_list("subject", flat=True)
    ids = {int(subject.partition(":")[2]) for subject in joined}
    named = Invitation.objects.exclude(addressee="")
    names = set(named.filter(pk__in=ids, max_uses=1).values_list("campaign", "addressee"))
    for campaign in user.memberships.values_list("campaign", flat=True):
        names |= {(campaign, user.name), (campaign, user.username)}
    names = {(campaign, name.casefold()) for campaign, name in names}
    addresses = addresses_in(user.email).union(*(addresses_in(name) for _campaign, name in names))
    theirs = [
        each.pk
        for each in named.only("campaign", "addressee", "max_uses", "uses")
        if addresses_in(each.addressee) & addresses
        or (is_of_one(each, ids) and (each.campaign_id, each.addressee.casefold()) in names)
    ]
    theirs = Invitation.objects.filter(pk__in=theirs)
    for invitation in theirs.usable_at(timezone.now()).filter(uses=0):
        revoke(invitation=invitation, actor=None)
    theirs.update(addressee="")


def addresses_in(text):
    return {word for word in re.split(r"[\s<>()\[\],;]+", text.casefold()) if "@" in word}


def is_of_one(invitation, mine):
    """Whether a link is for one person, and nobody used it but who joined by the links `mine`."""
    return invitation.max_uses == 1 and (not invitation.uses or invitation.pk in mine)
