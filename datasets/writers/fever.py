"""FEVER form: evidence as [annotation id, evidence id, page, line]; the page is the article.

Annotation and evidence ids count the claim's items: 1000 times its number plus 1, 2, 3 …, but
for a file's own label they are the file's. Line is a part's number, or the paragraph's rank.
"""

from collections.abc import Iterator, Sequence
from itertools import count, zip_longest

from datasets.records import Cited, LabelledClaim
from datasets.writers.lines import (
    VERIFIABLE,
    escaped,
    id_of,
    is_line,
    paragraph_sets,
    with_rest,
    with_shares,
)

IDS_PER_CLAIM = 1000
NOWHERE = (None, None)
Place = tuple[str | None, int | None]


def lines(claim: LabelledClaim, *, by: str = "ranks") -> Iterator[str]:
    """by: units, where the line is a part's number in its article, or ranks of paragraphs."""
    yield escaped(with_shares(with_rest(record_of(claim, by), claim, "fever"), claim))


def record_of(claim: LabelledClaim, by: str) -> dict:
    return {
        "id": id_of(claim),
        "verifiable": claim.extra.get("verifiable", VERIFIABLE[claim.label]),
        "label": claim.label,
        "claim": claim.text,
        "evidence": evidence_of(claim, by),
    }


def evidence_of(claim: LabelledClaim, by: str) -> list:
    """The sets of items; items without page and line where there is not enough info."""
    sets = claim.evidence if by == "units" else paragraph_sets(claim.evidence)
    places: list = once([once([page_and_line(each, by) for each in group]) for group in sets])
    ids = claim.extra.get("evidence_ids", [])
    if not places and (ids or claim.label == "NOT ENOUGH INFO"):
        places = [[NOWHERE for _ in group] for group in ids] or [[NOWHERE]]
    return with_ids(places, ids if fits(ids, places) else [], claim.number)


def once(values: list) -> list:
    """Without what stands twice: a paragraph may be cited whole and by its parts."""
    return [value for place, value in enumerate(values) if value not in values[:place]]


def fits(ids: Sequence[Sequence], places: Sequence[Sequence]) -> bool:
    return list(map(len, ids)) == list(map(len, places))


def with_ids(places: list[list[Place]], ids: list, number: int) -> list:
    """The items; each with the ids given, which come in the shape of the sets, or with ours."""
    ours = count(number * IDS_PER_CLAIM + 1)
    return [
        [item_of(place, own or [n := next(ours), n]) for place, own in zip_longest(group, given)]
        for group, given in zip_longest(places, ids, fillvalue=())
    ]


def item_of(place: Place, ids: Sequence) -> list:
    """Behind page and line, whatever else the file had at that item."""
    return [*ids[:2], *place, *ids[2:]]


def page_and_line(cited: Cited, by: str) -> tuple[str, int]:
    """The article, from its second version on with the version, and the number in it."""
    if cited.external and not cited.is_resolved:
        return cited.paragraph, int(cited.external)
    page, _, rank = cited.paragraph.rpartition("_")
    return page, int(cited.external if by == "units" else rank)


def can_cite(cited: Cited, by: str) -> bool:
    """Whether a line can name it."""
    page, _, rank = cited.paragraph.rpartition("_")
    if cited.external and not cited.is_resolved:
        return cited.external.isdecimal() and (by == "units" or not is_line(cited))
    return bool(page) and (cited.external if by == "units" else rank).isdecimal()
