"""One imported claim with its labels, and the evidence marked where it stands."""

from django.shortcuts import get_object_or_404, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from annotation.models import Campaign, Claim
from corpus.throttling import throttled
from datasets.importing.extra import from_text
from datasets.reading import lost_labels, shown_instances


@require_GET
@never_cache
@throttled("reading")
def claim(request, slug, number):
    """The claim, each of its instances with its labels, and what the corpus does not have."""
    campaign = get_object_or_404(Campaign.objects.managed_by(request.user), slug=slug)
    rows = Claim.objects.filter(campaign=campaign, wave__purpose="import")
    one = get_object_or_404(rows.select_related("campaign", "source", "wave"), number=number)
    extra = from_text(one.extra)
    return render(
        request,
        "datasets/imported_claim.html",
        {
            "campaign": campaign,
            "claim": one,
            "instances": shown_instances(one, request.user),
            "lost_source": extra.get("source", ""),
            "lost_labels": lost_labels(one, request.user),
        },
    )
