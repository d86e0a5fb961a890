"""The list of a corpus' articles, newest first, a page at a time without counting."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from django.db.models import Q

from corpus.models import Article, Corpus

PER_PAGE = 30
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
# Days beyond are no bound: a moment in them may have no instant in UTC.
FIRST, LAST = date(900, 1, 1), date(9000, 1, 1)


class Page:
    """Some neighbouring articles, and how to reach those before and after them."""

    def __init__(self, articles: list[Article], *, newer: bool, older: bool):
        self.articles = articles
        self.newer = cursor_of(articles[0]) if newer and articles else ""
        self.older = cursor_of(articles[-1]) if older and articles else ""


def article_page(
    corpus: Corpus, *, q: str = "", since=None, until=None, before: str = "", after: str = ""
) -> Page:
    """The articles next to a cursor: those before it in time, or after it; else the newest.

    The index by time gives any page at the same cost, however deep it lies.
    """
    rows = matching(corpus, q, since, until).select_related("duplicate_of")
    if place := place_of(after):
        found = list(rows.filter(newer_than(*place)).order_by("published_at", "pk")[: PER_PAGE + 1])
        return Page(found[:PER_PAGE][::-1], newer=len(found) > PER_PAGE, older=True)
    if place := place_of(before):
        rows = rows.filter(older_than(*place))
    found = list(rows.order_by("-published_at", "-pk")[: PER_PAGE + 1])
    return Page(found[:PER_PAGE], newer=bool(before), older=len(found) > PER_PAGE)


def matching(corpus: Corpus, q: str, since, until):
    rows = Article.objects.visible().filter(corpus=corpus)
    if q:
        rows = rows.filter(Q(external_id=q) | Q(title__icontains=q))
    zone = ZoneInfo(corpus.time_zone)
    if since:
        rows = rows.filter(published_at__gte=start_of(since, zone))
    if until:
        rows = rows.filter(published_at__lt=start_of(until, zone, days=1))
    return rows


def start_of(day: date, zone: ZoneInfo, *, days: int = 0) -> datetime:
    """The first instant of a day, or of one so many days later, in the years that articles have."""
    known = min(max(day, FIRST), LAST)
    return datetime.combine(known + timedelta(days=days), time.min, zone)


def older_than(moment, pk) -> Q:
    if moment is None:
        return Q(pk__lt=pk)
    return Q(published_at__lte=moment) & (Q(published_at__lt=moment) | Q(pk__lt=pk))


def newer_than(moment, pk) -> Q:
    if moment is None:
        return Q(pk__gt=pk)
    return Q(published_at__gte=moment) & (Q(published_at__gt=moment) | Q(pk__gt=pk))


def cursor_of(article: Article) -> str:
    moment = article.published_at
    return f"{'' if moment is None else (moment - EPOCH) // MICROSECOND}.{article.pk}"


def place_of(cursor: str) -> tuple | None:
    """Time and key of a cursor; None where it is none, whoever typed it."""
    moment, dot, pk = cursor.partition(".")
    try:
        at = EPOCH + int(moment) * MICROSECOND if moment else None
        return (at, int(pk)) if dot and 0 < int(pk) < 2**63 else None
    except (ValueError, OverflowError):
        return None
