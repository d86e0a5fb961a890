"""The dashboard of agreement, and the button that has figures made anew."""

from django.contrib import messages
from django.http import Http404
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_GET, require_POST

from agreement import conflicts, panels, snapshots
from agreement.cue_forms import CueForm
from agreement.forms import AgreementForm
from agreement.snapshots import KIND, PAGES
from agreement.views.conflicts import names_for
from annotation.models import Campaign

FORMS = {KIND.AGREEMENT: AgreementForm, KIND.CUES: CueForm}
# Who sees figures of agreement may also have them made; cues are for managers.
OPEN_TO = {KIND.AGREEMENT: Campaign.objects.curated_by, KIND.CUES: Campaign.objects.managed_by}
COMPUTING = _("The figures are being computed; you can leave this page meanwhile.")


@require_GET
def dashboard(request, slug):
    """How far people agree, under the policies of the query string: stored figures alone."""
    campaign = get_object_or_404(Campaign.objects.curated_by(request.user), slug=slug)
    form = AgreementForm(request.GET, campaign=campaign)
    shown = snapshots.shown(KIND.AGREEMENT, form.scope, form.settings)
    context = {
        "campaign": campaign,
        "form": form,
        "shown": shown,
        "kind": KIND.AGREEMENT,
        "figures": shown.figures,
    }
    if shown.figures:
        hardest = [row["instance"] for row in shown.figures["hardest"]]
        seen = conflicts.seen_among(request.user, campaign, hardest)
        context |= {
            "panels": panels.dashboard_panels(shown.figures, names_for(request.user, campaign)),
            "hardest": panels.hardest_claims(shown.figures, seen),
        }
    with timezone.override(campaign.time_zone):
        return render(request, "agreement/dashboard.html", context)


@require_POST
def recompute(request, slug, kind):
    """Have the figures of a page made anew by a job, and go back to the page.

    With `if_missing` only where there are none: what the filters of a page ask for.
    """
    if kind not in FORMS:
        raise Http404
    campaign = get_object_or_404(OPEN_TO[kind](request.user), slug=slug)
    form = FORMS[kind](request.POST, campaign=campaign, reader=request.user)
    refused = {name: form.data[name] for name in form.errors}
    if refused:  # the page says why, beside what was typed
        return redirect(reverse(PAGES[kind], args=[slug], query=form.query | refused))
    if not ("if_missing" in request.POST and snapshots.is_there(kind, form.scope, form.settings)):
        snapshots.ask(kind=kind, scope=form.scope, settings=form.settings, by=request.user)
        messages.info(request, COMPUTING)
    return redirect(reverse(PAGES[kind], args=[slug], query=form.query))
