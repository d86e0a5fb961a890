"""Members of campaigns and participants of waves; what managers may do for them."""

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.events import record_event
from accounts.models import User
from annotation.invitations import drop_addressee
from annotation.models import Campaign, Draft, Membership, Participation, Role


def managed_people(user):
    """Other members of the campaigns that `user` manages, who are in no further ones.

    Who is in somebody else's campaign too is left to a superuser: with a reset link the manager
    could enter there under another's name.
    """
    ours = Campaign.objects.managed_by(user)
    elsewhere = Membership.objects.current().filter(user=OuterRef("pk")).exclude(campaign__in=ours)
    members = Membership.objects.current().filter(user=OuterRef("pk"), campaign__in=ours)
    others = User.objects.exclude(pk=user.pk)
    return others.filter(Exists(members), ~Exists(elsewhere), is_superuser=False)


def manages_people(user):
    """Whether `user` manages a campaign, though nobody may have joined it."""
    return Campaign.objects.managed_by(user).exists()


def forget_person(user):
    """What annotation keeps about a person beyond their work: drafts, and how they were invited."""
    Draft.objects.filter(assignment__user=user).delete()
    drop_addressee(user)


@transaction.atomic
def set_role(*, membership, role, actor):
    """Give a member another role; a campaign keeps at least one manager."""
    membership = locked_membership(membership, actor)
    if membership.role == role:
        return membership
    if role != Role.MANAGER:
        check_other_manager(membership)
    before, membership.role = membership.role, role
    membership.full_clean()
    membership.save(update_fields=["role"])
    record(actor, "changed role", membership, {"before": before, "after": role})
    return membership


@transaction.atomic
def end_membership(*, membership, actor):
    """Remove a person from a campaign: the work stays, and the waves count them as left."""
    membership = locked_membership(membership, actor)
    if membership.ended_at:
        raise ValidationError(_("This membership was ended already."))
    check_other_manager(membership)
    membership.ended_at = timezone.now()
    membership.save(update_fields=["ended_at"])
    Participation.objects.filter(
        user=membership.user, wave__campaign=membership.campaign_id
    ).update(status=Participation.Status.LEFT)
    record(actor, "ended membership", membership, {"role": membership.role})
    return membership


@transaction.atomic
def restore_membership(*, membership, actor):
    """Let a person back in, in the role they had; waves are given anew."""
    membership = locked_membership(membership, actor)
    if not membership.ended_at:
        raise ValidationError(_("This person is a member already."))
    membership.ended_at = None
    membership.save(update_fields=["ended_at"])
    record(actor, "restored membership", membership, {"role": membership.role})
    return membership


@transaction.atomic
def set_participation(*, wave, user, actor, status, quota_factor):
    """Let a member work in a wave, pause them, or change how much is asked of them."""
    if not wave.campaign.memberships.current().filter(user=user).exists():
        raise ValidationError(_("Only members of the campaign take part in its waves."))
    participation = Participation.objects.filter(wave=wave, user=user).first()
    before = participation and [participation.status, str(participation.quota_factor)]
    participation = participation or Participation(wave=wave, user=user)
    participation.status, participation.quota_factor = status, quota_factor
    participation.full_clean()
    participation.save()
    after = [participation.status, str(participation.quota_factor)]
    if before != after:
        data = {"user": user.pk, "before": before, "after": after}
        record_event(actor=actor, verb="changed participation", subject=wave, data=data)
    return participation


@transaction.atomic
def add_participants(*, wave, users, actor):
    """Let several members work in a wave at once; who takes part already stays as they are."""
    members = wave.campaign.memberships.current().filter(user__in=users)
    there = set(wave.participations.values_list("user_id", flat=True))
    new = [member.user_id for member in members.order_by("pk") if member.user_id not in there]
    Participation.objects.bulk_create(
        (Participation(wave=wave, user_id=user_id) for user_id in new), ignore_conflicts=True
    )
    if new:
        record_event(actor=actor, verb="added people", subject=wave, data={"users": new})
    return len(new)


def locked_membership(membership, actor):
    """The membership under its campaign's lock, so that two managers cannot remove each other."""
    Campaign.objects.select_for_update(no_key=True).get(pk=membership.campaign_id)
    membership = Membership.objects.select_related("user").get(pk=membership.pk)
    if membership.user.is_superuser and not actor.is_superuser:
        raise ValidationError(_("Only a superuser can change the membership of a superuser."))
    return membership


def check_other_manager(membership):
    """Refuse what would leave the campaign without a manager who can sign in."""
    managers = Membership.objects.current().filter(
        campaign=membership.campaign_id, role=Role.MANAGER, user__is_active=True
    )
    if membership.role == Role.MANAGER and not managers.exclude(pk=membership.pk).exists():
        raise ValidationError(
            _("This is the only manager of the campaign. Make somebody else a manager first.")
        )


def record(actor, verb, membership, data):
    record_event(
        actor=actor,
        verb=verb,
        subject=f"campaign:{membership.campaign_id}",
        data={"user": membership.user_id, **data},
    )
