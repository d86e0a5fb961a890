"""What a format has no room for: evidence sets that its lines cannot state, counted. Pure."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial

from agreement.aggregation import MergedSet, choose_sets
from datasets.records import NOT_ENOUGH_INFO, Cited, LabelledClaim
from datasets.writers import beir, ctkfacts, fever, feverous, nli, scifact

# Sets that a line cannot name; sets beyond those that it may have; claims that state nothing.
UNNAMED, TOO_MANY, UNSTATED = "sets_unnamed", "sets_too_many", "no_evidence"
SUPERSETS = "sets_supersets"
AT_MOST = {"feverous": feverous.MOST_SETS}
DISJOINT = ("scifact",)
Stated = tuple[MergedSet, tuple[Cited, ...]]


def fitting(sets: Iterable[Stated], options, left_out: Counter) -> list[Stated]:
    """The sets that a line states, each as a whole: a set never shrinks. The others are counted.

    Where there is room for few, those with most annotators stay, then the smallest, then the
    earliest.
    """
    can_state = stating(options)
    named = {merged.order: (merged, group) for merged, group in sets}
    stated = {order: pair for order, pair in named.items() if can_state(pair[1])}
    as_named = [
        replace(merged, items=tuple(map(place, group))) for merged, group in stated.values()
    ]
    at_most, disjoint = AT_MOST.get(options.format), options.format in DISJOINT
    kept, rest = choose_sets(as_named, at_most=at_most, disjoint=disjoint)
    left_out[UNNAMED] += len(named) - len(stated)
    left_out[TOO_MANY] += len(rest)
    return [stated[each.order] for each in kept]


def place(cited: Cited) -> tuple[str, str, str]:
    return cited.paragraph, cited.unit, cited.external


def stating(options) -> Callable[[tuple[Cited, ...]], bool]:
    """Whether a line of the format can state a set."""
    if options.format == "scifact":
        return scifact.can_state
    can_cite = citing(options)
    return lambda group: all(map(can_cite, group))


def citing(options) -> Callable[[Cited], bool]:
    """Whether a line of the format can name what is cited."""
    if options.lines:
        return partial(fever.can_cite, by=options.lines)
    if options.format == "nli":
        return partial(nli.can_cite, evidence=options.evidence)
    named = {"feverous": feverous.can_cite, "beir": beir.can_cite}
    return named.get(options.format, ctkfacts.can_cite)


def states_nothing(claim: LabelledClaim, format: str) -> bool:
    """Whether its line would say something else: SciFact has no verdict without a rationale, and
    a query is there for what answers it."""
    if claim.evidence or format not in ("scifact", "beir"):
        return False
    return format == "beir" or claim.label != NOT_ENOUGH_INFO
