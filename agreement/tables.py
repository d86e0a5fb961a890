"""The bridge from the database to measures and aggregation: which labels count, as columns.

Dashboard, commands, API and exports read labels here and nowhere else, so they cannot disagree.
Never in it: labels of sandbox waves, surplus and late ones, and those of withdrawn claims.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby, islice
from operator import itemgetter
from zoneinfo import ZoneInfo

import numpy as np
from django.db.models import Count, Q, QuerySet

from agreement.aggregation import Vote
from agreement.label_rows import AnnotationRows
from annotation.models import Annotation, Campaign, EvidenceItem, Label, Wave
from annotation.pseudonyms import pseudonym_of
from operations.listed import listed

KIND = Annotation.Kind
LABEL_KINDS = [KIND.CROSS, KIND.OWN, KIND.IMPORT]
# An import stores a file's only label, of nobody in particular, under this name.
AGGREGATE_ANNOTATOR = "(aggregate)"
LABEL_ORDER = list(Label.values)
CHUNK = 5000


def waves_of(campaign: Campaign, waves: Iterable[Wave] | None = None) -> QuerySet[Wave]:
    """Those of the campaign's waves that were asked for (all by default) and that count."""
    counted = campaign.waves.counted()
    return counted if waves is None else counted.filter(pk__in=[wave.pk for wave in waves])


def counting(campaign: Campaign, waves: Iterable[Wave] | None = None, *, kinds=LABEL_KINDS):
    """The annotations that count, the earlier labels of an imported annotator included."""
    earlier = Q(kind=KIND.IMPORT, end_reason=Annotation.EndReason.SUPERSEDED)
    return Annotation.objects.filter(
        Q(ended_at=None) | earlier,
        item__wave__in=waves_of(campaign, waves),
        item__instance__claim__withdrawn_at=None,
        kind__in=kinds,
        surplus=False,
        late=False,
    )


def live_votes(campaign: Campaign, waves: Iterable[Wave] | None = None):
    """Live labels of other people than the author: where they differ, there is a conflict."""
    rows = counting(campaign, waves, kinds=[KIND.CROSS, KIND.IMPORT]).live()
    return rows.exclude(external_annotator=AGGREGATE_ANNOTATOR)


def annotator_names(campaign: Campaign) -> Callable[[int | None, str], str]:
    """What an annotator is called: the pseudonym of a user, an imported name as it stands."""
    known: dict[int, str] = {}

    def name_of(user_id, external):
        if user_id is None:
            return external
        if user_id not in known:
            known[user_id] = pseudonym_of(campaign, user_id)
        return known[user_id]

    return name_of


ROW_FIELDS = (
    "item__instance_id", "user_id", "external_annotator", "label", "kind", "condition",
    "is_uncertain", "is_relevant", "item__instance__claim__source__article_id",
    "item__instance__claim_id", "created_at", "pk",
)  # fmt: skip


def annotation_rows(
    campaign: Campaign,
    waves: Iterable[Wave] | None = None,
    *,
    instances: Iterable[int] | None = None,
) -> AnnotationRows:
    """The labels of named annotators that count, of all or of some instances, by one query."""
    rows = counting(campaign, waves).exclude(external_annotator=AGGREGATE_ANNOTATOR)
    if instances is not None:
        rows = rows.filter(item__instance__in=listed(instances))
    read = rows.order_by("pk").values_list(*ROW_FIELDS).iterator(chunk_size=CHUNK)
    name_of, zone = annotator_names(campaign), ZoneInfo(campaign.time_zone)
    unit, annotator, label, own, conditional, doubtful, source, day, pks = ([] for _ in range(9))
    for (instance, user, external, given, kind, condition, uncertain, relevant, article, claim,
         at, pk) in read:  # fmt: skip
        unit.append(instance)
        annotator.append(name_of(user, external))
        label.append(given)
        own.append(kind == KIND.OWN)
        conditional.append(bool(condition))
        doubtful.append(uncertain or (relevant and given == Label.NOT_ENOUGH_INFO))
        source.append(-claim if article is None else article)
        day.append(at.astimezone(zone).date().isoformat())
        pks.append(pk)
    return AnnotationRows(
        unit=np.array(unit, dtype=np.int64),
        annotator=annotator,
        label=label,
        own=np.array(own, dtype=bool),
        conditional=np.array(conditional, dtype=bool),
        doubtful=np.array(doubtful, dtype=bool),
        source=np.array(source, dtype=np.int64),
        day=day,
        annotation=np.array(pks, dtype=np.int64),
        label_order=tuple(LABEL_ORDER),
    )


