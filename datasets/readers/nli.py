"""CTKFacts for natural language inference: a claim beside the texts, or ids, that decide it.

A line is one evidence set (one text, or a list of texts) or a whole claim (a list of lists).
Neighbouring lines of one claim are its sets. A line of one set that says NOT ENOUGH INFO carries
its source in place of evidence, which is none: texts stay in the record, and so does its id.
A set is of ids where all in it look like ids; a line that means it otherwise says what they are.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from datasets.readers.fields import (
    claim_from,
    count_label,
    evidence_sets,
    list_field,
    parent_of,
    source_of,
)
from datasets.readers.labelling import label_whole, read_label, read_verifiable
from datasets.readers.problems import Problem, Unusable
from datasets.readers.records import NOT_ENOUGH_INFO, EvidenceSets, ReadAnnotation, ReadClaim
from datasets.records import Cited

KEY = "evidence"
KEPT = ("label", "verifiable", KEY, "source", "mutated_from")
# What the evidence of a line is, where its looks deceive; what that of a record is, always.
FORM, IDS, TEXT = "evidence_is", "ids", "text"
# Names of articles may hold blanks.
PARAGRAPH_ID = re.compile(r"\S[^\n]{0,229}_[0-9]{1,10}")


def claim_of(values: Mapping) -> ReadClaim:
    """The claim of a line, with the sets of that line. Raises Unusable where it makes none."""
    form = values[FORM] if values.get(FORM) in (IDS, TEXT) else ""
    claim = claim_from(values, kept=(*KEPT, FORM) if form else KEPT)
    claim.source, claim.parent = source_of(values), parent_of(values)
    label = read_label(claim, values)
    read_verifiable(claim, values, label)
    stated = values.get(KEY)
    found = [texts(group, form) for group in groups_in(stated)]
    if label == NOT_ENOUGH_INFO and stated == []:
        claim.record[KEY] = stated  # others have the source's text there
    if label == NOT_ENOUGH_INFO and not is_whole(stated):
        is_kept = not is_cited(found, claim.source)
    else:
        is_kept = label is None
    if found and is_kept:
        are_texts = any(not each.paragraph for group in found for each in group)
        claim.record |= {KEY: stated, FORM: TEXT if are_texts else IDS}
        found = []
    sets = evidence_sets(found, claim.violations)
    return label_whole(claim, label, sets)


def groups_in(evidence: Any) -> list:
    """The sets of a line, each a text or a list."""
    if is_whole(evidence):
        return evidence
    return [evidence] if evidence else []


def is_whole(evidence: object) -> bool:
    """Whether a line's evidence is that of a whole claim."""
    return isinstance(evidence, list) and (not evidence or isinstance(evidence[0], list))


def is_cited(found: list[list[Cited]], source: str) -> bool:
    """Whether these are ids, and more than the source's, which stands in for evidence."""
    ids = [[each.paragraph for each in group] for group in found]
    return ids != [[source]] and all(map(all, ids))


def texts(group: object, form: str = "") -> list[Cited]:
    """What a set cites: the texts, or the ids, that it lists; one text is a list of one.

    form: which of both they are, where that is known.
    """
    is_list = not isinstance(group, str)
    items: list = list_field(group, KEY, "an evidence set") if is_list else [group]
    if wrong := [each for each in items if not isinstance(each, str) or not each]:
        raise Unusable(f"a text of evidence is {wrong[0]!r:.60}; it is a text", KEY)
    if form == IDS or (not form and look_like_ids(items if is_list else items[0])):
        return [Cited(each) for each in items]
    return [Cited("", text=each) for each in items]


def look_like_ids(group: str | list[str]) -> bool:
    """Whether a set reads as ids. A text that is no list and has blanks is none, however it ends:
    a set's texts stand so."""
    if isinstance(group, str):
        return " " not in group and bool(PARAGRAPH_ID.fullmatch(group))
    return all(map(PARAGRAPH_ID.fullmatch, group))


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
    return same_claim and label_said(first) == label_said(more)


def label_said(claim: ReadClaim) -> str | None:
    """One of the three, else what stands there; None in blind files."""
    annotation = annotation_of(claim)
    return annotation.label if annotation else claim.record.get("label")


def annotation_of(claim: ReadClaim) -> ReadAnnotation | None:
    return next(iter(claim.instances[0].annotations), None)


def join(first: ReadClaim, more: ReadClaim) -> None:
    """Add another line's sets: to the label where they are evidence, to the record else."""
    annotation, both = annotation_of(first), (first, more)
    sets = [group for each in both for group in cited_by(each)]
    stated = [group for each in both for group in as_stated(each.record.get(KEY))]
    is_evidence = any(map(evidence_of, both))
    first.record = more.record | first.record
    if is_evidence:
        first.record = {k: v for k, v in first.record.items() if k not in (KEY, FORM)}
    elif KEY in first.record:
        first.record[KEY] = stated
    first.violations.update(more.violations)
    if annotation is None:
        return
    for name in ("repeated_groups", "nei_with_evidence", "verdict_without_evidence"):
        first.violations[name] = 0
    annotation.evidence = evidence_sets(sets if is_evidence else (), first.violations)
    count_label(annotation.label, any(annotation.evidence), first.violations)


def evidence_of(claim: ReadClaim) -> EvidenceSets:
    annotation = annotation_of(claim)
    return annotation.evidence if annotation else ()


def cited_by(claim: ReadClaim) -> list:
    """The sets of a line, be they evidence or in its place."""
    if found := evidence_of(claim):
        return list(found)
    form = claim.record.get(FORM, "")
    return [texts(group, form) for group in as_stated(claim.record.get(KEY))]


def as_stated(evidence: object) -> list[list[str]]:
    """The texts or ids of a file of this form; none where it had none, being of another form."""
    if not evidence:
        return []
    if isinstance(evidence, str):
        return [[evidence]]
    if not isinstance(evidence, list):
        return []
    sets = evidence if isinstance(evidence[0], list) else [evidence]
    return sets if all(map(is_texts, sets)) else []


def is_texts(group: object) -> bool:
    return isinstance(group, list) and all(isinstance(each, str) for each in group)
