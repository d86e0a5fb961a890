"""FEVER form: evidence as [annotation id, evidence id, page, line]; the page is the article.

Annotation and evidence ids count the claim's items: 1000 times its number plus 1, 2, 3 …
Line is the paragraph's rank in its article; 0 is the title.
"""

from collections.abc import Iterator
from itertools import count

from datasets.records import LabelledClaim
from datasets.writers.lines import VERIFIABLE, escaped, with_shares

LINES = "ranks"
IDS_PER_CLAIM = 1000


def lines(claim: LabelledClaim) -> Iterator[str]:
    record = {
        "id": claim.number,
        "verifiable": VERIFIABLE[claim.label],
        "label": claim.label,
        "claim": claim.text,
        "evidence": evidence_of(claim),
    }
    yield escaped(with_shares(record, claim))


def evidence_of(claim: LabelledClaim) -> list:
    """The sets of items; one item without page and line where there is not enough info."""
    ids = count(claim.number * IDS_PER_CLAIM + 1)
    if not claim.evidence and claim.label == "NOT ENOUGH INFO":
        return [[item_of(next(ids), None, None)]]
    return [
        [item_of(next(ids), *page_and_line(each.paragraph)) for each in group]
        for group in claim.evidence
    ]


def item_of(number: int, page: str | None, line: int | None) -> list:
    return [number, number, page, line]


def page_and_line(paragraph: str) -> tuple[str, int]:
    """The article, from its second version on with the version, and the rank of a public id."""
    page, _, rank = paragraph.rpartition("_")
    return page, int(rank)
