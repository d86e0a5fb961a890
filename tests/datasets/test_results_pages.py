"""The results of a release on its page and over the API; managers only."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from datasets.models import ReleaseResult
from datasets.results.claims import released_claims
from operations.jobs import claim_next_job, run_job
from operations.models import Job
from tests.datasets.releasing import make_labelled_campaign, make_release
from tests.datasets.results import (
    NEI,
    R,
    S,
    file_of,
    lines_for,
    make_predictions,
    make_searchable,
)
from tests.datasets.test_results import SPLIT
from tests.factories import make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def release():
    make_user(username="manager-of-spring")
    return make_release(make_searchable()[0], split=SPLIT, seed=5)


@pytest.fixture
def mia(release, sign_in):
    return sign_in("manager-of-spring")


def page(release):
    return reverse("datasets:release", args=[release.pk])


def start(client, release, **data):
    address = reverse("datasets:baselines", args=[release.pk])
    return client.post(address, {"seed": 3, **data}, follow=True).content.decode()


def send(client, release, lines, **data):
    address = reverse("datasets:predictions", args=[release.pk])
    asked = {"name": "XLM-R", "split": "test", "file": file_of(lines), **data}
    return client.post(address, asked, follow=True).content.decode()


def test_baselines_are_started_watched_and_shown(release, mia):
    waiting = start(mia, release)
    card = mia.get(reverse("datasets:baselines", args=[release.pk]), headers={"HX-Request": "true"})
    run_job(claim_next_job(worker="test"))
    html = mia.get(page(release)).content.decode()

    assert "It waits for its turn." in waiting
    assert "hx-get" in card.content.decode()
    assert "Keyword search, then the linear model" in html
    assert "The commonest label" in html
    assert "Both, by rank fusion" in html
    assert "nothing newer than its source was looked at" in html


def test_why_there_is_nothing_is_said_on_the_page(mia, release):
    bare = make_release(release.campaign, "1.1.0")
    start(mia, bare)
    run_job(claim_next_job(worker="test"))

    html = mia.get(page(bare)).content.decode()

    assert "has not all three" in html.replace("\n", " ")
    assert "Semantic search" in html


def test_a_mistake_is_told_in_the_form(release, mia):
    html = send(mia, release, ["{broken\n"])
    again = start(mia, release, seed=-1)

    assert "mine.jsonl:1:2: no JSON" in html
    assert "greater than or equal to 0" in again
    assert not ReleaseResult.objects.exists()


def test_a_waiting_run_can_be_cancelled(release, mia):
    start(mia, release)

    led = mia.post(reverse("datasets:cancel-baselines", args=[release.pk]))

    assert Job.objects.get().state == Job.State.CANCELLED
    assert led["Location"] == f"{page(release)}#baselines-job"


def test_predictions_stand_in_the_table_and_lead_to_their_claims(release, mia):
    claims = released_claims(release).splits["test"]
    wrong = next(claim for claim in claims if claim.label == S)

    html = send(mia, release, lines_for(claims, **{f"c{wrong.number}": R}))
    result = ReleaseResult.objects.get()
    cell = reverse("datasets:result-claims", args=[result.pk, "predictions"])
    behind = mia.get(cell, {"gold": S, "predicted": R}).content.decode()

    assert f"{cell}?gold=SUPPORTS&amp;predicted=REFUTES" in html
    assert wrong.text in behind
    assert f"{wrong.number}</strong>" in behind
    assert "1 claim" in behind
    assert "XLM-R" in mia.get(page(release)).content.decode()
    assert mia.get(cell, {"gold": NEI, "predicted": "x"}).status_code == 404


def test_claims_of_baselines_can_be_reached(release, mia):
    start(mia, release)
    run_job(claim_next_job(worker="test"))
    result = ReleaseResult.objects.get()

    for matrix, found in result.confusions.items():
        first = found["cells"][0]
        where = {"gold": first["gold"], "predicted": first["predicted"]}
        html = mia.get(reverse("datasets:result-claims", args=[result.pk, matrix]), where)
        assert f"<strong>{first['claims'][0]}</strong>" in html.content.decode()


def test_without_the_files_of_the_release_claims_are_named(release, mia):
    result = make_predictions(release)
    (release.folder / "data/ctkfacts/test.jsonl").unlink()
    first = result.confusions["predictions"]["cells"][0]
    where = {"gold": first["gold"], "predicted": first["predicted"]}

    html = mia.get(reverse("datasets:result-claims", args=[result.pk, "predictions"]), where)

    assert "are not on this server" in html.content.decode()
    assert first["claims"][0] in html.content.decode()


def test_a_model_is_removed_on_its_page_and_baselines_are_not(release, mia):
    start(mia, release)
    run_job(claim_next_job(worker="test"))
    model = make_predictions(release)
    baselines = ReleaseResult.objects.baselines().get()

    removed = mia.post(reverse("datasets:remove-result", args=[model.pk]))
    kept = mia.post(reverse("datasets:remove-result", args=[baselines.pk]))

    assert (removed.status_code, kept.status_code) == (302, 404)
    assert list(ReleaseResult.objects.all()) == [baselines]


def test_others_see_nothing(release, sign_in):
    result = make_predictions(release)
    make_labelled_campaign(slug="autumn", n=1)
    other = sign_in("manager-of-autumn")

    assert other.get(reverse("datasets:result", args=[result.pk])).status_code == 404
    assert other.post(reverse("datasets:baselines", args=[release.pk])).status_code == 404
    assert other.get(reverse("api:release-results", args=[release.pk])).status_code == 404


def test_the_page_costs_the_same_with_more_models(release, mia):
    def queries():
        with CaptureQueriesContext(connection) as seen:
            mia.get(page(release))
        return len(seen)

    make_predictions(release, "one")
    queries()
    few = queries()
    for name in ("two", "three", "four"):
        make_predictions(release, name)

    assert queries() == few


def test_over_the_api_baselines_are_started_and_listed(release, mia):
    address = reverse("api:release-results", args=[release.pk])

    job = mia.post(address, {"seed": 3}, content_type="application/json")
    run_job(claim_next_job(worker="test"))
    (listed,) = mia.get(address).json()["results"]
    detail = mia.get(listed["url"]).json()

    assert job.status_code == 202
    assert (listed["kind"], listed["seed"]) == ("baselines", 3)
    assert "confusions" not in listed
    assert detail["figures"] == ReleaseResult.objects.get().figures
    assert set(detail["confusions"]) >= {"claim_only", "keyword"}


def test_over_the_api_predictions_are_scored(release, mia):
    address = reverse("api:release-predictions", args=[release.pk])
    records = lines_for(released_claims(release).splits["test"])

    right = mia.post(
        address, {"name": "right", "records": records}, content_type="application/json"
    )
    short = mia.post(
        address, {"name": "short", "records": records[1:]}, content_type="application/json"
    )

    assert right.status_code == 201
    assert right.json()["figures"]["ctkfacts"]["nse"]["accuracy"] == 1
    assert short.status_code == 400
    assert "has no prediction" in json.dumps(short.json())


def command(*arguments, **options):
    out = StringIO()
    call_command("baselines", *arguments, stdout=out, stderr=StringIO(), **options)
    return out.getvalue()


def test_the_command_measures_and_prints_the_same_again(release):
    first = command("spring", "1.0.0", seed=3, json=True)
    again = command("spring", "1.0.0", seed=3, json=True)
    table = command("spring", "1.0.0", seed=3)

    result = ReleaseResult.objects.get()
    assert json.loads(first)["figures"] == result.figures
    assert first == again
    assert "Keyword search, test" in table
    assert "Linear model, claim alone" in table


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("spring", "2.0.0"), "no release '2.0.0'"),
        (("summer", "1.0.0"), "no campaign 'summer'"),
    ],
)
def test_what_is_not_there_is_one_line(release, arguments, message):
    with pytest.raises(CommandError, match=message):
        command(*arguments)
