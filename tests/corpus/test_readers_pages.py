"""Corpora whose files name their own sentences and cells: SciFact, FEVER and FEVEROUS."""

import json

import pytest

from tests.corpus.reading import articles_of, bad_of, one_reason, read_text, sentences_of

SCIFACT = {"doc_id": 31, "title": "Aspirin (p<0.05)", "abstract": ["It cures. Often.", "", "Yes."],
           "structured": False}  # fmt: skip
WIKI = {"id": "Soul_Food_-LRB-film-RRB-", "text": "Soul Food is a film . It is long .",
        "lines": "0\tSoul Food is a film .\tfilm\tFilm\n1\t\n2\tIt is long ."}  # fmt: skip
PAGE = {
    "title": "FC Ararat Yerevan", "order": ["sentence_0", "sentence_1", "section_0", "table_0",
                                            "section_1", "list_0", "section_2", "sentence_2"],
    "sentence_0": "FC is a [[Club|club]].", "sentence_1": "It won.",
    "section_0": {"value": "History", "level": 1}, "section_1": {"value": "Names", "level": 2},
    "section_2": {"value": "Later", "level": 1}, "sentence_2": "It ended.",
    "table_0": {"caption": "Cups", "table": [
        [{"id": "header_cell_0_0_0", "value": "Year", "is_header": True},
         {"id": "header_cell_0_0_1", "value": "Cup", "is_header": True}],
        [{"id": "header_cell_0_1_0", "value": "1990", "is_header": True},
         {"id": "cell_0_1_1", "value": "[[Armenian Cup]]", "is_header": False}]]},
    "list_0": {"type": "unordered_list", "list": [{"id": "item_0_0", "value": "Ararat"},
                                                  {"id": "item_0_1", "value": ""}]},
}  # fmt: skip


def read(folder, format, *records):
    content = "".join(json.dumps(record) + "\n" for record in records)
    return read_text(folder, content, format=format, undated=True)


def one(folder, format, record):
    (article,) = articles_of(read(folder, format, record))
    return article


def named(paragraph):
    """{the file's name of each unit: its text}."""
    return {u.external_id: paragraph.text[u.start : u.end] for u in paragraph.units}


def test_an_abstract_is_a_paragraph_whose_sentences_keep_their_numbers(tmp_path):
    article = one(tmp_path, "scifact", SCIFACT)

    (paragraph,) = article.paragraphs
    assert (article.external_id, article.title, paragraph.rank) == ("31", "Aspirin (p<0.05)", 1)
    assert named(paragraph) == {"0": "It cures. Often.", "2": "Yes."}
    assert [unit.id for unit in paragraph.units] == ["sentence_0", "sentence_1"]


def test_a_page_is_a_paragraph_whose_lines_keep_their_numbers(tmp_path):
    article = one(tmp_path, "fever-wiki", WIKI)

    (paragraph,) = article.paragraphs
    assert article.external_id == "Soul_Food_-LRB-film-RRB-"
    assert article.title == "Soul Food (film)"
    assert named(paragraph) == {"0": "Soul Food is a film .", "2": "It is long ."}


def test_the_empty_page_of_each_file_is_passed_over(tmp_path):
    records = read(tmp_path, "fever-wiki", {"id": "", "text": "", "lines": ""}, WIKI)

    assert len(records) == len(articles_of(records)) == 1


def test_pages_whose_names_differ_by_case_are_two(tmp_path):
    pages = [{**WIKI, "id": "Air"}, {**WIKI, "id": "AIR"}, {**WIKI, "id": "Air"}]

    records = read(tmp_path, "fever-wiki", *pages)

    assert [article.external_id for article in articles_of(records)] == ["Air", "AIR"]
    assert "was given before" in bad_of(records)[0].reason


def test_a_page_without_text_is_an_article_without_paragraphs(tmp_path):
    assert one(tmp_path, "fever-wiki", {"id": "A", "text": "", "lines": "0\t"}).paragraphs == ()


def test_the_elements_of_a_page_are_units_of_its_paragraphs(tmp_path):
    article = one(tmp_path, "feverous", PAGE)

    first, table, items, last = article.paragraphs
    assert [p.kind for p in article.paragraphs] == ["prose", "table", "list", "prose"]
    assert [p.rank for p in article.paragraphs] == [1, 2, 3, 4]
    assert sentences_of(first) == ["FC is a club.", "It won."]
    assert named(first).keys() == {"sentence_0", "sentence_1"}
    assert table.text == "Cups\nYear | Cup\n1990 | Armenian Cup"
    assert named(table) == {
        "table_caption_0": "Cups",
        "header_cell_0_0_0": "Year",
        "header_cell_0_0_1": "Cup",
        "header_cell_0_1_0": "1990",
        "cell_0_1_1": "Armenian Cup",
    }
    assert named(items) == {"item_0_0": "Ararat"}
    assert [p.section_path for p in article.paragraphs] == [
        (), ("History",), ("History", "Names"), ("Later",),
    ]  # fmt: skip
    assert named(last) == {"sentence_2": "It ended."}


def test_a_cell_knows_the_headers_above_it_and_to_its_left(tmp_path):
    cell = one(tmp_path, "feverous", PAGE).paragraphs[1].units[-1]

    assert cell.headers == ("header_cell_0_0_1", "header_cell_0_1_0")


def test_a_page_may_stand_in_the_shape_of_its_database(tmp_path):
    data = {name: value for name, value in PAGE.items() if name != "title"}

    article = one(tmp_path, "feverous", {"id": "FC_Ararat", "data": json.dumps(data)})

    assert article.external_id == "FC_Ararat"
    assert len(article.paragraphs) == 4


@pytest.mark.parametrize(
    ("format", "record", "reason"),
    [
        ("scifact", {**SCIFACT, "abstract": "It cures."}, "abstract is not a list"),
        ("scifact", {**SCIFACT, "abstract": [3]}, "a sentence is a number"),
        ("scifact", {**SCIFACT, "doc_id": None}, "id is empty"),
        ("fever-wiki", {**WIKI, "lines": 3}, "lines is a number"),
        ("feverous", {"title": "A"}, "there is no order"),
        ("feverous", {"title": "A", "order": ["table_0"]}, "table_0 is no object"),
        ("feverous", {"title": "A", "order": ["table_0"], "table_0": {"table": [[{
            "id": "cell", "value": "x"}]]}}, "a cell is named 'cell'"),
        ("feverous", {"title": "A", "order": ["list_0"], "list_0": {"list": [{
            "id": "the item", "value": "x"}]}}, "an element is named 'the item'"),
    ],
)  # fmt: skip
def test_what_makes_no_article_is_one_named_line(tmp_path, format, record, reason):
    assert one_reason(read(tmp_path, format, record)).startswith(reason)
