"""The bridge from the database to records: decided claims, streamed in order of their numbers.

Labels are read by `agreement.tables` and decided by `agreement.aggregation`, so that an export
and the dashboard cannot disagree.
"""

import re
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
from datasets.citing import cited_parts, cited_set, paragraphs_by_id
from datasets.importing.extra import from_text
from datasets.lost import Lost, record_for, with_lost
from datasets.options import ExportOptions
from datasets.records import LABELS, Cited, LabelledClaim
from operations.listed import listed

BATCH = 1000
UNDECIDED = ("tie", "no_majority", "no_labels")
COLUMNS = {
    "pk": "pk",
    "number": "claim__number",
    "text": "claim__text",
    "original": "claim__original_text",
    "scope": "scope_kind",
    "source": "claim__source_id",
    "parent": "claim__parent__number",
    "parent_id": "claim__parent__external_id",
    "external_parent": "claim__external_parent",
    "external_id": "claim__external_id",
    "extra": "claim__extra",
}
# What claims without an id are called where they are imported: nobody else knows these names.
MADE_ID = re.compile(r"text-[0-9a-f]{24}")


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
    is_public = campaign.corpus is None or campaign.corpus.publishes_text
    read = instances_in(campaign, waves).values_list(*COLUMNS.values())
    rows = (dict(zip(COLUMNS, row, strict=True)) for row in read.iterator(chunk_size=BATCH))
    while batch := list(islice(rows, BATCH)):
        whole = [row for row in batch if row["scope"] == Instance.ScopeKind.WHOLE]
        tally.left_out["other_scope"] += len(batch) - len(whole)
        votes = dict(votes_of(campaign, waves, instances=listed(row["pk"] for row in whole)))
        judged = [Judged(row, votes.get(row["pk"], []), options, tally) for row in whole]
        yield from records_of(judged, options, is_public=is_public)


class Judged:
    """A claim's row with its votes, those of imports as their files had them, and what they
    come to, counted."""

    def __init__(self, row: dict, votes: list[Vote], options: ExportOptions, tally: Tally):
        self.row = row
        self.extra = from_text(row["extra"])
        unresolved = self.extra.get("unresolved", ())
        self.votes = with_lost(votes, unresolved, row["scope"]) if unresolved else votes
        self.decision = decided(self.votes, options, tally)

    @property
    def sets(self) -> list[tuple]:
        return [each.items for each in self.decision.evidence]

    @property
    def record(self) -> dict:
        return record_for(self.extra, self.decision, self.votes) if self.extra else {}


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


def records_of(
    judged: list[Judged], options: ExportOptions, *, is_public: bool
) -> Iterator[LabelledClaim]:
    """The records of a batch; what is cited is looked up once for all of them.

    is_public: whether texts of the corpus may be published, which a file's own fields may hold.
    """
    items = {item for each in judged for group in each.sets for item in group}
    parts = {item for item in items if not isinstance(item, Lost)}
    cited = cited_parts(parts, with_text=options.has_texts, names=options.names_of_parts)
    known = {each.row["source"] for each in judged} - {None}
    sources = paragraphs_by_id(known, with_text=options.has_texts)
    decisions = [each.decision for each in judged]
    shares = shares_of(decisions) if options.is_soft else [None] * len(judged)
    for each, share in zip(judged, shares, strict=True):
        row = each.row
        yield LabelledClaim(
            number=row["number"],
            text=row["text"],
            label=each.decision.label,
            source=sources.get(row["source"]) or lost_source(each.extra),
            mutated_from=parent_number(row["parent"], row["external_parent"]),
            evidence=tuple(cited_set(group, cited) for group in each.sets),
            shares=share,
            original_text=row["original"],
            external_id=stated_id(row["external_id"]),
            external_parent=stated_id(row["parent_id"] or row["external_parent"]),
            format=each.extra.get("format", ""),
            extra=each.record if is_public else without_texts(each.record),
        )


def without_texts(record: dict) -> dict:
    """What a file said without what may be a text of the corpus."""
    return {name: record[name] for name in ("verifiable", "evidence_ids") if name in record}


def lost_source(extra: dict) -> Cited | None:
    """The source that the corpus does not have, by the id that its file gave."""
    return Cited(extra["source"], is_resolved=False) if "source" in extra else None


def stated_id(external_id: str | None) -> str:
    """An id as its file stated it; '' where the file stated none."""
    return "" if MADE_ID.fullmatch(external_id or "") else external_id or ""


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
