"""What the corpus does in the background."""

from contextlib import suppress
from datetime import timedelta

from django.core.exceptions import ValidationError
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from corpus.followups import BUILD_JOB, MARK_JOB, queue_index_job
from corpus.importing.options import from_stored
from corpus.importing.runs import NothingStored, import_files
from corpus.importing.survey import public_counts, survey_files
from corpus.importing.uploads import (
    IMPORT_JOB,
    READ_JOB,
    delete_forgotten_uploads,
    delete_upload,
    drop_upload,
    paths_of,
)
from corpus.models import Corpus, Import
from corpus.near_copies import mark_near_duplicates

UPLOADS_KEPT = timedelta(days=7)


def read_upload_job(progress, *, import_id):
    """The first pass over an upload: its report is all that is kept."""
    run = Import.objects.select_related("corpus").get(pk=import_id)
    run.report = survey_files(
        corpus=run.corpus,
        paths=paths_of(run),
        options=from_stored(run.options),
        progress=progress,
    )
    run.save(update_fields=["report"])
    return {"url": page_of(run), "bad": run.report["bad"]}


def import_upload_job(progress, *, import_id):
    """Both passes over an upload; one that a dead worker began goes on where it was."""
    upload = Import.objects.select_related("corpus", "created_by").get(pk=import_id)
    if upload.state == Import.State.COMPLETE:
        return {"url": page_of(upload)}
    try:
        run = import_files(
            corpus=upload.corpus,
            paths=paths_of(upload),
            options=from_stored(upload.options),
            skip_bad=upload.skip_bad,
            accept_changes=upload.accept_changes,
            by=upload.created_by,
            progress=progress,
            upload=upload,
        )
    except NothingStored as nothing:
        Import.objects.filter(pk=import_id).update(report=nothing.report)
        raise
    if run.pk != upload.pk:  # the same files had been begun before, from somewhere else
        delete_upload(upload)
        upload.delete()
    return {"url": page_of(run), **public_counts(run)}


def page_of(run):
    return reverse("corpus:import", args=[run.corpus.slug, run.pk])


def near_duplicates_job(progress, *, corpus_id):
    """Mark near-duplicates, and let the index follow."""
    corpus = Corpus.objects.get(pk=corpus_id)
    marked = mark_near_duplicates(corpus=corpus, progress=progress)
    queue_index_job(corpus, kind=BUILD_JOB)
    return {"near_duplicates": marked}


def sweep_uploads():
    """Delete uploads that nobody imported, and files whose import has ended."""
    old = Import.objects.filter(
        state=Import.State.READ, created_at__lt=timezone.now() - UPLOADS_KEPT
    )
    for run in old:
        # Somebody may start or delete it while the others are swept.
        with suppress(ValidationError):
            drop_upload(run)
    delete_forgotten_uploads()


HANDLERS = {
    READ_JOB: read_upload_job,
    IMPORT_JOB: import_upload_job,
    MARK_JOB: near_duplicates_job,
}
TITLES = {
    READ_JOB: _("Read an upload"),
    IMPORT_JOB: _("Import an upload"),
    MARK_JOB: _("Mark near-duplicates"),
}
SWEEPS = [sweep_uploads]
