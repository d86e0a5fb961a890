"""What every call of the HTTP API shares: its document, what it takes, how it says no."""

import json

import pytest
from django.core.management import call_command
from django.test import Client

from accounts.tokens import issue_token
from config import parsing
from tests.factories import make_campaign, make_corpus

pytestmark = pytest.mark.django_db
SCHEMA = "/api/v1/schema/?format=json"
IMPORTS = "/api/v1/corpora/agency/imports/"


@pytest.fixture
def manager():
    return make_campaign(slug="spring", corpus=make_corpus()).memberships.get(role="manager").user


def send(client, body, **headers):
    return client.post(IMPORTS, body, content_type="application/json", headers=headers)


def operations(document):
    return [
        (f"{method} {path}", operation)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    ]


def test_the_document_is_valid_and_complete(tmp_path):
    file = tmp_path / "openapi.yml"

    call_command("spectacular", "--validate", "--fail-on-warn", file=str(file))

    assert "/api/v1/corpora/{slug}/articles/{external_id}/" in file.read_text()


def test_anybody_reads_the_document(client):
    document = client.get(SCHEMA).json()

    assert document["info"]["title"] == "Claimwright"
    assert {"token", "cookieAuth"} <= set(document["components"]["securitySchemes"])


def test_every_call_is_described_with_its_refusals(client):
    for name, operation in operations(client.get(SCHEMA).json()):
        assert operation["description"], name
        assert {"400", "401", "403", "404", "429"} <= set(operation["responses"]), name


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"{", "no JSON that can be read"),
        (b'{"articles": NaN}', "NaN is no JSON"),
        (b'{"articles": [], "articles": []}', "stands twice"),
        (b'{"articles": "\xff"}', "not UTF-8; byte 14"),
        (b"[" * 100_000, "nested too deeply"),
    ],
)
def test_a_request_that_is_no_plain_json_is_refused(sign_in, manager, body, reason):
    response = send(sign_in(manager), body)

    assert response.status_code == 400
    assert reason in response.json()["detail"]


def test_a_request_that_is_too_large_is_refused(sign_in, manager, monkeypatch):
    monkeypatch.setattr(parsing, "MOST_BYTES", 100)

    response = send(sign_in(manager), json.dumps({"articles": [{"id": "a" * 200}]}))

    assert response.status_code == 413
    assert "too_large" not in response.json()["detail"]


def test_a_request_of_another_kind_is_refused(sign_in, manager):
    response = sign_in(manager).post(IMPORTS, {"articles": "1"})

    assert response.status_code == 415
    assert list(response.json()) == ["detail"]


def test_what_is_not_there_and_what_is_not_open_are_told_alike(sign_in, manager):
    hidden = sign_in("eve").get("/api/v1/campaigns/spring/")
    missing = sign_in("eve").get("/api/v1/campaigns/autumn/")
    nowhere = sign_in("eve").get("/api/v1/nothing/")

    assert hidden.status_code == missing.status_code == nowhere.status_code == 404
    assert hidden.json() == missing.json() == nowhere.json()


def test_a_browser_session_needs_its_csrf_token_and_an_api_token_does_not(manager):
    body = json.dumps({"articles": [{"id": "a", "published_at": "2022-05-14", "text": "Rain."}]})
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(manager)
    _, secret = issue_token(user=manager, name="t", scopes=["import"], days=1)

    assert send(browser, body).status_code == 403
    program = Client(enforce_csrf_checks=True)
    assert send(program, body, Authorization=f"Bearer {secret}").status_code == 202
