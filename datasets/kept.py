"""Files that a job reads once, and what it found: checks of splits, scores, localisations.

Each job has a folder, named by its key. The files go once they were read, or soon after the job
ended otherwise; what was found stays for a week.
"""

import json
import re
import shutil
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any
from uuid import uuid4

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.files import File
from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from annotation.models import Campaign
from corpus.importing.uploads import write_files
from corpus.readers.files import UnreadableFile, open_packed
from datasets.writers.lines import as_it_is
from operations.jobs import cancel_job, queue_job
from operations.models import Job

REPORT = ".report.json"  # no upload is called so: leading dots go
MOST_BYTES = 500_000_000
MOST_UNPACKED = 200_000_000  # of files that a job holds together: parsed, they take 6.5 times that
CHUNK = 1 << 20
KEPT, STORING = 7 * 24 * 3600, 3600  # seconds
HALF = re.compile("[\ud800-\udfff]")


def may_upload(user: User) -> bool:
    """Reading large files is work for the server: for those who manage a campaign."""
    return user.is_superuser or Campaign.objects.managed_by(user).exists()


def jobs_of(kind: str, user: User) -> QuerySet[Job]:
    """The jobs of a kind that `user` may see, newest first."""
    return Job.objects.visible_to(user).filter(kind=kind)


def job_of(kind: str, user: User, key: str) -> Job:
    """One of the jobs that `user` may see. Raises Http404."""
    return get_object_or_404(jobs_of(kind, user), key=key)


def folder_of(kind: str, key: str) -> Path:
    return settings.DATA_DIR / kind / key


def start(*, kind: str, files: Mapping[str, File], arguments: dict, by: User) -> Job:
    """Keep the files under their new names and queue what reads them.

    The handler is called with the job's key beside the arguments. Never in a transaction: copying
    files takes long. Raises ValidationError for a file that is too large.
    """
    for name, file in files.items():
        if file.size > MOST_BYTES:
            told = {"name": name, "most": MOST_BYTES // 10**6}
            raise ValidationError(
                _("%(name)s is larger than %(most)d MB; pack it, or give a part of it.") % told
            )
    key = uuid4().hex
    try:
        write_files(folder_of(kind, key), dict(files))
        return queue_job(kind=kind, key=key, arguments={"key": key, **arguments}, by=by)
    except BaseException:
        shutil.rmtree(folder_of(kind, key), ignore_errors=True)
        raise


def refuse_large(paths: Sequence[Path], most: int) -> None:
    """Raises ValidationError, one line, for files of more bytes together once they are unpacked.

    A packed file may hold a thousand times its size. Raises it for damaged files, too.
    """
    left = most
    for path in paths:
        left -= unpacked_size(path, left)
    if left < 0:
        message = ngettext(
            "The file has more than %(most)d MB once it is unpacked; give a part of it.",
            "The files have more than %(most)d MB together once they are unpacked; "
            "give a part of them.",
            len(paths),
        )
        raise ValidationError(message % {"most": most // 10**6})


def unpacked_size(path: Path, most: int) -> int:
    """How many bytes a file unpacks to; reading ends where it is more than `most`."""
    size = 0
    try:
        with open_packed(path) as stream:
            while size <= most and (block := stream.read(CHUNK)):
                size += len(block)
    except UnreadableFile as error:
        raise ValidationError(f"{path.name}: {error}") from None
    return size


def once(kind: str, key: str, names: Iterable[str], make: Callable[[Path], dict]) -> dict:
    """What a job found, made of its files, or found again after a crash; the files go.

    make: called with the job's folder; what it gives is stored as the report. Its last step tells
    that all is done: only there is it sure that a cancelled job ends (`Progress`).
    """
    folder, report = folder_of(kind, key), report_of(kind, key)
    if report is None:
        report = make(folder)
        store_report(folder, report)
    drop_files(folder, names)
    return report


def cancel(*, job: Job) -> None:
    """End the job now or at its next step; the files of one that never began go at once."""
    cancel_job(job=job)
    job.refresh_from_db()
    if job.state == Job.State.CANCELLED:
        shutil.rmtree(folder_of(job.kind, job.key), ignore_errors=True)


def store(path: Path, pieces: Iterable[str]) -> None:
    """Write a file whole or not at all."""
    half = path.with_name(".half")
    with half.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(pieces)
    half.rename(path)


def store_report(folder: Path, report: dict) -> None:
    store(folder / REPORT, [as_it_is(report)])


def report_of(kind: str, key: str) -> dict | None:
    """What a job found; None where that is not there yet, or not any more."""
    try:
        return readable((folder_of(kind, key) / REPORT).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None


def readable(text: str) -> Any:
    """What JSON holds. Half characters, which no page and no answer has bytes for, are shown as
    the sign for what is no character."""
    value = json.loads(text)
    if "\\ud" not in text:
        return value
    return json.loads(HALF.sub("\ufffd", json.dumps(value, ensure_ascii=False)))


def drop_files(folder: Path, names: Iterable[str]) -> None:
    for name in names:
        (folder / name).unlink(missing_ok=True)


def sweep(kind: str) -> None:
    """Delete what jobs found after a week, and the files of those that ended without finding it."""
    parent = settings.DATA_DIR / kind
    for path in parent.iterdir() if parent.is_dir() else ():
        if is_over(kind, path):
            shutil.rmtree(path, ignore_errors=True)


def is_over(kind: str, path: Path) -> bool:
    age = time.time() - path.stat().st_mtime
    if (path / REPORT).exists():
        return age > KEPT
    job = Job.objects.filter(kind=kind, key=path.name).first()
    if job is None:  # the upload is being stored, or that broke off
        return age > STORING
    return not job.is_live
