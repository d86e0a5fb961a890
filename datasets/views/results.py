"""What is reached on a release: measure baselines, add a model, look behind the figures."""

from urllib.parse import urlsplit

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.http import Http404
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST
from django.views.decorators.vary import vary_on_headers
from django_htmx.http import HttpResponseClientRefresh

from datasets.forms.results import BaselinesForm, PredictionsForm
from datasets.models import ReleaseResult
from datasets.results import services
from datasets.results.claims import lines_of
from datasets.results.shown import facts_of
from datasets.results.words import TITLES, claims_in, heading_of, matrices_of, split_of
from datasets.views.releases import managed as managed_releases
from datasets.views.releases import release_page

PER_PAGE = 50


def managed(user):
    rows = ReleaseResult.objects.managed_by(user)
    return rows.select_related("created_by", "release__campaign")


@require_http_methods(["GET", "POST"])
@never_cache
@vary_on_headers("HX-Request")
def baselines(request, release_id):
    """Measure the baselines of a release; htmx asks how far they are."""
    one = get_object_or_404(managed_releases(request.user), pk=release_id)
    if request.method == "POST":
        return start_baselines(request, one)
    if request.htmx:
        return job_card(request, one)
    return redirect("datasets:release", one.pk)


def start_baselines(request, one):
    form = BaselinesForm(request.POST)
    if form.is_valid():
        try:
            seed = form.cleaned_data["seed"]
            services.start_baselines(release=one, seed=seed, by=request.user)
        except ValidationError as error:
            form.add_error(None, error)
        else:
            messages.success(request, _("The baselines are being measured."))
            return to_job(one)
    return release_page(request, one, baselines_form=form)


def to_job(one):
    """To the card of the job; without its fragment the browser would keep that of the form."""
    return redirect(page_of(one) + "#baselines-job")


def page_of(one):
    return reverse("datasets:release", args=[one.pk])


def job_card(request, one):
    """The card of the job for htmx; when it has ended, the page has more to say than the card."""
    job = services.jobs_of(one).first()
    ended = not (job and job.is_live)
    # Never on the page of a refused form: it would be sent once more.
    if ended and urlsplit(request.htmx.current_url or "").path == page_of(one):
        return HttpResponseClientRefresh()
    context = {"release": one, "job": job}
    return render(request, "datasets/_result_job.html", context)


@require_POST
@vary_on_headers("HX-Request")
def cancel_baselines(request, release_id):
    one = get_object_or_404(managed_releases(request.user), pk=release_id)
    if not services.cancel_baselines(release=one, by=request.user):
        messages.info(request, _("It was too late to cancel: the job had ended."))
    return job_card(request, one) if request.htmx else to_job(one)


@require_POST
def predictions(request, release_id):
    """Score a model's predictions and keep the figures; a mistake is told on the release's page."""
    one = get_object_or_404(managed_releases(request.user), pk=release_id)
    form = PredictionsForm(request.POST, request.FILES, release=one)
    if form.is_valid():
        try:
            result = services.store_predictions(release=one, by=request.user, **form.cleaned_data)
        except ValidationError as error:
            form.add_error(None, error)
        else:
            messages.success(request, _("The predictions are scored; their figures are kept."))
            return redirect(reverse("datasets:result", args=[result.pk]) + "#content")
    return release_page(request, one, predictions_form=form)


@require_GET
def result(request, result_id):
    """One result: its figures, what they depend on, and its confusion matrices."""
    one = get_object_or_404(managed(request.user), pk=result_id)
    context = {
        "result": one,
        "release": one.release,
        "campaign": one.release.campaign,
        "matrices": matrices_of(one),
        **facts_of(one),
    }
    return render(request, "datasets/result.html", context)


@require_GET
def result_claims(request, result_id, matrix):
    """The claims behind one cell of a confusion matrix: ?gold=…&predicted=…"""
    one = get_object_or_404(managed(request.user), pk=result_id)
    gold, predicted = request.GET.get("gold", ""), request.GET.get("predicted", "")
    ids = claims_in(one, matrix, gold, predicted)
    if ids is None:
        raise Http404
    page = Paginator(ids, PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "result": one,
        "release": one.release,
        "campaign": one.release.campaign,
        "heading": heading_of(one),
        "title": TITLES[matrix],
        "gold": gold,
        "predicted": predicted,
        "page": page,
        **claims_called(one, list(page)),
    }
    return render(request, "datasets/result_claims.html", context)


def claims_called(one, ids):
    """{lines: those of the release with these ids, in their order; error: why there are none}."""
    wanted, found = set(ids), {}
    try:
        for line in lines_of(one.release, split_of(one)):
            if str(line["id"]) in wanted:
                found[str(line["id"])] = line
    except ValidationError as error:
        return {"lines": [], "error": error.messages[0]}
    return {"lines": [found[each] for each in ids if each in found], "error": ""}


@require_POST
def remove_result(request, result_id):
    """Take a model's result away; baselines stay."""
    one = get_object_or_404(managed(request.user).predictions(), pk=result_id)
    services.remove_predictions(result=one, by=request.user)
    messages.success(request, _("The result is removed; its file was not kept here."))
    return redirect("datasets:release", one.release_id)
