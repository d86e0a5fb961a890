"""CTKFacts: verdicts of a whole pipeline, with and without their evidence, and its retrieval.

Gold lines in the document retrieval form or in the FEVER form of the same; predictions are
`predicted_label` and `predicted_pages`, ids of paragraphs with the best first.
Source: Ullrich et al., "CsFEVER and CTKFacts" (2023), sections 5 and 6.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from agreement.measures.classification import f1_by_label
from datasets.readers.problems import Unusable
from datasets.records import LABELS
from datasets.scorers.confusion import confusion
from datasets.scorers.fields import groups_of, id_of, list_of, shown, text_of
from datasets.scorers.verdicts import NEI, Gold, Item, Pair, Prediction, Scores, mean, whole_group
from dictionaries.evaluation import CUTOFFS, Judged, full_support_at, reciprocal_rank


def gold_of(values: Mapping[str, Any]) -> Gold:
    """A gold line; raises Unusable where it is none. A group that names no paragraph is none."""
    label = text_of(values, "label").upper()
    if label not in LABELS:
        raise Unusable(f"the label is {shown(label)}; use {', '.join(LABELS)}", "label")
    groups = [[item for one in group if (item := paragraph_of(one))] for group in groups_of(values)]
    return Gold(id_of(values), label, [group for group in groups if group])


def paragraph_of(item: object) -> Item | None:
    """(paragraph,) of its id, or of [n, n, paragraph, 0]; None where that names no paragraph."""
    if isinstance(item, list) and len(item) == 4:
        item = item[2]
        if item is None:
            return None
    if not isinstance(item, str):
        raise Unusable(f"an evidence item is {shown(item)}; use the id of a paragraph", "evidence")
    return (item,)


def prediction_of(values: Mapping[str, Any]) -> Prediction:
    """A predicted line; raises Unusable where it is none."""
    label = text_of(values, "predicted_label").upper()
    pages = list_of(values, "predicted_pages")
    for page in pages:
        if not isinstance(page, str):
            raise Unusable(f"a page is {shown(page)}; use ids of paragraphs", "predicted_pages")
    return Prediction(id_of(values), label, [(page,) for page in pages])


def score(pairs: Iterable[Pair], *, cutoffs: Sequence[int] = CUTOFFS) -> Scores:
    """Macro F1 of labels alone (NSE) and with evidence (SE) at each cutoff; MRR; full support.

    SE: a SUPPORTS or REFUTES that is right counts as no answer unless a whole gold evidence set
    is among the first k pages; NOT ENOUGH INFO needs none. Retrieval is judged on SUPPORTS and
    REFUTES claims that have evidence. Raises ValueError without claims.
    """
    pairs = list(pairs)
    if not pairs:
        raise ValueError("There are no claims to score.")
    claims = [outcome(number, *pair, cutoffs) for number, pair in enumerate(pairs, start=1)]
    given = [gold.label for gold, _ in pairs]
    told = [answer.label if answer else None for _, answer in pairs]
    figures = {
        "nse": label_figures(given, told),
        "se": {
            str(k): label_figures(given, [claim["counted"][str(k)] for claim in claims])
            for k in cutoffs
        },
        **retrieval_figures(pairs, cutoffs),
    }
    names = [claim["id"] for claim in claims]
    return Scores(figures, claims, confusion(zip(names, given, told, strict=True), LABELS))


def outcome(number: int, gold: Gold, told: Prediction | None, cutoffs: Sequence[int]) -> dict:
    """How one claim did; counted: the label that counts at each cutoff, None for no answer."""
    label = told.label if told else None
    evidence = told.evidence if told else []
    return {
        "id": gold.key or str(number),
        "label": gold.label,
        "predicted_label": label,
        "label_correct": gold.label == label,
        "counted": {str(k): label if counts(gold, label, evidence[:k]) else None for k in cutoffs},
    }


def counts(gold: Gold, label: str | None, evidence: Sequence[Item]) -> bool:
    """Whether a label counts as an answer; a wrong one does, as the mistake that it is."""
    return label != gold.label or label == NEI or whole_group(gold.groups, evidence)


def label_figures(given: Sequence[str], told: Sequence[str | None]) -> dict:
    """Macro F1, accuracy and F1 of each label; None is no answer."""
    scores = f1_by_label(given, told, LABELS)
    right = sum(label == guess for label, guess in zip(given, told, strict=True))
    return {
        "macro_f1": sum(scores.values()) / len(scores),
        "accuracy": right / len(given),
        "f1_by_label": scores,
    }


def retrieval_figures(pairs: Sequence[Pair], cutoffs: Sequence[int]) -> dict:
    """MRR and full support at each cutoff, None where no claim can be judged."""
    judged = [judged_at(*pair) for pair in pairs if can_be_judged(pair[0])]
    figures: dict[str, Any] = {"retrieval_claims": len(judged)}
    if not judged:
        return figures | {"mrr": None, "full_support": None}
    ranks = [reciprocal_rank(one) for one in judged]
    return figures | {
        "mrr": {
            str(k): mean([rank if rank >= 1 / k else 0.0 for rank in ranks], otherwise=0.0)
            for k in cutoffs
        },
        "full_support": {
            str(k): mean([float(full_support_at(one, k)) for one in judged], otherwise=0.0)
            for k in cutoffs
        },
    }


def can_be_judged(gold: Gold) -> bool:
    return gold.label != NEI and bool(gold.groups)


def judged_at(gold: Gold, told: Prediction | None) -> Judged:
    pages = dict.fromkeys(page for (page,) in told.evidence) if told else {}
    sets = tuple(frozenset(page for (page,) in group) for group in gold.groups)
    return Judged(tuple(pages), sets)
