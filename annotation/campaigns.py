"""Campaigns: made with their first guidelines and manager, and their settings."""

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from accounts.events import record_event
from annotation.guidelines import default_text, publish_guideline
from annotation.models import Assignment, Campaign, Membership, Role, Task


@transaction.atomic
def create_campaign(*, actor, name, slug, corpus=None, time_zone="UTC", manager=None):
    """A campaign with the built-in guidelines in the language of its corpus, and one manager."""
    campaign = Campaign(name=name, slug=slug, corpus=corpus, time_zone=time_zone)
    campaign.full_clean()
    campaign.save()
    Membership.objects.create(campaign=campaign, user=manager or actor, role=Role.MANAGER)
    record_event(actor=actor, verb="made campaign", subject=campaign, data={"slug": slug})
    language = corpus.language if corpus else "en"
    publish_guideline(campaign=campaign, text=default_text(language), actor=actor)
    return campaign


@transaction.atomic
def edit_campaign(*, campaign, actor, name, time_zone, corpus):
    """Change name and zone; the corpus only before anything rests on it."""
    campaign = Campaign.objects.select_for_update().get(pk=campaign.pk)
    if corpus != campaign.corpus and (reason := reason_to_keep_corpus(campaign)):
        raise ValidationError({"corpus": reason})
    before = settings_of(campaign)
    campaign.name, campaign.time_zone, campaign.corpus = name, time_zone, corpus
    campaign.full_clean()
    campaign.save(update_fields=["name", "time_zone", "corpus"])
    if settings_of(campaign) != before:
        data = {"before": before, "after": settings_of(campaign)}
        record_event(actor=actor, verb="changed campaign", subject=campaign, data=data)
    return campaign


def reason_to_keep_corpus(campaign):
    """Why a campaign keeps its corpus: what rests on it, or is being chosen from it; else ''."""
    if campaign.preselections.exists() or campaign.claims.exists():
        return _("Sources and claims of this campaign rest on its corpus, so it stays as it is.")
    if Assignment.objects.open().filter(wave__campaign=campaign, task=Task.T0).exists():
        return _(
            "Somebody is choosing sources from this corpus just now. Once they have skipped their "
            "article, or its time has run out, the corpus can be changed."
        )
    return ""


def settings_of(campaign):
    return {
        "name": campaign.name,
        "time_zone": campaign.time_zone,
        "corpus": campaign.corpus_id,
    }
