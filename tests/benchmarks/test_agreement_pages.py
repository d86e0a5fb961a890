"""The benchmark of the pages of agreement reads what it says, and judges it."""

import json

import pytest

from benchmarks import agreement, agreement_pages, run

pytestmark = pytest.mark.django_db


def test_pages_of_a_full_campaign_are_read_beside_those_of_an_empty_one(monkeypatch):
    monkeypatch.setattr(agreement_pages, "ROUNDS", 1)
    for slug, claims in (("full", 40), ("empty", 0)):
        agreement_pages.fill(slug=slug, claims=claims)
        for kind in ("agreement", "cues"):
            job = agreement_pages.job(slug=slug, kind=kind)

    found = agreement_pages.pages()

    assert job["cpu_s"] > 0
    assert found["pages"]["dashboard"]["full"]["kb"] > found["pages"]["dashboard"]["empty"]["kb"]
    judged = [run.judged("agreement", *row) for row in agreement.of_pages("sqlite", found)]
    assert judged[0]["kept"]
    assert json.loads(json.dumps(judged)) == judged
