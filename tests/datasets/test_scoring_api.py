"""Predictions scored over HTTP."""

import json

import pytest
from django.urls import reverse

from datasets.api.records import MOST_RECORDS
from operations.models import Job
from tests.datasets.scoring import (
    TASKS,
    S,
    made_score,
    make_score,
    run_next_job,
    score_by_command,
    told,
    verdict,
)
from tests.factories import make_campaign, make_user

GOLD, TOLD = TASKS["fever"]


@pytest.fixture
def mia(db, sign_in):
    make_campaign(manager=make_user(username="mia"))
    return sign_in("mia")


def mia_herself():
    return make_user(username="mia")


def send(client, task="fever", **parts):
    gold, predictions = TASKS.get(task, TASKS["fever"])
    body = {"task": task, "gold": gold, "predictions": predictions, **parts}
    return client.post(reverse("api:scores"), body, content_type="application/json")


def score(client, task="fever", **parts):
    """Send, let the job run, the answer about it."""
    key = send(client, task, **parts).json()["key"]
    run_next_job()
    return client.get(reverse("api:score", args=[key])).json()


def claims(client, key, **query):
    return client.get(reverse("api:score-claims", args=[key]), query)


@pytest.mark.parametrize("task", TASKS)
def test_every_task_is_scored_as_the_command_does(mia, tmp_path, task):
    found = score(mia, task)

    report, lines = score_by_command(tmp_path, task, *TASKS[task])
    assert found["report"] == json.loads(report)
    results = claims(mia, found["job"]["key"]).json()["results"]
    assert results == [json.loads(line) for line in lines.splitlines()]


def test_the_job_is_there_before_the_report(mia):
    answer = send(mia)

    before = mia.get(reverse("api:score", args=[answer.json()["key"]])).json()

    assert answer.status_code == 202
    assert before["report"] is None
    assert before["job"]["state"] == "queued"
    assert claims(mia, answer.json()["key"]).status_code == 404


def test_options_are_those_of_the_command(mia):
    pieces = [["Brno", line] for line in range(5)] + [["Prague", 0]]
    predictions = [told(1, S, predicted_evidence=pieces)]

    some = score(mia, gold=GOLD[:1], predictions=predictions)
    every = score(mia, gold=GOLD[:1], predictions=predictions, max_evidence="all")
    six = score(mia, gold=GOLD[:1], predictions=predictions, max_evidence=6)

    assert [one["report"]["strict_score"] for one in (some, every, six)] == [0, 1, 1]


def test_what_the_corpus_lacks_is_named(mia):
    corpus = [{"id": "Brno", "text": "…", "lines": "0\tBrno is a city."}]

    assert score(mia, corpus=corpus)["report"]["not_in_corpus_ids"] == ["Prague 0"]


def test_claims_come_in_pages(mia):
    job = made_score(by=mia_herself())

    page = claims(mia, job.key, page=2, page_size=1).json()

    assert page["count"] == 3
    assert [claim["id"] for claim in page["results"]] == ["2"]
    assert "page=3" in page["next"]


def test_claims_of_one_cell_can_be_asked_for(mia):
    job = made_score(by=mia_herself(), task="scifact")

    cell = claims(mia, job.key, gold="NOT_ENOUGH_INFO", predicted="CONTRADICT").json()

    assert [(claim["id"], claim["abstract"]) for claim in cell["results"]] == [("2", "11")]
    assert claims(mia, job.key, gold="CONTRADICT", predicted="SUPPORT").status_code == 404


def test_a_broken_record_is_named_by_its_line(mia):
    found = score(mia, predictions=[TOLD[0], {"id": 2}])

    assert found["report"] is None
    assert found["job"]["state"] == "failed"
    assert found["job"]["error"] == (
        'predictions.jsonl:2:1: there is no predicted_label: {"id": 2}'
    )


REFUSED = {
    "no task": ({"task": "luck"}, "task"),
    "no gold": ({"gold": []}, "gold"),
    "no list": ({"predictions": {"id": 1}}, "predictions"),
    "no object": ({"gold": [1]}, "gold"),
    "cells": ({"max_cells": "5"}, "max_cells"),
    "no number": ({"max_evidence": "some"}, "max_evidence"),
    "corpus": ({"task": "ambifc", "corpus": [{"id": 1}]}, "corpus"),
    "match": ({"match": "luck"}, "match"),
}


@pytest.mark.parametrize(("parts", "field"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_used_is_named_by_its_field(mia, parts, field):
    answer = send(mia, **parts)

    assert answer.status_code == 400
    assert list(answer.json()) == [field]
    assert not Job.objects.exists()


def test_more_records_than_one_request_may_have_are_refused(mia):
    answer = send(mia, predictions=[{"id": n} for n in range(MOST_RECORDS + 1)])

    assert answer.status_code == 400
    assert "no more than 20000" in str(answer.json()["predictions"])


def test_half_characters_do_not_break_an_answer(mia):
    found = score(mia, gold=[verdict("a\ud83c", S)])

    assert found["report"]["missing_ids"] == ["a\ufffd"]
    assert claims(mia, found["job"]["key"]).json()["results"][0]["id"] == "a\ufffd"


def test_who_manages_nothing_may_not_ask(sign_in):
    eve = sign_in("eve")

    assert send(eve).status_code == 404
    assert not Job.objects.exists()


def test_others_do_not_see_a_score(mia, sign_in):
    job = made_score(by=mia_herself())
    make_campaign(slug="autumn", manager=make_user(username="noa"))
    noa = sign_in("noa")

    assert noa.get(reverse("api:score", args=[job.key])).status_code == 404
    assert claims(noa, job.key).status_code == 404


def test_a_check_of_splits_is_no_score(mia):
    job = make_score(by=mia_herself())

    assert mia.get(reverse("api:split-check", args=[job.key])).status_code == 404
