"""Reading the dates of article files: one moment or one day in UTC, or a reason why not."""

import re
from datetime import UTC, datetime, timedelta, timezone
from functools import lru_cache
from typing import NamedTuple
from zoneinfo import ZoneInfo

EARLIEST_YEAR = 1000
LONGEST_DATE = 100


class Moment(NamedTuple):
    """The first instant, in UTC, of the second or of the day (is_day) that was stated."""

    instant: datetime
    is_day: bool


TIME = r"""
    (?P<hour>\d{1,2}) : (?P<minute>\d\d) (?: : (?P<second>\d\d) (?: [.,]\d+ )? )?
    (?: \s* (?P<half>[ap])\.?m\.? )?
    (?: \s* (?P<zone> Z | UTC | GMT | UT | [+-]\d\d (?: :?\d\d )? ) )?
    (?: \s* \( [A-Za-z ]+ \) )?
"""
YEAR_FIRST = re.compile(
    rf"(?P<year>\d{{4}}) (?P<mark>[-/.]) (?P<month>\d\d?) (?P=mark) (?P<day>\d\d?)"
    rf"(?: (?: \s* T \s* | \s+ | \s*,\s* ) {TIME} )?",
    re.VERBOSE | re.IGNORECASE,
)
COMPACT = re.compile(
    r"(?P<year>\d{4}) (?P<month>\d\d) (?P<day>\d\d)"
    r"(?: T (?P<hour>\d\d) (?P<minute>\d\d) (?P<second>\d\d)? (?P<zone>Z|[+-]\d{4})? )?",
    re.VERBOSE | re.IGNORECASE,
)
DAY_FIRST = re.compile(
    rf"(?: [^\W\d]+ ,? \s+ )? (?P<day>\d\d?) (?: \. | st | nd | rd | th )? [\s-]*"
    rf"(?P<name>[^\W\d]{{3,12}}) \.? [\s,-]* (?P<year>\d{{4}}) (?: [,\s]+ {TIME} )?",
    re.VERBOSE | re.IGNORECASE,
)
MONTH_FIRST = re.compile(
    rf"(?: [^\W\d]+ ,? \s+ )? (?P<name>[^\W\d]{{3,12}}) \.? \s+ (?P<day>\d\d?)"
    rf"(?: st | nd | rd | th )? ,? \s+ (?P<year>\d{{4}}) (?: [,\s]+ (?: at \s+ )? {TIME} )?",
    re.VERBOSE | re.IGNORECASE,
)
SHAPES = (YEAR_FIRST, COMPACT, DAY_FIRST, MONTH_FIRST)
YEAR_LAST = re.compile(r"\s*\d{1,2}\.?\s*([-/.])\s*\d{1,2}\.?\s*[-/.]?\s*(\d{4}|\d{2})\b")

ENGLISH = "january february march april may june july august september october november december"
CZECH = "leden únor březen duben květen červen červenec srpen září říjen listopad prosinec"
CZECH_OF = "ledna února března dubna května června července srpna září října listopadu prosince"
MONTHS = {
    name: number
    for names in (ENGLISH, CZECH, CZECH_OF)
    for number, name in enumerate(names.split(), 1)
} | {name[:3]: number for number, name in enumerate(ENGLISH.split(), 1)}
MONTHS["sept"] = 9


def parse_date(text: str, *, zone: str, date_format: str = "", now: datetime) -> Moment:
    """The moment that `text` states; a time without offset is in `zone`.

    A local time that occurs twice (clocks set back) is its first occurrence; one that does not
    occur (clocks set forward) is moved forward by the gap. Fractions of a second are dropped.
    now: aware; what lies after it is refused.
    Raises ValueError with a sentence for the person: unreadable, ambiguous, impossible, future.
    """
    stated = text.strip()
    if len(stated) > LONGEST_DATE:
        raise ValueError(f"the date is {len(stated)} characters long; a date has at most 100")
    if not stated:
        raise ValueError("there is no date; give one, or import into an undated corpus")
    moment = by_format(stated, date_format, zone) if date_format else by_shape(stated, zone)
    if moment.instant > now:
        raise ValueError(f"the date {stated!r} lies in the future; correct it")
    return moment


def by_shape(stated: str, zone: str) -> Moment:
    for shape in SHAPES:
        if match := shape.fullmatch(stated):
            return moment_of(match.groupdict(), stated, zone)
    raise ValueError(unreadable(stated))


def by_format(stated: str, date_format: str, zone: str) -> Moment:
    try:
        local = datetime.strptime(stated, date_format)
    except ValueError:
        raise ValueError(
            f"the date {stated!r} is not in the date format {date_format!r}; correct either"
        ) from None
    return to_moment(local, stated, zone, is_day=not states_time(date_format))


@lru_cache(maxsize=16)
def states_time(date_format: str) -> bool:
    directives = set(re.findall(r"%[-#]?([A-Za-z%])", date_format))
    return bool(directives & set("HIcXT"))


def moment_of(parts: dict[str, str | None], stated: str, zone: str) -> Moment:
    """The moment of a matched shape; calendar and clock are checked by datetime itself."""
    month = month_number(parts, stated)
    hour = parts.get("hour")
    try:
        local = datetime(
            int(parts["year"] or 0),
            month,
            int(parts["day"] or 0),
            clock_hour(hour, parts.get("half")),
            int(parts.get("minute") or 0),
            int(parts.get("second") or 0),
            tzinfo=offset(parts.get("zone")),
        )
    except ValueError:
        raise ValueError(f"the date {stated!r} does not exist; correct it") from None
    return to_moment(local, stated, zone, is_day=hour is None)


def month_number(parts: dict[str, str | None], stated: str) -> int:
    name = parts.get("name")
    if name is None:
        return int(parts["month"] or 0)
    number = MONTHS.get(name.lower())
    if number is None:
        raise ValueError(unreadable(stated))
    return number


def clock_hour(hour: str | None, half: str | None) -> int:
    """The hour of a 24-hour clock: 12 a.m. is midnight."""
    if not half:
        return int(hour or 0)
    if not 1 <= int(hour or 0) <= 12:
        raise ValueError
    return int(hour or 0) % 12 + (12 if half in "pP" else 0)


@lru_cache(maxsize=64)
def offset(zone: str | None) -> timezone | None:
    if not zone:
        return None
    if zone[0] not in "+-":
        return UTC
    digits = zone[1:].replace(":", "").ljust(4, "0")
    delta = timedelta(hours=int(digits[:2]), minutes=int(digits[2:]))
    return timezone(-delta if zone[0] == "-" else delta)


def to_moment(local: datetime, stated: str, zone: str, *, is_day: bool) -> Moment:
    if local.year < EARLIEST_YEAR:
        raise ValueError(f"the date {stated!r} lies before the year {EARLIEST_YEAR}; correct it")
    local = local.replace(microsecond=0)
    if local.tzinfo is None or is_day:
        local = local.replace(tzinfo=ZoneInfo(zone))
    try:
        return Moment(local.astimezone(UTC), is_day)
    except OverflowError:
        raise ValueError(f"the date {stated!r} is out of range; correct it") from None


def unreadable(stated: str) -> str:
    if match := YEAR_LAST.match(stated):
        mark, year = match.groups()
        pattern = mark.join(("%d", "%m", "%Y" if len(year) == 4 else "%y"))
        return (
            f"the date {stated!r} is ambiguous (which part is the month?); "
            f"say which with a date format such as '{pattern}'"
        )
    return f"the date {stated!r} cannot be read; write it like 2019-05-07 or give a date format"
