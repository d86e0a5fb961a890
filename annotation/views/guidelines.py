"""Guidelines: read, changed, compared, and acknowledged before the next item."""

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from annotation import guidelines as services
from annotation.forms.campaigns import GuidelinesForm
from annotation.markdown import differences
from annotation.models import Campaign, Wave
from annotation.unsent import sent_in_vain


@require_GET
def guidelines(request):
    """The current guidelines: of my campaign, or of which of mine."""
    mine = list(Campaign.objects.read_by(request.user).order_by("name", "pk"))
    if len(mine) == 1:
        return redirect("annotation:campaign-guidelines", mine[0].slug)
    return render(request, "annotation/guidelines/guidelines.html", {"campaigns": mine})


@require_GET
def campaign_guidelines(request, slug):
    """The newest version, and the list of those before it."""
    campaign = get_object_or_404(Campaign.objects.read_by(request.user), slug=slug)
    versions = list(campaign.guidelines.order_by("-number"))
    return render(
        request,
        "annotation/guidelines/campaign_guidelines.html",
        {
            "campaign": campaign,
            "version": versions[0] if versions else None,
            "versions": versions,
            "is_manager": Campaign.objects.managed_by(request.user).filter(pk=campaign.pk).exists(),
        },
    )


@require_GET
def guideline_version(request, slug, number):
    """One version, and what it changed."""
    campaign = get_object_or_404(Campaign.objects.read_by(request.user), slug=slug)
    version = get_object_or_404(campaign.guidelines, number=number)
    before = campaign.guidelines.filter(number__lt=number).last()
    return render(
        request,
        "annotation/guidelines/guideline_version.html",
        {
            "campaign": campaign,
            "version": version,
            "before": before,
            "rows": differences(before.text, version.text) if before else [],
        },
    )


@require_http_methods(["GET", "POST"])
def edit_guidelines(request, slug):
    """Write the next version; "preview" shows it and keeps nothing."""
    campaign = get_object_or_404(Campaign.objects.managed_by(request.user), slug=slug)
    current = services.current_guideline(campaign)
    waves = services.waves_to_move(campaign, timezone.now())
    initial = {"text": current.text if current else "", "waves": [wave.pk for wave in waves]}
    sent = sent_in_vain(request, request.path, after=current and current.created_at)
    if sent:
        initial |= {"text": sent.get("text", [""])[0], "waves": sent.get("waves", [])}
    form = GuidelinesForm(request.POST or None, waves=waves, initial=initial)
    context = {"campaign": campaign, "form": form}
    if request.method == "POST" and form.is_valid():
        text = form.cleaned_data["text"]
        if "preview" in request.POST:
            context["preview"] = text
            context["rows"] = differences(initial["text"], text)
        elif version := published(request, campaign, form):
            messages.success(request, _("Version %d is published.") % version.number)
            return redirect("annotation:campaign-guidelines", campaign.slug)
    return render(request, "annotation/guidelines/edit_guidelines.html", context)


def published(request, campaign, form):
    """The new version; None where the service refused it, with its reason on the form."""
    try:
        return services.publish_guideline(
            campaign=campaign,
            text=form.cleaned_data["text"],
            waves=form.cleaned_data.get("waves", []),
            actor=request.user,
        )
    except ValidationError as error:
        form.add_error(None, error)
        return None


@require_http_methods(["GET", "POST"])
def acknowledge(request, wave_id):
    """What changed since the version that I worked by; confirmed for the version shown."""
    waves = Wave.objects.shown_to(request.user).select_related("campaign", "guideline")
    wave = get_object_or_404(waves, pk=wave_id, guideline__isnull=False)
    if request.POST.get("version") == str(wave.guideline.number):
        services.acknowledge_guideline(guideline=wave.guideline, user=request.user)
        messages.success(request, _("Thank you. You can go on with your work."))
        return redirect("annotation:home")
    seen = services.seen_number(request.user, wave.campaign)
    before = wave.campaign.guidelines.filter(number=seen).first() if seen else None
    return render(
        request,
        "annotation/guidelines/acknowledge.html",
        {
            "wave": wave,
            "version": wave.guideline,
            "before": before,
            "rows": differences(before.text, wave.guideline.text) if before else [],
        },
    )
