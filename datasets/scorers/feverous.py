"""FEVEROUS: labels, and sentences and cells as (page, kind, place). NEI claims count like others.

An element of the official files is a text such as Page_cell_0_6_1, where the page's name may hold
underscores itself; files that give [page, kind, place] already are read too.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from datasets.readers.problems import Unusable
from datasets.scorers.fields import groups_of, id_of, list_of, shown, text_of
from datasets.scorers.verdicts import Gold, Item, Pair, Prediction, Scores, score_verdicts

MAX_EVIDENCE, MAX_CELLS = 5, 25
CELL_LIKE = frozenset(("cell", "header_cell", "table_caption", "item"))
ELEMENT = re.compile(
    r"(?P<page>.+?)_(?:(?P<title>title)"
    r"|(?P<one>section|sentence|table_caption)_(?P<n>\d+)"
    r"|(?P<three>header_cell|cell)_(?P<trc>\d+_\d+_\d+)"
    r"|(?P<two>item)_(?P<li>\d+_\d+))",
    re.DOTALL,
)


def gold_of(values: Mapping[str, Any]) -> Gold | None:
    """A gold line, None for the empty record that official files begin with."""
    if is_empty(values):
        return None
    groups = [group_of(group) for group in evidence_of(values)]
    return Gold(id_of(values), text_of(values, "label"), groups)


def is_empty(values: Mapping[str, Any]) -> bool:
    return not any(values.values())


def evidence_of(values: Mapping[str, Any]) -> list[list]:
    """The elements of each evidence set; their context is not scored."""
    sets = list_of(values, "evidence")
    if not any(isinstance(one, dict) for one in sets):
        return groups_of(values)
    if not all(isinstance(one, dict) and isinstance(one.get("content"), list) for one in sets):
        raise Unusable("an evidence set has no list of elements as its content", "evidence")
    return [one["content"] for one in sets]


def group_of(elements: Sequence[object]) -> list[Item]:
    return [
        element_of(one) if isinstance(one, str) else triple(one, "evidence") for one in elements
    ]


def element_of(text: str) -> Item:
    """(page, kind, place) of an element's name; raises Unusable where it names none."""
    found = ELEMENT.fullmatch(text)
    if not found:
        raise Unusable(f"{shown(text)} is no element such as Page_sentence_0", "evidence")
    kind = found["title"] or found["one"] or found["three"] or found["two"]
    return found["page"], kind, found["n"] or found["trc"] or found["li"] or ""


def triple(item: object, field: str) -> Item:
    if not isinstance(item, list) or len(item) != 3:
        raise Unusable(f"a piece is {shown(item)}; use [page, kind, place]", field)
    if not all(isinstance(part, str) for part in item):
        raise Unusable(f"a piece is {shown(item)}; use texts, and a place such as '0_1_2'", field)
    return tuple(item)


def prediction_of(values: Mapping[str, Any]) -> Prediction | None:
    """A predicted line, None for an empty first record; raises Unusable where it is none."""
    if is_empty(values):
        return None
    label = text_of(values, "predicted_label")
    pieces = list_of(values, "predicted_evidence")
    return Prediction(id_of(values), label, [triple(one, "predicted_evidence") for one in pieces])


def first(evidence: Sequence[Item], sentences: int | None, cells: int | None) -> list[Item]:
    """The first items of either kind, in the order of the prediction; None: all of them."""
    room = {True: cells, False: sentences}
    kept = []
    for item in evidence:
        left = room[item[1] in CELL_LIKE]
        if left is None:
            kept.append(item)
        elif left > 0:
            room[item[1] in CELL_LIKE] = left - 1
            kept.append(item)
    return kept


def score(
    pairs: Iterable[Pair],
    *,
    max_evidence: int | None = MAX_EVIDENCE,
    max_cells: int | None = MAX_CELLS,
) -> Scores:
    """The FEVEROUS score over the first sentence-like and the first cell-like items."""
    return score_verdicts(
        pairs,
        kept=lambda evidence: first(evidence, max_evidence, max_cells),
        scores_evidence=lambda gold: True,
        is_item=lambda item: item[2] is not None,
    )
