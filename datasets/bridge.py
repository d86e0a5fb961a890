"""The bridge from the database to records: decided claims, streamed in order of their numbers.

Labels are read by `agreement.tables` and decided by `agreement.aggregation`, so that an export
and the dashboard cannot disagree.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice

import numpy as np
from django.db.models import Exists, OuterRef, QuerySet

from agreement.aggregation import Decision, Vote, decide, soft_labels
from agreement.measures.annotations import NOT_ENOUGH_INFO
from agreement.tables import votes_of
from annotation.models import Campaign, Claim, Instance, Wave, WaveItem
from annotation.typed import typed_number
from corpus.models import Paragraph
from datasets.options import ExportOptions
from datasets.records import LABELS, Cited, LabelledClaim
from operations.listed import listed

BATCH = 1000
UNDECIDED = ("tie", "no_majority", "no_labels")
COLUMNS = (
    "pk", "claim__number", "claim__text", "scope_kind", "claim__source_id",
    "claim__parent__number", "claim__external_parent",
)  # fmt: skip


@dataclass
class Tally:
    """What is counted while records stream by."""

    labels: Counter = field(default_factory=Counter)
    left_out: Counter = field(default_factory=Counter)
    annotators: set = field(default_factory=set)
    annotations: int = 0
    without_evidence: int = 0


def instances_in(campaign: Campaign, waves: Iterable[Wave]) -> QuerySet[Instance]:
    """Instances of claims that stand, put to work in one of the waves, by the claims' numbers."""
    items = WaveItem.objects.filter(instance=OuterRef("pk"), wave__in=list(waves))
    found = Instance.objects.filter(Exists(items), claim__campaign=campaign)
    return found.filter(claim__withdrawn_at=None).order_by("claim__number", "pk")


def decided_claims(
    campaign: Campaign, waves: list[Wave], options: ExportOptions, tally: Tally
) -> Iterator[LabelledClaim]:
    """Claims with their labels, by number; those without one only for soft labels."""
    for claim in all_claims(campaign, waves, options, tally):
        if claim.label is not None or (options.is_soft and any((claim.shares or {}).values())):
            yield claim


def all_claims(
    campaign: Campaign, waves: list[Wave], options: ExportOptions, tally: Tally
) -> Iterator[LabelledClaim]:
    """Claims judged against the whole scope, by number, whether they have a label or not."""
    rows = instances_in(campaign, waves).values_list(*COLUMNS).iterator(chunk_size=BATCH)
    while batch := list(islice(rows, BATCH)):
        whole = [row for row in batch if row[3] == Instance.ScopeKind.WHOLE]
        tally.left_out["other_scope"] += len(batch) - len(whole)
        votes = dict(votes_of(campaign, waves, instances=listed(row[0] for row in whole)))
        decisions = [decided(votes.get(row[0], []), options, tally) for row in whole]
        yield from records_of(whole, decisions, options)


def decided(votes: list[Vote], options: ExportOptions, tally: Tally) -> Decision:
    """What the votes come to, counted."""
    tally.annotations += len(votes)
    tally.annotators.update(vote.annotator for vote in votes)
    decision = decide(votes, own_labels=options.own, conditional_labels=options.conditional)
    if decision.label is None:
        tally.left_out[decision.reason] += 1
    else:
        tally.labels[decision.label] += 1
        tally.without_evidence += decision.label != NOT_ENOUGH_INFO and not decision.evidence
    return decision


def records_of(rows, decisions, options) -> Iterator[LabelledClaim]:
    """The records of a batch; what is cited is looked up once for all of them."""
    sets = [evidence_sets(decision) for decision in decisions]
    cited = {paragraph for groups in sets for group in groups for paragraph in group}
    cited.update(row[4] for row in rows if row[4] is not None)
    known = paragraphs_by_id(cited, with_text=options.has_texts)
    shares = shares_of(decisions) if options.is_soft else [None] * len(rows)
    for row, decision, groups, share in zip(rows, decisions, sets, shares, strict=True):
        _, number, text, _, source, parent, external_parent = row
        yield LabelledClaim(
            number=number,
            text=text,
            label=decision.label,
            source=known.get(source),
            mutated_from=parent_number(parent, external_parent),
            evidence=tuple(tuple(known[paragraph] for paragraph in group) for group in groups),
            shares=share,
        )


def evidence_sets(decision: Decision) -> list[list[int]]:
    """The sets of paragraph ids, in order; a unit is cited by its paragraph, equal sets once."""
    sets: dict[frozenset, list[int]] = {}
    for each in decision.evidence:
        paragraphs = list(dict.fromkeys(paragraph for paragraph, _unit in each.items))
        sets.setdefault(frozenset(paragraphs), paragraphs)
    return list(sets.values())


def paragraphs_by_id(ids: Iterable[int], *, with_text: bool) -> dict[int, Cited]:
    columns = ("pk", "public_id", "text") if with_text else ("pk", "public_id")
    rows = Paragraph.objects.filter(pk__in=listed(ids)).values_list(*columns)
    return {pk: Cited(*fields) for pk, *fields in rows.iterator(chunk_size=5000)}


def parent_number(parent: int | None, external_parent: str) -> int | None:
    """The number of the parent, or the integer by which an imported file names it."""
    return typed_number(external_parent) if parent is None else parent


def shares_of(decisions: list[Decision]) -> list[dict[str, float]]:
    """The share of each label among the votes that count."""
    counts = np.array([[each.counts.get(label, 0) for label in LABELS] for each in decisions])
    shares = soft_labels(counts.reshape(-1, len(LABELS))).tolist()
    return [dict(zip(LABELS, row, strict=True)) for row in shares]


def initial_claims(campaign: Campaign) -> dict[int, int]:
    """{claim number: number of the claim that it goes back to}, of mutations only."""
    rows = Claim.objects.filter(campaign=campaign, parent__isnull=False)
    parents = dict(rows.values_list("number", "parent__number").iterator(chunk_size=5000))
    return {number: root_of(number, parents) for number in parents}


def root_of(number: int, parents: dict[int, int]) -> int:
    while number in parents:
        number = parents[number]
    return number
