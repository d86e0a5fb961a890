"""What is said of each abstract, as SciFact has it: one label, and rationales apart. Pure."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby
from operator import attrgetter

from datasets.fitting import TOO_MANY, UNSTATED
from datasets.records import NOT_ENOUGH_INFO, Cited, LabelledClaim
from datasets.writers import scifact

# Where an abstract was judged in two scopes, what came about by a later one of these stands.
WEIGHTS = ("", "aggregate", "majority", "adjudicated")


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
