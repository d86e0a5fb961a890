"""How well ways of retrieval find the evidence of a dataset."""

from collections.abc import Mapping, Sequence

from datasets.baselines.pairs import NEI
from datasets.records import LabelledClaim
from dictionaries.evaluation import CUTOFFS, Judged, summary


def retrieval_figures(
    claims: Sequence[LabelledClaim],
    rankings: Mapping[str, Mapping[int, Sequence[str]]],
    *,
    cutoffs: Sequence[int] = CUTOFFS,
) -> dict:
    """Recall, MRR and full support at each cutoff of each way of retrieval.

    rankings: for each way (keyword, semantic, ...) the public ids of paragraphs retrieved for a
    claim's number, best first; a claim that is not there found nothing. Only SUPPORTS and
    REFUTES with evidence are judged; `left_out` counts the others. A way has None where no claim
    can be judged.
    """
    judged = [claim for claim in claims if can_be_judged(claim)]
    nei = sum(claim.label == NEI for claim in claims)
    return {
        "left_out": {"nei": nei, "no_evidence": len(claims) - len(judged) - nei},
        "ways": {
            way: summary([judge(claim, found) for claim in judged], cutoffs) if judged else None
            for way, found in rankings.items()
        },
    }


def can_be_judged(claim: LabelledClaim) -> bool:
    return claim.label not in (None, NEI) and any(claim.evidence)


def judge(claim: LabelledClaim, found: Mapping[int, Sequence[str]]) -> Judged:
    sets = tuple(frozenset(cited.paragraph for cited in one) for one in claim.evidence if one)
    return Judged(tuple(dict.fromkeys(found.get(claim.number, ()))), sets)
