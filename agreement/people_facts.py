"""What labelling cost the people who did it: time and skips, by what they are called in figures."""

from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from django.db.models import Count, Q, QuerySet, Sum

from agreement.tables import waves_of
from annotation.models import Assignment, Campaign, Task
from annotation.pseudonyms import pseudonym_of

OUTCOME = Assignment.Outcome


# Days beyond are no bound: a moment in them may have no instant in UTC.
FIRST, LAST = "1900-01-01", "9000-01-01"


def people_facts(
    campaign: Campaign, waves=None, *, task="all", since="", until=""
) -> dict[str, dict]:
    """{pseudonym: n_timed, seconds, skips} of those who were given claims to label.

    seconds: the time in which the page was in use, over the n_timed answers that count; imported
    annotators have none. Of what ended from the day `since` to `until`, where they are given.
    """
    done = Q(outcome=OUTCOME.SUBMITTED, surplus=False)
    rows = (
        in_period(given_out(campaign, waves, task), since, until, ZoneInfo(campaign.time_zone))
        .values("user")
        .order_by("user")
        .annotate(
            n_timed=Count("pk", filter=done),
            seconds=Sum("active_seconds", filter=done, default=0),
            skips=Count("pk", filter=Q(outcome=OUTCOME.SKIPPED)),
        )
    )
    return {pseudonym_of(campaign, row.pop("user")): row for row in rows}


def given_out(campaign: Campaign, waves, task: str) -> QuerySet[Assignment]:
    """Ended assignments of labelling, in waves that count, of a task of figures."""
    rows = Assignment.objects.filter(
        wave__in=waves_of(campaign, waves), task=Task.T2, ended_at__isnull=False
    )
    return rows if task == "all" else rows.filter(is_own=task == "T2a")


def in_period(rows: QuerySet[Assignment], since: str, until: str, zone: ZoneInfo):
    """The assignments that ended within these days of a zone, both included."""
    if since > FIRST:
        rows = rows.filter(ended_at__gte=start_of(min(since, LAST), zone))
    if until and until < LAST:
        rows = rows.filter(ended_at__lt=start_of(max(until, FIRST), zone, days=1))
    return rows


def start_of(day: str, zone: ZoneInfo, *, days: int = 0) -> datetime:
    """The first instant of a day, or of one so many days later."""
    return datetime.combine(date.fromisoformat(day) + timedelta(days=days), time(), zone)
