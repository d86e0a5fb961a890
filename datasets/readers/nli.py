"""CTKFacts for natural language inference: a claim beside the texts, or ids, that decide it.

A line is one evidence set (one text, or a list of texts) or a whole claim (a list of lists).
Neighbouring lines of one claim are its sets. A line of one set that says NOT ENOUGH INFO carries
its source in place of evidence, which is none: texts stay in the record, and so does its id.
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
from datasets.readers.records import NOT_ENOUGH_INFO, EvidenceSets, ReadAnnotation, ReadClaim
from datasets.records import Cited

KEY = "evidence"
KEPT = ("label", "verifiable", KEY, "source", "mutated_from")
# Names of articles may hold blanks.
PARAGRAPH_ID = re.compile(r"\S[^\n]{0,229}_[0-9]{1,10}")


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
    if label == NOT_ENOUGH_INFO and not is_whole:
        is_kept = not is_cited(found, claim.source)
    else:
        is_kept = label is None
    if found and is_kept:
        claim.record[KEY] = stated
        found = []
    sets = evidence_sets(found, claim.violations)
    return label_whole(claim, label, sets)


def is_cited(found: list[list[Cited]], source: str) -> bool:
    """Whether these are ids, and more than the source's, which stands in for evidence."""
    ids = [[each.paragraph for each in group] for group in found]
    return ids != [[source]] and all(map(all, ids))


def texts(group: object) -> list[Cited]:
    """What a set cites: the texts, or the ids, that it lists; one text is a list of one.

    A text that is no list and has blanks is no id, however it ends: a set's texts stand so.
    """
    is_list = not isinstance(group, str)
    items: list = list_field(group, KEY, "an evidence set") if is_list else [group]
    if wrong := [each for each in items if not isinstance(each, str) or not each]:
        raise Unusable(f"a text of evidence is {wrong[0]!r:.60}; it is a text", KEY)
    are_ids = [PARAGRAPH_ID.fullmatch(each) and (is_list or " " not in each) for each in items]
    return [
        Cited(each) if is_id else Cited("", text=each)
        for each, is_id in zip(items, are_ids, strict=True)
    ]


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
        first.record.pop(KEY, None)
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
    return [*evidence_of(claim)] or [texts(group) for group in as_stated(claim.record.get(KEY))]


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
