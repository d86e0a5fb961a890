"""Verdicts with evidence, as FEVER and FEVEROUS score them.

Source: Thorne et al., "FEVER" (2018), section 4, and the scorer of its shared task; Aly et al.,
"FEVEROUS" (2021), section 5, and its scorer. F1 is 0 where those divide by zero.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from datasets.records import LABELS
from datasets.scorers.confusion import Confusion, confusion

NEI = "NOT ENOUGH INFO"
Item = tuple[Any, ...]
Pair = tuple["Gold", "Prediction | None"]


@dataclass(slots=True)
class Gold:
    """groups: alternatives, each of the items that suffice together."""

    key: str | None
    label: str
    groups: list[list[Item]]


@dataclass(slots=True)
class Prediction:
    """evidence: items in order; the first ones count. is_bare: whether the line leaves them out,
    which not every gold claim allows."""

    key: str | None
    label: str
    evidence: list[Item]
    is_bare: bool = False


@dataclass(slots=True)
class Scores:
    """What a scorer found.

    figures: by name; claims: one object for each gold claim, in their order; confusion: labels.
    """

    figures: dict[str, Any]
    claims: list[dict]
    confusion: Confusion


def score_verdicts(
    pairs: Iterable[Pair],
    *,
    kept: Callable[[Sequence[Item]], Sequence[Item]],
    scores_evidence: Callable[[Gold], bool],
    is_item: Callable[[Item], bool],
) -> Scores:
    """The strict score, label accuracy, and precision, recall and F1 of evidence.

    kept: the predicted items that count; scores_evidence: whether a claim's evidence is scored,
    or its label alone; is_item: whether a gold item names evidence at all. A claim without a
    prediction is wrong, as if nothing had been predicted. Raises ValueError without claims.
    """
    claims, triples = [], []
    for number, (gold, told) in enumerate(pairs, start=1):
        name = gold.key or str(number)
        label = told.label.upper() if told else None
        evidence = kept(told.evidence) if told else []
        claims.append(outcome(name, gold, label, evidence, scores_evidence(gold), is_item))
        triples.append((name, gold.label.upper(), label))
    if not claims:
        raise ValueError("There are no claims to score.")
    return Scores(figures(claims), claims, confusion(triples, LABELS))


def outcome(
    name: str,
    gold: Gold,
    label: str | None,
    evidence: Sequence[Item],
    with_evidence: bool,
    is_item: Callable[[Item], bool],
) -> dict:
    """How one claim did; precision and recall are None where its evidence is not scored."""
    right = gold.label.upper() == label
    found = not with_evidence or whole_group(gold.groups, evidence)
    return {
        "id": name,
        "label": gold.label,
        "predicted_label": label,
        "label_correct": right,
        "strict": right and found,
        "precision": precision(gold.groups, evidence, is_item) if with_evidence else None,
        "recall": float(found or not gold.groups) if with_evidence else None,
    }


def whole_group(groups: Iterable[Sequence[Item]], evidence: Iterable[Item]) -> bool:
    """Whether all items of one group are there; an empty group always is."""
    found = set(evidence)
    return any(found.issuperset(group) for group in groups)


def precision(
    groups: Iterable[Sequence[Item]],
    evidence: Sequence[Item],
    is_item: Callable[[Item], bool],
) -> float:
    """The share of the predicted items that stand in any group; 1 for an empty prediction."""
    if not evidence:
        return 1.0
    union = {item for group in groups for item in group if is_item(item)}
    return sum(item in union for item in evidence) / len(evidence)


def figures(claims: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    """Means over all claims; of precision (1 without any) and recall (0) over those that count."""
    total = len(claims)
    counted = [claim for claim in claims if claim["recall"] is not None]
    p = mean([claim["precision"] for claim in counted], otherwise=1.0)
    r = mean([claim["recall"] for claim in counted], otherwise=0.0)
    return {
        "strict_score": sum(claim["strict"] for claim in claims) / total,
        "label_accuracy": sum(claim["label_correct"] for claim in claims) / total,
        "precision": p,
        "recall": r,
        "f1": harmonic(p, r),
    }


def mean(values: Sequence[float], *, otherwise: float) -> float:
    return sum(values) / len(values) if values else otherwise


def harmonic(precision: float, recall: float) -> float:
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0
