from contextlib import suppress
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.dates import parse_date
from corpus.records import ArticleRecord
from tests.corpus.reading import NOW


def parse(text, zone="Europe/Prague", **options):
    return parse_date(text, zone=zone, now=NOW, **options)


def utc(*parts):
    return datetime(*parts, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "instant"),
    [
        ("2010-10-22 11:33:15 -0400", utc(2010, 10, 22, 15, 33, 15)),
        ("2011-11-28 8:32:24 -0400", utc(2011, 11, 28, 12, 32, 24)),
        ("2019-05-07 10:00:00", utc(2019, 5, 7, 8)),
        ("2019-05-07T10:00Z", utc(2019, 5, 7, 10)),
        ("2019-05-07T10:00:00.987+02:00", utc(2019, 5, 7, 8)),
        ("20190507T101112Z", utc(2019, 5, 7, 10, 11, 12)),
        ("26-FEB-1987 15:01:01.79", utc(1987, 2, 26, 14, 1, 1)),
        (" 3-APR-1987  09:01:01.79", utc(1987, 4, 3, 7, 1, 1)),
        ("Fri, 04 Jan 2019 10:00:00 +0100", utc(2019, 1, 4, 9)),
        ("Fri, 04 Jan 2019 10:00:00 GMT", utc(2019, 1, 4, 10)),
        ("January 4, 2019, 3:05 pm", utc(2019, 1, 4, 14, 5)),
        ("4 January 2019 12:05 a.m.", utc(2019, 1, 3, 23, 5)),
        ("14. května 2019 6:00", utc(2019, 5, 14, 4)),
    ],
)
def test_a_stated_time_becomes_its_instant(text, instant):
    assert parse(text) == (instant, False)


@pytest.mark.parametrize(
    "text",
    ["2019-05-07", "2019/5/7", "20190507", "7 May 2019", "Tuesday, May 7, 2019", "7. května 2019"],
)
def test_a_day_without_time_begins_at_midnight_in_the_zone(text):
    assert parse(text) == (utc(2019, 5, 6, 22), True)


def test_an_ambiguous_local_time_is_its_first_occurrence():
    assert parse("2019-10-27 02:30").instant == utc(2019, 10, 27, 0, 30)


def test_a_local_time_that_clocks_skip_moves_forward_by_the_gap():
    assert parse("2019-03-31 02:30") == parse("2019-03-31 03:30")


def test_a_day_whose_midnight_is_skipped_begins_at_its_first_instant():
    day = parse("2018-11-04", zone="America/Sao_Paulo")

    assert day.instant == parse("2018-11-04 01:00", zone="America/Sao_Paulo").instant


@pytest.mark.parametrize(
    ("text", "pattern", "instant", "is_day"),
    [
        ("01/02/2019", "%d/%m/%Y", utc(2019, 1, 31, 23), True),
        ("01/02/2019", "%m/%d/%Y", utc(2019, 1, 1, 23), True),
        ("7.5.2019 6.30", "%d.%m.%Y %H.%M", utc(2019, 5, 7, 4, 30), False),
        ("07 05 19 +0000", "%d %m %y %z", utc(2019, 5, 6, 22), True),
    ],
)
def test_a_date_format_settles_the_order(text, pattern, instant, is_day):
    assert parse(text, date_format=pattern) == (instant, is_day)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("01/02/2019", "'01/02/2019' is ambiguous.*'%d/%m/%Y'"),
        ("13.2.2019", r"ambiguous.*'%d\.%m\.%Y'"),
        ("1-2-19", "ambiguous.*'%d-%m-%y'"),
        ("2019-02-30", "'2019-02-30' does not exist"),
        ("2019-05-07 25:00", "does not exist"),
        ("2019-05-07 10:00 +99:99", "does not exist"),
        ("13:05 pm, 2019", "cannot be read"),
        ("4 January 2019 13:05 pm", "does not exist"),
        ("2030-01-01", "'2030-01-01' lies in the future"),
        ("2024-01-01 00:00:01 +00:00", "future"),
        ("0019-01-01", "before the year 1000"),
        ("26-Foo-1987", "cannot be read"),
        ("yesterday", "cannot be read"),
        ("Fri, 04 Jan 2019 10:00:00 CET", "cannot be read"),
        ("", "no date"),
        ("2" * 200, "200 characters"),
    ],
)
def test_a_date_that_cannot_be_trusted_is_refused_with_its_reason(text, reason):
    with pytest.raises(ValueError, match=reason):
        parse(text)


def test_a_date_that_does_not_follow_the_format_is_refused():
    with pytest.raises(ValueError, match=r"'2019-05-07' is not in the date format '%d\.%m\.%Y'"):
        parse("2019-05-07", date_format="%d.%m.%Y")


@given(st.text(max_size=40) | st.from_regex(r"\d{1,4}[-/. ]\d{1,2}[-/. T]\d{1,4}.{0,12}"))
def test_any_other_text_is_past_or_refused_by_a_value_error_alone(text):
    with suppress(ValueError):
        assert parse(text).instant <= NOW


def make_article(published_at, *, is_day, time_zone):
    return ArticleRecord("a", "", published_at, is_day, (), time_zone=time_zone)


@pytest.mark.parametrize(
    ("text", "zone", "end"),
    [
        ("2019-05-07", "Europe/Prague", utc(2019, 5, 7, 21, 59, 59, 999999)),
        ("2019-03-31", "Europe/Prague", utc(2019, 3, 31, 21, 59, 59, 999999)),
        ("2019-10-27", "Europe/Prague", utc(2019, 10, 27, 22, 59, 59, 999999)),
        ("2018-11-04", "America/Sao_Paulo", utc(2018, 11, 5, 1, 59, 59, 999999)),
        ("2018-11-03", "America/Sao_Paulo", utc(2018, 11, 4, 2, 59, 59, 999999)),
    ],
)
def test_a_day_is_available_from_its_last_microsecond(text, zone, end):
    day = make_article(parse(text, zone).instant, is_day=True, time_zone=zone)

    assert day.available_at == end


def test_an_instant_is_available_at_once_and_an_undated_article_never_says():
    instant = make_article(utc(2019, 5, 7), is_day=False, time_zone="Asia/Tokyo")

    assert instant.available_at == utc(2019, 5, 7)
    assert make_article(None, is_day=False, time_zone="UTC").available_at is None
