"""Samples of translated claims: drawn and closed by managers, and what came of them."""

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

from annotation.models import Campaign
from annotation.spreadsheets import csv_text
from datasets.forms.translations import SampleForm
from datasets.models import TranslationSample
from datasets.validating import services, sheets
from datasets.validating.pool import partly_lost, pool_of
from datasets.validating.results import results_of
from datasets.validating.tasks import judges_of, progress_of, samples_for

PER_PAGE = 20


@require_http_methods(["GET", "POST"])
def translation_samples(request, slug):
    """A campaign's samples, newest first; for its managers the form that draws another."""
    campaign = get_object_or_404(Campaign.objects.read_by(request.user), slug=slug)
    is_manager = Campaign.objects.managed_by(request.user).filter(pk=campaign.pk).exists()
    if request.method == "POST" and not is_manager:
        raise Http404
    form = SampleForm(request.POST or None) if is_manager else None
    if request.method == "POST" and form.is_valid() and draw(request, campaign, form):
        return redirect("datasets:translation-samples", campaign.slug)
    page = Paginator(samples_for(request.user, campaign), PER_PAGE)
    context = {"campaign": campaign, "form": form, "page": page.get_page(request.GET.get("page"))}
    return render(request, "datasets/translation_samples.html", context)


def draw(request, campaign, form):
    """Draw what the form says; whether that was possible."""
    try:
        sample = services.draw_sample(campaign=campaign, by=request.user, **form.cleaned_data)
    except ValidationError as error:
        form.add_error(None, error)
        return False
    tell_drawn(request, sample)
    return True


def tell_drawn(request, sample):
    """Who can begin, and what of the evidence nobody will see."""
    judges = judges_of(sample.campaign).count()
    if judges:
        told = ngettext(
            "The sample is drawn; %(n)d member can judge it.",
            "The sample is drawn; %(n)d members can judge it.",
            judges,
        )
        messages.success(request, told % {"n": judges})
    else:
        told = _("The sample is drawn, but nobody may judge it yet: invite people who are neither "
                 "curators nor managers.")  # fmt: skip
        messages.warning(request, told)
    if hidden := pool_of(sample.campaign).hidden_of(sample.labels):
        told = ngettext(
            "%(n)d claim was left out of the draw: the corpus has none of its evidence.",
            "%(n)d claims were left out of the draw: the corpus has none of their evidence.",
            hidden,
        )
        messages.info(request, told % {"n": hidden})
    if lost := partly_lost(sample):
        told = ngettext(
            "%(n)d drawn claim also cites pages that the corpus lacks; they are named beside it.",
            "%(n)d drawn claims also cite pages that the corpus lacks; they are named beside them.",
            lost,
        )
        messages.info(request, told % {"n": lost})


@require_GET
@never_cache
def translation_sample(request, sample_id):
    """One sample: how far everybody is, and once it is closed how far the labels hold."""
    sample = get_object_or_404(managed(request.user), pk=sample_id)
    results = None if sample.is_open else results_of(sheets.judged_of(sample))
    return render(
        request,
        "datasets/translation_sample.html",
        {
            "sample": sample,
            "campaign": sample.campaign,
            "people": progress_of(sample),
            "results": results,
            "link": request.build_absolute_uri(
                reverse("datasets:judge-translations", args=[sample.pk])
            ),
            "judges": judges_of(sample.campaign).count() if sample.is_open else None,
        },
    )


@require_http_methods(["GET", "POST"])
@never_cache
def close_translation_sample(request, sample_id):
    """Ask first, with how far people are: a closed sample is never opened again."""
    sample = get_object_or_404(managed(request.user), pk=sample_id)
    if request.method == "GET" and sample.is_open:
        context = {
            "sample": sample,
            "campaign": sample.campaign,
            "judged": sample.items.filter(answers__isnull=False).distinct().count(),
            "people": len(progress_of(sample)),
        }
        return render(request, "datasets/translations/close.html", context)
    try:
        services.close_sample(sample=sample, by=request.user)
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
    return redirect("datasets:translation-sample", sample.pk)


@require_GET
def translation_sample_csv(request, sample_id):
    """Every answer to a closed sample, under pseudonyms, for a spreadsheet."""
    sample = closed(request.user, sample_id)
    text = "\ufeff" + csv_text(sheets.HEADER, sheets.answers_sheet(sample))
    return as_file(HttpResponse(text, content_type="text/csv; charset=utf-8"), sample, "csv")


@require_GET
def translation_sample_json(request, sample_id):
    """Figures and answers of a closed sample, under pseudonyms, for a program."""
    sample = closed(request.user, sample_id)
    told = JsonResponse(sheets.as_json(sample), json_dumps_params={"ensure_ascii": False})
    return as_file(told, sample, "json")


def as_file(response, sample, ending):
    name = f"{sample.campaign.slug}-translations-{sample.number}.{ending}"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def closed(user, sample_id):
    """A sample whose labels are no secret any more."""
    return get_object_or_404(managed(user).filter(closed_at__isnull=False), pk=sample_id)


def managed(user):
    return TranslationSample.objects.managed_by(user).select_related("campaign")
