"""CTKFacts form for document retrieval: evidence sets of paragraph ids, source and parent."""

from collections.abc import Iterator

from datasets.records import Cited, LabelledClaim
from datasets.writers.lines import (
    VERIFIABLE,
    as_it_is,
    id_of,
    name_of,
    paragraph_sets,
    parent_of,
    with_rest,
    with_shares,
)


def lines(claim: LabelledClaim) -> Iterator[str]:
    sets = [[name_of(each) for each in group] for group in paragraph_sets(claim.evidence)]
    record = with_rest(record_of(claim, sets), claim, "ctkfacts")
    yield as_it_is(with_shares(record, claim))


def can_cite(cited: Cited) -> bool:
    """Whether a line can name it: what a file gave by its text alone has no id."""
    return bool(cited.paragraph)


def record_of(claim: LabelledClaim, evidence) -> dict:
    """The keys that all CTKFacts forms share, in their order."""
    return {
        "id": id_of(claim),
        "label": claim.label,
        "claim": claim.text,
        "evidence": evidence,
        "source": claim.source and claim.source.paragraph,
        "mutated_from": parent_of(claim),
        "verifiable": claim.extra.get("verifiable", VERIFIABLE[claim.label]),
    }
