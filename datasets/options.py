"""What is chosen for an export, and whether it fits the campaign."""

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Self

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from agreement.measures.annotations import CONDITIONAL_LABELS, OWN_LABELS
from annotation.models import Campaign, Wave
from datasets.importing.options import LINES, ImportOptions, lines_of
from datasets.splits import parse_sizes
from datasets.splits.allotment import is_fraction, target_sizes

FORMATS = {
    "fever": gettext_lazy("FEVER"),
    "ctkfacts": gettext_lazy("CTKFacts, document retrieval"),
    "nli": gettext_lazy("CTKFacts, natural language inference"),
    "ctkfacts_fever": gettext_lazy("CTKFacts, FEVER form"),
    "csfever": gettext_lazy("CsFEVER"),
    "scifact": gettext_lazy("SciFact"),
    "feverous": gettext_lazy("FEVEROUS"),
    "ambifc": gettext_lazy("AmbiFC, every label and its share"),
    "claims": gettext_lazy("Claims and labels, lines of JSON"),
    "claims_csv": gettext_lazy("Claims and labels, table (CSV)"),
    "beir": gettext_lazy("Retrieval set (BEIR)"),
    "raw": gettext_lazy("Raw annotations"),
}
TIES = ("leave-out", "soft")
EVIDENCE = ("ids", "text")
PER = ("set", "claim")
# Formats that cite an article and a number in it.
BY_LINES = ("fever", "csfever")
# How lines name parts of paragraphs.
NUMBERS, ELEMENTS = "numbers", "elements"
PARTS = {"scifact": NUMBERS, "feverous": ELEMENTS}
NEVER_SOFT = ("scifact", "beir")
# Their lines have no evidence sets of the label that was decided.
WITHOUT_SETS = ("ambifc", "claims", "claims_csv", "raw")
WITH_CORPUS = ("scifact", "beir")
OVERSIZED = ("train", "cut")
CORPUS = "corpus"  # the name of their corpus' file
# A split's name becomes a file's name.
SPLIT_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}")
BIGGEST_SEED = 2**31 - 1


class PlainOptions:
    """Options, a dataclass, that can stand in JSON; there its tuples are lists."""

    @classmethod
    def of(cls, settings: Mapping) -> Self:
        """The options that `as_settings` made plain; what is none of them is left aside."""
        known = {field.name: field.default for field in fields(cls)}
        chosen = {name: value for name, value in settings.items() if name in known}
        lists = [name for name in chosen if isinstance(known[name], tuple)]
        return cls(**{**chosen, **{name: tuple(chosen[name]) for name in lists}})

    def as_settings(self) -> dict:
        """The options as JSON has them."""
        return {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in asdict(self).items()
        }


@dataclass(frozen=True)
class ExportOptions(PlainOptions):
    """The settings of an export, as they stand in its manifest.

    waves: names, all that count where empty; evidence, per: empty for the format's own way;
    lines: of fever, "units" or "ranks", empty for the corpus' own way; drop_supersets: whether
    evidence sets that contain another one go;
    split: sizes such as train=0.8,dev=0.1,test=0.1, or empty for one file; balanced: splits
    that get as many claims of each label; superseded, times, texts: for raw annotations; times,
    texts: for what annotators did, in FEVEROUS.
    """

    format: str
    waves: tuple[str, ...] = ()
    own: str = "never"
    conditional: str = "nei"
    ties: str = "leave-out"
    evidence: str = ""
    per: str = ""
    lines: str = ""
    drop_supersets: bool = False
    is_joined: bool = True
    split: str = ""
    oversized: str = "train"
    balanced: tuple[str, ...] = ()
    seed: int = 0
    superseded: bool = False
    times: bool = False
    texts: bool = False

    @property
    def is_soft(self) -> bool:
        return self.ties == "soft"

    @property
    def names_of_parts(self) -> str:
        """How lines name parts of paragraphs: by numbers, or not at all ('')."""
        return NUMBERS if self.lines == "units" else PARTS.get(self.format, "")

    @property
    def has_texts(self) -> bool:
        """Whether lines carry the texts of paragraphs."""
        return self.format == "nli" and self.evidence == "text"


def checked_options(campaign: Campaign, options: ExportOptions) -> ExportOptions:
    """The options with nothing left open. Raises ValidationError where they do not fit."""
    check_choices(options)
    check_format(options)
    check_corpus(campaign, options)
    check_splits(options)
    waves_of(campaign, options)
    options = replace(options, waves=tuple(sorted(options.waves)))
    if options.format == "ambifc":
        options = replace(options, ties="soft")  # its lines are made of them
    if options.format in BY_LINES:
        read = ImportOptions(options.format, lines=options.lines)
        options = replace(options, lines=lines_of(read, campaign.corpus))
    if options.format != "nli":
        return replace(options, evidence="ids", per="", is_joined=True)
    evidence = evidence_of(campaign, options)
    return replace(options, evidence=evidence, per=options.per or "set")


def check_choices(options: ExportOptions) -> None:
    for name, value, allowed in (
        ("format", options.format, tuple(FORMATS)),
        ("own", options.own, OWN_LABELS),
        ("conditional", options.conditional, CONDITIONAL_LABELS),
        ("ties", options.ties, TIES),
        ("evidence", options.evidence, ("", *EVIDENCE)),
        ("per", options.per, ("", *PER)),
        ("lines", options.lines, ("", *LINES)),
        ("oversized", options.oversized, OVERSIZED),
    ):
        if value not in allowed:
            known = ", ".join(filter(None, allowed))
            told = {"name": name, "value": value, "known": known}
            raise ValidationError(_("%(name)s is “%(value)s”; use one of %(known)s.") % told)
    if not 0 <= options.seed <= BIGGEST_SEED:
        told = {"seed": options.seed, "most": BIGGEST_SEED}
        raise ValidationError(_("The seed is %(seed)s; use one from 0 to %(most)s.") % told)


