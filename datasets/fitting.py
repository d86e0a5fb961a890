"""What a format has no room for: evidence sets that its lines cannot state, counted. Pure."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable
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
BY_PARAGRAPHS = ("ctkfacts", "ctkfacts_fever")
Stated = tuple[MergedSet, tuple[Cited, ...]]


def fitting(sets: Iterable[Stated], options, left_out: Counter) -> list[Stated]:
    """The sets that a line states, each as a whole: a set never shrinks. The others are counted.

    Of sets, and of what one cites, that a line would name alike, the first. Where there is room
    for few, those with most annotators stay, then the smallest, then the earliest.
    """
    can_state, place = stating(options), placing(options)
    named = {merged.order: (merged, group) for merged, group in sets}
    stated = {order: pair for order, pair in named.items() if can_state(pair[1])}
    as_named: dict[frozenset, MergedSet] = {}
    groups: dict[int, tuple[Cited, ...]] = {}
    for merged, group in stated.values():
        once = {place(each): each for each in reversed(group)}
        items = tuple(dict.fromkeys(map(place, group)))
        as_named.setdefault(frozenset(items), replace(merged, items=items))
        groups[merged.order] = tuple(once[item] for item in items)
    at_most, disjoint = AT_MOST.get(options.format), options.format in DISJOINT
    kept, rest = choose_sets(as_named.values(), at_most=at_most, disjoint=disjoint)
    left_out[UNNAMED] += len(named) - len(stated)
    left_out[TOO_MANY] += len(rest)
    return [(stated[each.order][0], groups[each.order]) for each in kept]


def placing(options) -> Callable[[Cited], Hashable]:
    """How lines of the format tell what is cited from anything else."""
    return {"scifact": scifact.sentence, "feverous": feverous.element}.get(options.format, place_of)


def place_of(cited: Cited) -> tuple[str, str, str]:
    return cited.paragraph or cited.text, cited.unit, cited.external


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
    if options.format in BY_PARAGRAPHS:
        return ctkfacts.can_cite
    named = {"feverous": feverous.can_cite, "beir": beir.can_cite}
    return named.get(options.format, has_name)


def has_name(cited: Cited) -> bool:
    """Whether it has any: what a file gave by its text alone has none."""
    return bool(cited.paragraph)


def states_nothing(claim: LabelledClaim, format: str) -> bool:
    """Whether its line would say something else: SciFact has no verdict without a rationale, and
    a query is there for what answers it."""
    if claim.evidence or format not in ("scifact", "beir"):
        return False
    return format == "beir" or claim.label != NOT_ENOUGH_INFO
