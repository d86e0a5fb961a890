"""FEVER form, CsFEVER's with the English claim beside, and CTKFacts' FEVER form.

An item is [annotation id, evidence id, page, line]; page is null where there is not enough
info. CTKFacts files, known by their `source`, have a paragraph's public id as the page.
"""

from collections import Counter
from collections.abc import Iterator, Mapping

from corpus.texts import clean_text
from datasets.readers.fields import (
    claim_from,
    evidence_sets,
    list_field,
    parent_of,
    source_of,
    whole,
)
from datasets.readers.labelling import label_whole, read_label, read_verifiable
from datasets.readers.problems import Unusable
from datasets.readers.records import ReadClaim
from datasets.records import Cited

KEY = "evidence"
IDS_PER_CLAIM = 1000
KEPT = ("label", "verifiable", KEY, "source", "mutated_from", "claim_en")


def claim_of(values: Mapping) -> ReadClaim:
    """The claim of a line. Raises Unusable where the line makes none."""
    claim = claim_from(values, kept=KEPT)
    claim.source, claim.parent = source_of(values), parent_of(values)
    if isinstance(english := values.get("claim_en"), str):
        claim.original_text = clean_text(english)
    label = read_label(claim, values)
    read_verifiable(claim, values, label)
    return label_whole(claim, label, read_evidence(claim, values, label))


def read_evidence(claim: ReadClaim, values: Mapping, label: str | None):
    """The evidence sets; ids of items that are not as we give them stay in the record."""
    stated = values.get(KEY)
    if stated is None:
        return ()
    groups = list_field(stated, KEY, "evidence")
    if label is None and groups:
        claim.record[KEY] = stated
        return ()
    items = [list(item_lists(group)) for group in groups]
    ids = [[[*item[:2], *item[4:]] for item in group] for group in items]
    if ids and ids != our_ids(claim.number, items):
        claim.record["evidence_ids"] = ids
    by_paragraph = "source" in values
    cited = ([cited_by(item, by_paragraph) for item in group] for group in items)
    return sets_of(cited, claim.violations)


def sets_of(groups, violations: Counter):
    """The sets; a group whose items name no page says that there is no evidence."""
    named = [[each for each in group if each is not None] for group in groups]
    return evidence_sets([group for group in named if group], violations)


def item_lists(group: object) -> Iterator[list]:
    for item in list_field(group, KEY, "an evidence group"):
        if not isinstance(item, list) or len(item) < 4:
            raise Unusable(f"an evidence item is {item!r:.60}; it has four values or more", KEY)
        yield item


def cited_by(item: list, by_paragraph: bool) -> Cited | None:
    page, line = item[2], item[3]
    if page is None:
        return None
    if not isinstance(page, str) or not page:
        raise Unusable(f"a page is {page!r:.60}; it is a text", KEY)
    if by_paragraph:
        return Cited(page)
    return Cited(page, external=str(whole(line, KEY)))


def our_ids(number: int | None, groups: list[list[list]]) -> list:
    """What our own writer gives as annotation and evidence ids: both count the claim's items."""
    if number is None:
        return []
    counted = iter(range(number * IDS_PER_CLAIM + 1, (number + 1) * IDS_PER_CLAIM + 1_000_000))
    return [[[n, n] for n in (next(counted) for _ in group)] for group in groups]
