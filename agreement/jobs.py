"""What agreement leaves to the worker: figures of many labels, and those that went stale."""

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from agreement.figures import Scope
from agreement.hints import ask_for_closed_waves
from agreement.snapshots import JOB, PAGES, SETTINGS, renew_stale, store
from annotation.models import Campaign, Wave


def figures_job(progress, *, kind, campaign, wave, settings):
    """Compute figures and keep them; the page shows them from then on."""
    progress(0, 1, _("Reading the labels"))
    scope = Scope(Campaign.objects.get(pk=campaign), wave and Wave.objects.get(pk=wave))
    chosen = SETTINGS[kind](**settings)
    store(kind, scope, chosen)
    return {"url": address_of(kind, scope, settings)}


def address_of(kind, scope, settings):
    """The page that shows these figures, with what was chosen on it."""
    chosen = {name: settings[name] for name in SHOWN_SETTINGS if name in settings}
    query = {"wave": scope.wave.pk if scope.wave else "", **chosen}
    return reverse(PAGES[kind], args=[scope.campaign.slug], query=query)


SHOWN_SETTINGS = (
    "duplicates", "own", "conditional", "resample", "interval", "task", "since", "until", "subset",
    "bound", "marks", "among", "tokens", "order_by", "min_count",
)  # fmt: skip
HANDLERS = {JOB: figures_job}
TITLES = {JOB: gettext_lazy("Figures of agreement and cues")}
SWEEPS = [renew_stale, ask_for_closed_waves]
