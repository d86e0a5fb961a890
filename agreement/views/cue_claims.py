"""The claims behind one cue."""

from django.core.paginator import Paginator
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_GET

from agreement.cue_claims import Cue, claims_behind, drawn
from agreement.cue_forms import CueClaimsForm
from annotation.models import Campaign

PER_PAGE = 25


@require_GET
def cue_claims(request, slug):
    """?cue= and ?kind= say which cue, ?label= narrows to the claims of one label."""
    campaign = get_object_or_404(Campaign.objects.managed_by(request.user), slug=slug)
    form = CueClaimsForm(request.GET, campaign=campaign)
    cue = Cue(request.GET.get("cue", ""), form.chosen("kind"), form.chosen("tokens"))
    behind = claims_behind(form.scope, cue, request.user)
    label = "" if behind.is_blind else request.GET.get("label", "")
    rows = behind.of_label(label) if label else behind.rows
    page = Paginator(rows, PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "campaign": campaign,
        "form": form,
        "cue": cue,
        "label": label,
        "labels": behind.by_label,
        "is_blind": behind.is_blind,
        "n_hidden": behind.n_hidden,
        "page": page,
        "rows": drawn(list(page), cue),
    }
    return render(request, "agreement/cue_claims.html", context)
