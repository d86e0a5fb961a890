"""What a format has no room for: evidence sets that its lines cannot state, counted. Pure."""

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby
from operator import attrgetter

from agreement.aggregation import MergedSet, choose_sets
from datasets.records import NOT_ENOUGH_INFO, Cited, LabelledClaim
from datasets.writers import beir, ctkfacts, fever, feverous, nli, scifact

# Sets that a line cannot name; sets beyond those that it may have; claims that state nothing.
UNNAMED, TOO_MANY, UNSTATED = "sets_unnamed", "sets_too_many", "no_evidence"
SUPERSETS = "sets_supersets"
AT_MOST = {"feverous": feverous.MOST_SETS}
DISJOINT = ("scifact",)
BY_PARAGRAPHS = ("ctkfacts", "ctkfacts_fever")
# Where an abstract was judged in two scopes, what came about by a later one of these stands.
WEIGHTS = ("", "aggregate", "majority", "adjudicated")
Stated = tuple[MergedSet, tuple[Cited, ...]]


def fitting(sets: Iterable[Stated], options, left_out: Counter) -> list[Stated]:
    """The sets that a line states, each as a whole: a set never shrinks. The others are counted.

    Of sets that it would name alike, the first. Where there is room for few, those with most
    annotators stay, then the smallest, then the earliest.
    """
    can_state, place = stating(options), placing(options)
    named = {merged.order: (merged, group) for merged, group in sets}
    stated = {order: pair for order, pair in named.items() if can_state(pair[1])}
    as_named: dict[frozenset, MergedSet] = {}
    for merged, group in stated.values():
        items = tuple(dict.fromkeys(map(place, group)))
        as_named.setdefault(frozenset(items), replace(merged, items=items))
    at_most, disjoint = AT_MOST.get(options.format), options.format in DISJOINT
    kept, rest = choose_sets(as_named.values(), at_most=at_most, disjoint=disjoint)
    left_out[UNNAMED] += len(named) - len(stated)
    left_out[TOO_MANY] += len(rest)
    return [stated[each.order] for each in kept]


def placing(options) -> Callable[[Cited], Hashable]:
    """How lines of the format tell what is cited from anything else."""
    return scifact.sentence if options.format == "scifact" else place_of


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


def by_abstract(claims: Iterable[LabelledClaim], left_out: Counter) -> Iterator[LabelledClaim]:
    """Claims against one abstract each, as SciFact has them: each that was judged or is cited.

    claims: by number. A label of the whole scope speaks of the abstracts that it cites; one that
    cites none is a line's where nothing else is said of the claim.
    """
    for _, group in groupby(claims, key=attrgetter("number")):
        parts = list(group)
        unknown = [part for part in parts if part.label == NOT_ENOUGH_INFO]
        left_out[TOO_MANY] += sum(len(part.evidence) for part in unknown)
        whole = [part for part in unknown if part.scope_kind == "whole"]
        if not (names := abstracts_of(parts)):
            yield from (replace(part, evidence=()) for part in whole)
            continue
        left_out[UNSTATED] += len(whole)
        said = said_by_abstract(parts)
        for name in names:
            if name in said:
                yield one_label(said[name], name, left_out)
            else:
                left_out[UNSTATED] += 1


def abstracts_of(parts: Iterable[LabelledClaim]) -> list[str]:
    """The abstracts that were judged, in turn, and behind them the others that verdicts cite."""
    judged = [part.scope for part in parts if part.scope_kind == "article"]
    verdicts = [part for part in parts if part.label in scifact.SPELT]
    cited = [scifact.abstract_of(sets[0]) for part in verdicts for sets in part.evidence]
    return list(dict.fromkeys([*judged, *cited]))


def said_by_abstract(parts: Iterable[LabelledClaim]) -> dict[str, list[LabelledClaim]]:
    """{abstract: the parts that speak of it, with the sets that cite it}; what stands comes first.

    That is what was adjudicated, else voted for, else a file's; of two that came about alike,
    what was said of the abstract alone.
    """
    said: dict[str, list[LabelledClaim]] = defaultdict(list)
    for part in parts:
        if part.label == NOT_ENOUGH_INFO and part.scope_kind == "article":
            said[part.scope].append(replace(part, evidence=()))
        elif part.label in scifact.SPELT:
            for name, sets in sets_by_abstract(part).items():
                said[name].append(replace(part, evidence=tuple(sets)))
    for name, saying in said.items():
        saying.sort(key=partial(weight, name=name), reverse=True)
    return dict(said)


def sets_by_abstract(part: LabelledClaim) -> dict[str, list[tuple[Cited, ...]]]:
    found: dict[str, list[tuple[Cited, ...]]] = defaultdict(list)
    for group in part.evidence:
        found[scifact.abstract_of(group[0])].append(group)
    return found


def weight(part: LabelledClaim, name: str) -> tuple[int, bool]:
    """What a part weighs among those that speak of an abstract."""
    is_own = (part.scope_kind, part.scope) == ("article", name)
    return WEIGHTS.index(part.decided), is_own


def one_label(saying: Sequence[LabelledClaim], name: str, left_out: Counter) -> LabelledClaim:
    """What is said of an abstract under the first label; its sets share no sentence."""
    label = saying[0].label
    used: set[tuple[str, int]] = set()
    kept: dict[frozenset, tuple[Cited, ...]] = {}
    for part in saying:
        for group in part.evidence:
            sentences = frozenset(map(scifact.sentence, group))
            if part.label != label or (used & sentences and sentences not in kept):
                left_out[TOO_MANY] += 1
                continue
            kept.setdefault(sentences, group)
            used |= sentences
    return replace(saying[0], scope=name, scope_kind="article", evidence=tuple(kept.values()))
