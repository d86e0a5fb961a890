"""Conflicts: the list, hardest first, and the page of one with everybody's answer."""

from django.core.paginator import Paginator
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.http import require_GET

from agreement import conflicts as found
from agreement.answers import answers_to
from agreement.conflict_lists import listed_for
from agreement.differing import Conflict
from agreement.forms import AgreementForm
from agreement.snapshots import KIND
from annotation.models import Campaign, Instance
from annotation.pseudonyms import names_of

PER_PAGE = 25


@require_GET
def conflicts(request, slug):
    """?wave= and the other choices of the dashboard say of which labels; ?first= and ?second=
    narrow to the claims that those two differ on.
    """
    campaign = get_object_or_404(Campaign.objects.curated_by(request.user), slug=slug)
    form = AgreementForm(request.GET, campaign=campaign)
    pair = (request.GET.get("first", ""), request.GET.get("second", ""))
    pair = pair if all(pair) else None
    listed = listed_for(request.user, form.scope, form.settings, pair)
    page = Paginator(listed.conflicts or [], PER_PAGE).get_page(request.GET.get("page"))
    names = names_for(request.user, campaign)
    context = {
        "campaign": campaign,
        "form": form,
        "kind": KIND.AGREEMENT,
        "listed": listed,
        "page": page,
        "rows": found.rows_of(campaign, list(page), form.scope.waves),
        "names": names,
        "pair": pair,
        "people": sorted(names.items(), key=lambda item: item[1].casefold()),
    }
    with timezone.override(campaign.time_zone):
        return render(request, "agreement/conflicts.html", context)


@require_GET
def conflict(request, instance_id):
    """One claim with each live answer, its evidence and its times."""
    curated = Campaign.objects.curated_by(request.user)
    rows = Instance.objects.select_related(
        "claim__campaign__corpus",
        "claim__source__article",
        "claim__parent",
        "article",
        "passage__article",
    )
    instance = get_object_or_404(rows, claim__campaign__in=curated, pk=instance_id)
    campaign = instance.claim.campaign
    get_object_or_404(found.seen_by(request.user, campaign), pk=instance_id)
    (row,) = found.rows_of(campaign, [Conflict(instance.pk, 0.0)])
    context = {
        "campaign": campaign,
        "instance": instance,
        "claim": instance.claim,
        "row": row,
        "answers": answers_to(instance, names_for(request.user, campaign)),
    }
    with timezone.override(campaign.time_zone):
        return render(request, "agreement/conflict.html", context)


def names_for(user, campaign):
    """{pseudonym: what the reader sees}: names for a manager, pseudonyms for a curator."""
    is_manager = Campaign.objects.managed_by(user).filter(pk=campaign.pk).exists()
    names = names_of(campaign)
    return names if is_manager else {pseudonym: pseudonym for pseudonym in names}
