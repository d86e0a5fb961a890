"""Planned claims as rows: claims, instances, items of the import's wave, labels, evidence.

Called in one transaction that holds the campaign's row, so that numbers are given once.
"""

from collections import defaultdict
from datetime import datetime
from itertools import zip_longest
from zoneinfo import ZoneInfo

from django.db.models import Exists, OuterRef, Q, Subquery

from annotation import choosing
from annotation.items import lock_item, settle
from annotation.models import (
    Annotation,
    Claim,
    ClaimRevision,
    EvidenceItem,
    EvidenceSet,
    Instance,
    Mutation,
    Wave,
    WaveItem,
)
from corpus.texts import text_hash
from datasets.importing.extra import as_text, from_text, merged
from datasets.importing.planning import (
    PlannedClaim,
    PlannedInstance,
    PlannedLabel,
    submissions_of,
)
from datasets.importing.report import Report
from operations.database_time import database_now
from operations.listed import listed

SCOPE = ("scope_kind", "article_id", "article_version", "passage_id")


class Store:
    """Writes batches into one wave. last_number: the largest claim number given so far."""

    def __init__(self, wave: Wave, *, language: str, last_number: int, report: Report):
        self.wave = wave
        self.language = language
        self.last_number = last_number
        self.report = report
        self.zone = ZoneInfo(wave.campaign.time_zone)
        self.now = database_now()

    def put(self, planned: list[PlannedClaim]) -> None:
        """Store a batch; what is there already stays as it is."""
        there = known_submissions(submissions_of(planned))
        claims = self.claims(planned, there)
        wanted = [
            (claims[each.read.external_id], instance)
            for each in planned
            for instance in each.instances
        ]
        known = {each.known.pk for each in planned if each.known}
        items, final, open_ = self.items(wanted, known)
        labels = [
            (items[key_of(claim.pk, instance.scope)], claim, label)
            for claim, instance in wanted
            for label in instance.labels
        ]
        touched = self.annotations(labels, there)
        for pk in sorted((touched - final) | open_):
            self.settle(pk)

    def claims(self, planned: list[PlannedClaim], there: set) -> dict[str, Claim]:
        """{external id: claim} of a batch; new ones with their first wording."""
        claims: dict[str, Claim] = {}
        new: list[Claim] = []
        changed: dict[int, Claim] = {}
        for each in planned:
            claim = each.known or claims.get(each.read.external_id)
            if claim is None:
                claim = self.new_claim(each)
                new.append(claim)
            elif add_extra(claim, each.extra, each.new_owners(self.wave, there)) and claim.pk:
                changed[claim.pk] = claim
            claims[each.read.external_id] = claim
        Claim.objects.bulk_create(new)
        ClaimRevision.objects.bulk_create(ClaimRevision(claim=c, text=c.text) for c in new)
        Claim.objects.bulk_update(changed.values(), ["extra"], batch_size=100)
        return claims

    def new_claim(self, planned: PlannedClaim) -> Claim:
        read, source = planned.read, planned.links.source(planned.read)
        published_at = source.published_at if source else None
        return Claim(
            campaign=self.wave.campaign,
            wave=self.wave,
            number=self.number_of(read),
            origin=origin_of(read),
            text=read.text,
            text_hash=text_hash(read.text),
            original_text=read.original_text,
            language=self.language,
            source=source,
            source_published_at=published_at,
            as_of=self.as_of(read.day, published_at),
            external_id=read.external_id,
            external_parent=read.parent,
            mutation=Mutation.UNKNOWN if read.parent else "",
            extra=as_text(planned.extra),
        )

    def number_of(self, read) -> int:
        if read.number is not None:
            return read.number
        self.last_number += 1
        return self.last_number

    def as_of(self, day, published_at: datetime | None) -> datetime | None:
        """The first moment of the day that the file says, never before the source."""
        stated = day and datetime(*day, tzinfo=self.zone)
        known = [moment for moment in (stated, published_at) if moment]
        return max(known, default=None)

    def items(
        self, wanted: list[tuple[Claim, PlannedInstance]], known: set[int]
    ) -> tuple[dict, set, set]:
        """{key of an instance: id of its item}, and the ids of new items.

        Of those, first the ones whose state and outcome are final, then the ones whose instance
        is at work elsewhere, too, or whose claim was known: it may be withdrawn or reported.
        """
        labels = labels_by_instance(wanted)
        instances, is_new = self.instances(wanted, labels)
        ids = [instance.pk for instance in instances.values()]
        rows = WaveItem.objects.filter(wave=self.wave, instance__in=listed(ids))
        there = dict(rows.values_list("instance", "pk"))
        new = {
            key: self.new_item(instance, labels[key])
            for key, instance in instances.items()
            if instance.pk not in there
        }
        WaveItem.objects.bulk_create(new.values())
        there |= {item.instance_id: item.pk for item in new.values()}
        final = {item.pk for key, item in new.items() if key in is_new and key[0] not in known}
        ids_by_key = {key: there[instance.pk] for key, instance in instances.items()}
        return ids_by_key, final, {item.pk for item in new.values()} - final

    def instances(self, wanted, labels) -> tuple[dict[tuple, Instance], set[tuple]]:
        """The instances of a batch by their keys, and the keys of those that are new."""
        ids = {claim.pk for claim, _ in wanted}
        rows = Instance.objects.filter(claim__in=listed(ids))
        found = {key_of(row.claim_id, vars(row)): row for row in rows}
        asked = {key_of(claim.pk, planned.scope): (claim, planned) for claim, planned in wanted}
        new = {
            key: Instance(claim=claim, outcome=outcome_of(labels[key]), **planned.scope)
            for key, (claim, planned) in asked.items()
            if key not in found
        }
        Instance.objects.bulk_create(new.values())
        self.report.counts["instances"] += len(new)
        return {key: found.get(key) or new[key] for key in asked}, set(new)

    def new_item(self, instance: Instance, labels: list[str]) -> WaveItem:
        return WaveItem(
            wave=self.wave,
            instance=instance,
            purpose=WaveItem.Purpose.IMPORT,
            state=state_of(labels),
            wanted=len(labels),
            taken=len(labels),
            random_key=choosing.random_key(self.wave.seed, instance.pk),
        )

    def annotations(self, labels: list[tuple[int, Claim, PlannedLabel]], there: set) -> set[int]:
        """Store the labels that are not there; the ids of the items that got one."""
        self.report.counts["annotations_same"] += len(there)
        new = [row for row in labels if row[2].submission not in there]
        live = self.live_labels({item for item, _, _ in new})
        revisions = first_wordings({claim.pk for _, claim, _ in new})
        for turn in turns(new):
            self.end(live, turn)
            rows = [self.annotation(*row, revisions=revisions, live=live) for row in turn]
            Annotation.objects.bulk_create(rows)
            live |= {(row.item_id, row.external_annotator): row.pk for row in rows}
            store_evidence(rows, [label for _, _, label in turn])
            self.report.counts["annotations"] += len(rows)
        return {item for item, _, _ in new}

    def live_labels(self, items: set[int]) -> dict[tuple[int, str], int]:
        rows = Annotation.objects.live().filter(item__in=listed(items), user=None)
        named = rows.values_list("item", "external_annotator", "pk")
        return {(item, annotator): pk for item, annotator, pk in named}

    def end(self, live: dict, turn: list) -> None:
        """End the labels that this turn's supersede."""
        keys = [(item, label.read.annotator) for item, _, label in turn]
        ended = [live[key] for key in keys if key in live]
        Annotation.objects.filter(pk__in=listed(ended)).update(
            ended_at=self.now, end_reason=Annotation.EndReason.SUPERSEDED
        )

    def annotation(self, item: int, claim: Claim, label: PlannedLabel, *, revisions, live):
        read = label.read
        return Annotation(
            item_id=item,
            revision_id=revisions[claim.pk],
            kind=Annotation.Kind.IMPORT,
            external_annotator=read.annotator,
            label=read.label,
            is_uncertain=read.is_uncertain,
            is_relevant=read.is_relevant,
            challenge=read.challenge,
            submission=label.submission,
            supersedes_id=live.get((item, read.annotator)),
        )

    def settle(self, pk: int) -> None:
        """Derive anew an item that was there, or whose instance other waves know."""
        item = lock_item(pk)
        WaveItem.objects.filter(pk=pk).update(wanted=item.annotations.live().count())
        item.refresh_from_db(fields=["wanted"])
        settle(item)

    def link_parents(self) -> None:
        """Link the campaign's claims whose parent is there under the id that their file gave.

        Those of earlier imports, too, whose parents came only now.
        """
        # Without the second condition no database would use the index, which has it.
        parents = Claim.objects.filter(
            ~Q(pk=OuterRef("pk")),
            ~Q(external_id=""),
            campaign=OuterRef("campaign"),
            external_id=OuterRef("external_parent"),
        )
        orphans = Claim.objects.filter(campaign=self.wave.campaign, parent=None)
        orphans = orphans.exclude(external_parent="").filter(Exists(parents))
        orphans.update(parent=Subquery(parents.values("pk")[:1]))


