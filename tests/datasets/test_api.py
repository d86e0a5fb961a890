"""Exports over HTTP: started, watched, downloaded; the same bytes as by page and command."""

import json
from hashlib import sha256

import pytest

from accounts.tokens import issue_token
from datasets.models import Export
from operations.worker import run_due_jobs
from tests.annotation.pages import count_queries
from tests.datasets.builders import labelled, make_export
from tests.factories import make_campaign, make_corpus, make_member, make_user, make_wave

pytestmark = pytest.mark.django_db
EXPORTS = "/api/v1/campaigns/spring/exports/"
MANAGER = "manager-of-spring"


@pytest.fixture
def wave():
    return make_wave(make_campaign(slug="spring", corpus=make_corpus()))


def start(client, path=EXPORTS, **options):
    body = {"format": "fever", **options}
    return client.post(path, body, content_type="application/json")


def body_of(response):
    assert response.status_code == 200
    return b"".join(response.streaming_content)


def test_an_export_is_started_and_its_files_are_downloaded(sign_in, wave):
    labelled(wave, "SUPPORTS")
    labelled(wave, "REFUTES", "REFUTES")
    client = sign_in(MANAGER)

    started = start(client)
    run_due_jobs()
    done = client.get(started.json()["url"]).json()

    assert started.status_code == 202
    assert (started.json()["files"], started.json()["manifest"]) == ([], None)
    assert (done["job"]["state"], done["counts"]["lines"]) == ("done", 2)
    (file,) = done["files"]
    lines = body_of(client.get(file["url"]))
    assert sha256(lines).hexdigest() == file["sha256"]
    assert [json.loads(line)["label"] for line in lines.splitlines()] == ["SUPPORTS", "REFUTES"]
    assert json.loads(body_of(client.get(done["manifest"])))["files"][0]["name"] == file["name"]


def test_all_options_of_the_command_are_taken(sign_in, wave):
    options = {
        "format": "nli",
        "waves": ["First wave"],
        "own": "vote",
        "conditional": "drop",
        "ties": "soft",
        "evidence": "ids",
        "per": "claim",
        "split": "train=0.8,dev=0.1,test=0.1",
        "oversized": "cut",
        "seed": 7,
    }

    kept = start(sign_in(MANAGER), **options).json()["options"]

    assert {name: kept[name] for name in options} == options


def test_the_same_export_twice_is_one_while_it_runs(sign_in, wave):
    first = start(sign_in(MANAGER)).json()["id"]

    assert start(sign_in(MANAGER)).json()["id"] == first
    assert start(sign_in(MANAGER), seed=1).json()["id"] != first


@pytest.mark.parametrize(
    ("options", "field", "reason"),
    [
        ({"format": "xml"}, "format", "is not a valid choice"),
        ({"waves": ["Third"]}, "detail", "There is no wave “Third”"),
        ({"evidence": "text"}, "detail", "names evidence by ids"),
        ({"format": "nli", "evidence": "text"}, "detail", "may not be published"),
        ({"split": "train=2.5"}, "detail", "give all as fractions"),
        ({"split": "train=0.5,dev=10"}, "detail", "give all as fractions"),
        ({"split": "train=nan"}, "detail", "give all as fractions"),
        ({"split": "../a=0.5,b=0.5"}, "detail", "cannot name a file"),
        ({"balanced": ["dev"]}, "detail", "Balanced splits need splits"),
        ({"seed": 2**31}, "seed", "2147483647"),
        ({"waves": "First wave"}, "waves", "Expected a list"),
        ({"waves": [{}]}, "waves", "Not a valid string"),
    ],
)
def test_options_that_do_not_fit_are_refused_with_the_reason(sign_in, wave, options, field, reason):
    response = start(sign_in(MANAGER), **options)

    assert response.status_code == 400
    assert reason in str(response.json()[field])
    assert not Export.objects.exists()


def test_a_file_that_is_none_of_the_export_is_not_found(sign_in, wave):
    export = make_export(wave.campaign)

    for name in ["other.jsonl", "..%2Fmanifest.json", "%2Fetc%2Fpasswd", "%00"]:
        path = f"/api/v1/exports/{export.pk}/files/{name}"
        assert sign_in(MANAGER).get(path).status_code == 404


def test_only_managers_export(sign_in, wave):
    make_member(wave.campaign, "cyn", role="curator")
    make_campaign(slug="autumn", manager=make_user(username="mia"))
    url = f"/api/v1/exports/{make_export(wave.campaign).pk}/"

    for name in ["cyn", "eve", "mia"]:
        client = sign_in(name)
        assert start(client).status_code == 404
        for path in [EXPORTS, url, f"{url}files/manifest.json"]:
            assert client.get(path).status_code == 404


def test_a_token_needs_the_scope_to_export(client, wave):
    manager = wave.campaign.memberships.get(role="manager").user
    url = f"/api/v1/exports/{make_export(wave.campaign).pk}/files/manifest.json"

    def statuses(scope):
        _, secret = issue_token(user=manager, name=scope, scopes=[scope], days=1)
        headers = {"Authorization": f"Bearer {secret}"}
        posted = client.post(EXPORTS, {"format": "fever"}, "application/json", headers=headers)
        return [posted.status_code, client.get(url, headers=headers).status_code]

    assert statuses("read") == [403, 403]
    assert statuses("export") == [202, 200]


def test_exports_are_listed_newest_first_by_a_constant_number_of_queries(sign_in, wave):
    make_export(wave.campaign)
    few = count_queries(sign_in(MANAGER), EXPORTS)
    for seed in range(1, 4):
        make_export(wave.campaign, seed=seed)

    listed = sign_in(MANAGER).get(EXPORTS).json()["results"]

    assert [row["options"]["seed"] for row in listed] == [3, 2, 1, 0]
    assert count_queries(sign_in(MANAGER), EXPORTS) == few
