"""Why there is nothing to do: an empty queue says its reason."""

from datetime import datetime

from django.db.models import F, Min
from django.utils.translation import gettext_lazy as _

from annotation.models import Assignment, Preselection, WaveItem

REASONS = {
    "done": _("All done: there is nothing left for you here."),
    "quota": _("You have reached your quota. Thank you!"),
    "leased": _("Everything that is left is with other people just now."),
    "paused": _("Your work in this wave is paused."),
    "not_approved": _("You do not take part in this task of the wave yet."),
    "guidelines": _("The guidelines have changed. Please read what is new first."),
    "dictionaries": _(
        "The texts for the next items are still being prepared; try again in a few minutes."
    ),
    "closed": _("This wave is closed."),
    "rest": _("What is left for you was written today. Please come back tomorrow."),
    "no_sources": _("No sources have been preselected yet."),
    "no_claims": _("Write a claim first: here you change the claims that you wrote."),
    "no_corpus": _("This campaign has no corpus."),
}


class NoWork(Exception):
    """Nothing can be given out: `reason` is a key of REASONS, `until` when to come back."""

    def __init__(self, reason: str, until: datetime | None = None):
        super().__init__(reason)
        self.reason = reason
        self.until = until

    @property
    def message(self):
        return REASONS[self.reason]


def no_label(*, user, wave, waiting) -> NoWork:
    """Why a person can label nothing in a wave. waiting: its claims without a dictionary."""
    full = wave.items.filter(state=WaveItem.State.OPEN, taken__gte=F("wanted"))
    full = full.not_met_by(user).exclude(instance__claim__author=user)
    leases = Assignment.objects.filling().filter(item__in=full)
    if until := leases.aggregate(until=Min("leased_until"))["until"]:
        return NoWork("leased", until)
    if waiting.exists():
        return NoWork("dictionaries")
    rests = wave.labels_own_claims and wave.items.own_of(user).exists()
    return NoWork("rest" if rests else "done")


def no_source(*, user, wave) -> NoWork:
    """Why a person gets no source in a wave."""
    sources = Preselection.objects.accepted().shared_with(wave).current()
    new = sources.not_met_by(user)
    leases = Assignment.objects.open().filter(preselection__in=new)
    if until := leases.aggregate(until=Min("leased_until"))["until"]:
        return NoWork("leased", until)
    if new.filter(is_ready=False).exists():
        return NoWork("dictionaries")
    return NoWork("done" if sources.exists() else "no_sources")
