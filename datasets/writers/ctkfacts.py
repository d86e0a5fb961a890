"""CTKFacts form for document retrieval: evidence sets of paragraph ids, source and parent."""

from collections.abc import Iterator

from datasets.records import LabelledClaim
from datasets.writers.lines import VERIFIABLE, as_it_is, with_shares


def lines(claim: LabelledClaim) -> Iterator[str]:
    sets = [[each.paragraph for each in group] for group in claim.evidence]
    yield as_it_is(with_shares(record_of(claim, sets), claim))


def record_of(claim: LabelledClaim, evidence) -> dict:
    """The keys that both CTKFacts forms share, in their order."""
    return {
        "id": claim.number,
        "label": claim.label,
        "claim": claim.text,
        "evidence": evidence,
        "source": claim.source and claim.source.paragraph,
        "mutated_from": claim.mutated_from,
        "verifiable": VERIFIABLE[claim.label],
    }
