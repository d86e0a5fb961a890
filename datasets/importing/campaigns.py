"""The campaign of an import: one that is there, or a new one over a corpus or none."""

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from accounts.events import record_event
from accounts.models import User
from annotation.campaigns import create_campaign
from annotation.guidelines import default_text, publish_guideline
from annotation.models import Campaign
from corpus.models import Corpus


def campaign_for(slug: str, corpus: Corpus | None) -> Campaign:
    """The campaign of this slug; a new one is not saved yet.

    Raises ValidationError where the campaign has another corpus, or the slug is none.
    """
    campaign = Campaign.objects.select_related("corpus").filter(slug=slug).first()
    if campaign is None:
        zone = corpus.time_zone if corpus else "UTC"
        campaign = Campaign(slug=slug, name=slug, corpus=corpus, time_zone=zone)
        campaign.full_clean()
    elif corpus is not None and campaign.corpus != corpus:
        raise ValidationError(
            _("The campaign is over %(its)s, not over %(other)s; leave the corpus out.")
            % {"its": campaign.corpus or _("no corpus"), "other": corpus.slug}
        )
    return campaign


def saved(campaign: Campaign, *, by: User | None) -> Campaign:
    """The campaign, made where it is new: its manager is `by`, else the first superuser."""
    if campaign.pk is not None:
        return campaign
    fields = {
        "name": campaign.name,
        "slug": campaign.slug,
        "corpus": campaign.corpus,
        "time_zone": campaign.time_zone,
    }
    manager = by or User.objects.filter(is_superuser=True, is_active=True).order_by("pk").first()
    if manager is not None:
        return create_campaign(actor=manager, **fields)
    campaign = Campaign.objects.create(**fields)
    record_event(actor=None, verb="made campaign", subject=campaign, data={"slug": campaign.slug})
    language = campaign.corpus.language if campaign.corpus else "en"
    publish_guideline(campaign=campaign, text=default_text(language), actor=None)
    return campaign
