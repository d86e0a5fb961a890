"""Datasets that people upload: kept under DATA_DIR, read by a job, stored by another."""

import shutil
from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import timedelta
from functools import partial

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.events import record_event
from annotation.models import Campaign, Wave
from corpus.importing.uploads import distinct_names, is_left, write_files
from datasets.importing.options import ImportOptions, checked_import
from datasets.importing.report import Report
from datasets.importing.running import (
    NothingStored,
    import_dataset,
    survey_dataset,
    wave_there,
)
from datasets.models import DatasetImport
from operations.jobs import cancel_job, queue_job

READ_JOB, IMPORT_JOB = "read-dataset", "import-dataset"
KEPT = timedelta(days=7)


def keep_upload(
    *, campaign: Campaign, files: Iterable, options: ImportOptions, by, then_import: bool = False
) -> DatasetImport:
    """Keep uploaded files (name, chunks) and queue their first pass, which only reports.

    then_import: store them at once where every line can be used. Never in a transaction: copying
    files takes long. Raises ValidationError for options that do not fit the campaign, and for
    two files of one name.
    """
    files = list(files)
    options = checked_import(campaign, options)
    names = distinct_names(files)
    wave_there(campaign, options, names)
    run = DatasetImport(
        campaign=campaign,
        format=options.format,
        files=names,
        options=options.as_settings(),
        created_by=by,
    )
    try:
        write_files(run.folder, dict(zip(names, files, strict=True)))
        store_upload(run, IMPORT_JOB if then_import else READ_JOB, by=by)
    except BaseException:
        shutil.rmtree(run.folder, ignore_errors=True)
        raise
    return run


@transaction.atomic
def store_upload(run: DatasetImport, kind: str, *, by) -> None:
    run.save()
    queue(run, kind, by=by)


def queue(run: DatasetImport, kind: str, *, by) -> None:
    run.job = queue_job(kind=kind, key=str(run.pk), arguments={"import_id": run.pk}, by=by)
    run.save(update_fields=["job"])


@transaction.atomic
def start_import(*, run: DatasetImport, by) -> None:
    """Queue the import of files that were read; again after it was cancelled or failed."""
    run = locked(run)
    if not run.may_start:
        raise ValidationError(_("These files cannot be imported as they are."))
    queue(run, IMPORT_JOB, by=by)


@transaction.atomic
def read_again(*, run: DatasetImport, by) -> None:
    """Queue the first pass once more, after it was cancelled or failed."""
    queue(locked(run), READ_JOB, by=by)


def locked(run: DatasetImport) -> DatasetImport:
    """The row, locked. Raises ValidationError where it is complete, gone, or being worked on."""
    rows = DatasetImport.objects.select_for_update(of=("self",)).select_related("job")
    run = rows.filter(pk=run.pk).first()
    if run is None or run.state == DatasetImport.State.COMPLETE:
        raise ValidationError(_("This import has ended already."))
    if run.is_live:
        raise ValidationError(_("The upload is being worked on; cancel its job first."))
    return run


@transaction.atomic
def discard(*, run: DatasetImport, by) -> None:
    """Delete an upload of which nothing is stored, with its files."""
    run = locked(run)
    record_event(actor=by, verb="discarded an upload", subject=run.campaign, data={})
    delete(run)


def delete(run: DatasetImport) -> None:
    """Delete a row that is locked, and its files once that holds."""
    folder = run.folder
    run.delete()
    transaction.on_commit(lambda: shutil.rmtree(folder, ignore_errors=True))


def cancel(*, run: DatasetImport, by) -> None:
    """End the job of an upload; what it did not store yet it stores no more."""
    if run.is_live:
        cancel_job(job=run.job)
        record_event(actor=by, verb="cancelled import", subject=run.campaign, data={})


def read_upload(*, run: DatasetImport, progress: Callable) -> DatasetImport:
    """The first pass: what the import would do becomes the report."""
    options = ImportOptions(**run.options)
    report = survey_dataset(
        campaign=run.campaign, paths=run.paths, options=options, progress=progress
    )
    run.report = report.as_dict()
    run.save(update_fields=["report"])
    return run


def import_upload(*, run: DatasetImport, progress: Callable) -> DatasetImport:
    """Store the files and that they are stored, at once; run again after a crash, it ends the same.

    What was stored by a run that died is there with its report, so nothing is read again.
    """
    if run.state == DatasetImport.State.COMPLETE:
        return run
    options = ImportOptions(**run.options)
    try:
        import_dataset(
            campaign=run.campaign,
            paths=run.paths,
            options=options,
            by=run.created_by,
            progress=progress,
            at_end=partial(complete, run),
        )
    except NothingStored as nothing:
        run.report = nothing.report.as_dict()
        run.save(update_fields=["report"])
        raise
    shutil.rmtree(run.folder, ignore_errors=True)
    return run


def complete(run: DatasetImport, report: Report, wave: Wave) -> None:
    run.report, run.wave = report.as_dict(), wave
    run.state, run.ended_at = DatasetImport.State.COMPLETE, Now()
    run.save(update_fields=["report", "wave", "state", "ended_at"])


def sweep_datasets() -> None:
    """Delete uploads that nobody imported for a week, and files whose import is no more."""
    old = DatasetImport.objects.filter(
        state=DatasetImport.State.READ, created_at__lt=timezone.now() - KEPT
    )
    for run in old:
        # Somebody may start or delete it while the others are swept.
        with suppress(ValidationError), transaction.atomic():
            delete(locked(run))
    folders = {folder.name: folder for folder in settings.MEDIA_ROOT.glob("dataset-*")}
    wanted = DatasetImport.objects.filter(state=DatasetImport.State.READ)
    for name in set(folders) - {run.folder.name for run in wanted}:
        if is_left(folders[name]):
            shutil.rmtree(folders[name], ignore_errors=True)
