"""What claims give away by their wording."""

from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.http import require_GET

from agreement import cue_panels, cue_sheets, snapshots
from agreement.cue_forms import CueForm
from agreement.snapshots import KIND
from agreement.views.downloads import as_file, not_computed
from annotation.models import Campaign


@require_GET
def cues(request, slug):
    """Unigrams and bigrams with their figures, over the claims that have a decided label."""
    campaign = get_object_or_404(Campaign.objects.managed_by(request.user), slug=slug)
    form = CueForm(request.GET, campaign=campaign)
    shown = snapshots.shown(KIND.CUES, form.scope, form.settings)
    context = {
        "campaign": campaign,
        "form": form,
        "shown": shown,
        "kind": KIND.CUES,
        "figures": shown.figures,
    }
    if shown.figures:
        order = form.chosen("order_by")
        context |= {
            "unigrams": cue_panels.cue_bars(shown.figures["unigrams"], order),
            "bigrams": cue_panels.cue_bars(shown.figures["bigrams"], order),
            "n_left_out": sum(shown.figures["left_out"].values()),
        }
    with timezone.override(campaign.time_zone):
        return render(request, "agreement/cues.html", context)


@require_GET
def cues_csv(request, slug):
    campaign = get_object_or_404(Campaign.objects.managed_by(request.user), slug=slug)
    form = CueForm(request.GET, campaign=campaign)
    figures = snapshots.shown(KIND.CUES, form.scope, form.settings).figures
    if figures is None:
        return not_computed(request, KIND.CUES, form)
    return as_file(f"{slug}-cues", *cue_sheets.cues_sheet(figures))
