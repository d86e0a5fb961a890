import pytest

from corpus.records import ParagraphRecord
from corpus.tables import is_tabular, looks_like_row


@pytest.mark.parametrize(
    "line",
    [
        "Net 807,000 vs 2,858,000",
        " Net free reserves.............644 vs.....1,337",
        "Heating Oil    7167     45020  off  223",
        "Slavia Praha 4 3 0 1 103:97 6",
        "Osaka unch 12.5",
        "القاهرة 12 15 18",
    ],
)
def test_a_row_of_figures_is_told(line):
    assert looks_like_row(line)


@pytest.mark.parametrize(
    "line",
    [
        "",
        "The bridge opened in 2019.",
        "Sales rose by 5 pct to 10 mln dlrs in 1986, the company said.",
        "A heading without figures",
        "The dam holds 12 million cubic metres of water and it is 45 metres high, " * 2,
    ],
)
def test_a_sentence_is_no_row(line):
    assert not looks_like_row(line)


def paragraphs(*texts, kind="prose"):
    return [ParagraphRecord(rank, text, kind) for rank, text in enumerate(texts, 1)]


def test_an_article_of_rows_is_tabular():
    rows = ["Net 807,000 vs 2,858,000", "Assets 510 vs 479", "Note: audited."]

    assert is_tabular(paragraphs(*rows))


def test_a_table_paragraph_counts_its_lines():
    table = paragraphs("Net 1 vs 2\nLoans 3 vs 4", kind="table")

    assert is_tabular([*table, *paragraphs("The year was good.")])


def test_a_long_text_outweighs_a_few_rows_beneath_it():
    story = "The central bank said that it would keep its rates where they are. " * 8

    assert not is_tabular([*paragraphs(story), *paragraphs("A 1 2\nB 3 4", kind="table")])


def test_a_single_line_of_figures_makes_no_table():
    assert not is_tabular(paragraphs("Gold 419.50 422.50"))


def test_an_article_without_text_is_not_tabular():
    assert not is_tabular([])
