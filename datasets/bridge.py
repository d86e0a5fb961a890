"""The bridge from the database to records: decided claims, streamed in order of their numbers.

Labels are read by `agreement.tables` and decided by `agreement.aggregation`, so that an export
and the dashboard cannot disagree.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

import numpy as np
from django.db.models import Exists, OuterRef, QuerySet

from agreement.aggregation import Decision, Vote, counted_votes, decide, soft_labels
from agreement.tables import votes_of
from annotation.models import Campaign, Claim, Instance, Wave, WaveItem
from annotation.typed import typed_number
from corpus.models import Paragraph, versioned_name
from corpus.records import SENTENCE
from datasets.abstracts import by_abstract
from datasets.citing import cited_parts, cited_set, paragraphs_by_id
from datasets.fitting import SUPERSETS, UNSTATED, fitting, states_nothing
from datasets.importing.extra import from_text
from datasets.lost import Lost, record_for, stated_shares, with_lost
from datasets.options import ExportOptions
from datasets.records import LABELS, Cited, GivenLabel, LabelledClaim
from datasets.splits.records import roots_of
from datasets.steps import steps_behind
from datasets.writers import ambifc
from operations.listed import listed

BATCH = 1000
UNDECIDED = ("tie", "no_majority", "no_labels")
COLUMNS = {
    "pk": "pk",
    "number": "claim__number",
    "text": "claim__text",
    "original": "claim__original_text",
    "kind": "scope_kind",
    "article": "article__external_id",
    "version": "article_version",
    "passage": "passage__public_id",
    "passage_id": "passage_id",
    "source": "claim__source_id",
    "parent": "claim__parent__number",
    "parent_id": "claim__parent__external_id",
    "external_parent": "claim__external_parent",
    "external_id": "claim__external_id",
    "extra": "claim__extra",
}
WHOLE = Instance.ScopeKind.WHOLE.value
SCOPES = {
    "scifact": (WHOLE, Instance.ScopeKind.ARTICLE.value),
    "ambifc": tuple(Instance.ScopeKind.values),
}
TEXTLESS = (
    "verifiable", "evidence_ids", "cited_doc_ids", "contexts", "challenge", "annotator_operations"
)  # fmt: skip
# What claims without an id are called where they are imported: nobody else knows these names.
MADE_ID = re.compile(r"(text|record)-[0-9a-f]{24}")


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
    """Claims with their labels, by number; those without one only for soft labels.

    In SciFact a claim against each abstract that was judged or is cited, in turn.
    """
    claims = stated_claims(campaign, waves, options, tally)
    if options.format == "scifact":
        return by_abstract(claims, tally.left_out)
    return claims


def stated_claims(
    campaign: Campaign, waves: list[Wave], options: ExportOptions, tally: Tally
) -> Iterator[LabelledClaim]:
    """The instances with a label, or shares of labels, that lines of the format can state."""
    for claim in all_claims(campaign, waves, options, tally):
        if claim.label is None and not (options.is_soft and claim.shares):
            continue
        if options.format == "ambifc" and not ambifc.can_state(claim):
            tally.left_out["no_labels"] += 1
        elif states_nothing(claim, options.format):
            tally.left_out[UNSTATED] += 1
        else:
            yield claim


def all_claims(
    campaign: Campaign,
    waves: list[Wave],
    options: ExportOptions,
    tally: Tally,
    *,
    scopes: Sequence[str] = (),
) -> Iterator[LabelledClaim]:
    """Claims by number, whether they have a label or not.

    scopes: kinds of them; by default those that the format knows.
    """
    scopes = scopes or SCOPES.get(options.format, (WHOLE,))
    is_public = campaign.corpus is None or campaign.corpus.publishes_text
    read = instances_in(campaign, waves).values_list(*COLUMNS.values())
    rows = (dict(zip(COLUMNS, row, strict=True)) for row in read.iterator(chunk_size=BATCH))
    while batch := list(islice(rows, BATCH)):
        known = [row for row in batch if row["kind"] in scopes]
        tally.left_out["other_scope"] += len(batch) - len(known)
        votes = dict(votes_of(campaign, waves, instances=listed(row["pk"] for row in known)))
        judged = [Judged(row, votes.get(row["pk"], []), options, tally) for row in known]
        labels = {each.row["pk"]: each.decision.label for each in judged}
        steps = steps_behind(labels, campaign, waves, options)
        for record, each in zip(
            records_of(judged, options, tally, is_public=is_public), judged, strict=True
        ):
            record.steps = steps.get(each.row["pk"], [])
            yield record


class Judged:
    """A claim's row with its votes, those of imports as their files had them, and what they
    come to, counted."""

    def __init__(self, row: dict, votes: list[Vote], options: ExportOptions, tally: Tally):
        self.row = row
        self.extra = from_text(row["extra"])
        self.scope = scope_of(row)
        unresolved = self.extra.get("unresolved", ())
        self.votes = with_lost(votes, unresolved, self.scope) if unresolved else votes
        self.decision = decided(self.votes, options, tally)
        self.shares = stated_shares(self.extra, self.decision) if options.is_soft else None
        if self.decision.label is None and not self.shares:
            tally.left_out[self.decision.reason] += 1

    @property
    def items(self) -> set:
        return {item for each in self.decision.evidence for item in each.items}

    def stated(self, cited, options: ExportOptions, tally: Tally) -> list:
        """(set, what it cites) of the sets that the format has room for."""
        sets = [(each, cited_set(each.items, cited)) for each in self.decision.evidence]
        return fitting(sets, options, tally.left_out)

    def record(self, sets: list) -> dict:
        """What the file said of the claim and still holds."""
        if not self.extra:
            return {}
        told = record_for(self.extra, self.decision, self.votes, sets)
        return told | (
            self.extra.get("instances", {}).get(self.scope, {}) if self.is_passage else {}
        )

    @property
    def is_passage(self) -> bool:
        return self.row["passage_id"] is not None

    def given(self, options: ExportOptions, sentences: list[dict]) -> Iterator[GivenLabel]:
        """The labels that count, with the sentences of the passage that they cite."""
        numbers = {unit["id"]: number for number, unit in enumerate(sentences)}
        for vote in counted_votes(self.votes, options.own, options.conditional):
            items = [item for group in vote.evidence for item in group]
            units = [
                i[1] for i in items if not isinstance(i, Lost) and i[0] == self.row["passage_id"]
            ]
            cited = sorted({numbers[unit] for unit in units if unit in numbers})
            yield GivenLabel(
                vote.annotator, vote.label, vote.is_uncertain, vote.is_relevant, tuple(cited)
            )


def scope_of(row: dict) -> str:
    """How the scope is named: whole, an article's name or a passage's id."""
    if row["kind"] == WHOLE:
        return WHOLE
    return row["passage"] or versioned_name(row["article"], row["version"])


def decided(votes: list[Vote], options: ExportOptions, tally: Tally) -> Decision:
    """What the votes come to, counted."""
    tally.annotations += len(votes)
    tally.annotators.update(vote.annotator for vote in votes if vote.kind != "aggregate")
    decision = decide(
        votes,
        own_labels=options.own,
        conditional_labels=options.conditional,
        drop_supersets=options.drop_supersets,
    )
    tally.left_out[SUPERSETS] += decision.n_supersets
    return decision


def records_of(
    judged: list[Judged], options: ExportOptions, tally: Tally, *, is_public: bool
) -> Iterator[LabelledClaim]:
    """The records of a batch; what is cited is looked up once for all of them.

    is_public: whether texts of the corpus may be published, which a file's own fields may hold.
    """
    items = {item for each in judged for item in each.items}
    parts = {item for item in items if not isinstance(item, Lost)}
    cited = cited_parts(parts, with_text=options.has_texts, names=options.names_of_parts)
    known = {each.row["source"] for each in judged} - {None}
    sources = paragraphs_by_id(known, with_text=options.has_texts)
    passages = passages_of(judged) if options.format == "ambifc" else {}
    decisions = [each.decision for each in judged]
    shares = shares_of(decisions) if options.is_soft else [None] * len(judged)
    for each, share in zip(judged, shares, strict=True):
        row, stated = each.row, each.stated(cited, options, tally)
        sentences = passages.get(row["passage_id"], [])
        record = each.record([merged for merged, _ in stated])
        yield LabelledClaim(
            number=row["number"],
            text=row["text"],
            label=each.decision.label,
            source=sources.get(row["source"]) or lost_source(each.extra),
            mutated_from=parent_number(row["parent"], row["external_parent"]),
            evidence=tuple(group for _, group in stated),
            shares=each.shares or share,
            scope=each.scope,
            scope_kind=row["kind"],
            original_text=row["original"],
            external_id=stated_id(row["external_id"]),
            external_parent=stated_id(row["parent_id"] or row["external_parent"]),
            format=each.extra.get("format", ""),
            extra=record if is_public else without_texts(record),
            given=tuple(each.given(options, sentences)) if options.format == "ambifc" else (),
            sentences={n: unit["text"] for n, unit in enumerate(sentences)} if is_public else {},
            decided=each.decision.reason,
        )


def passages_of(judged: list[Judged]) -> dict[int, list[dict]]:
    """{passage: its sentences in order, each with its text}."""
    ids = listed(each.row["passage_id"] for each in judged if each.is_passage)
    return {
        row.pk: [
            {**unit, "text": row.text[unit["start"] : unit["end"]]}
            for unit in row.units
            if unit["kind"] == SENTENCE
        ]
        for row in Paragraph.objects.filter(pk__in=ids).only("text", "units")
    }


def without_texts(record: dict) -> dict:
    """What a file said without what may be a text of the corpus."""
    return {name: value for name, value in record.items() if name in TEXTLESS}


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
    """The share of each label among the votes that count; {} where there are none.

    So it is where a file gave nothing but its own label, or where only an expert decided.
    """
    counts = np.array([[each.counts.get(label, 0) for label in LABELS] for each in decisions])
    shares = soft_labels(counts.reshape(-1, len(LABELS))).tolist()
    return [
        dict(zip(LABELS, row, strict=True)) if each.counts else {}
        for each, row in zip(decisions, shares, strict=True)
    ]


def initial_claims(campaign: Campaign) -> dict[int, str]:
    """{claim number: the claim that it goes back to}, of mutations only.

    By its number, or where it is in no file that was imported by the id that its child gave it.
    """
    rows = Claim.objects.filter(campaign=campaign)
    rows = rows.exclude(parent=None, external_parent="").order_by()
    columns = ("number", "parent__number", "external_parent")
    parents, outside = {}, {}
    for number, parent, external in rows.values_list(*columns).iterator(chunk_size=5000):
        if parent is None:
            outside[number] = external
        else:
            parents[number] = parent
    roots = roots_of(parents)
    return outside | {number: outside.get(root, str(root)) for number, root in roots.items()}
