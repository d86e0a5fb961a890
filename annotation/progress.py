"""Progress against quota: one person's own, and everybody's for the manager."""

from collections import defaultdict
from dataclasses import dataclass, replace
from statistics import median

from django.db.models import Count, F, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone

from accounts.models import User
from annotation.choosing import quota_of
from annotation.models import Annotation, Assignment, Participation, Task, Wave

QUOTAS = {Task.T1A: "quota_t1a", Task.T1B: "quota_t1b", Task.T2: "quota_t2"}
OUTCOME = Assignment.Outcome


@dataclass(frozen=True)
class Share:
    """How much of one task a person has done in a wave, of how much (None: no quota)."""

    task: str
    done: int
    quota: int | None

    @property
    def percent(self):
        return percent_of(self.done, self.quota)

    @property
    def label(self):
        return Task(self.task).label


@dataclass(frozen=True)
class Row:
    """What one person did of one task in the waves that were asked for."""

    person: User
    task: str
    given: int = 0
    submitted: int = 0
    own: int = 0
    skipped: int = 0
    reported: int = 0
    expired: int = 0
    surplus: int = 0
    late: int = 0
    minutes: float | None = None
    quota: int | None = None

    @property
    def percent(self):
        return percent_of(self.submitted, self.quota)


def percent_of(done, quota):
    """Whole percent, rounded down, so that 100 means done; None without a quota."""
    return None if not quota else done * 100 // quota


def participations_of(user):
    """One query: where `user` works in open waves, with what was done of each task."""
    open_waves = Wave.objects.open_at(timezone.now()).worked_by(user)
    return (
        all_participations_of(user).filter(wave__in=open_waves).order_by("wave__closes_at", "wave")
    )


def all_participations_of(user):
    """The same for every wave that `user` ever took part in, newest first."""
    return (
        Participation.objects.filter(user=user)
        .select_related("wave__campaign")
        .annotate(**{f"done_{task}": done_of(task) for task in QUOTAS})
        .order_by("-wave")
    )


def done_of(task):
    """How many answers to `task` count for the participation's person and wave."""
    counted = Assignment.objects.counted().filter(
        user=OuterRef("user"), wave=OuterRef("wave"), task=task
    )
    rows = counted.order_by().values("user").annotate(n=Count("pk")).values("n")
    return Coalesce(Subquery(rows), 0)


def shares_of(participation):
    """The tasks of a participation that came from `participations_of`, in their order."""
    return [
        Share(task, getattr(participation, f"done_{task}"), quota_in(participation, task))
        for task in QUOTAS
    ]


def quota_in(participation, task):
    """How much of a task the wave asks of the person; None where it sets no quota."""
    quota = getattr(participation.wave, QUOTAS[task])
    return quota_of(quota=quota, factor=participation.quota_factor)


def total_of(participations):
    """(done, quota) over all waves that count; more than was asked of one task fills no other."""
    shares = [
        share
        for participation in participations
        if not participation.wave.is_sandbox
        for share in shares_of(participation)
        if share.quota
    ]
    return sum(min(s.done, s.quota) for s in shares), sum(s.quota for s in shares)


def rows_of(waves):
    """Everybody's progress in `waves`, by person and task, in a constant number of queries.

    Without the minutes, which are the one figure that no count gives: see `with_minutes`.
    """
    counts = counts_in(waves)
    quotas = quotas_in(waves)
    late = late_in(waves)
    people = User.objects.in_bulk({user for user, _ in [*counts, *quotas]})
    rows = [
        Row(
            person=people[user],
            task=task,
            quota=quotas.get((user, task)),
            late=late.get((user, task), 0),
            **counts.get((user, task), {}),
        )
        for user, task in counts.keys() | quotas.keys()
    ]
    return sorted(rows, key=lambda row: (str(row.person).casefold(), row.person.pk, row.task))


def with_minutes(rows, waves):
    """The rows of `waves` with their minutes: one query, which reads the work of these alone."""
    work = Assignment.objects.filter(
        wave__in=waves,
        outcome=OUTCOME.SUBMITTED,
        user__in={row.person.pk for row in rows},
        task__in={row.task for row in rows},
    )
    minutes = medians_of(work)
    return [replace(row, minutes=minutes.get((row.person.pk, row.task))) for row in rows]


def counts_in(waves):
    """{(user id, task): counts by outcome}."""
    submitted = Q(outcome=OUTCOME.SUBMITTED)
    rows = (
        Assignment.objects.filter(wave__in=waves)
        .order_by()
        .values("user", "task")
        .annotate(
            given=Count("pk"),
            submitted=Count("pk", filter=submitted & Q(is_own=False)),
            own=Count("pk", filter=submitted & Q(is_own=True)),
            skipped=Count("pk", filter=Q(outcome=OUTCOME.SKIPPED)),
            reported=Count("pk", filter=Q(outcome=OUTCOME.REPORTED)),
            expired=Count("pk", filter=Q(outcome=OUTCOME.EXPIRED)),
            surplus=Count("pk", filter=submitted & Q(surplus=True)),
        )
    )
    return {(row.pop("user"), row.pop("task")): row for row in rows}


def quotas_in(waves):
    """{(user id, task): quota over the waves, None where no wave has one}; who left is not asked.

    Everybody who takes part has an entry for each task, so that idle people are seen too.
    """
    quotas = defaultdict(lambda: None)
    active = Participation.objects.filter(wave__in=waves).exclude(status=Participation.Status.LEFT)
    for participation in active.select_related("wave"):
        for task in QUOTAS:
            quota = quota_in(participation, task)
            before = quotas[participation.user_id, task]
            quotas[participation.user_id, task] = before if quota is None else (before or 0) + quota
    return dict(quotas)


def medians_of(work):
    """{(user id, task): median of the active minutes of these assignments}."""
    seconds = defaultdict(list)
    for user, task, value in work.values_list("user", "task", "active_seconds").iterator():
        seconds[user, task].append(value)
    return {key: median(values) / 60 for key, values in seconds.items()}


def late_in(waves):
    """{(user id, task): answers after their wave closed}.

    A label keeps that it was late; claims are late by when they were submitted.
    """
    labels = Annotation.objects.live().filter(late=True, item__wave__in=waves, user__isnull=False)
    late = {
        (user, Task.T2.value): n
        for user, n in labels.order_by().values_list("user").annotate(Count("pk"))
    }
    claims = Assignment.objects.filter(
        wave__in=waves,
        outcome=OUTCOME.SUBMITTED,
        task__in=[Task.T1A, Task.T1B],
        ended_at__gte=F("wave__closes_at"),
    )
    rows = claims.order_by().values_list("user", "task").annotate(Count("pk"))
    return late | {(user, task): n for user, task, n in rows}


def waves_with_progress(campaign):
    """The waves of a campaign that are worked in, newest first."""
    return campaign.waves.filter(purpose=Wave.Purpose.NORMAL)
