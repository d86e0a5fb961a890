"""Files that people upload: kept under DATA_DIR until their import has ended."""

import os
import shutil
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from accounts.events import record_event
from corpus.importing.options import as_stored
from corpus.models import Corpus, Import
from corpus.records import ReadOptions
from operations.jobs import queue_job
from operations.models import Job

LONGEST_NAME = 150  # bytes: a file system takes 255, and an ending may be added
READ_JOB, IMPORT_JOB = "read-upload", "import-upload"
ASIDE = ".new-"  # a backup leaves out what begins with a dot
LEFT_AFTER = 3600  # seconds


def folder_of(run: Import) -> Path:
    return settings.MEDIA_ROOT / f"import-{run.pk}"


def paths_of(run: Import) -> list[Path]:
    """The uploaded files of an import. Raises ValidationError where they are gone."""
    paths = [folder_of(run) / name for name in run.files]
    if missing := [path.name for path in paths if not path.is_file()]:
        raise ValidationError(
            _("The uploaded file %(name)s is not there any more; upload it again.")
            % {"name": missing[0]}
        )
    return paths


def store_upload(
    *,
    corpus: Corpus,
    files: Iterable,
    options: ReadOptions,
    by,
    kind: str = READ_JOB,
    **permissions: bool,
) -> Import:
    """Keep uploaded files (name, chunks) and queue their first pass, or their import at once.

    permissions: skip_bad, accept_changes. Never in a transaction: copying files takes long, and
    on SQLite nobody could save anything meanwhile.
    """
    files = list(files)
    names = distinct_names(files)
    with written_aside(dict(zip(names, files, strict=True))) as aside, transaction.atomic():
        run = Import.objects.create(
            corpus=corpus,
            state=Import.State.READ,
            files=names,
            options=as_stored(options),
            created_by=by,
            **permissions,
        )
        # An import that was rolled back with its number may have left its files behind.
        delete_upload(run)
        aside.rename(folder_of(run))
        queue_job(kind=kind, key=str(run.pk), arguments={"import_id": run.pk}, by=by)
    return run


@contextmanager
def written_aside(files: dict) -> Iterator[Path]:
    """The files in a new folder, to be renamed; where it was not, it goes again."""
    folder = settings.MEDIA_ROOT / f"{ASIDE}{uuid4().hex}"
    try:
        write_files(folder, files)
        os.utime(folder)  # its age counts from here: see `is_left`
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def distinct_names(files: Iterable) -> list[str]:
    """What uploaded files are called here, in order. Raises ValidationError for equal names."""
    names = [safe_name(file.name or "") for file in files]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        told = {"name": twice[0]}
        raise ValidationError(_("Two of the files are called %(name)s; rename one.") % told)
    return names


def safe_name(name: str) -> str:
    """The last part of a name, short enough for every file system, its ending kept."""
    name = Path(name.replace("\\", "/")).name.replace("\0", "")
    raw = name.encode("utf-8", "replace")
    if len(raw) > LONGEST_NAME:
        ending = "".join(Path(name).suffixes[-2:]).encode("utf-8", "replace")[-20:]
        raw = raw[: LONGEST_NAME - len(ending)] + ending
    return raw.decode("utf-8", "ignore").lstrip(".") or "file"


def write_files(folder: Path, files: dict) -> None:
    """Write the files chunk by chunk into a new folder."""
    folder.mkdir(parents=True)
    for name, file in files.items():
        with open(folder / name, "xb") as copy:
            for chunk in file.chunks():
                copy.write(chunk)


def delete_upload(run: Import) -> None:
    shutil.rmtree(folder_of(run), ignore_errors=True)


@transaction.atomic
def start_import(*, run: Import, skip_bad: bool, accept_changes: bool, by) -> Job:
    """Queue the import of an upload that was read, or let one that stopped go on."""
    run = Import.objects.select_for_update().get(pk=run.pk)
    if run.state not in (Import.State.READ, Import.State.RUNNING):
        raise ValidationError(_("This import has ended already."))
    paths_of(run)
    run.skip_bad, run.accept_changes = skip_bad, accept_changes
    run.save(update_fields=["skip_bad", "accept_changes"])
    return queue_job(kind=IMPORT_JOB, key=str(run.pk), arguments={"import_id": run.pk}, by=by)


@transaction.atomic
def discard_upload(*, run: Import, by) -> None:
    """Delete an upload of which nothing is stored, with its files."""
    drop_upload(run)
    record_event(actor=by, verb="discarded an upload", subject=run.corpus, data={})


@transaction.atomic
def drop_upload(run: Import) -> None:
    """Delete the row, and the files once that holds. Raises ValidationError where it is used."""
    row = Import.objects.select_for_update().filter(pk=run.pk, state=Import.State.READ).first()
    if row is None or is_worked_on(row):
        raise ValidationError(_("The upload is being worked on; cancel its job first."))
    folder = folder_of(row)
    row.delete()
    transaction.on_commit(lambda: shutil.rmtree(folder, ignore_errors=True))


def jobs_of(run: Import):
    """The jobs of an upload, newest first."""
    return Job.objects.filter(kind__in=[READ_JOB, IMPORT_JOB], key=str(run.pk))


def is_worked_on(run: Import) -> bool:
    return jobs_of(run).live().exists()


def delete_forgotten_uploads() -> None:
    """Delete the files of imports that have ended, or were never there, after an hour."""
    paths = settings.MEDIA_ROOT.glob("import-*")
    folders = {int(path.name[7:]): path for path in paths if path.name[7:].isdecimal()}
    unfinished = Import.objects.filter(state__in=[Import.State.READ, Import.State.RUNNING])
    for key in unfinished.filter(pk__in=folders).values_list("pk", flat=True):
        del folders[key]
    for path in [*folders.values(), *settings.MEDIA_ROOT.glob(f"{ASIDE}*")]:
        if is_left(path):
            shutil.rmtree(path, ignore_errors=True)


def is_left(folder: Path) -> bool:
    """Whether a folder is so old that whoever wrote it must have stored the row, if ever."""
    try:
        return time.time() - folder.stat().st_mtime > LEFT_AFTER
    except FileNotFoundError:
        return False
