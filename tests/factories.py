"""Builders with defaults: a test names only the detail that it is about."""

from datetime import timedelta

from django.utils import timezone

from accounts.models import User
from annotation.campaigns import create_campaign
from annotation.models import Campaign, Membership, Participation, Wave

PASSWORD = "correct horse battery"


def make_user(*, username="ada", password=PASSWORD, **fields):
    """The user of this name; made where there is none yet."""
    if user := User.objects.filter(username=username).first():
        return user
    return User.objects.create_user(username=username, password=password, **fields)


def make_campaign(*, slug="spring", manager=None, **fields):
    """The campaign of this slug, with the built-in guidelines; made where there is none yet."""
    if campaign := Campaign.objects.filter(slug=slug).first():
        return campaign
    manager = manager or make_user(username=f"manager-of-{slug}")
    fields.setdefault("name", slug.capitalize())
    return create_campaign(actor=manager, slug=slug, **fields)


def make_member(campaign, user="ben", *, role="annotator"):
    """`user` (or the user of this name) as a member; a role that was there is replaced."""
    user = make_user(username=user) if isinstance(user, str) else user
    Membership.objects.update_or_create(campaign=campaign, user=user, defaults={"role": role})
    return user


def make_wave(campaign=None, *, name="First wave", is_open=True, **fields):
    """A wave by the campaign's newest guidelines, opened an hour ago unless told otherwise."""
    campaign = campaign or make_campaign()
    if is_open:
        fields.setdefault("opens_at", timezone.now() - timedelta(hours=1))
    fields.setdefault("guideline", campaign.guidelines.last())
    return Wave.objects.create(campaign=campaign, name=name, **fields)


def make_participant(wave, user="ben", **fields):
    """`user` as a member of the campaign who may work in `wave`."""
    campaign = wave.campaign
    user = make_user(username=user) if isinstance(user, str) else user
    Membership.objects.get_or_create(campaign=campaign, user=user, defaults={"role": "annotator"})
    Participation.objects.update_or_create(wave=wave, user=user, defaults=fields)
    return user
