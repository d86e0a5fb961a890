"""FEVER: labels, and sentences as (page, line). NEI claims are scored by their label alone."""

from collections.abc import Iterable, Mapping
from typing import Any

from datasets.readers.problems import Unusable
from datasets.scorers.fields import groups_of, id_of, is_number, list_of, shown, text_of
from datasets.scorers.verdicts import NEI, Gold, Item, Pair, Prediction, Scores, score_verdicts

MAX_EVIDENCE = 5
EVIDENCE = "predicted_evidence"


def gold_of(values: Mapping[str, Any]) -> Gold:
    """A gold line; raises Unusable where it is none."""
    groups = [[gold_item(item) for item in group] for group in groups_of(values)]
    return Gold(id_of(values), text_of(values, "label"), groups)


def gold_item(item: object) -> Item:
    """(page, line) of [annotation, evidence, page, line], CsFEVER's fifth value left aside."""
    if not isinstance(item, list) or len(item) not in (4, 5):
        raise Unusable(
            f"an evidence item is {shown(item)}; use [annotation id, evidence id, page, line]",
            "evidence",
        )
    page, line = item[2:4]
    if isinstance(page, list | dict) or isinstance(line, list | dict | bool):
        raise Unusable(f"an evidence item is {shown(item)}; use a page and a line", "evidence")
    return page, line


def prediction_of(values: Mapping[str, Any]) -> Prediction:
    """A predicted line; raises Unusable where it is none. Its evidence may be left out for NEI."""
    label = text_of(values, "predicted_label")
    if EVIDENCE not in values:
        return Prediction(id_of(values), label, [], is_bare=True)
    evidence = [predicted_item(item) for item in list_of(values, EVIDENCE)]
    return Prediction(id_of(values), label, evidence)


def predicted_item(item: object) -> Item:
    if not isinstance(item, list) or len(item) != 2:
        raise Unusable(f"a piece is {shown(item)}; use [page, line]", EVIDENCE)
    page, line = item
    if not isinstance(page, str) or not is_number(line):
        raise Unusable(
            f"a piece is {shown(item)}; use a text as page and a whole number as line",
            EVIDENCE,
        )
    return page, line


def score(pairs: Iterable[Pair], *, max_evidence: int | None = MAX_EVIDENCE) -> Scores:
    """The FEVER score over the first `max_evidence` items of each prediction; None: over all."""
    return score_verdicts(
        pairs,
        kept=lambda evidence: evidence[:max_evidence],
        scores_evidence=lambda gold: gold.label.upper() != NEI,
        is_item=lambda item: item[1] is not None,
    )
