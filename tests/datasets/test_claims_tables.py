"""Tables of claims meet spreadsheets: no cell is a formula, and none is changed by the way."""

import csv

import pytest
from hypothesis import given
from hypothesis import strategies as st

from datasets.readers.plain import marked, unmarked
from tests.datasets.importing import import_lines, run
from tests.datasets.reading import read
from tests.datasets.test_round_trips import exported
from tests.factories import make_campaign

FORMULA = '=HYPERLINK("http://x.example","y")'
TEXTS = [FORMULA, "+1 is more.", "-1 is less.", "@here is nobody.", "＝1", "'=1", "''@a", "' =1"]
PLAIN = ["It's long.", "'Tis long.", "1 = 1", "", "'", "''"]


@pytest.mark.parametrize("text", TEXTS)
def test_a_cell_that_spreadsheets_would_run_stands_behind_an_apostrophe(text):
    assert marked(text) == f"'{text}"


@pytest.mark.parametrize("text", PLAIN)
def test_any_other_cell_is_as_it_is(text):
    assert marked(text) == unmarked(text) == text


@given(st.text(alphabet="'=+-@ a\t＝", max_size=6))
def test_every_mark_comes_off_again(text):
    assert unmarked(marked(text)) == text


@pytest.mark.parametrize("name", ["claims.csv", "claims.TSV"])
def test_marks_are_no_part_of_what_a_table_says(tmp_path, name):
    header, row = ("id,claim,topic", "'-7,'=1 is true.,'+x")
    if name.endswith("TSV"):
        header, row = header.replace(",", "\t"), row.replace(",", "\t")

    (claim,) = read(tmp_path, "claims", header, row, name=name)

    assert (claim.external_id, claim.text, claim.record) == ("-7", "=1 is true.", {"topic": "+x"})


def test_apostrophes_in_lines_of_json_stay(tmp_path):
    (claim,) = read(tmp_path, "claims", {"id": 7, "claim": "'=1"})

    assert claim.text == "'=1"


@pytest.mark.django_db
def test_tables_come_back_byte_by_byte(tmp_path):
    campaign, again = (make_campaign(slug=slug, corpus=None) for slug in ("ours", "again"))
    lines = [{"id": f"-{n}", "claim": text, "label": "SUPPORTS", "source": "@a_1",
              "mutated_from": "=2"} for n, text in enumerate([*TEXTS, "It's long."])]  # fmt: skip
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
