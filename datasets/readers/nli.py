"""CTKFacts for natural language inference: a claim beside the texts, or ids, that decide it.

A line is one evidence set (one text, or a list of texts) or a whole claim (a list of lists).
Neighbouring lines of one claim are its sets. A line of one set that says NOT ENOUGH INFO carries
its source's text in place of evidence, which is none.
"""

import re
from collections.abc import Iterable, Iterator, Mapping

from datasets.readers.fields import (
    claim_from,
    count_label,
    evidence_sets,
    list_field,
    reference,
)
from datasets.readers.labelling import label_whole, read_label, read_verifiable
from datasets.readers.problems import Problem, Unusable
from datasets.readers.records import NOT_ENOUGH_INFO, ReadClaim
from datasets.records import Cited

KEY = "evidence"
KEPT = ("label", "verifiable", KEY, "source", "mutated_from")
PARAGRAPH_ID = re.compile(r"\S{1,230}_\d{1,10}")


def claim_of(values: Mapping) -> ReadClaim:
    """The claim of a line, with the sets of that line. Raises Unusable where it makes none."""
    claim = claim_from(values, kept=KEPT)
    claim.source = reference(values.get("source"), "source")
    claim.parent = reference(values.get("mutated_from"), "mutated_from")
    label = read_label(claim, values)
    read_verifiable(claim, values, label)
    stated = values.get(KEY)
    is_whole = isinstance(stated, list) and (not stated or isinstance(stated[0], list))
    groups = (stated or []) if is_whole else [stated] if stated else []
    found = [texts(group) for group in groups]
    if label == NOT_ENOUGH_INFO and stated == []:
        claim.record[KEY] = stated  # others have the source's text there
    if found and (label is None or (label == NOT_ENOUGH_INFO and not is_whole)):
        claim.record[KEY] = stated
        found = []
    sets = evidence_sets(found, claim.violations)
    return label_whole(claim, label, sets)


def texts(group: object) -> list[Cited]:
    """What a set cites: the texts, or the ids, that it lists; one text is a list of one."""
    items = [group] if isinstance(group, str) else list_field(group, KEY, "an evidence set")
    if wrong := [each for each in items if not isinstance(each, str) or not each]:
        raise Unusable(f"a text of evidence is {wrong[0]!r:.60}; it is a text", KEY)
    return [Cited(each) if PARAGRAPH_ID.fullmatch(each) else Cited("", text=each) for each in items]


def joined(claims: Iterable[ReadClaim | Problem]) -> Iterator[ReadClaim | Problem]:
    """Neighbouring lines of the same claim as one claim with the sets of all of them."""
    last: ReadClaim | None = None
    for each in claims:
        if isinstance(each, ReadClaim) and last is not None and is_more_of(last, each):
            join(last, each)
            continue
        if last is not None:
            yield last
        last = each if isinstance(each, ReadClaim) else None
        if isinstance(each, Problem):
            yield each
    if last is not None:
        yield last


def is_more_of(first: ReadClaim, more: ReadClaim) -> bool:
    same_claim = (first.external_id, first.text) == (more.external_id, more.text)
    return same_claim and labels_of(first) == labels_of(more) and bool(labels_of(more))


def labels_of(claim: ReadClaim) -> list[str]:
    return [each.label for instance in claim.instances for each in instance.annotations]


def join(first: ReadClaim, more: ReadClaim) -> None:
    annotation = first.instances[0].annotations[0]
    added = more.instances[0].annotations[0].evidence
    first.violations.update(more.violations)
    for name in ("repeated_groups", "nei_with_evidence", "verdict_without_evidence"):
        first.violations[name] = 0
    annotation.evidence = evidence_sets([*annotation.evidence, *added], first.violations)
    count_label(annotation.label, any(annotation.evidence), first.violations)
