"""Pages of releases: make one, watch it, read its card, compare it, download it."""

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.http import FileResponse, Http404, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.datastructures import MultiValueDict
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST
from django.views.decorators.vary import vary_on_headers

from annotation.models import Campaign
from annotation.unsent import sent_in_vain, take_unsent
from datasets.archive import zipped
from datasets.cards import card_sections
from datasets.cards.sections import title_of
from datasets.forms.releases import ReleaseForm
from datasets.forms.results import BaselinesForm, PredictionsForm
from datasets.models import Release
from datasets.releases import services
from datasets.releases.comparing import compared, is_quick
from datasets.releases.measures import measure_rows
from datasets.releases.words import change_rows, leak_rows, setting_rows
from datasets.results.shown import shown_results
from operations.models import Job

PER_PAGE = 20
JOBS_SHOWN = 5
CLAIMS_SHOWN = 100
TYPES = {"jsonl": "application/x-ndjson", "json": "application/json"}


@require_http_methods(["GET", "POST"])
def releases(request, slug):
    """A campaign's releases, newest first, what is being made, and the form for another."""
    campaign = get_object_or_404(Campaign.objects.managed_by(request.user), slug=slug)
    sent = MultiValueDict(sent_in_vain(request, request.path))
    form = ReleaseForm(request.POST or sent or None, campaign=campaign)
    if request.method == "POST" and form.is_valid() and start(request, form):
        take_unsent(request)
        # With a fragment of its own: the browser would else keep that of the form.
        return redirect(reverse("datasets:releases", args=[campaign.slug]) + "#content")
    rows = campaign.releases.select_related("created_by", "campaign")
    page = Paginator(rows, PER_PAGE).get_page(request.GET.get("page"))
    jobs = services.unfinished_jobs_of(campaign)[:JOBS_SHOWN]
    context = {"campaign": campaign, "form": form, "page": page, "jobs": jobs}
    with timezone.override(campaign.time_zone):  # the form's first day is today there
        return render(request, "datasets/releases.html", context)


def start(request, form):
    """Start what the form says; whether that was possible."""
    name, options = form.cleaned_data["name"], form.options
    try:
        services.start_release(campaign=form.campaign, name=name, options=options, by=request.user)
    except ValidationError as error:
        form.add_error(None, error)
        return False
    messages.success(
        request, _("The release was started; it will be listed below once it is made.")
    )
    return True


def managed(user):
    return Release.objects.managed_by(user).select_related("created_by", "campaign")


def managed_job(user, job_id):
    """A job that makes a release of a campaign that `user` manages; else 404."""
    job = get_object_or_404(Job, pk=job_id, kind=services.JOB)
    campaigns = Campaign.objects.managed_by(user)
    get_object_or_404(campaigns, pk=job.arguments["campaign_id"])
    return job


@require_GET
@never_cache
@vary_on_headers("HX-Request")
def release_job(request, job_id):
    """How far a release is; htmx asks for the card alone, which asks again while it is made."""
    job = managed_job(request.user, job_id)
    if not request.htmx:
        campaign = Campaign.objects.get(pk=job.arguments["campaign_id"])
        return redirect("datasets:releases", campaign.slug)
    return render(request, "datasets/_release_job.html", {"job": job})


@require_POST
@vary_on_headers("HX-Request")
def cancel_release(request, job_id):
    job = managed_job(request.user, job_id)
    if not services.cancel_release(job=job, by=request.user):
        messages.info(request, _("It was too late to cancel: the job had ended."))
    if request.htmx:
        job.refresh_from_db()
        return render(request, "datasets/_release_job.html", {"job": job})
    campaign = Campaign.objects.get(pk=job.arguments["campaign_id"])
    return redirect("datasets:releases", campaign.slug)


@require_GET
def release(request, release_id):
    """One release: what is in it, what is reached on it, and others to compare it with."""
    return release_page(request, get_object_or_404(managed(request.user), pk=release_id))


def release_page(request, one, *, baselines_form=None, predictions_form=None):
    """The page of a release, with forms that were filled in."""
    older = one.campaign.releases.filter(pk__lt=one.pk).defer("contents", "options")[:PER_PAGE]
    report = one.contents["leaks"]
    context = {
        "release": one,
        "campaign": one.campaign,
        "older": older,
        "leaks": report and leak_rows(report),
        "figures": measure_rows(one.contents["figures"]),
        "refused": refused_of(baselines_form, predictions_form),
        "baselines_form": baselines_form or BaselinesForm(),
        "predictions_form": predictions_form or PredictionsForm(release=one),
        **shown_results(one),
    }
    return render(request, "datasets/release.html", context)


def refused_of(baselines_form, predictions_form):
    """The id of the form on a release's page that was filled in and refused; '' for none."""
    if predictions_form:
        return "add-predictions"
    return "measure-baselines" if baselines_form else ""


@require_GET
def release_card(request, release_id):
    """The card as it stands in the files: in English, as hubs read it."""
    one = get_object_or_404(managed(request.user), pk=release_id)
    context = {
        "release": one,
        "campaign": one.campaign,
        "title": title_of(one.contents),
        "sections": card_sections(one.contents),
    }
    return render(request, "datasets/release_card.html", context)


@require_GET
def release_diff(request, release_id, older_id):
    """What changed since an older release of the same campaign."""
    new = get_object_or_404(managed(request.user), pk=release_id)
    old = get_object_or_404(managed(request.user), pk=older_id, campaign=new.campaign_id)
    context = {
        "release": new,
        "older": old,
        "campaign": new.campaign,
        "most": CLAIMS_SHOWN,
    }
    if is_quick(old, new):
        try:
            diff = compared(old, new)
            context |= {
                "diff": diff,
                "changes": change_rows(diff),
                "settings": setting_rows(diff),
                "figures": measure_rows(diff["figures"]),
            }
        except ValidationError as error:
            context["error"] = error.messages[0]
    return render(request, "datasets/release_diff.html", context)


@require_GET
def release_file(request, release_id, name):
    """One file of a release, streamed."""
    return file_answer(get_object_or_404(managed(request.user), pk=release_id), name)


def file_answer(one, name):
    """The file of this name as a download; 404 for any other name."""
    path = one.path_of(name)
    if path is None or not path.is_file():
        raise Http404
    return FileResponse(
        path.open("rb"),
        as_attachment=True,
        filename=f"{one.title}-{name.replace('/', '-')}",
        content_type=TYPES.get(name.rpartition(".")[2], "application/octet-stream"),
    )


@require_GET
def release_archive(request, release_id):
    """All files of a release as one zip, streamed."""
    one = get_object_or_404(managed(request.user), pk=release_id)
    paths = [one.path_of(name) for name in sorted(one.hashes)]
    if not all(path and path.is_file() for path in paths):
        raise Http404
    blocks = zipped(paths, one.title, root=one.folder)
    response = StreamingHttpResponse(blocks, content_type="application/zip")
    response["Content-Disposition"] = f'attachment; filename="{one.title}.zip"'
    return response
