from datetime import UTC, datetime

import pytest

from corpus.duplicates import content_hash, first_copies, near_duplicates
from corpus.tables import is_tabular
from tests.corpus.reading import articles_of, bad_of, one_reason, read_all, read_text
from tests.shared import shared_data


def make_story(text, number=1, date="26-FEB-1987 15:01:01.79"):
    return f"""<REUTERS TOPICS="YES" OLDID="5544" NEWID="{number}">
<DATE>{date}</DATE>
<TOPICS><D>cocoa</D></TOPICS>
<PLACES><D>uruguay</D><D>usa</D></PLACES>
<TEXT>&#2;
{text}
</TEXT>
</REUTERS>
"""


BODY = """<TITLE>PHILLIPS &lt;P> BUYS COCOA</TITLE>
<AUTHOR>    by Jane Doe, Reuters</AUTHOR>
<DATELINE>    SALVADOR, Feb 26 - </DATELINE><BODY>Showers continued in
the country's&#127;cocoa zone. AT&amp;T rose.
    The dry period ended, a man told
Reuters.
 REUTER...
&#3;</BODY>"""
ROWS = """<TITLE>COBANCO INC YEAR NET</TITLE>
<DATELINE>    SANTA CRUZ, Feb 26 -
    </DATELINE><BODY>Shr 34 cts vs 1.19 dlrs
    Net 807,000 vs 2,858,000
    Note: 4th qtr not available. Year includes 1985
extraordinary gain from tax carry forward.
 Reuter
&#3;</BODY>"""
UNPROC = """LONDON EURODOLLAR 0835 - APR 7
 MTH     LAST   HIGH     LOW
 Jun     9333   9333    9333
 Sep      ---    ---     ---
 Reuter
&#3;"""
BRIEF = "******<TITLE>ASSETS ROSE IN LATEST WEEK\n</TITLE>Blah blah blah.\n&#3;"


def read_stories(folder, content, **options):
    return read_text(folder, content, name="reut2.sgm", format="reuters", **options)


def test_a_story_becomes_an_article(tmp_path):
    content = '<!DOCTYPE lewis SYSTEM "lewis.dtd">\n' + make_story(BODY)

    (article,) = read_stories(tmp_path, content, time_zone="America/New_York")

    assert (article.external_id, article.line) == ("1", 2)
    assert article.title == "PHILLIPS <P> BUYS COCOA"
    assert article.published_at == datetime(1987, 2, 26, 20, 1, 1, tzinfo=UTC)
    assert article.keywords == ("cocoa", "uruguay", "usa")
    assert [p.text for p in article.paragraphs] == [
        "SALVADOR, Feb 26 - Showers continued in the country's cocoa zone. AT&T rose.",
        "The dry period ended, a man told Reuters.",
    ]


def test_rows_stand_in_a_table_beneath_their_dateline(tmp_path):
    (article,) = read_stories(tmp_path, make_story(ROWS))

    table, note = article.paragraphs
    assert (table.kind, note.kind) == ("table", "prose")
    assert table.text.split("\n") == [
        "SANTA CRUZ, Feb 26",
        "Shr 34 cts vs 1.19 dlrs",
        "Net 807,000 vs 2,858,000",
    ]
    assert is_tabular(article.paragraphs)


def test_a_story_without_body_has_its_first_line_as_title(tmp_path):
    (article,) = read_stories(tmp_path, make_story(UNPROC))

    assert article.title == "LONDON EURODOLLAR 0835 - APR 7"
    assert article.paragraphs[0].text.startswith("MTH     LAST")
    assert article.paragraphs[0].text.endswith("---")


def test_a_brief_has_a_title_and_no_text(tmp_path):
    (article,) = read_stories(tmp_path, make_story(BRIEF))

    assert article.title == "ASSETS ROSE IN LATEST WEEK"
    assert article.paragraphs == ()


@pytest.mark.parametrize(
    "date",
    [" 3-APR-1987 09:01:01.79", "3-APR-1987  09:01:01.79", "3-APR-1987 09:01&#9;&#9;&#9;F A"],
)
def test_odd_dates_are_read(tmp_path, date):
    (article,) = read_stories(tmp_path, make_story(BODY, date=date))

    assert article.published_at.replace(second=0) == datetime(1987, 4, 3, 9, 1, tzinfo=UTC)


def test_a_story_that_is_cut_off_is_named_and_the_next_one_read(tmp_path):
    cut = make_story(BODY).replace("</REUTERS>\n", "")

    problem, article, last = read_stories(tmp_path, cut + make_story(BODY, 2) + cut)

    assert (problem.line, article.external_id) == (1, "2")
    assert "no </REUTERS>" in problem.reason
    assert "no </REUTERS>" in last.reason


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (make_story(BODY).replace('NEWID="1"', ""), "no NEWID"),
        (make_story(BODY, date="31-MAR-1987 605:12:19.12"), "cannot be read"),
        (make_story(BODY, date=""), "there is no date"),
        ("a file of something else\n", "no <REUTERS> story was found"),
    ],
)
def test_a_story_that_cannot_be_used_says_why(tmp_path, content, reason):
    assert reason in one_reason(read_stories(tmp_path, content))


@pytest.fixture(scope="module")
def stories():
    folder = shared_data("reuters21578")
    return read_all(*sorted(folder.glob("*.sgm.xz")), format="reuters", language="en")


def test_all_14_000_stories_are_read(stories):
    assert len(articles_of(stories)) == 14_000
    assert bad_of(stories) == []
    assert sum(len(article.paragraphs) for article in stories) == 61_212


def test_stories_without_text_are_counted(stories):
    # 1,065 briefs and five unprocessed stories that have a headline alone
    assert sum(not article.paragraphs for article in stories) == 1_070


def test_exact_duplicates_are_counted(stories):
    hashes = [content_hash(article.paragraphs) for article in stories]
    with_text = [found for found in hashes if found]

    assert len(with_text) - len(set(with_text)) == 225


def test_tables_are_counted_and_are_mostly_earnings_and_prices(stories):
    tables = [article for article in stories if is_tabular(article.paragraphs)]
    prose = [a for a in stories if not is_tabular(a.paragraphs) and "acq" in a.keywords]

    assert len(tables) == 1_967
    assert sum("earn" in article.keywords for article in tables) == 1_608
    assert len(prose) > 1_000


def test_near_duplicates_of_all_stories_are_found(stories):
    texts = ["\n".join(p.text for p in article.paragraphs) for article in stories]

    copies = first_copies(near_duplicates(texts))

    assert 300 < len(copies) < 600
    assert all(first < copy for copy, first in copies.items())


def test_no_character_of_the_wire_is_left_in_a_story(stories):
    texts = [p.text for article in stories for p in article.paragraphs]

    assert not [text for text in texts if "&#" in text or "&lt;" in text or "\x7f" in text]
    assert not [text for text in texts if text.endswith("\n Reuter")]
