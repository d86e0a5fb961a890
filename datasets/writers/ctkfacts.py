"""CTKFacts form for document retrieval: evidence sets of paragraph ids, source and parent."""

from collections.abc import Iterator

from datasets.records import Cited, LabelledClaim
from datasets.writers.lines import (
    VERIFIABLE,
    as_it_is,
    id_of,
    is_line,
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
    """Whether a line can name it by a paragraph's id: a text alone, or a line, has none."""
    return bool(cited.paragraph) and not is_line(cited)


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
