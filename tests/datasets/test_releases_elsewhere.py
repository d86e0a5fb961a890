"""Releases outside of this server: read by other programs, rebuilt on another database."""

import json

import mlcroissant
import pandas
import pytest

from tests.datasets.releasing import make_labelled_campaign, make_release

SPLIT = "train=0.5,dev=0.25,test=0.25"
MAKE = f"""
from tests.datasets.releasing import make_labelled_campaign, make_release
campaign, _ = make_labelled_campaign()
make_release(campaign, split="{SPLIT}", formats=("fever", "nli", "raw"), seed=5, ties="soft")
"""


@pytest.fixture
def release(db):
    campaign, _ = make_labelled_campaign()
    texts = {"licence": "CC BY-SA 4.0", "description": "Bridges.", "creator": "Bridge Lab",
             "citation": "Ada (2026).", "url": "https://example.org/bridges"}  # fmt: skip
    return make_release(campaign, split=SPLIT, formats=("fever", "nli", "raw"), **texts)


def test_croissant_is_valid_and_its_records_are_read(release):
    dataset = mlcroissant.Dataset(jsonld=str(release.folder / "croissant.json"))

    assert not dataset.metadata.issues.errors
    assert not dataset.metadata.issues.warnings
    assert len(dataset.metadata.record_sets) == 10
    records = list(dataset.records(record_set="data/ctkfacts/train"))
    lines = pandas.read_json(release.folder / "data/ctkfacts/train.jsonl", lines=True)
    ids = [record["data/ctkfacts/train/id"] for record in records]
    assert ids == lines["id"].tolist()


def test_pandas_reads_every_file_as_it_is(release):
    for file in release.contents["files"]:
        frame = pandas.read_json(release.folder / file["name"], lines=True)
        assert len(frame) == file["lines"]
    train = pandas.read_json(release.folder / "data/ctkfacts/train.jsonl", lines=True)
    assert set(train["label"]) <= {"SUPPORTS", "REFUTES", "NOT ENOUGH INFO"}


@pytest.mark.processes
@pytest.mark.xdist_group("processes")
def test_a_release_comes_out_the_same_after_a_move_to_another_database(sites, tmp_path):
    old, new = sites
    old.python(MAKE)
    old.manage("backup", str(tmp_path / "backup"))
    new.manage("restore", str(tmp_path / "backup"))

    here, there = (
        json.loads(site.manage("make_release", "spring", "1.0.0", "--check", "--json").stdout)
        for site in sites
    )

    assert here == there == {"rebuilt": [], "kept": []}
