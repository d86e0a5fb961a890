"""Localisations that people ask for on a page: files uploaded, localised by a job, kept a week."""

import json
from collections.abc import Sequence
from pathlib import Path

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.files import File
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User
from corpus.importing.uploads import distinct_names
from datasets import kept
from datasets.folders import MANIFEST
from datasets.localising.options import LocalisingOptions, checked
from datasets.localising.running import localise_to
from operations.models import Job

JOB = "localise-dataset"
OUT = ".out"  # no upload is called so: leading dots go


def start_localisation(
    *, files: Sequence[File], titles: File, translations: File | None, options, by: User
) -> Job:
    """Keep the files and queue the localisation; without translations the translator is asked.

    Raises ValidationError for options that do not fit, for two files of one name, and where
    there are neither translations nor a translator.
    """
    options = checked(options)
    if translations is None and not settings.TRANSLATOR:
        raise ValidationError(_("Give a file of translations; no translator is plugged in here."))
    uploads = [*files, titles, *([translations] if translations else [])]
    names = distinct_names(uploads)
    arguments = {
        "names": names[: len(files)],
        "titles": names[len(files)],
        "translations": names[-1] if translations else "",
        "options": options.as_settings(),
    }
    named = dict(zip(names, uploads, strict=True))
    return kept.start(kind=JOB, files=named, arguments=arguments, by=by)


def localise_job(progress, *, key, names, titles, translations, options):
    """Localise the files, keep what came of it; run again after a crash, it ends the same."""
    uploads = [*names, titles, *filter(None, [translations])]

    def make(folder: Path) -> dict:
        if (manifest := folder / OUT / MANIFEST).is_file():  # a worker died when all was written
            return json.loads(manifest.read_text(encoding="utf-8"))
        kept.refuse_large([folder / name for name in uploads], kept.MOST_UNPACKED)
        return localise_to(
            folder / OUT,
            paths=[folder / name for name in names],
            titles=folder / titles,
            translations=folder / translations if translations else None,
            translator="" if translations else settings.TRANSLATOR,
            options=LocalisingOptions.of(options),
            progress=progress,
        )

    report = kept.once(JOB, key, uploads, make)
    lines = sum(file["lines"] for file in report["files"])
    return {"lines": lines, "url": reverse("datasets:localisation", args=[key])}


def files_of(key: str, report: dict) -> list[Path]:
    """The files that a localisation made, its manifest first; none where they are gone."""
    names = [MANIFEST, *(file["name"] for file in report["files"])]
    paths = [kept.folder_of(JOB, key) / OUT / name for name in names]
    return paths if all(path.is_file() for path in paths) else []


def sweep_localisations() -> None:
    kept.sweep(JOB)


HANDLERS = {JOB: localise_job}
TITLES = {JOB: gettext_lazy("Localisation of a dataset")}
SWEEPS = [sweep_localisations]
