"""Uploads of articles: the form, the report of the first pass, the import and its end."""

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db.models.functions import Now
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from corpus.forms import PermissionsForm, UploadForm
from corpus.importing import uploads
from corpus.importing.cleaning import clean_up
from corpus.importing.locks import DEAD_AFTER
from corpus.importing.survey import public_counts, reason_against
from corpus.models import Corpus, Import

ERRORS_SHOWN = 50


def managed(user, slug):
    return get_object_or_404(Corpus.objects.managed_by(user), slug=slug)


@require_http_methods(["GET", "POST"])
def new_import(request, slug):
    """Choose files; they are only read at first, and the report says what would happen."""
    corpus = managed(request.user, slug)
    form = UploadForm(request.POST or None, request.FILES or None, corpus=corpus)
    if request.method == "POST" and form.is_valid():
        try:
            run = uploads.store_upload(
                corpus=corpus,
                files=form.cleaned_data["files"],
                options=form.options,
                by=request.user,
                skip_bad=form.cleaned_data["skip_bad"],
                accept_changes=form.cleaned_data["accept_changes"],
            )
        except ValidationError as error:
            form.add_error("files", error)
        else:
            return redirect("corpus:import", corpus.slug, run.pk)
    return render(request, "corpus/new_import.html", {"corpus": corpus, "form": form})


@require_GET
@never_cache
def import_(request, slug, import_id):
    """One import: being read, reported, running, stopped or ended."""
    corpus = managed(request.user, slug)
    run = get_object_or_404(corpus.imports.select_related("created_by"), pk=import_id)
    permissions = {"skip_bad": run.skip_bad, "accept_changes": run.accept_changes}
    return render(
        request,
        "corpus/import.html",
        {
            "corpus": corpus,
            "run": run,
            "job": uploads.jobs_of(run).first(),
            "counts": run.report if run.state == Import.State.READ else public_counts(run),
            "is_stopped": is_stopped(run),
            "has_files": uploads.folder_of(run).exists(),
            "errors": run.report.get("errors", [])[:ERRORS_SHOWN],
            "reason": run.is_read and reason_against(run.report, is_upload=True, **permissions),
            "form": PermissionsForm(initial=permissions),
        },
    )


def is_stopped(run):
    """Whether nobody stores it any more: an upload without a job, or a command that fell silent."""
    if run.state != Import.State.RUNNING or uploads.is_worked_on(run):
        return False
    silent = Import.objects.filter(pk=run.pk, heartbeat_at__lt=Now() - DEAD_AFTER)
    return uploads.folder_of(run).exists() or silent.exists()


@require_POST
def start_import(request, slug, import_id):
    """Import an upload that was read, or let an import that stopped go on."""
    corpus = managed(request.user, slug)
    run = get_object_or_404(corpus.imports, pk=import_id)
    form = PermissionsForm(request.POST)
    form.is_valid()
    return done(
        request, run, lambda: uploads.start_import(run=run, by=request.user, **form.cleaned_data)
    )


@require_POST
def clean_import(request, slug, import_id):
    """Take away what an import that stopped had stored."""
    corpus = managed(request.user, slug)
    run = get_object_or_404(corpus.imports, pk=import_id)
    return done(request, run, lambda: clean_up(run=run, by=request.user))


@require_POST
def discard_import(request, slug, import_id):
    """Delete an upload of which nothing is stored."""
    corpus = managed(request.user, slug)
    run = get_object_or_404(corpus.imports, pk=import_id)
    try:
        uploads.discard_upload(run=run, by=request.user)
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
        return redirect("corpus:import", corpus.slug, run.pk)
    messages.success(request, _("The upload is deleted; nothing of it was stored."))
    return redirect("corpus:corpus", corpus.slug)


def done(request, run, service):
    """Back to the import's page, with the reason where the service refused."""
    try:
        service()
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
    return redirect("corpus:import", run.corpus.slug, run.pk)
