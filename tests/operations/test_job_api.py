import pytest

from accounts.tokens import issue_token
from operations.jobs import queue_job

pytestmark = pytest.mark.django_db


def ask(client, user, path="/api/v1/jobs/"):
    _, secret = issue_token(user=user, name="laptop", scopes=["read"], days=1)
    return client.get(path, headers={"Authorization": f"Bearer {secret}"})


def test_a_client_follows_the_job_that_its_person_started(client, ada):
    job = queue_job(kind="probe", key="1", by=ada)

    answer = ask(client, ada, f"/api/v1/jobs/{job.pk}/").json()

    assert (answer["kind"], answer["state"]) == ("probe", "queued")


def test_a_client_sees_no_job_of_others(client, ada, eve):
    job = queue_job(kind="probe", key="1", by=ada)

    assert ask(client, eve).json()["results"] == []
    assert ask(client, eve, f"/api/v1/jobs/{job.pk}/").status_code == 404


def test_a_client_may_ask_for_more_rows_at_once(client, ada):
    for number in range(3):
        queue_job(kind="probe", key=str(number), by=ada)

    assert len(ask(client, ada, "/api/v1/jobs/?page_size=2").json()["results"]) == 2


def test_signed_out_it_is_401(client):
    assert client.get("/api/v1/jobs/").status_code == 401


def test_over_the_rate_it_is_429(client, ada, monkeypatch):
    monkeypatch.setattr("rest_framework.throttling.UserRateThrottle.rate", "2/min", raising=False)

    statuses = [ask(client, ada).status_code for _ in range(3)]

    assert statuses == [200, 200, 429]
