"""The pages that check splits: two or three files, ours or others'."""

from django.core.exceptions import ValidationError
from django.http import Http404
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST
from django.views.decorators.vary import vary_on_headers

from datasets import kept
from datasets.checking import JOB, start_check
from datasets.forms.validator import CheckForm
from datasets.releases.words import leak_rows

SHOWN = 10


@require_http_methods(["GET", "POST"])
def checks(request):
    """Choose files; below, the checks that one asked for before."""
    if not kept.may_upload(request.user):
        raise Http404
    form = CheckForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        try:
            job = start_check(files=form.cleaned_data["files"], by=request.user)
        except ValidationError as error:
            form.add_error("files", error)
        else:
            return redirect("datasets:check", job.key)
    jobs = kept.jobs_of(JOB, request.user)[:SHOWN]
    return render(request, "datasets/validator.html", {"form": form, "jobs": jobs})


@require_GET
@never_cache
@vary_on_headers("HX-Request")
def check(request, key):
    """One check; its card asks again for itself until the report is there."""
    job = kept.job_of(JOB, request.user, key)
    report = kept.report_of(JOB, key)
    context = {"job": job, "report": report, "leaks": report and leak_rows(report)}
    template = "datasets/_validator_check.html" if request.htmx else "datasets/validator_check.html"
    return render(request, template, context)


@require_POST
def cancel_check(request, key):
    kept.cancel(job=kept.job_of(JOB, request.user, key))
    return redirect("datasets:check", key)