def check_format(options: ExportOptions) -> None:
    """Some options mean something in one format only; elsewhere they would be lost silently."""
    told = {"format": FORMATS[options.format]}
    if options.format != "nli" and options.evidence == "text":
        raise ValidationError(
            _("%(format)s names evidence by ids; for its texts, use the format nli.") % told
        )
    if options.format != "nli" and (options.per or not options.is_joined):
        raise ValidationError(
            _("%(format)s has one kind of lines only; the choice of lines is for nli.") % told
        )
    if options.format not in BY_LINES and options.lines:
        raise ValidationError(
            _("%(format)s has no numbers of lines; units and ranks are for FEVER.") % told
        )
    more = options.superseded or (options.format != "feverous" and has_more(options))
    if options.format != "raw" and more:
        raise ValidationError(
            _("%(format)s has labels only; superseded labels, times and texts are for raw.") % told
        )
    if options.format == "feverous" and options.times and not options.texts:
        raise ValidationError(
            _("%(format)s has only times of what annotators did; ask for texts, too.") % told
        )
    if options.format in WITHOUT_SETS and options.drop_supersets:
        raise ValidationError(
            _("%(format)s has no merged evidence sets, of which one could contain another.") % told
        )
    if options.format in NEVER_SOFT and options.is_soft:
        raise ValidationError(_("%(format)s has no place for shares of labels.") % told)
    if options.format == "raw" and (options.is_soft or options.balanced):
        raise ValidationError(_("Raw annotations hold every label as given; none is left out."))


def has_more(options: ExportOptions) -> bool:
    """Whether it was asked for what an export has only on request."""
    return options.times or options.texts


def check_corpus(campaign: Campaign, options: ExportOptions) -> None:
    """A retrieval set is nothing without its corpus."""
    if options.format == "beir" and not publishes_texts(campaign):
        raise ValidationError(
            _("A retrieval set holds its corpus, and the campaign has none that may be published.")
        )


def publishes_texts(campaign: Campaign) -> bool:
    """Whether all texts of its corpus may be published, or those of released paragraphs."""
    corpus = campaign.corpus
    return corpus is not None and (corpus.publishes_text or corpus.publishes_cited)


def is_excerpt(campaign: Campaign) -> bool:
    """Whether an export carries the texts only of what its claims cite or come from."""
    return publishes_texts(campaign) and not campaign.corpus.publishes_text


def check_splits(options: ExportOptions) -> None:
    """Names and sizes, as far as they can be judged before the claims are counted."""
    if not options.split:
        if options.balanced:
            raise ValidationError(_("Balanced splits need splits; name them with their sizes."))
        return
    sizes = sizes_of(options)
    for name in sizes:
        if not SPLIT_NAME.fullmatch(name):
            raise ValidationError(
                _("“%(name)s” cannot name a file; use letters, digits, - and _.") % {"name": name}
            )
        if options.format in WITH_CORPUS and name.lower() == CORPUS:
            raise ValidationError(
                _("The name “%(name)s” is for the corpus’ file; name the split otherwise.")
                % {"name": name}
            )
    if len({name.lower() for name in sizes}) < len(sizes):
        raise ValidationError(_("Two splits have the same name but for capital letters."))
    if unknown := [name for name in options.balanced if name not in sizes]:
        told = {"name": unknown[0], "known": ", ".join(sizes)}
        raise ValidationError(_("There is no split “%(name)s”; there are: %(known)s.") % told)


def sizes_of(options: ExportOptions) -> dict[str, float | int | None]:
    try:
        sizes = parse_sizes(options.split)
        given = [size for size in sizes.values() if size]
        if all(is_fraction(size) for size in given):
            target_sizes(sizes, 1000)
        elif any(isinstance(size, float) for size in given):
            raise ValueError(f"sizes are {options.split}; give all as fractions, or all as counts.")
    except ValueError as error:
        raise ValidationError(str(error)) from error
    return sizes


def evidence_of(campaign: Campaign, options: ExportOptions) -> str:
    """ids or text; the texts of a corpus that keeps them to itself are refused."""
    publishes = campaign.corpus is None or publishes_texts(campaign)
    if options.evidence == "text" and not publishes:
        raise ValidationError(
            _(
                "The texts of “%(corpus)s” may not be published, so an export can hold their ids "
                "only. Choose ids, or allow it in the corpus if its licence does."
            )
            % {"corpus": campaign.corpus}
        )
    return options.evidence or ("text" if publishes else "ids")


def waves_of(campaign: Campaign, options: ExportOptions) -> list[Wave]:
    """The waves that were named, or all that count, by name."""
    waves = {wave.name: wave for wave in campaign.waves.all()}
    for name in options.waves:
        if name not in waves:
            known = ", ".join(sorted(waves)) or _("none yet")
            told = {"name": name, "known": known}
            raise ValidationError(_("There is no wave “%(name)s”; there are: %(known)s.") % told)
        if waves[name].is_sandbox:
            raise ValidationError(
                _("“%(name)s” is a sandbox, and sandboxes are outside every export.")
                % {"name": name}
            )
    chosen = options.waves or [name for name, wave in waves.items() if not wave.is_sandbox]
    return [waves[name] for name in sorted(set(chosen))]