def add_extra(claim: Claim, more: dict, stored: set[tuple]) -> bool:
    """Add what one more line says to what is kept of a claim; whether that changes anything."""
    kept = as_text(merged(from_text(claim.extra), more, stored))
    is_changed = kept != claim.extra
    claim.extra = kept
    return is_changed


def origin_of(read) -> str:
    if read.is_citance:
        return Claim.Origin.CITANCE
    return Claim.Origin.TRANSLATED if read.original_text else Claim.Origin.IMPORTED


def key_of(claim: int, scope: dict) -> tuple:
    return (claim, *(scope.get(name) for name in SCOPE))


def labels_by_instance(wanted) -> dict[tuple, list[str]]:
    """The labels that stay live: of each annotator the last."""
    last: dict[tuple, dict[str, str]] = defaultdict(dict)
    for claim, instance in wanted:
        for label in instance.labels:
            last[key_of(claim.pk, instance.scope)][label.read.annotator] = label.read.label
    return defaultdict(list, {key: list(labels.values()) for key, labels in last.items()})


def state_of(labels: list[str]) -> str:
    return choosing.item_state(labels=[(label, False) for label in labels], wanted=len(labels))


def outcome_of(labels: list[str]) -> str:
    return choosing.instance_outcome([state_of(labels)])


