"""How a dataset is imported: the format of its files, and what they leave open."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from annotation.models import Campaign
from corpus.models import Import
from datasets.readers.dispatch import FORMATS

LINES = ("units", "ranks")
# These name sentences and cells; what others cite by number follows how the corpus was read.
BY_UNITS = ("scifact", "feverous", "ambifc")
LONGEST_NAME = 100


@dataclass(frozen=True)
class ImportOptions:
    """One import. lines: whether FEVER's lines are units or paragraphs' ranks; '' follows the
    corpus. language: of the claims; '' for the corpus' own. wave: its name; '' for the files'."""

    format: str
    lines: str = ""
    language: str = ""
    wave: str = ""

    def as_settings(self) -> dict:
        return asdict(self)


def checked_import(campaign: Campaign, options: ImportOptions) -> ImportOptions:
    """The options with what they left open. Raises ValidationError for what does not fit."""
    corpus = campaign.corpus
    if options.format not in FORMATS:
        raise ValidationError(
            _("The format is %(format)s; use one of %(known)s.")
            % {"format": repr(options.format), "known": ", ".join(FORMATS)}
        )
    if options.lines not in ("", *LINES):
        raise ValidationError(
            _("Lines are %(lines)s; use “units” or “ranks”.") % {"lines": repr(options.lines)}
        )
    language = options.language or (corpus.language if corpus else "")
    if not language:
        raise ValidationError(
            _("The campaign has no corpus, so please say in which language the claims are.")
        )
    if len(options.wave) > LONGEST_NAME:
        raise ValidationError(_("A wave's name has at most 100 characters."))
    return ImportOptions(options.format, lines_of(options, corpus), language, options.wave)


def lines_of(options: ImportOptions, corpus) -> str:
    if options.format in BY_UNITS:
        return "units"
    if options.lines or corpus is None:
        return options.lines or "ranks"
    reads_lines = Import.objects.filter(
        corpus=corpus, state=Import.State.COMPLETE, options__format="fever-wiki"
    )
    return "units" if reads_lines.exists() else "ranks"


def wave_name(options: ImportOptions, files: Sequence[Path | str]) -> str:
    """What the wave of an import is called, by default after its files.

    The same in every language, or the files would be stored once more for who reads another.
    """
    if options.wave:
        return options.wave
    name = f"Import of {', '.join(Path(file).name for file in files)}"
    return name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 1] + "…"
