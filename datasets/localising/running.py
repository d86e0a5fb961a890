"""A localisation from its files to a folder of CsFEVER files, whole or not at all."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from datasets.files import BadLine
from datasets.folders import MANIFEST, LinesFile, check_target, new_folder
from datasets.localising.localise import localise
from datasets.localising.losses import Losses
from datasets.localising.options import LocalisingOptions, checked
from datasets.localising.splitting import localised_splits
from datasets.localising.tables import Tell
from datasets.localising.titles import Titles, read_titles
from datasets.localising.translations import (
    Translate,
    Translations,
    UnusableTranslator,
    read_translations,
)
from datasets.localising.translators import load_translator
from datasets.localising.waiting import Waiting
from datasets.readers.problems import printable
from datasets.records import LabelledClaim
from datasets.splits import Splits

VERSION = 1
ALL, WAITING = "all", ".waiting"
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
        tell = teller(progress)
        table = read_titles(titles, tell)
        source = (
            read_translations(translations, tell) if translations else load_translator(translator)
        )
        with new_folder(target) as folder:
            return Run(folder, table, source, options, progress).write(paths)
    except (BadLine, UnusableTranslator) as error:
        raise ValidationError("\n".join(map(printable, str(error).split("\n")))) from None


def teller(progress: Callable[..., None]) -> Tell:
    """Tells what is done of a step, and how far."""
    words = {
        "rows": _("rows of a table read"),
        "read": _("claims read"),
        "translated": _("claims translated"),
    }
    return lambda step, done: progress(done, 0, f"{done} {words[step]}")


@dataclass
class Run:
    """One localisation into a new folder."""

    folder: Path
    titles: Titles
    translations: Translations | Translate
    options: LocalisingOptions
    progress: Callable[..., None]
    losses: Losses = field(default_factory=Losses)
    names: set[str] = field(default_factory=set)

    def write(self, paths: Sequence[Path]) -> dict:
        """The files and the manifest, which is returned."""
        with Waiting(self.folder / WAITING) as waiting:
            for claim in self.localised(paths):
                waiting.add(claim)
            if not waiting.places:
                raise ValidationError(self.nothing_left())
            splits = self.splits_of(waiting) if self.options.split else None
            files = self.distribute(waiting, splits)
        manifest = self.manifest_of(splits, files)
        text = json.dumps(manifest, ensure_ascii=False, indent=2) + "\n"
        (self.folder / MANIFEST).write_text(text, encoding="utf-8")
        self.progress(1, 1, _("Writing the results"))  # here a cancelled job ends
        return manifest

    def localised(self, paths: Sequence[Path]) -> Iterator[LabelledClaim]:
        return localise(
            paths,
            self.titles,
            self.translations,
            losses=self.losses,
            names=self.names,
            pages=self.options.pages,
            tell=teller(self.progress),
        )

    def nothing_left(self) -> str:
        reasons = {name: n for name, n in self.losses.as_report()["lost"].items() if n}
        told = ", ".join(f"{name} {n}" for name, n in reasons.items()) or _("there is no claim")
        return _("No claim is left to write: %(reasons)s.") % {"reasons": told}

    def splits_of(self, waiting: Waiting) -> Splits:
        message = _("Finding what has to stay together")
        self.progress(0, 0, message)
        try:
            return localised_splits(
                [place.record for place in waiting.places],
                self.options.sizes,
                group=self.options.group,
                balanced=self.options.balanced,
                seed=self.options.seed,
                tell=lambda done, total: self.progress(done, total, message),
            )
        except ValueError as error:
            raise ValidationError(str(error)) from error

    def distribute(self, waiting: Waiting, splits: Splits | None) -> list[dict]:
        """A file for each split, or one, in order of the ids; what each file is."""
        names = list(self.options.sizes) if splits else [ALL]
        files = {name: LinesFile(self.folder / f"{name}.jsonl") for name in names}
        for place in waiting.in_order():
            name = splits.split_of.get(place.record.key) if splits else ALL
            if name is None:
                self.losses.lost["label_balance"] += 1
                continue
            self.losses.count("split", place.record.label, place.sets)
            files[name].write(waiting.line_of(place))
        return [file.close() for file in files.values()]

    def manifest_of(self, splits: Splits | None, files: list[dict]) -> dict:
        settings = self.options.as_settings()
        del settings["is_balanced_by_default"]
        return {
            "manifest": VERSION,
            "format": "csfever",
            "settings": settings,
            "fields": FIELDS,
            **self.losses.as_report(),
            "titles": self.titles.as_report(),
            "translations": self.translations_report(),
            "splits": splits and splits.report,
            "files": files,
        }

    def translations_report(self) -> dict:
        """unused: translations whose id no claim of the dataset has."""
        source = self.translations
        if not isinstance(source, Translations):
            return {"by": "translator", "rows": None, "duplicates": None, "unused": None}
        unused = len(source.texts.keys() - self.names)
        return {"by": "file", "rows": source.rows, "duplicates": source.duplicates,
                "unused": unused}  # fmt: skip
