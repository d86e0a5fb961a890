"""The bridge from the database to raw annotations, streamed by claim, scope and age."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby, islice
from operator import itemgetter

from django.db.models import Q

from agreement.measures.annotations import NOT_ENOUGH_INFO
from agreement.scopes import instance_name
from agreement.tables import AGGREGATE_ANNOTATOR, annotator_names, evidence_rows, evidence_sets
from annotation.models import (
    Annotation,
    Campaign,
    Claim,
    Instance,
    Wave,
)
from datasets.bridge import WHOLE, Tally, parent_number
from datasets.citing import lost_cited
from datasets.fitting import UNNAMED
from datasets.importing.extra import from_text
from datasets.lost import Lost, in_order, lost_sets
from datasets.options import ExportOptions
from datasets.records import Cited, RawAnnotation
from datasets.shown import ParagraphNames, entry_rows, opened_rows, shown_of
from datasets.steps import Steps, steps_of
from datasets.writers.lines import is_line, name_of
from operations.asking import Answers, asking
from operations.listed import listed

BATCH = 5000
SCOPES = [Instance.ScopeKind.WHOLE, Instance.ScopeKind.ARTICLE, Instance.ScopeKind.PASSAGE]
COLUMNS = {
    "pk": "pk",
    "number": "item__instance__claim__number",
    "text": "item__instance__claim__text",
    "wording": "revision__text",
    "source": "item__instance__claim__source__public_id",
    "parent": "item__instance__claim__parent__number",
    "external_parent": "item__instance__claim__external_parent",
    "scope": "item__instance__scope_kind",
    "article": "item__instance__article__external_id",
    "version": "item__instance__article_version",
    "passage": "item__instance__passage__public_id",
    "user": "user_id",
    "external": "external_annotator",
    "wave": "item__wave__name",
    "kind": "kind",
    "label": "label",
    "uncertain": "is_uncertain",
    "relevant": "is_relevant",
    "condition": "condition",
    "surplus": "surplus",
    "late": "late",
    "end": "end_reason",
    "assignment": "assignment_id",
    "claim_dictionary": "assignment__claim_dictionary_id",
    "source_dictionary": "assignment__source_dictionary_id",
}
TEXTS = {"note": "note"}
TIMES = {
    "given_at": "assignment__given_at",
    "submitted_at": "created_at",
    "active_seconds": "assignment__active_seconds",
}


def raw_rows(campaign: Campaign, waves: list[Wave], options: ExportOptions):
    """Every annotation of claims that stand; ended ones only on request."""
    rows = Annotation.objects.filter(item__wave__in=waves, item__instance__claim__campaign=campaign)
    rows = rows.filter(item__instance__claim__withdrawn_at=None)
    return rows if options.superseded else rows.filter(ended_at=None)


def raw_annotations(
    campaign: Campaign, waves: list[Wave], options: ExportOptions, tally: Tally
) -> Iterator[RawAnnotation]:
    """Annotations by claim number, then scope, then age."""
    columns = columns_of(options)
    rows = raw_rows(campaign, waves, options).order_by("item__instance__claim__number", "pk")
    read = rows.values_list(*columns.values()).iterator(chunk_size=BATCH)
    ordered = by_scope(dict(zip(columns, row, strict=True)) for row in read)
    annotator_of, ids_of_waves = annotator_names(campaign), {wave.name: wave.pk for wave in waves}
    for batch in batches_of(ordered, campaign, options):
        tally.annotations += len(batch.rows)
        tally.labels.update(map(itemgetter("label"), batch.rows))
        for row in batch.rows:
            name = annotator_of(row["user"], row["external"])
            sets = batch.evidence.get(row["pk"], [])
            if extra := batch.told.get(row["number"]):
                row["source"] = row["source"] or extra.get("source")
                sets = with_lost(sets, row, ids_of_waves[row["wave"]], extra, tally)
            if name != AGGREGATE_ANNOTATOR:
                tally.annotators.add(name)
            tally.without_evidence += row["label"] != NOT_ENOUGH_INFO and not sets
            record = record_of(row, name, sets, batch.shown[row["pk"]], options)
            if options.texts:
                record.steps = batch.steps.get(row["pk"], [])
            yield record


@dataclass(slots=True)
class Batch:
    """Rows of annotations, and what was looked up about them."""

    rows: list[dict]
    evidence: dict[int, list[list[str]]]
    shown: dict[int, dict[str, list[str]]]
    told: dict[int, dict]
    steps: dict[int, Steps]


def batches_of(rows: Iterator[dict], campaign: Campaign, options: ExportOptions) -> Iterator[Batch]:
    """The rows with what is known of them; the next are asked about before any are handed out."""
    names = ParagraphNames()
    with asking() as ask:
        batch, answers = asked_about(rows, ask)
        while batch:
            evidence, entries, opened = answers()
            found = Batch(
                batch,
                evidence=named_sets(evidence_sets(evidence), names),
                shown=shown_of(batch, entries, opened, names),
                told=told_of(batch, campaign),
                steps=steps_in(batch, options),
            )
            batch, answers = asked_about(rows, ask)
            yield found


def asked_about(rows: Iterator[dict], ask) -> tuple[list[dict], Answers]:
    batch = list(islice(rows, BATCH))
    evidence = evidence_rows(row["pk"] for row in batch)
    return batch, ask(evidence, entry_rows(batch), opened_rows(batch))


def steps_in(batch: list[dict], options: ExportOptions) -> dict[int, Steps]:
    if not options.texts:
        return {}
    return steps_of([row["pk"] for row in batch], with_times=options.times)


def columns_of(options: ExportOptions) -> dict[str, str]:
    texts = TEXTS if options.texts else {}
    return COLUMNS | texts | (TIMES if options.times else {})


def by_scope(rows: Iterator[dict]) -> Iterator[dict]:
    """The rows of each claim by scope and its name, whatever the database's collation."""
    for _, group in groupby(rows, key=itemgetter("number")):
        named = list(group)
        for row in named:
            name = instance_name(row["number"], row["article"], row["version"], row["passage"])
            row["instance"] = str(name)
        yield from sorted(named, key=lambda row: (SCOPES.index(row["scope"]), row["instance"]))


