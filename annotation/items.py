"""Wave items under their lock: count again, and derive what follows from the rows."""

from contextlib import suppress
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Count, Q

from annotation import choosing
from annotation.models import Annotation, Assignment, Claim, Instance, Preselection, Wave, WaveItem

SLOT_COLUMNS = ("kind", "label", "is_uncertain", "surplus", "late")


@dataclass(frozen=True)
class Slots:
    """What fills an item, counted in one statement after the item's lock."""

    labels: tuple
    leases: int
    adjudicated: bool

    @property
    def taken(self):
        return len(self.labels) + self.leases


def lock_item(item_id: int) -> WaveItem:
    """The item, locked to the end of the transaction: first lock of whatever changes its rows.

    What it belongs to is read by a second statement: a lock that had to wait brings the newest
    row of the item itself, and rows as old as its first look of everything joined to it.
    """
    WaveItem.objects.select_for_update(no_key=True).get(pk=item_id)
    return with_all(WaveItem.objects.filter(pk=item_id)).get()


def lock_claim(claim: Claim) -> None:
    """Lock a claim's row to the end of the transaction, before any item of it."""
    Claim.objects.select_for_update(no_key=True).get(pk=claim.pk)


def lock_items_of(claim: Claim) -> list[WaveItem]:
    """The claim's row and all of its items, locked in the order of their ids.

    For what concerns a claim as a whole; nobody who holds an item asks for the claim.
    """
    lock_claim(claim)
    items = WaveItem.objects.filter(instance__claim=claim).order_by("pk")
    list(items.select_for_update(of=("self",), no_key=True))
    return list(with_all(items))


def with_all(items):
    return items.select_related("wave__campaign", "instance__claim__dictionary")


def count_slots(item: WaveItem, *, but: Assignment | None = None) -> Slots:
    """Live labels and open leases of a locked item, without the assignment `but`.

    On PostgreSQL the statement that locked the row judged it by an older snapshot: this one
    begins after the lock and sees what others committed before it was given.
    """
    rows = list(item.annotations.live().values_list(*SLOT_COLUMNS))
    leases = item.assignments.filling()
    if but is not None:
        leases = leases.exclude(pk=but.pk)
    return slots_of(item, rows, leases.count())


def slots_of(item: WaveItem, rows: list[tuple], leases: int) -> Slots:
    """The slots that follow from an item's live annotations (SLOT_COLUMNS) and open leases."""
    counted = Annotation.Kind.IMPORT if is_import(item) else Annotation.Kind.CROSS
    labels = tuple(
        (label, uncertain)
        for kind, label, uncertain, surplus, late in rows
        if kind == counted and not surplus and not late
    )
    adjudicated = any(kind == Annotation.Kind.ADJUDICATION for kind, *_ in rows)
    return Slots(labels=labels, leases=leases, adjudicated=adjudicated)


def is_import(item: WaveItem) -> bool:
    return item.purpose == WaveItem.Purpose.IMPORT


def is_withdrawn(item: WaveItem) -> bool:
    return item.instance.claim.withdrawn_at is not None


def planned_labels(wave: Wave, claim: Claim) -> int:
    """How many labels an item of `claim` gets in `wave` before any is known."""
    extra = choosing.gets_extra_labels(share=wave.extra_share, seed=wave.seed, number=claim.number)
    return choosing.planned_labels(
        plan=wave.plan, exact=wave.labels_wanted, extra=wave.extra_labels if extra else 0
    )


def wanted_labels(item: WaveItem, slots: Slots) -> int:
    """How many labels the item wants, given what fills it. An import wants what it has."""
    if is_import(item):
        return item.wanted
    return choosing.wanted_labels(
        plan=item.wave.plan,
        planned=planned_labels(item.wave, item.instance.claim),
        labels=slots.labels,
        taken=slots.taken,
    )


def is_held(claim: Claim) -> bool:
    """Whether a claim's items wait: for a curator's decision or for its dictionary."""
    return claim.awaits_dictionary or claim.reports.open().exists()


def derived(item: WaveItem, slots: Slots, *, held: bool) -> dict:
    """The columns of an item that follow from other rows."""
    wanted = wanted_labels(item, slots)
    state = choosing.item_state(
        labels=slots.labels,
        wanted=len(slots.labels) if is_import(item) else wanted,
        withdrawn=is_withdrawn(item),
        adjudicated=slots.adjudicated,
        held=held,
    )
    return {"taken": slots.taken, "wanted": wanted, "state": state}


def settle(item: WaveItem) -> WaveItem:
    """Write what follows for a locked item from its rows: taken, wanted, state, outcome."""
    values = derived(item, count_slots(item), held=is_held(item.instance.claim))
    for name, value in values.items():
        setattr(item, name, value)
    WaveItem.objects.filter(pk=item.pk).update(**values)
    settle_outcome(item.instance)
    return item


def settle_all(items: list[WaveItem]) -> None:
    """Derive locked items anew, from their claim as it is now."""
    rows = WaveItem.objects.filter(pk__in=[item.pk for item in items]).order_by("pk")
    for item in with_all(rows):
        settle(item)


def settle_outcome(instance: Instance) -> None:
    """Write the outcome of an instance; a sandbox decides nothing but its own."""
    Instance.objects.select_for_update(no_key=True).get(pk=instance.pk)
    states = instance.items.values_list("wave__is_sandbox", "state")
    instance.outcome = outcome_of(list(states))
    Instance.objects.filter(pk=instance.pk).update(outcome=instance.outcome)


def settle_wave(wave: Wave, *, progress=None) -> int:
    """Derive all items of a wave anew, one small transaction each: after its plan was raised."""
    ids = list(wave.items.order_by("pk").values_list("pk", flat=True))
    for done, item_id in enumerate(ids, start=1):
        # What a changed pool has no more was removed meanwhile.
        with suppress(WaveItem.DoesNotExist), transaction.atomic():
            settle(lock_item(item_id))
        if progress:
            progress(done, len(ids))
    return len(ids)


def outcome_of(states: list[tuple[bool, str]]) -> str:
    """The outcome that follows from the items, each (is it in a sandbox, its state)."""
    real = [state for in_sandbox, state in states if not in_sandbox]
    return choosing.instance_outcome(real or [state for _, state in states])


def lock_source(preselection_id: int) -> Preselection:
    return (
        Preselection.objects.select_for_update(of=("self",), no_key=True)
        .select_related("paragraph__article")
        .get(pk=preselection_id)
    )


def writers_of(preselection: Preselection, *, but: Assignment | None = None) -> int:
    """How many writers a locked source has: open leases and what was written in time."""
    outcomes = Q(outcome=Assignment.Outcome.OPEN) | Q(
        outcome=Assignment.Outcome.SUBMITTED, surplus=False
    )
    writers = preselection.assignments.filter(outcomes)
    if but is not None:
        writers = writers.exclude(pk=but.pk)
    return writers.count()


def settle_source(preselection: Preselection) -> None:
    """Write how often a locked source is taken."""
    preselection.taken = writers_of(preselection)
    Preselection.objects.filter(pk=preselection.pk).update(taken=preselection.taken)


def skippers(assignments, *, since=None) -> int:
    """How many different people skipped."""
    skipped = assignments.filter(outcome=Assignment.Outcome.SKIPPED)
    if since is not None:
        skipped = skipped.filter(ended_at__gt=since)
    return skipped.aggregate(people=Count("user", distinct=True))["people"]