def known_submissions(submissions: list) -> set:
    rows = Annotation.objects.filter(submission__in=submissions)
    return set(rows.values_list("submission", flat=True))


def first_wordings(claims: set[int]) -> dict[int, int]:
    """{claim id: id of the wording that the file has}: the first one."""
    rows = ClaimRevision.objects.filter(claim__in=listed(claims), number=1)
    return dict(rows.values_list("claim", "pk"))


def turns(labels: list[tuple[int, Claim, PlannedLabel]]) -> list[list]:
    """The labels in groups in which no annotator labels an item twice, in the file's order."""
    by_owner: dict[tuple[int, str], list] = defaultdict(list)
    for row in labels:
        by_owner[row[0], row[2].read.annotator].append(row)
    columns = zip_longest(*by_owner.values())
    return [[row for row in column if row is not None] for column in columns]


def store_evidence(rows: list[Annotation], labels: list[PlannedLabel]) -> None:
    """The evidence sets of new annotations, under the numbers that they have in the file."""
    sets, parts = [], []
    for row, label in zip(rows, labels, strict=True):
        for number, items in label.sets:
            sets.append(EvidenceSet(annotation=row, number=number))
            parts.append(items)
    EvidenceSet.objects.bulk_create(sets)
    EvidenceItem.objects.bulk_create(
        EvidenceItem(evidence_set=row, paragraph_id=paragraph, unit=unit)
        for row, items in zip(sets, parts, strict=True)
        for paragraph, unit in items
    )
