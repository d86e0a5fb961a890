"""Guidelines of a campaign: a version never changes, a new one is acknowledged before work."""

from pathlib import Path

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Max, Q
from django.utils.translation import gettext as _

from accounts.events import record_event
from annotation.models import Acknowledgement, Campaign, GuidelineVersion, Wave

DEFAULTS = Path(__file__).resolve().parent / "default_guidelines"


def default_text(language):
    """The guidelines that a new campaign starts with: Czech for Czech texts, else English."""
    name = "cs" if language == "cs" else "en"
    return (DEFAULTS / f"{name}.md").read_text(encoding="utf-8")


def current_guideline(campaign):
    return campaign.guidelines.order_by("-number").first()


@transaction.atomic
def publish_guideline(*, campaign, text, actor, waves=()):
    """A new version of the guidelines, which `waves` (of this campaign) use from now on."""
    campaign = Campaign.objects.select_for_update().get(pk=campaign.pk)
    last = current_guideline(campaign)
    if last and last.text == text:
        raise ValidationError(_("Nothing was changed; edit the text before you publish it."))
    version = GuidelineVersion.objects.create(
        campaign=campaign, number=last.number + 1 if last else 1, text=text, created_by=actor
    )
    campaign.waves.filter(pk__in=[wave.pk for wave in waves]).update(guideline=version)
    record_event(
        actor=actor,
        verb="published guidelines",
        subject=f"campaign:{campaign.pk}",
        data={"version": version.number, "waves": sorted(wave.pk for wave in waves)},
    )
    return version


def waves_to_move(campaign, moment):
    """Waves that a new version may be for: those that are not over."""
    return campaign.waves.filter(purpose=Wave.Purpose.NORMAL).filter(
        Q(closes_at=None) | Q(closes_at__gt=moment)
    )


def seen_number(user, campaign):
    """The newest version that `user` worked with or acknowledged here; None before any work."""
    shown = user.assignments.filter(wave__campaign=campaign, guideline__isnull=False)
    seen = campaign.guidelines.filter(
        Q(pk__in=shown.values("guideline")) | Q(acknowledgements__user=user)
    )
    return seen.aggregate(Max("number"))["number__max"]


def needs_acknowledgement(user, wave):
    """Whether `user` worked by an older version than the one that `wave` uses now.

    The first version that somebody meets stands beside the form; only a change is acknowledged.
    """
    if wave.guideline is None:
        return False
    seen = seen_number(user, wave.campaign)
    return seen is not None and seen < wave.guideline.number


def acknowledge_guideline(*, guideline, user):
    """`user` saw the differences up to this version; said twice, it is stored once."""
    return Acknowledgement.objects.get_or_create(guideline=guideline, user=user)[0]
