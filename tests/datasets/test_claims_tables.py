"""Tables of claims meet spreadsheets: no cell is a formula, and none is changed by the way."""

import csv
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.spreadsheets import marked, unmarked
from corpus.readers.files import Lines
from datasets.files import records_of_file
from datasets.readers.lines import records_of
from datasets.writers import claims
from tests.datasets.importing import import_lines, run
from tests.datasets.reading import read, write_lines
from tests.datasets.test_round_trips import exported
from tests.factories import make_campaign

FORMULA = '=HYPERLINK("http://x.example","y")'
TEXTS = [FORMULA, "+1 is more.", "-1 is less.", "@here is nobody.", "＝1", "'=1", "''@a", "' =1"]
PLAIN = ["It's long.", "'Tis long.", "1 = 1", "", "'", "''", "'@alice' tweeted x", "'-1' isn't",
         "''+1'' of these"]  # fmt: skip
# Texts that spreadsheets would run, and how they stand in a table where apostrophes follow.
QUOTING = {"@alice isn't here": "''@alice isn't here", "=A('b')": "''=A('b')",
           "=''": "'''=''", "''=1's": "'''=1's"}  # fmt: skip
CELLS = st.text(alphabet="'=+-@ a\t＝", max_size=8)


@pytest.mark.parametrize("text", TEXTS)
def test_a_cell_that_spreadsheets_would_run_stands_behind_an_apostrophe(text):
    assert marked(text) == f"'{text}"


@pytest.mark.parametrize("text", PLAIN)
def test_any_other_cell_is_as_it_is(text):
    assert marked(text) == unmarked(text) == text


@pytest.mark.parametrize(("text", "cell"), QUOTING.items())
def test_a_mark_is_told_from_the_apostrophes_behind_it(text, cell):
    assert (marked(text), unmarked(cell)) == (cell, text)


@given(CELLS | st.text())
def test_every_mark_comes_off_again(text):
    assert unmarked(marked(text)) == text
    assert not marked(text).lstrip(" ").startswith(tuple("=+-@\t\r\n＝＋－＠"))


@given(CELLS | st.text())
def test_what_is_no_cell_of_ours_with_a_mark_stays_as_it_is(cell):
    assert unmarked(cell) == cell or marked(unmarked(cell)) == cell


@given(st.lists(CELLS.filter(bool), min_size=1, max_size=4))
def test_rows_that_are_written_are_read_as_they_were(texts):
    names = [str(n) for n in range(len(texts) + 1)]
    table = "\n".join(map(claims.row_of, [names, ["7", *map(marked, texts)]])) + "\n"

    (row,) = records_of(Lines(io.BytesIO(table.encode())), Path("claims.csv"), "claims.csv")

    assert list(row.values.values()) == ["7", *texts]


@pytest.mark.parametrize("name", ["claims.csv", "claims.TSV"])
def test_marks_are_no_part_of_what_a_table_says(tmp_path, name):
    header, row = ("id,claim,topic", "'-7,'=1 is true.,'+x")
    if name.endswith("TSV"):
        header, row = header.replace(",", "\t"), row.replace(",", "\t")

    (claim,) = read(tmp_path, "claims", header, row, name=name)

    assert (claim.external_id, claim.text, claim.record) == ("-7", "=1 is true.", {"topic": "+x"})


def test_quotations_in_tables_of_others_stay(tmp_path):
    (claim,) = read(tmp_path, "claims", "id,claim", "7,'@alice' tweeted x", name="claims.csv")

    assert claim.text == "'@alice' tweeted x"


def test_a_table_of_ours_leaks_into_the_same_lines_of_json(tmp_path):
    line = {"id": "-7", "claim": "=1", "label": "SUPPORTS", "source": "@news_1",
            "mutated_from": "+5"}  # fmt: skip
    table = ["id,claim,label,source,mutated_from", "'-7,'=1,SUPPORTS,'@news_1,'+5"]

    files = write_lines(tmp_path, line), write_lines(tmp_path, *table, name="claims.csv")

    (of_json,), (of_table,) = map(records_of_file, files)
    assert of_table == of_json
    assert (of_table.claim_id, of_table.source_article) == ("-7", "@news")


def test_apostrophes_in_lines_of_json_stay(tmp_path):
    (claim,) = read(tmp_path, "claims", {"id": 7, "claim": "'=1"})

    assert claim.text == "'=1"


@pytest.mark.django_db
def test_tables_come_back_byte_by_byte(tmp_path):
    campaign, again = (make_campaign(slug=slug, corpus=None) for slug in ("ours", "again"))
    texts = [*TEXTS, "It's long.", *PLAIN[-3:], *QUOTING]
    lines = [{"id": f"-{n}", "claim": text, "label": "SUPPORTS", "source": "@a_1",
              "mutated_from": "=2"} for n, text in enumerate(texts)]  # fmt: skip
    import_lines(tmp_path, campaign, *lines, format="claims", language="en")
    first = exported(campaign, tmp_path / "first", "claims_csv")

    run(again, first, format="claims", language="en")

    with first.open(newline="") as file:
        rows = list(csv.reader(file))[1:]
    assert rows[0] == ["'-0", f"'{FORMULA}", "SUPPORTS", "'@a_1", "'=2"]
    assert [claim.text for claim in again.claims.order_by("number")] == [
        each["claim"] for each in lines
    ]
    assert exported(again, tmp_path / "second", "claims_csv").read_bytes() == first.read_bytes()
