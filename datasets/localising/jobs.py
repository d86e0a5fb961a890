"""Localisations that people ask for on a page: files uploaded, localised by a job, kept a week."""

from collections.abc import Sequence
from pathlib import Path

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.files import File
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User
from corpus.importing.uploads import safe_name
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
    names = [safe_name(file.name or "") for file in uploads]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        told = {"name": twice[0]}
        raise ValidationError(_("Two of the files are called %(name)s; rename one.") % told)
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
    folder, report = kept.folder_of(JOB, key), kept.report_of(JOB, key)
    if report is None:
        report = localise_to(
            folder / OUT,
            paths=[folder / name for name in names],
            titles=folder / titles,
            translations=folder / translations if translations else None,
            translator="" if translations else settings.TRANSLATOR,
            options=LocalisingOptions.of(options),
            progress=progress,
        )
        kept.store_report(folder, report)
    kept.drop_files(folder, [*names, titles, *filter(None, [translations])])
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
