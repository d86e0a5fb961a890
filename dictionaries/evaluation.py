"""How well retrieval finds the evidence that is known; names and numbers in, numbers out.

Evidence of a claim is a list of alternatives, each of the names (of paragraphs or of articles) that
decide the claim together. What was retrieved is a list of names, best first, each once.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

CUTOFFS = (1, 5, 10, 20)
FUSION = 60  # Cormack, Clarke and Büttcher (2009)


@dataclass(frozen=True)
class Judged:
    """What was retrieved for one claim, and the evidence that is known for it, one set or more."""

    retrieved: tuple[str, ...]
    evidence: tuple[frozenset[str], ...]

    def __post_init__(self):
        if not self.evidence or not all(self.evidence):
            raise ValueError("a claim without evidence, or with an empty set, cannot be judged")


def recall_at(judged: Judged, k: int | None) -> float:
    """The share, 0 to 1, of all evidence of a claim that is among the first k; None: among all."""
    wanted = frozenset().union(*judged.evidence)
    return len(wanted.intersection(judged.retrieved[:k])) / len(wanted)


def reciprocal_rank(judged: Judged) -> float:
    """1 / the rank of the first evidence of any set; 0 where none was retrieved."""
    wanted = frozenset().union(*judged.evidence)
    ranks = (rank for rank, name in enumerate(judged.retrieved, start=1) if name in wanted)
    return 1 / next(ranks, np.inf)


def full_support_at(judged: Judged, k: int | None) -> bool:
    """Whether all of at least one evidence set is among the first k; None: among all.

    Source: Thorne et al., "FEVER: a large-scale dataset for fact extraction and verification"
    (2018), section 5.1 ("fully supported"); CTKFacts for k = 1, 5, 10, 20.
    """
    first = frozenset(judged.retrieved[:k])
    return any(evidence <= first for evidence in judged.evidence)


def summary(judged: Sequence[Judged], cutoffs: Sequence[int] = CUTOFFS) -> dict:
    """Means over claims, at each cutoff and over all that was retrieved (`all`).

    Raises ValueError where there is no claim.
    """
    if not judged:
        raise ValueError("no claim has evidence: nothing can be measured")
    places = [*((str(k), k) for k in cutoffs), ("all", None)]
    return {
        "claims": len(judged),
        "retrieved": _mean(len(one.retrieved) for one in judged),
        "recall": {name: _mean(recall_at(one, k) for one in judged) for name, k in places},
        "full_support": {
            name: _mean(full_support_at(one, k) for one in judged) for name, k in places
        },
        "mrr": _mean(reciprocal_rank(one) for one in judged),
    }


def _mean(values) -> float:
    return float(np.mean(list(values)))


def fused(rankings: Sequence[Sequence[str]], n: int) -> list[str]:
    """The n best names by the sum of 1 / (60 + rank) over rankings; ties as they come first.

    Source: Cormack, Clarke and Büttcher, "Reciprocal rank fusion outperforms Condorcet and
    individual rank learning methods" (SIGIR 2009).
    """
    scores: dict[str, float] = {}
    for ranking in rankings:
        for rank, name in enumerate(ranking, start=1):
            scores[name] = scores.get(name, 0) + 1 / (FUSION + rank)
    return sorted(scores, key=lambda name: -round(scores[name], 12))[:n]


def overlap(first: Sequence, second: Sequence) -> float:
    """How much of the longer of two lists of different things the other has too, 0 to 1.

    Raises ValueError where both are empty.
    """
    longer = max(len(first), len(second))
    if not longer:
        raise ValueError("the overlap of two empty lists is undefined")
    return len(set(first) & set(second)) / longer
