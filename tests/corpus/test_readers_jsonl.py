from datetime import UTC, datetime

import pytest

from corpus.readers import fields
from corpus.records import UnitRecord
from tests.corpus.reading import (
    articles_of,
    bad_of,
    make_line,
    one_reason,
    read_all,
    read_text,
    sentences_of,
    write,
)


def test_a_line_becomes_an_article_with_all_it_states(tmp_path):
    line = make_line(
        text="It opened. It rained.\n\nThe mayor came.",
        published_at="2019-05-07 10:00",
        url="https://example.org/a?b=1",
        section=" Home  news ",
        keywords=["bridge", "mayor", "bridge"],
        language="en_GB",
    )

    (article,) = read_text(tmp_path, line, time_zone="Europe/Prague")

    assert (article.external_id, article.title, article.line) == ("a1", "A bridge", 1)
    assert article.published_at == article.available_at == datetime(2019, 5, 7, 8, tzinfo=UTC)
    assert [(p.rank, p.text) for p in article.paragraphs] == [
        (1, "It opened. It rained."),
        (2, "The mayor came."),
    ]
    assert sentences_of(article.paragraphs[0]) == ["It opened.", "It rained."]
    assert article.url == "https://example.org/a?b=1"
    assert (article.section, article.keywords) == ("Home news", ("bridge", "mayor"))
    assert (article.language, article.file) == ("en-GB", "news.jsonl")


def test_a_pass_without_units_looks_for_no_sentences(tmp_path):
    (article,) = read_text(tmp_path, make_line(), units=False)

    assert article.paragraphs[0].units == ()


def test_sentences_follow_the_language_of_the_article(tmp_path):
    text = "Bylo 19. Fórum."

    (article,) = read_text(tmp_path, make_line(text=text), language="cs")

    assert article.paragraphs[0].units == (UnitRecord("sentence_0", "sentence", 0, len(text)),)


def test_a_given_list_keeps_its_places_as_ranks(tmp_path):
    line = make_line(text=None, paragraphs=["One.", " ", "Three.\nFour."])

    (article,) = read_text(tmp_path, line)

    assert [(p.rank, p.text) for p in article.paragraphs] == [(1, "One."), (3, "Three.\nFour.")]


def test_names_can_be_mapped_and_fields_left_out(tmp_path):
    line = '{"guid": 7, "when": "2019-05-07", "body": "It opened.", "url": "no address"}\n'
    mapping = {"id": "guid", "published_at": "when", "text": "body", "url": ""}

    (article,) = read_text(tmp_path, line, mapping=mapping)

    assert (article.external_id, article.url) == ("7", "")


def test_html_is_reduced_and_plain_text_is_not(tmp_path):
    html = "<p>Tom &amp; <b>Ann</b> met.</p><ul><li>one</li><li>two</li></ul>"
    plain = "Phillips <P> and AT&T rose when 1 < 2."

    marked, bare = read_text(tmp_path, make_line(text=html) + make_line(id="a2", text=plain))

    assert [(p.kind, p.text) for p in marked.paragraphs] == [
        ("prose", "Tom & Ann met."),
        ("list", "one\ntwo"),
    ]
    assert bare.paragraphs[0].text == plain


@pytest.mark.parametrize("text", ["", None, " \n ", "<p></p>"])
def test_an_article_may_have_no_text(tmp_path, text):
    (article,) = read_text(tmp_path, make_line(text=text))

    assert article.paragraphs == ()


def test_an_undated_corpus_asks_for_no_date_and_keeps_none(tmp_path):
    lines = make_line() + '{"id": "a2", "text": "It opened."}\n'

    records = articles_of(read_text(tmp_path, lines, undated=True))

    assert [(a.published_at, a.is_day) for a in records] == [(None, False)] * 2


BAD_LINES = [
    ('{"id": "a1", "id": "a2"}', "the key 'id' stands twice"),
    ('{"id": NaN}', "NaN is no JSON"),
    ('{"id": 1e999}', "1e999 is too large"),
    ('{"id": ' + "9" * 2000 + "}", "more than 1,000 digits"),
    ('{"id": "a1"', "no JSON object: expecting"),
    ("[" * 100_000, "nested too deeply"),
    ('["a1"]', "JSON, but no object"),
    ('{"text": "It opened."}', "no id (looked for 'id'); the fields are text"),
    (make_line(id=""), "id is empty"),
    (make_line(id=" \xa0"), "id is empty"),
    (make_line(id="x" * 201), "id has 201 characters"),
    (make_line(id=True), "id is true or false"),
    (make_line(id=1.5), "id is a number; write it as text"),
    (make_line(id="a\u202eb"), "id holds RIGHT-TO-LEFT OVERRIDE"),
    (make_line(id="a\nb"), "id holds a line end"),
    (make_line(id="a@2"), "'a@2' ends in @ and digits"),
    (make_line(published_at=None), "there is no date"),
    ('{"id": "a1", "text": "x"}', "no published_at (looked for 'published_at')"),
    (make_line(published_at="01/02/2019"), "ambiguous"),
    (make_line(published_at="2030-01-01"), "lies in the future"),
    (make_line(published_at=["2019"]), "published_at is a list"),
    (make_line(text={"a": 1}), "text is an object"),
    ('{"id": "a1", "published_at": "2019-05-07"}', "there is no text"),
    (make_line(text=None, paragraphs="One."), "paragraphs is not a list"),
    (make_line(text=None, paragraphs=["One.", 2]), "a paragraph is a number"),
    ('{"id": "a1", "published_at": "2019-05-07", "text": "\\ud83d"}', "half of a surrogate"),
    (make_line(title="x" * 1001), "title has 1001 characters"),
    (make_line(url="javascript:alert(1)"), "url is 'javascript:alert(1)'; use an address"),
    (make_line(url="https://a b"), "url is 'https://a b'"),
    (make_line(language="Czech language"), "language is 'Czech language'"),
    (make_line(keywords=["x" * 201]), "a keyword has 201 characters"),
    (make_line(section="x" * 201), "section has 201 characters"),
    (make_line(article="a1"), "there is no rank"),
]


