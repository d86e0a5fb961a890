"""The manifest: what went in and what came out, the same again from the same data."""

import json
import re

import pytest
from django.db import connection

from annotation.models import Annotation, Assignment
from datasets.exporting import export_to
from datasets.manifest import wave_facts
from datasets.options import ExportOptions
from tests.datasets.builders import labelled, make_item_of
from tests.factories import (
    make_campaign,
    make_claim,
    make_corpus,
    make_participant,
    make_wave,
    submit,
)

pytestmark = pytest.mark.django_db
S, R, N = "SUPPORTS", "REFUTES", "NOT ENOUGH INFO"


@pytest.fixture
def campaign():
    return make_campaign(corpus=make_corpus(licence="CC BY 4.0"))


@pytest.fixture
def wave(campaign):
    return make_wave(campaign)


def manifest(campaign, folder, format="fever", **options):
    export_to(folder, campaign=campaign, options=ExportOptions(format=format, **options))
    return json.loads((folder / "manifest.json").read_text())


def test_it_says_what_was_chosen(campaign, wave, tmp_path):
    labelled(wave, S)

    found = manifest(campaign, tmp_path / "out", own="vote", conditional="drop", seed=7)

    assert found["format"] == "fever"
    assert found["seed"] == 7
    assert found["policies"] == {
        "own": "vote",
        "conditional": "drop",
        "ties": "leave-out",
        "drop_supersets": False,
        "duplicates": "last",
        "surplus": "never",
        "sandbox": "never",
    }
    assert found["settings"]["evidence"] == "ids"
    assert found["campaign"] == {"slug": "spring", "name": "Spring"}
    assert found["corpus"]["licence"] == "CC BY 4.0"
    assert found["corpus"]["publishes_text"] is False


def test_it_says_what_a_line_of_fever_means(campaign, wave, tmp_path):
    found = manifest(campaign, tmp_path / "out")

    assert found["fields"]["lines"] == "ranks"
    assert found["fields"]["page"].startswith("the article")


def test_it_counts_what_went_in(campaign, wave, tmp_path):
    labelled(wave, S, S)
    labelled(wave, N, N, N)
    labelled(wave, S, R)

    found = manifest(campaign, tmp_path / "out")

    assert found["counts"] == {
        "lines": 2,
        "annotations": 7,
        "annotators": 3,
        "labels": {S: 1, R: 0, N: 1},
        "verdicts_without_evidence": 0,
    }


def test_it_names_the_guidelines_that_annotators_had(campaign, tmp_path):
    wave = make_wave(campaign)
    item = make_item_of(make_claim(wave), wave)
    user = make_participant(wave, "ben")
    assignment = Assignment.objects.create(
        user=user, wave=wave, task="T2", item=item, guideline=wave.guideline, shuffle_seed=1,
        given_at="2024-05-01T10:00Z", leased_until="2124-05-01T10:00Z",
    )  # fmt: skip
    submit(assignment)
    labelled(make_wave(campaign, name="Another"), S)

    found = manifest(campaign, tmp_path / "out")

    assert [(each["name"], each["guidelines"]) for each in found["waves"]] == [
        ("Another", []),
        ("First wave", [1]),
    ]


def test_it_holds_no_time_and_is_the_same_again(campaign, wave, tmp_path):
    labelled(wave, S)

    first = manifest(campaign, tmp_path / "first")
    Annotation.objects.update(created_at="2001-01-01T00:00Z")
    second = manifest(campaign, tmp_path / "second")

    assert first == second
    assert not re.search(r"\d\d:\d\d|\d{4}-\d\d-\d\d", json.dumps(first))


def test_it_reports_how_the_splits_came_out(campaign, wave, tmp_path):
    for number in range(20):
        labelled(wave, [S, R][number % 2])

    found = manifest(campaign, tmp_path / "out", split="train=0.8,test=0.2")

    splits = found["splits"]
    assert splits["counts"] == {"train": 16, "test": 4}
    assert splits["labels"]["test"] == {R: 2, S: 2}
    assert set(splits["leaks"].values()) == {0}
    assert splits["shared_evidence_paragraphs"] == {"train, test": 0}
    assert splits["groups"]["oversized"] == []
    assert splits["deviation"] is not None


def test_a_group_too_large_to_split_is_reported(campaign, wave, tmp_path):
    initial = labelled(wave, S)
    for _ in range(5):
        labelled(wave, S, parent=initial, source=initial.source)
    for _ in range(4):
        labelled(wave, S)

    found = manifest(campaign, tmp_path / "out", split="train=0.8,test=0.2")

    (group,) = found["splits"]["groups"]["oversized"]
    assert (group["n_records"], group["split"]) == (6, "train")


def test_guidelines_are_read_once_not_for_each_annotation(wave, django_assert_num_queries):
    item = make_item_of(make_claim(wave), wave)
    for name in ("ana", "ben", "eva"):
        assignment = Assignment.objects.create(
            user=make_participant(wave, name), wave=wave, task="T2", item=item, shuffle_seed=1,
            guideline=wave.guideline, given_at="2024-05-01T10:00Z",
            leased_until="2124-05-01T10:00Z",
        )  # fmt: skip
        submit(assignment)

    with django_assert_num_queries(1) as asked:
        wave_facts([wave])

    with connection.cursor() as cursor:
        cursor.execute(asked.captured_queries[0]["sql"])
        assert len(cursor.fetchall()) == 1