def left_out(campaign: Campaign, waves: Iterable[Wave] | None = None) -> dict[str, int]:
    """How many live labels never count, each under the first reason that holds."""
    asked = campaign.waves.all() if waves is None else waves
    rows = Annotation.objects.live().filter(item__wave__in=asked, kind__in=LABEL_KINDS)
    reasons = {
        "sandbox": Q(item__wave__is_sandbox=True),
        "withdrawn": Q(item__instance__claim__withdrawn_at__isnull=False),
        "surplus": Q(surplus=True),
        "late": Q(late=True),
    }
    counts, before = {}, Q()
    for name, reason in reasons.items():
        counts[f"n_{name}"] = Count("pk", filter=before & reason)
        before &= ~reason
    found = rows.aggregate(**counts)
    return {name: found[f"n_{name}"] for name in reasons}


VOTE_FIELDS = (
    "item__instance_id", "pk", "user_id", "external_annotator", "label", "kind", "condition",
    "item__wave_id", "is_uncertain", "is_relevant",
)  # fmt: skip


def votes_of(
    campaign: Campaign,
    waves: Iterable[Wave] | None = None,
    *,
    instances: Iterable[int] | None = None,
    with_evidence: bool = True,
) -> Iterator[tuple[int, list[Vote]]]:
    """(instance id, its votes, oldest first) of each labelled instance, streamed.

    In order of the claims' numbers, then of the instances' ids. A vote's evidence is its sets
    in order, each a tuple of (paragraph id, unit id). Adjudications are votes of that kind.
    """
    rows = counting(campaign, waves, kinds=[*LABEL_KINDS, KIND.ADJUDICATION])
    if instances is not None:
        rows = rows.filter(item__instance__in=instances)
    rows = rows.order_by("item__instance__claim__number", "item__instance_id", "pk")
    read = rows.values_list(*VOTE_FIELDS).iterator(chunk_size=CHUNK)
    votes = named_votes(read, annotator_names(campaign), with_evidence)
    for instance, group in groupby(votes, key=itemgetter(0)):
        yield instance, [vote for _, vote in group]


def named_votes(rows, name_of, with_evidence) -> Iterator[tuple[int, Vote]]:
    """(instance id, vote) of rows of VOTE_FIELDS; evidence is read a chunk at a time."""
    while chunk := list(islice(rows, CHUNK)):
        rows_of = evidence_rows(row[1] for row in chunk) if with_evidence else []
        evidence = evidence_sets(rows_of)
        for (instance, annotation, user, external, label, kind, condition, wave, uncertain,
             relevant) in chunk:  # fmt: skip
            yield (
                instance,
                Vote(
                    label=label,
                    annotator=name_of(user, external),
                    kind="aggregate" if external == AGGREGATE_ANNOTATOR else kind,
                    is_conditional=bool(condition),
                    evidence=evidence.get(annotation, ()),
                    wave=wave,
                    is_uncertain=uncertain,
                    is_relevant=relevant,
                ),
            )


def evidence_rows(annotations: Iterable[int]) -> QuerySet:
    """Rows of (annotation id, number of the set, paragraph id, unit id), in order."""
    items = EvidenceItem.objects.filter(evidence_set__annotation__in=listed(annotations))
    items = items.order_by("evidence_set__annotation_id", "evidence_set__number", "pk")
    return items.values_list(
        "evidence_set__annotation_id", "evidence_set__number", "paragraph_id", "unit"
    )


def evidence_sets(rows: Iterable[tuple]) -> dict[int, tuple]:
    """{annotation id: its evidence sets in order, each a tuple of (paragraph id, unit id)}."""
    sets: dict[int, dict[int, list]] = defaultdict(lambda: defaultdict(list))
    for annotation, number, paragraph, unit in rows:
        sets[annotation][number].append((paragraph, unit))
    return {
        annotation: tuple(tuple(parts) for parts in numbered.values())
        for annotation, numbered in sets.items()
    }
