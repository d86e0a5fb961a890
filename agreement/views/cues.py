"""What claims give away by their wording."""

from django.http import HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods

from agreement import snapshots
from agreement.cue_forms import CueForm
from agreement.cue_panels import cue_panels
from agreement.cue_sheets import cues_sheet
from agreement.cue_snapshots import NOT_COMPUTED, claim_only_now, shown_cues
from agreement.snapshots import KIND
from agreement.views.downloads import as_file, not_computed
from annotation.models import Campaign


def form_of(request, slug, query):
    """The choices of a query on a campaign that the person manages, else 404."""
    campaign = get_object_or_404(Campaign.objects.managed_by(request.user), slug=slug)
    return CueForm(query, campaign=campaign, reader=request.user)


@require_GET
def cues(request, slug):
    """Unigrams and bigrams with their figures, over the claims that have a decided label."""
    form = form_of(request, slug, request.GET)
    shown = shown_cues(form.scope, form.settings)
    context = {
        "campaign": form.campaign,
        "form": form,
        "shown": shown,
        "kind": KIND.CUES,
        "figures": shown.figures,
    }
    if shown.figures:
        alone = shown.figures["claim_only"]
        context |= {
            "alone": alone,
            "asks_now": alone["undefined"] == NOT_COMPUTED,
            "panels": cue_panels(shown.figures, form),
            "n_left_out": sum(shown.figures["left_out"].values()),
        }
    with timezone.override(form.campaign.time_zone):
        return render(request, "agreement/cues.html", context)


@require_http_methods(["GET", "POST"])
def claim_only(request, slug):
    """What the classifier says so far, as a fragment; a POST has a job train it."""
    form = form_of(request, slug, request.POST if request.method == "POST" else request.GET)
    if request.method == "POST":
        snapshots.ask(kind=KIND.CUES, scope=form.scope, settings=form.settings, by=request.user)
    if not request.htmx:
        return redirect(reverse("agreement:cues", args=[slug], query=form.query))
    if request.method == "GET" and snapshots.live_job(KIND.CUES, form.scope, form.settings):
        return HttpResponse(status=204)  # nothing new: htmx leaves the page as it is
    alone = claim_only_now(form.scope, form.settings)
    context = {"campaign": form.campaign, "form": form, "alone": alone}
    return render(request, "agreement/_claim_only.html", context)


@require_GET
def cues_csv(request, slug):
    form = form_of(request, slug, request.GET)
    figures = shown_cues(form.scope, form.settings).figures
    if figures is None:
        return not_computed(request, KIND.CUES, form)
    return as_file(f"{slug}-cues", *cues_sheet(figures))


@require_GET
def cues_json(request, slug):
    """The keys of `cues --json`."""
    form = form_of(request, slug, request.GET)
    figures = shown_cues(form.scope, form.settings).figures
    if figures is None:
        return not_computed(request, KIND.CUES, form)
    response = JsonResponse(figures, json_dumps_params={"ensure_ascii": False})
    response["Content-Disposition"] = f'attachment; filename="{slug}-cues.json"'
    return response
