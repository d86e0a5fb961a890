"""CTKFacts form for natural language inference: a claim beside the texts that decide it.

Where there is not enough info, the source stands in for the evidence that nobody found.
"""

from collections.abc import Iterator

from datasets.records import Cited, LabelledClaim
from datasets.writers.ctkfacts import record_of
from datasets.writers.lines import as_it_is, with_shares


def lines(
    claim: LabelledClaim, *, evidence: str = "text", per: str = "set", is_joined: bool = True
) -> Iterator[str]:
    """One line for each evidence set, or for each claim.

    evidence: text or ids of the paragraphs; is_joined: the texts of a set as one string, else as
    a list. A line for a whole claim has a list of its sets, each a list.
    """
    sets = [values_of(group, evidence) for group in sets_of(claim)]
    if per == "claim":
        yield line_of(claim, sets)
        return
    for values in sets or [[]]:
        yield line_of(claim, " ".join(values) if evidence == "text" and is_joined else values)


def sets_of(claim: LabelledClaim) -> list[tuple[Cited, ...]]:
    if not claim.evidence and claim.label == "NOT ENOUGH INFO" and claim.source:
        return [(claim.source,)]
    return list(claim.evidence)


def values_of(group: tuple[Cited, ...], evidence: str) -> list[str]:
    return [each.text if evidence == "text" else each.paragraph for each in group]


def line_of(claim: LabelledClaim, evidence) -> str:
    return as_it_is(with_shares(record_of(claim, evidence), claim))
