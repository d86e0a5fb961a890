"""Campaigns: the list, a new one, its overview and its settings."""

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.db.models import Count, OuterRef, Q
from django.http import Http404
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from annotation import campaigns as services
from annotation.forms.campaigns import CampaignForm, NewCampaignForm
from annotation.guidelines import current_guideline
from annotation.models import Campaign, Claim, Membership, Preselection, Wave, WaveItem
from annotation.views.counts import count_of

PER_PAGE = 30


@require_GET
def campaigns(request):
    """The campaigns that I belong to."""
    mine = Campaign.objects.read_by(request.user).select_related("corpus").order_by("name", "pk")
    people = Membership.objects.current().filter(campaign=OuterRef("pk"))
    waves = Wave.objects.open_at(timezone.now()).filter(campaign=OuterRef("pk"))
    counted = mine.annotate(people=count_of(people), open_waves=count_of(waves))
    page = Paginator(counted, PER_PAGE).get_page(request.GET.get("page"))
    return render(request, "annotation/campaigns/campaigns.html", {"page": page})


@require_http_methods(["GET", "POST"])
def new_campaign(request):
    if not request.user.is_superuser:
        raise Http404
    form = NewCampaignForm(request.POST or None, user=request.user)
    if request.method == "POST" and form.is_valid():
        try:
            campaign = services.create_campaign(actor=request.user, **form.cleaned_data)
        except ValidationError as error:
            form.add_error(None, error)
        else:
            messages.success(request, _("The campaign is there. Now give it a first wave."))
            return redirect("annotation:campaign", campaign.slug)
    return render(request, "annotation/campaigns/new_campaign.html", {"form": form})


@require_GET
def campaign(request, slug):
    """What a campaign is about, and how far it is: the more, the higher one's role."""
    campaign = get_object_or_404(
        Campaign.objects.read_by(request.user).select_related("corpus"), slug=slug
    )
    is_curator = Campaign.objects.curated_by(request.user).filter(pk=campaign.pk).exists()
    return render(
        request,
        "annotation/campaigns/campaign.html",
        {
            "campaign": campaign,
            "is_curator": is_curator,
            "guideline": current_guideline(campaign),
            "waves": waves_of_work(request.user, campaign),
            "sources": counts_of_sources(campaign) if is_curator else None,
            "claims": counts_of_claims(campaign) if is_curator else None,
            "now": timezone.now(),
        },
    )


def waves_of_work(user, campaign):
    """All waves for those who run the campaign; for others the waves they take part in."""
    return Wave.objects.of_campaign(campaign, user).filter(purpose=Wave.Purpose.NORMAL)


def counts_of_sources(campaign):
    """How many sources were accepted, how many of these nobody has used yet, and the rest."""
    accepted = Q(state=Preselection.State.ACCEPTED)
    return campaign.preselections.filter(is_sandbox=False).aggregate(
        accepted=Count("pk", filter=accepted),
        unused=Count("pk", filter=accepted & Q(taken=0)),
        preparing=Count("pk", filter=accepted & Q(is_ready=False)),
        rejected=Count("pk", filter=Q(state=Preselection.State.REJECTED)),
    )


def counts_of_claims(campaign):
    """How many claims were written, and how far labelling is; nothing about the labels."""
    claims = campaign.claims.counted().aggregate(
        extracted=Count("pk", filter=Q(origin=Claim.Origin.EXTRACTED)),
        mutated=Count("pk", filter=Q(origin=Claim.Origin.MUTATED)),
        other=Count("pk", filter=~Q(origin__in=[Claim.Origin.EXTRACTED, Claim.Origin.MUTATED])),
    )
    items = WaveItem.objects.filter(wave__in=campaign.waves.counted()).aggregate(
        open=Count("pk", filter=Q(state=WaveItem.State.OPEN)),
        held=Count("pk", filter=Q(state=WaveItem.State.HELD)),
        labelled=Count(
            "pk",
            filter=Q(
                state__in=[
                    WaveItem.State.COMPLETE,
                    WaveItem.State.CONFLICTED,
                    WaveItem.State.ADJUDICATED,
                ]
            ),
        ),
    )
    return claims | items


@require_http_methods(["GET", "POST"])
def campaign_settings(request, slug):
    campaign = get_object_or_404(Campaign.objects.managed_by(request.user), slug=slug)
    initial = services.settings_of(campaign)
    form = CampaignForm(request.POST or None, user=request.user, campaign=campaign, initial=initial)
    if request.method == "POST" and form.is_valid():
        try:
            services.edit_campaign(campaign=campaign, actor=request.user, **form.cleaned_data)
        except ValidationError as error:
            form.add_error(None, error)
        else:
            messages.success(request, _("The settings are saved."))
            return redirect("annotation:campaign", campaign.slug)
    context = {"campaign": campaign, "form": form}
    return render(request, "annotation/campaigns/settings.html", context)