@pytest.mark.parametrize(("line", "reason"), BAD_LINES)
def test_a_bad_line_is_named_with_its_reason_and_the_next_one_read(tmp_path, line, reason):
    first, second = read_text(tmp_path, line.rstrip("\n") + "\n" + make_line(id="good"))

    assert (first.file, first.line) == ("news.jsonl", 1)
    assert reason in first.reason
    assert "\n" not in first.reason
    assert second.external_id == "good"


def test_a_field_over_its_size_is_a_bad_line(tmp_path, monkeypatch):
    monkeypatch.setattr(fields, "MAX_FIELD", 1000)

    assert "text is larger than 10 MB" in one_reason(read_text(tmp_path, make_line(text="č" * 501)))


def test_an_id_given_twice_is_refused_where_it_comes_again(tmp_path):
    records = read_all(
        write(tmp_path, make_line(), "one.jsonl"), write(tmp_path, make_line(), "two.jsonl")
    )

    (problem,) = bad_of(records)
    assert (problem.file, problem.line) == ("two.jsonl", 1)
    assert "'a1' was given before, in line 1 of one.jsonl" in problem.reason


@pytest.mark.parametrize("other", ["A1", "a 1", "ａ1"])
def test_ids_that_differ_by_case_or_blanks_alone_are_refused(tmp_path, other):
    _, problem = read_text(tmp_path, make_line() + make_line(id=other))

    assert f"{other!r} differs only by case or blanks from 'a1' in line 1" in problem.reason


def make_row(rank, text="It opened.", **fields):
    return make_line(**{"id": None, "article": "a1", "rank": rank, "text": text, **fields})


def test_neighbouring_lines_with_article_and_rank_make_one_article(tmp_path):
    lines = make_row(7, "Seven.") + make_row("3", "Three.") + make_line(id="a2")

    article, other = read_text(tmp_path, lines)

    assert [(p.rank, p.text) for p in article.paragraphs] == [(3, "Three."), (7, "Seven.")]
    assert (article.external_id, article.line, other.external_id) == ("a1", 1, "a2")
    assert article.paragraphs[0].units[0].kind == "sentence"


def test_the_line_of_rank_0_is_the_title(tmp_path):
    lines = make_row(0, "A new\nbridge", title=None) + make_row(1, title=None)

    (article,) = read_text(tmp_path, lines)

    assert article.title == "A new bridge"
    assert [p.rank for p in article.paragraphs] == [1]


def test_what_one_line_states_holds_for_its_article(tmp_path):
    lines = make_row(1, published_at=None, title=None) + make_row(2, section="Home")

    (article,) = read_text(tmp_path, lines)

    assert (article.title, article.section, article.is_day) == ("A bridge", "Home", True)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (make_row(1, "Again."), "rank 1 was given before"),
        (make_row(-1), "rank is -1"),
        (make_row("one"), "rank is 'one'"),
        (make_row(True), "rank is True"),
        (make_row(2, " "), "text is empty"),
        (make_row(2, published_at="2019-05-08"), "published_at is '2019-05-08' here and"),
    ],
)
def test_a_bad_paragraph_leaves_the_others_of_its_article(tmp_path, line, reason):
    records = read_text(tmp_path, make_row(1) + line + make_row(9))

    (problem,), (article,) = bad_of(records), articles_of(records)
    assert problem.line == 2
    assert reason in problem.reason
    assert [p.rank for p in article.paragraphs] == [1, 9]


def test_an_article_that_comes_again_after_another_is_one_bad_line(tmp_path):
    lines = make_row(1) + make_row(1, article="a2") + make_row(2) + make_row(3)

    records = read_text(tmp_path, lines)

    (problem,) = bad_of(records)
    assert problem.line == 3
    assert "keep one, with all of its lines together" in problem.reason
    assert [a.external_id for a in articles_of(records)] == ["a1", "a2"]
