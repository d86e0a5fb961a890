"""CsFEVER form: FEVER's, with the claim that was translated, and no item where nobody cites."""

from collections.abc import Iterator

from datasets.records import LabelledClaim
from datasets.writers import fever
from datasets.writers.lines import as_it_is, with_rest, with_shares


def lines(claim: LabelledClaim, *, by: str = "ranks") -> Iterator[str]:
    """by: as in FEVER; a fifth value of an item is the page's title before it was localised."""
    record = fever.record_of(claim, by)
    record["claim_en"] = claim.original_text or None
    if not claim.evidence:
        record["evidence"] = []
    yield as_it_is(with_shares(with_rest(record, claim, "csfever"), claim))
