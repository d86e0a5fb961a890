"""The dashboard of agreement, and the button that has figures made anew."""

from django.contrib import messages
from django.http import Http404
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from agreement import conflicts, panels, snapshots, tables
from agreement.cue_forms import CueForm
from agreement.forms import AgreementForm
from agreement.snapshots import KIND, PAGES
from annotation.choosing import start_of_day
from annotation.models import Campaign
from annotation.pseudonyms import names_of

FORMS = {KIND.AGREEMENT: AgreementForm, KIND.CUES: CueForm}


@require_GET
def dashboard(request, slug):
    """How far people agree, under the policies of the query string; nothing is stored here."""
    campaign = get_object_or_404(Campaign.objects.managed_by(request.user), slug=slug)
    form = AgreementForm(request.GET, campaign=campaign)
    shown = snapshots.shown(KIND.AGREEMENT, form.scope, form.settings)
    context = {
        "campaign": campaign,
        "form": form,
        "shown": shown,
        "kind": KIND.AGREEMENT,
        "figures": shown.figures,
        "today": labels_today(form.scope),
        "n_conflicts": conflicts.n_conflicts(campaign, request.user, form.scope.waves),
    }
    if shown.figures:
        names = names_of(campaign)
        seen = conflicts.seen_by(request.user, campaign)
        context |= {
            "panels": panels.dashboard_panels(shown.figures, names),
            "hardest": panels.hardest_claims(shown.figures, seen),
        }
    with timezone.override(campaign.time_zone):
        return render(request, "agreement/dashboard.html", context)


def labels_today(scope):
    """How many labels of today count, in the campaign's zone."""
    start = start_of_day(now=timezone.now(), zone=scope.campaign.time_zone)
    return tables.counting(scope.campaign, scope.waves).filter(created_at__gte=start).count()


@require_POST
def recompute(request, slug, kind):
    """Have the figures of a page made anew by a job, and go back to the page."""
    campaign = get_object_or_404(Campaign.objects.managed_by(request.user), slug=slug)
    if kind not in FORMS:
        raise Http404
    form = FORMS[kind](request.POST, campaign=campaign)
    snapshots.ask(kind=kind, scope=form.scope, settings=form.settings, by=request.user)
    messages.info(request, _("The figures are being computed; you can leave this page meanwhile."))
    return redirect(reverse(PAGES[kind], args=[slug], query=form.query))
