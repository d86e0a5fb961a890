"""Splits of any two or three files that people upload, checked by a job.

The files go once they were read; the report stays for a week.
"""

import json
import shutil
import time
from collections.abc import Iterable
from pathlib import Path
from uuid import uuid4

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User
from annotation.models import Campaign
from corpus.importing.uploads import safe_name, write_files
from datasets.files import BadLine, records_of_file
from datasets.splits import check_splits
from operations.jobs import queue_job
from operations.models import Job

JOB = "check-splits"
FOLDER, REPORT = "checks", ".report.json"  # no upload is called so: leading dots go
FEWEST, MOST = 2, 3
KEPT = 7 * 24 * 3600


def may_check(user: User) -> bool:
    """Reading large files is work for the server: for those who manage a campaign."""
    return user.is_superuser or Campaign.objects.managed_by(user).exists()


def checks_of(user: User) -> QuerySet[Job]:
    """The checks that `user` may see, newest first."""
    return Job.objects.visible_to(user).filter(kind=JOB)


def folder_of(key: str) -> Path:
    return settings.DATA_DIR / FOLDER / key


@transaction.atomic
def start_check(*, files: Iterable, by: User) -> Job:
    """Keep the files (name, chunks) and queue their check. Raises ValidationError for other than
    two or three, or two of one name."""
    files = list(files)
    if not FEWEST <= len(files) <= MOST:
        raise ValidationError(_("These are %(n)d files; choose two or three.") % {"n": len(files)})
    names = [safe_name(file.name) for file in files]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        told = {"name": twice[0]}
        raise ValidationError(_("Two of the files are called %(name)s; rename one.") % told)
    key = uuid4().hex
    try:
        write_files(folder_of(key), dict(zip(names, files, strict=True)))
        return queue_job(kind=JOB, key=key, arguments={"key": key, "names": names}, by=by)
    except BaseException:
        shutil.rmtree(folder_of(key), ignore_errors=True)
        raise


def check_job(progress, *, key, names):
    """Read the files, compare them, keep the report; run again after a crash, it ends the same."""
    report = report_of(key)
    if report is None:
        report = checked(folder_of(key), names, progress)
        store_report(folder_of(key), report)
    for name in names:
        (folder_of(key) / name).unlink(missing_ok=True)
    leaks = sum(report["leaks"].values())
    return {"leaks": leaks, "url": reverse("datasets:check", args=[key])}


def checked(folder: Path, names: list[str], progress) -> dict:
    """The report of `check_splits`. Raises ValidationError for lines that make no claims."""
    splits, steps = {}, len(names) + 1
    for place, (title, name) in enumerate(zip(titles_of(names), names, strict=True)):
        progress(place, steps, name)
        try:
            splits[title] = records_of_file(folder / name)
        except BadLine as bad:
            # The folder's place on the server is nobody's business.
            raise ValidationError(str(bad).replace(f"{folder}/", "")) from None
    progress(len(names), steps, _("Comparing"))
    return check_splits(splits)


def titles_of(names: list[str]) -> list[str]:
    """What files are called in a report: their stems, or their names where stems are alike."""
    stems = [name.split(".")[0] for name in names]
    return stems if len(set(stems)) == len(stems) else names


def store_report(folder: Path, report: dict) -> None:
    half = folder / ".half"
    half.write_text(json.dumps(report, ensure_ascii=False), encoding="utf-8")
    half.rename(folder / REPORT)


def report_of(key: str) -> dict | None:
    """The report of a check; None where it is not there yet, or not any more."""
    try:
        return json.loads((folder_of(key) / REPORT).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None


def sweep_checks() -> None:
    """Delete reports and files of checks after a week."""
    parent = settings.DATA_DIR / FOLDER
    for path in parent.iterdir() if parent.is_dir() else ():
        if time.time() - path.stat().st_mtime > KEPT:
            shutil.rmtree(path, ignore_errors=True)


HANDLERS = {JOB: check_job}
TITLES = {JOB: gettext_lazy("Check of splits")}
SWEEPS = [sweep_checks]
