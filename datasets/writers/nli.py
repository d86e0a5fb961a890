"""CTKFacts form for natural language inference: a claim beside the texts that decide it.

Where there is not enough info, the source stands in for the evidence that nobody found.
"""

from collections.abc import Iterator

from datasets.readers.nli import FORM, IDS, TEXT, as_stated, groups_in, look_like_ids
from datasets.records import Cited, LabelledClaim
from datasets.writers.ctkfacts import record_of
from datasets.writers.lines import (
    as_it_is,
    is_line,
    name_of,
    paragraph_sets,
    with_rest,
    with_shares,
)


def lines(
    claim: LabelledClaim, *, evidence: str = "text", per: str = "set", is_joined: bool = True
) -> Iterator[str]:
    """One line for each evidence set, or for each claim.

    evidence: text or ids of the paragraphs; is_joined: the texts of a set as one string, else as
    a list. A line for a whole claim has a list of its sets, each a list.
    """
    sets = stated_sets(claim, evidence)
    if sets is None:
        sets = [values_of(group, evidence) for group in sets_of(claim)]
    if per == "claim":
        yield line_of(claim, sets, evidence)
        return
    for values in sets or [[]]:
        is_text = evidence == "text" and is_joined
        yield line_of(claim, " ".join(values) if is_text else values, evidence)


def sets_of(claim: LabelledClaim) -> list[tuple[Cited, ...]]:
    source = claim.source
    if not claim.evidence and claim.label == "NOT ENOUGH INFO" and source and source.is_resolved:
        return [(source,)]
    return paragraph_sets(claim.evidence)


def stated_sets(claim: LabelledClaim, evidence: str) -> list[list[str]] | None:
    """What its file had beside a claim that cites nothing: texts or ids, whichever are asked for,
    or expressly none; else None."""
    if claim.evidence or "evidence" not in claim.extra:
        return None
    sets = as_stated(claim.extra["evidence"])
    look = IDS if all(map(look_like_ids, sets)) else TEXT
    return sets if not sets or claim.extra.get(FORM, look) == evidence else None


def can_cite(cited: Cited, evidence: str) -> bool:
    """Whether a line can have it: by its text alone where lines have texts, by its id else."""
    if evidence == "text":
        return bool(cited.text or cited.is_resolved)
    return bool(cited.paragraph) and not is_line(cited)


def values_of(group: tuple[Cited, ...], evidence: str) -> list[str]:
    return [each.text if evidence == "text" else name_of(each) for each in group]


def line_of(claim: LabelledClaim, evidence, form: str) -> str:
    """form: ids or text, which a line says where its evidence would be read as the other."""
    record = record_of(claim, evidence)
    if any(look_like_ids(group) != (form == IDS) for group in groups_in(evidence) if group):
        record[FORM] = form
    return as_it_is(with_shares(with_rest(record, claim, "nli"), claim))
