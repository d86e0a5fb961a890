"""Work is asked for, leased, renewed and taken back. Nothing is given out over its number."""

from datetime import datetime

from django.db import transaction
from django.db.models import F

from accounts.models import User
from annotation import choosing
from annotation.guidelines import needs_acknowledgement
from annotation.items import (
    count_slots,
    is_withdrawn,
    lock_item,
    lock_source,
    settle,
    settle_source,
    wanted_labels,
    writers_of,
)
from annotation.models import Assignment, Participation, Task, Wave, WaveItem
from annotation.no_work import NoWork
from annotation.offers import offer_article, offer_label, offer_mutation, offer_source
from operations.database_time import database_now

__all__ = ["NoWork", "ask_for_work", "beat", "close_run_out"]

CLOSED_AT_ONCE = 20  # so that no request has to tidy up after a whole class
OFFERS = {
    Task.T0: offer_article,
    Task.T1A: offer_source,
    Task.T1B: offer_mutation,
    Task.T2: offer_label,
}
OPEN = Assignment.Outcome.OPEN
EXPIRED = Assignment.Outcome.EXPIRED


def ask_for_work(*, user: User, wave: Wave, task: str) -> Assignment:
    """The person's open assignment, else a new one. Raises NoWork, which says why.

    First takes back what ran out in the wave: anybody's request keeps the work flowing.
    """
    close_run_out(wave=wave, limit=CLOSED_AT_ONCE, but=user)
    if current := _kept(user=user, wave=wave, task=task):
        return current
    return _given(user=user, wave=wave, task=task)


@transaction.atomic
def _kept(*, user, wave, task) -> Assignment | None:
    """The person's open assignment, renewed where it ran out; None where there is none any more.

    A transaction of its own: nobody waits for a next item while holding the last one.
    """
    lock_person(user)
    now = database_now()
    current = open_assignment(user=user, wave=wave, task=task)
    if current and (current.leased_until > now or renewed(current, now)):
        return current
    return None


@transaction.atomic
def _given(*, user, wave, task) -> Assignment:
    lock_person(user)
    if current := open_assignment(user=user, wave=wave, task=task):
        return current  # another tab was faster
    now = database_now()
    check_may_ask(user=user, wave=wave, task=task, now=now)
    return OFFERS[task](user=user, wave=wave, now=now)


def lock_person(user: User) -> None:
    """One request of a person at a time: two tabs get the same assignment."""
    User.objects.select_for_update(no_key=True).get(pk=user.pk)


def open_assignment(*, user: User, wave: Wave, task: str) -> Assignment | None:
    return user.assignments.open().filter(wave=wave, task=task).select_related("wave").first()


def renewed(assignment: Assignment, now: datetime) -> bool:
    """Whether a lease that ran out could be renewed; else it is closed, its draft kept."""
    target = lock_target(assignment)
    assignment.refresh_from_db()
    if assignment.outcome != OPEN:
        return False
    may_go_on = assignment.wave.is_open(now) and not is_held_back(target)
    if may_go_on and slot_is_free(assignment, target):
        assignment.given_at = now
        assignment.leased_until = now + choosing.LEASES[assignment.task]
        assignment.save(update_fields=["given_at", "leased_until"])
        return True
    expire(assignment, now)
    settle_target(target)
    return False


def lock_target(assignment: Assignment):
    """Lock what the assignment is about, where it has slots: a wave item or a source."""
    if assignment.item_id:
        return lock_item(assignment.item_id)
    if assignment.preselection_id:
        return lock_source(assignment.preselection_id)
    return None


def is_held_back(target) -> bool:
    """Whether a curator has to look at it before anybody goes on."""
    return target is not None and target.state == WaveItem.State.HELD


def slot_is_free(assignment: Assignment, target) -> bool:
    """Whether a place is left for the assignment beside what others hold of its locked target."""
    if isinstance(target, WaveItem):
        return item_has_place(assignment, target)
    if target is not None:
        return writers_of(target, but=assignment) < target.wanted
    return True


def item_has_place(assignment: Assignment, item: WaveItem) -> bool:
    if is_withdrawn(item):
        return False
    if assignment.is_own:
        return True
    slots = count_slots(item, but=assignment)
    return slots.taken < wanted_labels(item, slots)


def settle_target(target) -> None:
    if isinstance(target, WaveItem):
        settle(target)
    elif target is not None:
        settle_source(target)


def expire(assignment: Assignment, now: datetime, *, reason: str = "") -> None:
    assignment.outcome = EXPIRED
    assignment.ended_at = now
    assignment.reason = reason
    assignment.save(update_fields=["outcome", "ended_at", "reason"])


def close_run_out(*, wave: Wave, limit: int = CLOSED_AT_ONCE, but: User | None = None) -> int:
    """Close leases that ran out, each under the lock of its item; how many were closed."""
    run_out = wave.assignments.open().filter(leased_until__lte=database_now())
    if but is not None:
        run_out = run_out.exclude(user=but)
    ids = list(run_out.order_by("leased_until", "pk").values_list("pk", flat=True)[:limit])
    return sum(_closed(assignment_id) for assignment_id in ids)


@transaction.atomic
def _closed(assignment_id) -> bool:
    """Whether the lease was closed: its owner may have submitted or renewed it meanwhile."""
    target = lock_target(Assignment.objects.get(pk=assignment_id))
    assignment = Assignment.objects.select_for_update(no_key=True).get(pk=assignment_id)
    now = database_now()
    if assignment.outcome != OPEN or assignment.leased_until > now:
        return False
    expire(assignment, now)
    settle_target(target)
    return True


def beat(*, assignment: Assignment, seconds: int) -> datetime | None:
    """Slide a lease while its page is seen; its new end, or None where it is open no more.

    A lease that ran out slides too, as long as nobody closed it: its slot is still its own.
    Nobody was active for longer than it is since their last heartbeat, whatever a browser says.
    """
    row = Assignment.objects.filter(pk=assignment.pk, outcome=OPEN)
    if (current := row.first()) is None:
        return None
    now = database_now()
    slid = choosing.lease_end(task=current.task, now=now, given_at=current.given_at)
    until = max(slid, current.leased_until)
    since = now - (current.heartbeat_at or current.given_at)
    counted = choosing.counted_seconds(said=seconds, passed=since.total_seconds())
    # Of two heartbeats at once the time is counted with the first.
    beats = row.filter(heartbeat_at=current.heartbeat_at)
    changed = beats.update(
        leased_until=until, heartbeat_at=now, active_seconds=F("active_seconds") + counted
    )
    return until if changed or row.exists() else None


def check_may_ask(*, user: User, wave: Wave, task: str, now: datetime) -> None:
    """Raise NoWork where the wave, the person or their quota stands against new work."""
    if wave.purpose != Wave.Purpose.NORMAL or not wave.is_open(now):
        raise NoWork("closed")
    if task != Task.T0:  # curators need not take part: the offer looks at their role
        check_takes_part(user=user, wave=wave)
    if needs_acknowledgement(user, wave):
        raise NoWork("guidelines")


def check_takes_part(*, user: User, wave: Wave) -> None:
    participation = Participation.objects.filter(user=user, wave=wave).first()
    if participation is None or participation.status != Participation.Status.APPROVED:
        paused = participation and participation.status == Participation.Status.PAUSED
        raise NoWork("paused" if paused else "not_approved")
