from datetime import timedelta

import pytest
from django.db.models.functions import Now

from operations import health as health_module
from operations.heartbeat import beat
from operations.models import WorkerBeat

pytestmark = pytest.mark.django_db


def test_all_is_well_while_a_worker_lives(client):
    beat("w1")

    response = client.get("/healthz")

    assert response.status_code == 200
    assert response.json() == {"ok": True, "problems": []}


def test_it_says_that_no_worker_lives(client):
    WorkerBeat.objects.create(worker="w1", at=Now() - timedelta(minutes=4))

    response = client.get("/healthz")

    assert response.status_code == 503
    assert "No worker" in response.json()["problems"][0]


def test_a_check_that_breaks_is_a_problem_without_details(client, monkeypatch):
    monkeypatch.setattr(health_module, "check", lambda: 1 / 0)

    response = client.get("/healthz")

    assert response.status_code == 503
    assert "ZeroDivisionError" not in response.text


def test_a_beat_twice_is_one_row():
    beat("w1")
    beat("w1")

    assert WorkerBeat.objects.count() == 1
