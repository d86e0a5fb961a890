"""Splits of any two or three files that people upload, checked by a job.

The files go once they were read; the report stays for a week.
"""

from collections.abc import Iterable
from functools import partial
from pathlib import Path

from django.core.exceptions import ValidationError
from django.core.files import File
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from accounts.models import User
from corpus.importing.uploads import distinct_names
from datasets import kept
from datasets.files import BadLine, records_of_file
from datasets.readers.problems import printable
from datasets.splits import check_splits
from operations.models import Job

JOB = "check-splits"
FEWEST, MOST = 2, 3


def start_check(*, files: Iterable[File], by: User) -> Job:
    """Keep the files (name, chunks) and queue their check. Raises ValidationError for other than
    two or three, or two of one name."""
    files = list(files)
    if not FEWEST <= len(files) <= MOST:
        told = ngettext(
            "This is %(n)d file; choose two or three.",
            "These are %(n)d files; choose two or three.",
            len(files),
        )
        raise ValidationError(told % {"n": len(files)})
    names = distinct_names(files)
    named = dict(zip(names, files, strict=True))
    return kept.start(kind=JOB, files=named, arguments={"names": names}, by=by)


def check_job(progress, *, key, names):
    """Read the files, compare them, keep the report; run again after a crash, it ends the same."""
    report = kept.once(JOB, key, names, lambda folder: checked(folder, names, progress))
    leaks = sum(report["leaks"].values())
    return {"leaks": leaks, "url": reverse("datasets:check", args=[key])}


def checked(folder: Path, names: list[str], progress) -> dict:
    """The report of `check_splits`. Raises ValidationError for lines that make no claims,
    and for files that would fill memory."""
    kept.refuse_large([folder / name for name in names], kept.MOST_UNPACKED)
    splits, steps = {}, len(names) + 1
    for place, (title, name) in enumerate(zip(titles_of(names), names, strict=True)):
        progress(place, steps, name)
        tell = partial(tell_read, progress, place, steps, name)
        try:
            splits[title] = records_of_file(folder / name, tell)
        except BadLine as bad:
            # The folder's place on the server is nobody's business.
            lines = str(bad).replace(f"{folder}/", "").split("\n")
            raise ValidationError("\n".join(map(printable, lines))) from None
    comparing = _("Comparing")
    progress(len(names), steps, comparing)
    report = check_splits(splits, tell=lambda done, total: progress(done, total, comparing))
    progress(steps, steps, _("Writing the results"))
    return report


def tell_read(progress, place: int, steps: int, name: str, n: int) -> None:
    told = {"name": name, "n": n}
    progress(place, steps, _("%(name)s: %(n)d claims were read") % told)


def titles_of(names: list[str]) -> list[str]:
    """What files are called in a report: their stems, or their names where stems are alike."""
    stems = [name.split(".")[0] for name in names]
    return stems if len(set(stems)) == len(stems) else names


def sweep_checks() -> None:
    kept.sweep(JOB)


HANDLERS = {JOB: check_job}
TITLES = {JOB: gettext_lazy("Check of splits")}
SWEEPS = [sweep_checks]
