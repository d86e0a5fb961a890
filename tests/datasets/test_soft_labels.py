"""Shares of labels of claims on which nobody voted: there are none, in any format."""

import csv
import json

import pytest

from annotation.models import WaveItem
from datasets.scorers.ambifc import gold_of
from tests.datasets.builders import label, make_item_of
from tests.datasets.importing import import_lines, line, make_target, run
from tests.datasets.test_export_formats import export, lines_of
from tests.datasets.test_round_trips import exported
from tests.factories import make_campaign, make_wave

pytestmark = pytest.mark.django_db
S, R, N = "SUPPORTS", "REFUTES", "NOT ENOUGH INFO"
LINES = ["fever", "csfever", "ctkfacts", "ctkfacts_fever", "nli", "feverous", "claims"]
READERS = {"claims_csv": "claims", "ctkfacts_fever": "ctkfacts"}


@pytest.fixture
def campaign(tmp_path):
    """A label that a file gave, one that a person gave, and one of an expert alone."""
    campaign = make_target(publishes_text=True)
    import_lines(tmp_path, campaign, line(1, S, ["a_1"]), line(2, S, ["a_1"]), line(3, S, ["a_2"]))
    wave = make_wave(campaign, name="Work")
    label(make_item_of(campaign.claims.get(number=2), wave), "ben", N)
    label(make_item_of(campaign.claims.get(number=3), wave), "cyn", R, kind="adjudication")
    return campaign


@pytest.mark.parametrize("format", LINES)
def test_a_label_of_nobody_who_votes_has_no_shares(campaign, tmp_path, format):
    export(campaign, tmp_path / "out", format, ties="soft")

    told = {each["id"]: (each["label"], each["soft_label"]) for each in lines_of(tmp_path / "out")}
    assert told == {1: (S, None), 2: (N, {S: 0.0, R: 0.0, N: 1.0}), 3: (R, None)}


def test_a_row_has_empty_cells_for_shares_that_nobody_gave(campaign, tmp_path):
    export(campaign, tmp_path / "out", "claims_csv", ties="soft")

    with (tmp_path / "out/all.csv").open(newline="") as file:
        rows = [row[-3:] for row in csv.reader(file)]
    assert rows == [[S, R, N], ["", "", ""], ["0.0", "0.0", "1.0"], ["", "", ""]]


def test_ambifc_leaves_out_and_counts_what_nobody_labelled(campaign, tmp_path):
    manifest = export(campaign, tmp_path / "out", "ambifc")

    (told,) = lines_of(tmp_path / "out")
    assert told["claim_id"] == 2
    assert gold_of(told).counts == [0, 1, 0]
    assert manifest["left_out"]["no_labels"] == 2


def test_shares_that_a_file_states_are_no_labels_of_ambifc(tmp_path):
    campaign = make_target()
    told = {"id": 5, "claim": "It is.", "label": S, "soft_label": {S: 0.75, R: 0.25, N: 0}}
    import_lines(tmp_path, campaign, told, format="claims")

    manifest = export(campaign, tmp_path / "out", "ambifc")

    assert (lines_of(tmp_path / "out"), manifest["left_out"]["no_labels"]) == ([], 1)


@pytest.mark.parametrize("format", [*LINES, "claims_csv"])
def test_labels_without_shares_come_back_byte_by_byte(campaign, tmp_path, format):
    first = exported(campaign, tmp_path / "first", format, ties="soft")
    again = make_campaign(slug="again", corpus=campaign.corpus)

    run(again, first, format=READERS.get(format, format))

    second = exported(again, tmp_path / "second", format, ties="soft")
    assert len(first.read_text().splitlines()) >= 3
    assert second.read_bytes() == first.read_bytes()


def test_no_share_is_no_column_of_hard_labels(campaign, tmp_path):
    assert "soft_label" not in json.loads(
        exported(campaign, tmp_path / "out", "ctkfacts").read_text().splitlines()[0]
    )


@pytest.fixture
def by_passage():
    """What a file of AmbiFC says of a passage, whose workers it does not name."""
    return {
        "claim": "It opened.", "claim_id": 4, "wiki_page": "a", "wiki_section": "Opening",
        "wiki_passage": "a_1", "entity": "Bridge", "section": "", "category": "places",
        "labels": {"method": "gold", "passage": "supporting"}, "passage_annotations": None,
        "sentences": {"0": "The bridge opened in May."}, "sentence_annotations": {},
    }  # fmt: skip


def test_a_line_of_ambifc_that_names_nobody_comes_back_as_its_file_had_it(tmp_path, by_passage):
    campaign = make_target(publishes_text=True)
    import_lines(tmp_path, campaign, by_passage, format="ambifc")

    manifest = export(campaign, tmp_path / "out", "ambifc")

    assert lines_of(tmp_path / "out") == [{**by_passage, "soft_label": None}]
    assert manifest["left_out"]["no_labels"] == 0


@pytest.mark.parametrize("publishes_text", [True, False])
@pytest.mark.parametrize("shares", [{}, {"soft_label": {"supporting": 1.0}}])
def test_such_lines_come_back_byte_by_byte(tmp_path, by_passage, publishes_text, shares):
    campaign = make_target(publishes_text=publishes_text)
    whole = {**by_passage, "claim_id": 5, "wiki_page": "", "wiki_passage": "", "sentences": {}}
    import_lines(tmp_path, campaign, {**by_passage, **shares}, whole, format="ambifc")
    first = exported(campaign, tmp_path / "first", "ambifc")
    again = make_campaign(slug="again", corpus=campaign.corpus)

    run(again, first, format="ambifc")

    assert len(first.read_text().splitlines()) == 2
    assert exported(again, tmp_path / "second", "ambifc").read_bytes() == first.read_bytes()


def test_an_expert_alone_leaves_nothing_of_such_a_line(tmp_path, by_passage):
    campaign = make_target(publishes_text=True)
    import_lines(tmp_path, campaign, by_passage, format="ambifc")
    item = WaveItem.objects.create(
        wave=make_wave(campaign, name="Work"), instance=campaign.claims.get().instances.get(),
        random_key=0.5,
    )  # fmt: skip
    label(item, "cyn", R, kind="adjudication")

    manifest = export(campaign, tmp_path / "out", "ambifc")

    assert (lines_of(tmp_path / "out"), manifest["left_out"]["no_labels"]) == ([], 1)
