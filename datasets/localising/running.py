"""A localisation from its files to a folder of CsFEVER files, whole or not at all."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from datasets.files import BadLine
from datasets.folders import MANIFEST, LinesFile, check_target, new_folder
from datasets.localising.localise import Localised, localise, split_record
from datasets.localising.options import LocalisingOptions, checked
from datasets.localising.splitting import localised_splits
from datasets.localising.titles import Titles, read_titles
from datasets.localising.translations import (
    Translate,
    Translations,
    UnusableTranslator,
    read_translations,
)
from datasets.localising.translators import load_translator
from datasets.readers.problems import printable
from datasets.records import LabelledClaim
from datasets.splits import Splits
from datasets.writers import csfever

VERSION = 1
ALL = "all"
FIELDS = {
    "claim": "the translation",
    "claim_en": "the claim that was translated",
    "evidence": "[annotation id, evidence id, page, line, the page's original title]; sets of "
    "whole abstracts; the ids are those of the first citation that a page had in its set",
    "line": "ranks: 1 is the page's first paragraph, its abstract (0 is the title)",
}


def localise_to(
    target: Path,
    *,
    paths: Sequence[Path],
    titles: Path,
    translations: Path | None = None,
    translator: str = "",
    options: LocalisingOptions,
    progress: Callable[..., None],
) -> dict:
    """Write the localised dataset into a new folder; its manifest.

    translations: a file of them; translator: else the dotted path of a function. The same files,
    options and translations give the same bytes. Raises ValidationError, with a line for each
    fault, for options and files that cannot be used; then nothing is there.
    """
    options = checked(options)
    if bool(translations) == bool(translator):
        raise ValidationError(_("Give either a file of translations or a translator."))
    check_target(target)
    try:
        table, source = read_titles(titles), translations_of(translations, translator)
        localised = localise(paths, table, source, pages=options.pages, tell=telling(progress))
    except (BadLine, UnusableTranslator) as error:
        raise ValidationError("\n".join(map(printable, str(error).split("\n")))) from None
    if not localised.claims:
        raise ValidationError(nothing_left(localised))
    with new_folder(target) as folder:
        return written(folder, localised, table, source, options, progress)


def translations_of(path: Path | None, translator: str) -> Translations | Translate:
    return read_translations(path) if path else load_translator(translator)


def telling(progress: Callable[..., None]):
    """The progress of the steps, in words."""
    words = {"read": _("claims read"), "translated": _("claims translated")}
    return lambda step, done, total: progress(done, total, f"{done} {words[step]}")


def nothing_left(localised: Localised) -> str:
    reasons = {name: n for name, n in localised.losses.as_report()["lost"].items() if n}
    told = ", ".join(f"{name} {n}" for name, n in reasons.items()) or _("there is no claim")
    return _("No claim is left to write: %(reasons)s.") % {"reasons": told}


def written(folder, localised: Localised, table: Titles, source, options, progress) -> dict:
    progress(0, 0, _("Finding what has to stay together"))
    splits = splits_of(localised, options)
    files = write_files(folder, localised, splits, options)
    manifest = manifest_of(localised, table, source, options, splits, files)
    text = json.dumps(manifest, ensure_ascii=False, indent=2) + "\n"
    (folder / MANIFEST).write_text(text, encoding="utf-8")
    return manifest


def splits_of(localised: Localised, options: LocalisingOptions) -> Splits | None:
    if not options.split:
        return None
    try:
        return localised_splits(
            [split_record(claim) for claim in localised.claims],
            options.sizes,
            group=options.group,
            balanced=options.balanced,
            seed=options.seed,
        )
    except ValueError as error:
        raise ValidationError(str(error)) from error


def write_files(
    folder: Path, localised: Localised, splits: Splits | None, options: LocalisingOptions
) -> list[dict]:
    """A file for each split, or one, its claims in order of their ids; what each file is."""
    names = list(options.sizes) if options.split else [ALL]
    files = {name: LinesFile(folder / f"{name}.jsonl") for name in names}
    for claim in sorted(localised.claims, key=order_of):
        name = ALL if splits is None else splits.split_of.get(split_record(claim).key)
        if name is None:
            localised.losses.lost["label_balance"] += 1
            continue
        localised.losses.count("split", claim.label or "", len(claim.evidence))
        for line in csfever.lines(claim, by="units"):
            files[name].write(line.encode() + b"\n")
    return [file.close() for file in files.values()]


def order_of(claim: LabelledClaim) -> tuple:
    """Numbers by size, then ids that are none by code point."""
    is_number = claim.external_id == str(claim.number)
    return (0, claim.number, "") if is_number else (1, 0, claim.external_id)


def manifest_of(
    localised: Localised,
    table: Titles,
    source: Translations | Translate,
    options: LocalisingOptions,
    splits: Splits | None,
    files: list[dict],
) -> dict:
    settings = options.as_settings()
    del settings["is_balanced_by_default"]
    is_file = isinstance(source, Translations)
    return {
        "manifest": VERSION,
        "format": "csfever",
        "settings": settings,
        "fields": FIELDS,
        **localised.losses.as_report(),
        "titles": table.as_report(),
        "translations": {
            "by": "file" if is_file else "translator",
            "rows": source.rows if is_file else None,
            "duplicates": source.duplicates if is_file else None,
            "unused": localised.unused if is_file else None,
        },
        "splits": splits and splits.report,
        "files": files,
    }
