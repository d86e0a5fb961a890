"""Files and choices that cannot be scored: one clear line, and nothing stays."""

import lzma

import pytest
from django.core.files.base import ContentFile

from datasets import kept, scoring
from operations.models import Job
from tests.datasets.scoring import TASKS, S, as_lines, files, passage, scored, upload, verdict
from tests.factories import make_campaign, make_user

GOLD, TOLD = TASKS["fever"]


@pytest.fixture
def mia(db, sign_in):
    make_campaign(manager=make_user(username="mia"))
    return sign_in("mia")


BROKEN = {
    "no JSON": (b'{"id": 1, "label": \n', "gold.jsonl:1:20: no JSON"),
    "no object": (b"[1]", "gold.jsonl:1:1: the array holds what is no object"),
    "no label": (b'{"id": 1, "evidence": []}', "gold.jsonl:1:1: there is no label"),
    "not UTF-8": ('{"id": 1, "label": "\xe1"}'.encode("latin-1"), "save the file as UTF-8"),
    "damaged": (b"\x1f\x8b\x08\x00garbage", "damaged or cut short"),
    "a ZIP": (b"PK\x03\x04", "a ZIP archive"),
    "an id twice": (as_lines([GOLD[0]] * 2 + GOLD[1:]), "1 line with an id that stands before: 1"),
    "blank": (b"\n\n", "There are no gold claims to score."),
}


@pytest.mark.parametrize(("gold", "reason"), BROKEN.values(), ids=BROKEN)
def test_a_broken_file_is_named_in_one_line_and_nothing_stays(mia, gold, reason):
    html = scored(mia, **files(gold, TOLD)).content.decode()
    kept.sweep(scoring.JOB)

    job = Job.objects.get()
    assert job.state == Job.State.FAILED
    assert reason in job.error
    assert "\n" not in job.error
    assert reason.replace('"', "&quot;") in html
    assert not kept.folder_of(scoring.JOB, job.key).exists()


def test_a_broken_prediction_is_named_with_column_and_excerpt(mia):
    predictions = as_lines(TOLD[:1]) + b'{"id": 2, "predicted_label": 3}\n'

    scored(mia, **files(GOLD, predictions))

    assert Job.objects.get().error == (
        'predictions.jsonl:2:11: predicted_label is 3; use a text: {"id": 2, "predicted_label": 3}'
    )


def test_a_broken_corpus_is_named(mia):
    scored(mia, **files(GOLD, TOLD, corpus=b'{"id": 3}\n'))

    assert Job.objects.get().error.startswith("corpus.jsonl:1:1: there is no lines")


def test_ids_with_half_characters_do_not_break_the_reason(mia):
    gold = [verdict("a\ud83c", S), verdict("a\ud83c", S), verdict("b", S)]

    scored(mia, **files(gold, TOLD))

    assert "a? (lines 1 and 2)" in Job.objects.get().error


def test_a_long_id_is_not_echoed_whole(mia):
    scored(mia, **files([*[verdict("x" * 1500, S)] * 2, *GOLD], TOLD))

    error = Job.objects.get().error
    assert f"{'x' * 40}… (lines 1 and 2); keep one line for each." in error
    assert "x" * 41 not in error


def test_too_many_labels_are_no_labels(mia):
    gold = [verdict(n, f"label {n}") for n in range(scoring.MOST_LABELS + 1)]

    scored(mia, **files(gold, TOLD))

    assert "different labels, such as" in Job.objects.get().error


def test_a_label_that_is_a_text_is_refused(mia):
    scored(mia, **files([verdict(1, "x" * 201)], TOLD))

    assert "A label is very long: “XXX" in Job.objects.get().error


def test_a_file_of_too_many_claims_is_left_to_the_command(mia, monkeypatch):
    monkeypatch.setattr(scoring, "MOST_CLAIMS", 1000)
    gold = [verdict(n, S) for n in range(1001)]

    scored(mia, **files(gold, TOLD))

    assert Job.objects.get().error.startswith("gold.jsonl has more than 1000 claims")


def test_a_file_that_is_too_large_is_not_kept(mia, monkeypatch):
    monkeypatch.setattr(kept, "MOST_BYTES", 10)

    html = upload(mia, **files(GOLD, TOLD)).content.decode()

    assert "gold.jsonl is larger than 0 MB" in html
    assert not Job.objects.exists()


@pytest.mark.parametrize(
    ("part", "limit", "reason"),
    [
        ("gold", "MOST_UNPACKED", "The files have more than 1 MB together once they are unpacked"),
        ("predictions", "MOST_UNPACKED", "The files have more than 1 MB together"),
        ("corpus", "MOST_BYTES", "The file has more than 1 MB once it is unpacked"),
    ],
)
def test_a_small_file_that_unpacks_to_a_large_one_is_refused(mia, monkeypatch, part, limit, reason):
    monkeypatch.setattr(kept, limit, 1_000_000)
    bomb = ContentFile(lzma.compress(b" " * 1_000_001), "bomb.jsonl.xz")

    scored(mia, **{**files(GOLD, TOLD), part: bomb})

    assert reason in Job.objects.get().error


WRONG_CHOICES = {
    "cells": ("fever", {"max_cells": "5"}, "This does not belong to the task fever"),
    "no number": ("fever", {"max_evidence": "-1"}, "“-1” is no number of items"),
    "none": ("fever", {"max_evidence": "0"}, "“0” is no number of items"),
    "corpus": ("ambifc", {"corpus": ContentFile(b"{}", "c.jsonl")}, "belong to the task ambifc"),
    "match": ("fever", {"match": "luck"}, "not one of the available choices"),
}


@pytest.mark.parametrize(("task", "chosen", "reason"), WRONG_CHOICES.values(), ids=WRONG_CHOICES)
def test_what_does_not_belong_to_a_task_is_said_beside_it(mia, task, chosen, reason):
    html = upload(mia, task, **{**files(*TASKS[task]), **chosen}).content.decode()

    assert reason in html
    assert not Job.objects.exists()


def test_two_files_of_one_name_are_told_apart(mia):
    gold, predictions = (ContentFile(as_lines(each), "dev.jsonl") for each in (GOLD, [{"id": 1}]))

    scored(mia, gold=gold, predictions=predictions)

    assert Job.objects.get().error.startswith("predictions-dev.jsonl:1:1: there is no predicted")


def test_an_instance_without_a_prediction_is_refused_in_ambifc(mia):
    gold = [passage("a", "neutral"), passage("b", "neutral")]

    scored(mia, "ambifc", **files(gold, TASKS["ambifc"][1][:1]))

    assert "1 instance without a prediction" in Job.objects.get().error