def record_of(row: dict, annotator, evidence, shown, options) -> RawAnnotation:
    return RawAnnotation(
        instance=row["instance"],
        number=row["number"],
        claim=row["wording"] or row["text"],
        source=row["source"],
        mutated_from=parent_number(row["parent"], row["external_parent"]),
        annotator=annotator,
        wave=row["wave"],
        kind=row["kind"],
        label=row["label"],
        flags=flags_of(row),
        evidence=evidence,
        scope=shown,
        texts={"condition": row["condition"], "note": row["note"]} if options.texts else {},
        times=times_of(row) if options.times else {},
    )


def flags_of(row: dict) -> list[str]:
    flags = [name for name in ("uncertain", "relevant") if row[name]]
    flags += ["conditional"] if row["condition"] else []
    flags += [name for name in ("surplus", "late") if row[name]]
    return flags + ([row["end"]] if row["end"] else [])


def times_of(row: dict) -> dict:
    return {
        "given_at": stamp(row["given_at"]),
        "submitted_at": stamp(row["submitted_at"]),
        "active_seconds": row["active_seconds"],
    }


def stamp(moment) -> str | None:
    """A moment in UTC, to the microsecond, as both databases keep it."""
    return moment and moment.isoformat(timespec="microseconds").replace("+00:00", "Z")


def named_sets(sets: dict[int, tuple], names: ParagraphNames) -> dict[int, list[list[str]]]:
    """{annotation id: its sets of public ids}; a unit stands behind its paragraph and a colon."""
    cited = {paragraph for each in sets.values() for group in each for paragraph, _ in group}
    name_of = names.of(cited)
    return {
        annotation: [
            [f"{name_of[pk]}:{unit}" if unit else name_of[pk] for pk, unit in group]
            for group in groups
        ]
        for annotation, groups in sets.items()
    }


def told_of(batch: list[dict], campaign: Campaign) -> dict[int, dict]:
    """{claim number: what is kept of its file}, where a source or evidence may be in there."""
    numbers = {
        row["number"]
        for row in batch
        if row["source"] is None or row["kind"] == Annotation.Kind.IMPORT
    }
    if not numbers:
        return {}
    claims = Claim.objects.filter(campaign=campaign, number__in=listed(numbers))
    # Others may be long, and say nothing here.
    claims = claims.filter(Q(source=None) | Q(extra__contains='"unresolved": ')).exclude(extra="")
    rows = claims.order_by().values_list("number", "extra")
    return {number: from_text(extra) for number, extra in rows}


def with_lost(sets: list, row: dict, wave: int, extra: dict, tally: Tally) -> list:
    """The sets of an imported label with those that the corpus lacks, in the order of its file.

    They belong to the label that stands. A set of which a text is all that is known has no ids.
    """
    scope = row["instance"].partition("/")[2] or WHOLE
    found = lost_sets(extra.get("unresolved", ()), scope).get((wave, row["external"]), {})
    if not found or row["end"]:
        return sets
    merged = in_order(sets, {number: lost_names(items) for number, items in found.items()})
    named = [names for names in merged if names is not None]
    tally.left_out[UNNAMED] += len(merged) - len(named)
    return named


def lost_names(items: tuple[Lost, ...]) -> list[str] | None:
    names = [lost_name(lost_cited(item)) for item in items]
    return names if all(names) else None


def lost_name(cited: Cited) -> str:
    """A line behind its article and a colon: it is no paragraph's rank."""
    return f"{cited.paragraph}:{cited.unit}" if is_line(cited) else name_of(cited)
