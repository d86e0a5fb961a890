"""CTKFacts' FEVER form: an item has a paragraph's id in place of a page, and 0 as its line."""

from collections.abc import Iterator

from datasets.records import LabelledClaim
from datasets.writers.ctkfacts import record_of
from datasets.writers.fever import fits, with_ids
from datasets.writers.lines import as_it_is, name_of, paragraph_sets, with_rest, with_shares

LINE = 0


def lines(claim: LabelledClaim) -> Iterator[str]:
    sets = paragraph_sets(claim.evidence)
    places: list = [[(name_of(each), LINE) for each in group] for group in sets]
    ids = claim.extra.get("evidence_ids", [])
    evidence = with_ids(places, ids if fits(ids, places) else [], claim.number)
    record = with_rest(record_of(claim, evidence), claim, "ctkfacts")
    yield as_it_is(with_shares(record, claim))
