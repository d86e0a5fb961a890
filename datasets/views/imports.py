"""Pages of imports: upload a dataset, read what would happen, store it."""

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST
from django.views.decorators.vary import vary_on_headers

from annotation.models import Campaign
from datasets.forms.imports import DatasetUploadForm
from datasets.importing import uploads
from datasets.models import DatasetImport

PER_PAGE = 20
SHOWN = 50
# Choices that a link to the form may make; one that there is not is just not chosen.
PRESET = ("format", "lines")


@require_http_methods(["GET", "POST"])
def imports(request, slug):
    """A campaign's imports, newest first, and the form that uploads another dataset."""
    campaign = get_object_or_404(Campaign.objects.managed_by(request.user), slug=slug)
    form = DatasetUploadForm(
        request.POST or None,
        request.FILES or None,
        campaign=campaign,
        initial={name: request.GET[name] for name in PRESET if name in request.GET},
    )
    if request.method == "POST" and form.is_valid() and (run := upload(request, form)):
        return redirect("datasets:import", run.pk)
    rows = campaign.dataset_imports.select_related("job", "created_by")
    page = Paginator(rows, PER_PAGE).get_page(request.GET.get("page"))
    return render(
        request, "datasets/imports.html", {"campaign": campaign, "form": form, "page": page}
    )


def upload(request, form):
    """Keep the files; None, with the reason in the form, where that is not possible."""
    try:
        return uploads.keep_upload(
            campaign=form.campaign,
            files=form.cleaned_data["files"],
            options=form.options,
            by=request.user,
        )
    except ValidationError as error:
        form.add_error("files", error)
        return None


@require_GET
@never_cache
@vary_on_headers("HX-Request")
def import_(request, import_id):
    """One import: being read, reported, being stored, complete; it asks again for itself."""
    run = get_object_or_404(managed(request.user), pk=import_id)
    claims = run.wave.claims.order_by("number").only("number", "text") if run.wave else []
    template = "datasets/imports/_import.html" if request.htmx else "datasets/import.html"
    return render(
        request,
        template,
        {
            "run": run,
            "campaign": run.campaign,
            "errors": run.report.get("errors", [])[:SHOWN],
            "unresolved": run.report.get("unresolved", [])[:SHOWN],
            "page": Paginator(claims, PER_PAGE).get_page(request.GET.get("page")),
        },
    )


@require_POST
def start_import(request, import_id):
    """Store files that were read; again where that was cancelled."""
    run = get_object_or_404(managed(request.user), pk=import_id)
    return done(request, run, lambda: uploads.start_import(run=run, by=request.user))


@require_POST
def read_import(request, import_id):
    """Read the files once more."""
    run = get_object_or_404(managed(request.user), pk=import_id)
    return done(request, run, lambda: uploads.read_again(run=run, by=request.user))


@require_POST
def cancel_import(request, import_id):
    run = get_object_or_404(managed(request.user), pk=import_id)
    return done(request, run, lambda: uploads.cancel(run=run, by=request.user))


@require_POST
def discard_import(request, import_id):
    """Delete an upload of which nothing is stored."""
    run = get_object_or_404(managed(request.user), pk=import_id)
    try:
        uploads.discard(run=run, by=request.user)
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
        return redirect("datasets:import", run.pk)
    messages.success(request, _("The upload is deleted; nothing of it was stored."))
    return redirect("datasets:imports", run.campaign.slug)


def done(request, run, service):
    """Back to the import's page, with the reason where the service refused."""
    try:
        service()
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
    return redirect("datasets:import", run.pk)


def managed(user):
    return DatasetImport.objects.managed_by(user).select_related(
        "job", "created_by", "campaign__corpus", "wave"
    )
