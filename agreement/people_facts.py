"""What labelling cost the people who did it: time and skips, by what they are called in figures."""

from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from django.db.models import Count, Q, QuerySet, Sum

from agreement.tables import counting, waves_of
from annotation.models import Assignment, Campaign, Task
from annotation.pseudonyms import pseudonym_of

# Days beyond are no bound: a moment in them may have no instant in UTC.
FIRST, LAST = "1900-01-01", "9000-01-01"


def people_facts(
    campaign: Campaign, waves=None, *, task="all", since="", until=""
) -> dict[str, dict]:
    """{pseudonym: n_timed, seconds, skips} of those who were given claims to label.

    seconds: the time in which the page was in use, over the n_timed answers that count; imported
    annotators have none. Of what ended from the day `since` to `until`, where they are given.
    """
    given = in_period(given_out(campaign, waves, task), since, until, ZoneInfo(campaign.time_zone))
    skipped = Count("pk", filter=Q(outcome=Assignment.Outcome.SKIPPED))
    facts = {
        user: {"n_timed": 0, "seconds": 0, "skips": skips}
        for user, skips in given.order_by("user").values_list("user").annotate(skipped=skipped)
    }
    answers = counting(campaign, waves).live().filter(assignment__in=given).order_by()
    spent = {"n": Count("pk"), "spent": Sum("assignment__active_seconds")}
    for user, n, seconds in answers.values_list("user").annotate(**spent):
        facts[user] |= {"n_timed": n, "seconds": seconds}
    return {pseudonym_of(campaign, user): each for user, each in facts.items()}


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
