"""Whether annotators found the same evidence, and whether that goes with the same label."""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from agreement.measures.alpha import krippendorff_alpha
from agreement.measures.annotations import NOT_ENOUGH_INFO, encode
from agreement.measures.kappa import cohen_kappa, fleiss_kappa
from agreement.measures.undefined import figure

OVERLAPS = ("exact", "half_or_more", "less_than_half", "disjoint", "both_empty")
INTERPRETATIONS = ("all", "relaxed", "strict")


@dataclass(frozen=True, slots=True)
class EvidenceAnswer:
    """One annotator's label of a unit and which of its parts (sentences, paragraphs) they cited.

    parts: positions below n_parts, which is the same for all answers on a unit.
    """

    unit: Hashable
    annotator: Hashable
    label: Hashable
    parts: frozenset[int]
    n_parts: int


# The answers on each unit, as `by_unit` gives them: what every measure takes.
Units = Sequence[Sequence[EvidenceAnswer]]


def by_unit(answers: Iterable[EvidenceAnswer]) -> Units:
    """The answers on each unit, in order of the annotators' names."""
    units: dict[Hashable, list[EvidenceAnswer]] = defaultdict(list)
    for answer in sorted(answers, key=lambda answer: str(answer.annotator)):
        units[answer.unit].append(answer)
    return list(units.values())


def kappa_of_parts(answers: Units) -> dict:
    """Cohen's kappa on parts, cited or not, where two annotators gave one and the same verdict.

    Of units with exactly two answers with the same label other than NOT ENOUGH INFO: {value,
    undefined, n_units, n_parts}. Source: Wadden et al., "SciFact" (2020), section 3.4.
    """
    pairs = [unit for unit in answers if len(unit) == 2 and agree_on_a_verdict(unit)]
    confusion = sum((confusion_of(*pair) for pair in pairs), np.zeros((2, 2), dtype=np.int64))
    return figure(cohen_kappa, confusion) | {
        "n_units": len(pairs),
        "n_parts": int(confusion.sum()),
    }


def agree_on_a_verdict(unit: Sequence[EvidenceAnswer]) -> bool:
    return len({answer.label for answer in unit}) == 1 and unit[0].label != NOT_ENOUGH_INFO


def confusion_of(first: EvidenceAnswer, second: EvidenceAnswer) -> np.ndarray:
    """(2, 2): how many parts the first (rows) and the second passed over or cited."""
    both = len(first.parts & second.parts)
    one, other = len(first.parts) - both, len(second.parts) - both
    return np.array([[first.n_parts - both - one - other, other], [one, both]])


def alpha_of_parts(answers: Units, *, units: str = "all", per_label: bool = False) -> float:
    """Krippendorff's alpha on parts, cited or not, among all annotators of a unit.

    units: all; relaxed, those with a label that two or more annotators gave; strict, those with
    two such labels. per_label compares only annotators who gave the same label (a veracity
    interpretation). Raises Undefined as alpha does, ValueError for other units.
    Source: Glockner et al., "AmbiFC" (2024), table 3.
    """
    if units not in INTERPRETATIONS:
        raise ValueError(f"units is {units!r}; use one of {', '.join(INTERPRETATIONS)}.")
    least = INTERPRETATIONS.index(units)
    chosen = [unit for unit in answers if shared_labels(unit) >= least] if least else answers
    groups = [group for unit in chosen for group in label_groups(unit)] if per_label else chosen
    return krippendorff_alpha(part_counts(groups))


def shared_labels(unit: Sequence[EvidenceAnswer]) -> int:
    """The number of labels that two or more annotators of the unit gave."""
    labels = [answer.label for answer in unit]
    return sum(labels.count(label) >= 2 for label in set(labels))


def label_groups(unit: Sequence[EvidenceAnswer]) -> Iterator[list[EvidenceAnswer]]:
    for label in dict.fromkeys(answer.label for answer in unit):
        yield [answer for answer in unit if answer.label == label]


def part_counts(groups: Iterable[Sequence[EvidenceAnswer]]) -> np.ndarray:
    """(n_parts, 2): how many of each group passed over each of its parts, and how many cited it."""
    # Plain loops: a unit has a handful of cited parts, and a Counter for each costs more.
    alike: dict[tuple[int, int], int] = defaultdict(int)
    for group in groups:
        size, times = len(group), dict[int, int]()
        for answer in group:
            for part in answer.parts:
                times[part] = times.get(part, 0) + 1
        for n in times.values():
            alike[size - n, n] += 1
        alike[size, 0] += group[0].n_parts - len(times)
    rows = np.array(sorted(alike), dtype=np.int64).reshape(-1, 2)
    return np.repeat(rows, [alike[row] for row in sorted(alike)], axis=0)


def label_agreement_by_overlap(answers: Units) -> dict[str, dict]:
    """Agreement on labels of all pairs of annotators of a unit, by how far their evidence overlaps.

    For each overlap (Jaccard index of cited parts; pairs that both cited nothing apart):
    n_pairs, percent and Scott's pi (None where undefined).
    Source: Aly et al., "FEVEROUS" (2021), appendix on annotation quality.
    """
    labels: dict[str, list[tuple]] = {name: [] for name in OVERLAPS}
    for unit in answers:
        for first, second in combinations(unit, 2):
            labels[overlap(first.parts, second.parts)].append((first.label, second.label))
    return {name: agreement_of_pairs(pairs) for name, pairs in labels.items()}


def jaccard(first: frozenset, second: frozenset) -> float | None:
    """Shared parts among all cited ones, 0 to 1; None where nothing was cited."""
    return len(first & second) / len(first | second) if first or second else None


def overlap(first: frozenset, second: frozenset) -> str:
    share = jaccard(first, second)
    if share is None:
        return "both_empty"
    if share in (0, 1):
        return "exact" if share else "disjoint"
    return "half_or_more" if share >= 0.5 else "less_than_half"


def agreement_of_pairs(pairs: Sequence[tuple]) -> dict:
    names, codes = encode([label for pair in pairs for label in pair])
    counts = np.eye(len(names), dtype=np.int64)[codes].reshape(len(pairs), 2, len(names)).sum(1)
    pi = figure(fleiss_kappa, counts)
    same = sum(first == second for first, second in pairs)
    return {
        "n_pairs": len(pairs),
        "percent": same / len(pairs) if pairs else None,
        "scott_pi": pi["value"],
        "undefined": pi["undefined"],
    }


def mean_jaccard(answers: Units) -> float | None:
    """The mean overlap over pairs of annotators of which one cited anything; None without any."""
    shares = [
        share
        for unit in answers
        for first, second in combinations(unit, 2)
        if (share := jaccard(first.parts, second.parts)) is not None
    ]
    return sum(shares) / len(shares) if shares else None
