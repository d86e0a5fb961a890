"""The pages that localise a dataset: choose files, watch the job, read what was lost."""

from django.core.exceptions import ValidationError
from django.http import Http404, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST
from django.views.decorators.vary import vary_on_headers

from annotation.models import Campaign
from datasets import kept
from datasets.archive import zipped
from datasets.forms.localising import LocalisationForm
from datasets.localising.jobs import JOB, files_of, start_localisation

SHOWN = 10
MOST_CAMPAIGNS = 20
MOST_TITLES = 50


@require_http_methods(["GET", "POST"])
def localisations(request):
    """Choose files; below, the localisations that one asked for before."""
    if not kept.may_upload(request.user):
        raise Http404
    form = LocalisationForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid() and (job := start(request, form)):
        return redirect("datasets:localisation", job.key)
    jobs = kept.jobs_of(JOB, request.user)[:SHOWN]
    context = {"form": form, "jobs": jobs, "campaigns": campaigns_of(request.user)}
    return render(request, "datasets/localisations.html", context)


def start(request, form):
    """Queue what the form says; None, with the reason in the form, where that is not possible."""
    chosen = form.cleaned_data
    try:
        return start_localisation(
            files=chosen["files"],
            titles=chosen["titles"],
            translations=chosen["translations"],
            options=form.options,
            by=request.user,
        )
    except ValidationError as error:
        form.add_error(None, error)
        return None


@require_GET
@never_cache
@vary_on_headers("HX-Request")
def localisation(request, key):
    """One localisation; its card asks again for itself until it is there."""
    job = kept.job_of(JOB, request.user, key)
    report = kept.report_of(JOB, key)
    titles = report["missing_titles"]["commonest"][:MOST_TITLES] if report else []
    template = "datasets/_localisation.html" if request.htmx else "datasets/localisation.html"
    context = {
        "job": job,
        "report": report,
        "missing_titles": titles,
        "campaigns": campaigns_of(request.user) if report else [],
    }
    return render(request, template, context)


def campaigns_of(user):
    """Where what was localised can be imported: campaigns over a corpus, the newest first."""
    managed = Campaign.objects.managed_by(user).filter(corpus__isnull=False)
    return managed.order_by("-pk")[:MOST_CAMPAIGNS]


@require_POST
def cancel_localisation(request, key):
    kept.cancel(job=kept.job_of(JOB, request.user, key))
    return redirect("datasets:localisation", key)


@require_GET
def localisation_archive(request, key):
    """The files of a localisation as one zip, streamed."""
    job = kept.job_of(JOB, request.user, key)
    report = kept.report_of(JOB, key)
    paths = files_of(key, report) if report else []
    if not paths:
        raise Http404
    name = f"localised-{job.pk}"
    response = StreamingHttpResponse(zipped(paths, name), content_type="application/zip")
    response["Content-Disposition"] = f'attachment; filename="{name}.zip"'
    return response
