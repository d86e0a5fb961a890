"""The HTTP API of campaigns, claims and annotations: who reads what."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts.tokens import issue_token
from annotation.answering import skip_work
from annotation.giving import ask_for_work, close_run_out
from annotation.models import Annotation, Assignment, Wave
from annotation.pseudonyms import pseudonym_of
from tests.annotation.pages import count_queries
from tests.factories import (
    make_campaign,
    make_corpus,
    make_member,
    make_participant,
    make_user,
    make_wave,
    make_work,
    run_out,
    submit,
)

pytestmark = pytest.mark.django_db
CLAIMS = "/api/v1/campaigns/spring/claims/"
ANNOTATIONS = "/api/v1/campaigns/spring/annotations/"


@pytest.fixture
def wave():
    return make_wave(make_campaign(slug="spring", corpus=make_corpus()))


@pytest.fixture
def label(wave):
    make_work(wave)
    ben = make_participant(wave, "ben")
    return submit(ask_for_work(user=ben, wave=wave, task="T2"), "REFUTES")


def numbers(response):
    return [row.get("number", row.get("claim")) for row in response.json()["results"]]


def test_a_manager_reads_all_labels_under_pseudonyms(sign_in, label):
    (row,) = sign_in("manager-of-spring").get(ANNOTATIONS).json()["results"]

    source = label.item.instance.claim.source.public_id
    assert row["label"] == "REFUTES"
    assert row["evidence_sets"] == [{"number": 1, "items": [{"paragraph": source, "unit": ""}]}]
    assert "ben" not in row["annotator"]


def test_an_annotator_reads_only_own_labels_and_claims(sign_in, label, wave):
    make_participant(wave, "dan")
    make_participant(wave, "ada")

    assert numbers(sign_in("ben").get(ANNOTATIONS)) == [1]
    assert numbers(sign_in("dan").get(ANNOTATIONS)) == []
    assert numbers(sign_in("dan").get(CLAIMS)) == []
    assert numbers(sign_in("ada").get(CLAIMS)) == [1]  # who wrote it


@pytest.mark.parametrize("path", ["", "waves/", "claims/", "claims/1/", "annotations/"])
def test_outsiders_find_nothing(sign_in, label, path):
    assert sign_in("eve").get(f"/api/v1/campaigns/spring/{path}").status_code == 404


def test_the_list_of_campaigns_holds_ones_own(sign_in, wave):
    make_member(wave.campaign, "ben")

    assert [row["slug"] for row in sign_in("ben").get("/api/v1/campaigns/").json()["results"]] == [
        "spring"
    ]
    assert sign_in("eve").get("/api/v1/campaigns/").json()["results"] == []


def test_waves_are_listed_as_on_the_pages(sign_in, wave):
    campaign = wave.campaign
    make_wave(campaign, name="Not for ben")
    unopened = make_wave(campaign, name="Later", is_open=False)
    sandbox = make_wave(campaign, name="Practice", is_sandbox=True)
    make_wave(campaign, name="Import 1", purpose="import", is_open=False)
    for each in (wave, unopened, sandbox):
        make_participant(each, "ben")
    make_member(campaign, "cyn", role="curator")

    def listed(name):
        rows = sign_in(name).get("/api/v1/campaigns/spring/waves/").json()["results"]
        return [row["name"] for row in rows]

    def shown(name):
        page = sign_in(name).get(reverse("annotation:campaign", args=["spring"]))
        return [each.name for each in page.context["waves"]]

    of_work = ["Practice", "Later", "Not for ben", "First wave"]
    assert listed("ben") == shown("ben") == ["Practice", "Later", "First wave"]
    assert listed("cyn") == shown("cyn") == of_work
    assert shown("manager-of-spring") == of_work
    assert listed("manager-of-spring") == ["Import 1", *of_work]


@pytest.mark.parametrize("name", ["ben", "cyn"])
def test_how_a_wave_was_planned_is_for_its_managers(sign_in, wave, name):
    make_member(wave.campaign, "cyn", role="curator")
    make_participant(wave, "ben")

    def row(name):
        return sign_in(name).get("/api/v1/campaigns/spring/waves/").json()["results"][0]

    planned = ["pool", "dictionary_settings", "plan", "labels_wanted"]
    assert [row(name)[key] for key in planned] == [None] * 4
    assert row(name)["mutations"] == row("manager-of-spring")["mutations"] == wave.mutations
    assert row("manager-of-spring")["plan"] == "two_and_third"
    assert row("manager-of-spring")["labels_wanted"] == 2


def test_a_token_needs_the_scope_to_read(client, wave):
    user = make_member(wave.campaign, "ben")
    _, reads = issue_token(user=user, name="r", scopes=["read"], days=1)
    _, exports = issue_token(user=user, name="e", scopes=["export"], days=1)

    def status(secret):
        return client.get(CLAIMS, headers={"Authorization": f"Bearer {secret}"}).status_code

    assert status(reads) == 200
    assert status(exports) == 403
    assert status("wrong") == 401


def test_lists_take_as_many_queries_with_many_rows(sign_in, label, wave):
    client = sign_in("manager-of-spring")
    few = count_queries(client, ANNOTATIONS)
    for name in ["dan", "fay"]:
        make_work(wave)
        submit(ask_for_work(user=make_participant(wave, name), wave=wave, task="T2"), "SUPPORTS")

    assert count_queries(client, ANNOTATIONS) == few
    assert len(numbers(client.get(ANNOTATIONS))) == 3


# Who still labels a claim reads nobody else's label of it


@pytest.fixture
def mara(wave):
    return make_participant(wave, "manager-of-spring")


def annotators(client):
    return [row["annotator"] for row in client.get(ANNOTATIONS).json()["results"]]


def both_hold(wave, mara):
    """A claim that the manager was given, and whose other label came after."""
    make_work(wave)
    held = ask_for_work(user=mara, wave=wave, task="T2")
    ben = make_participant(wave, "ben")
    submit(ask_for_work(user=ben, wave=wave, task="T2"), "REFUTES")
    return held


def test_a_manager_who_holds_a_claim_reads_no_label_of_it(sign_in, wave, mara):
    both_hold(wave, mara)
    root = make_user(username="root", is_superuser=True)

    assert sign_in(mara).get(ANNOTATIONS).json()["count"] == 0
    assert numbers(sign_in(root).get(ANNOTATIONS)) == [1]  # who holds nothing


def test_what_ran_out_may_be_answered_and_hides_the_others_too(sign_in, wave, mara):
    run_out(both_hold(wave, mara))
    close_run_out(wave=wave)

    assert numbers(sign_in(mara).get(ANNOTATIONS)) == []


def test_a_manager_who_answered_reads_only_their_own_until_the_wave_closes(sign_in, wave, mara):
    submit(both_hold(wave, mara), "SUPPORTS")
    mine = pseudonym_of(wave.campaign, mara.pk)

    assert annotators(sign_in(mara)) == [mine]
    Wave.objects.update(closes_at=timezone.now() - timedelta(minutes=1))
    assert len(annotators(sign_in(mara))) == 2


def test_a_manager_who_skipped_a_claim_reads_its_labels(sign_in, wave, mara):
    skip_work(assignment=both_hold(wave, mara), reason="too hard")

    assert numbers(sign_in(mara).get(ANNOTATIONS)) == [1]


def test_a_manager_reads_no_label_of_an_own_claim_that_authors_label(sign_in, wave, mara):
    Wave.objects.update(labels_own_claims=True)
    make_work(wave, author=mara)
    submit(ask_for_work(user=make_participant(wave, "ben"), wave=wave, task="T2"))

    assert numbers(sign_in(mara).get(ANNOTATIONS)) == []


def test_imported_labels_are_hidden_from_who_holds_the_claim(sign_in, wave, mara, label):
    Annotation.objects.update(user=None, external_annotator="w7")

    assert annotators(sign_in(mara)) == ["w7"]
    Assignment.objects.update(user=mara, outcome="", ended_at=None)
    assert annotators(sign_in(mara)) == []


def test_whether_an_answer_is_surplus_is_told_once_the_wave_is_closed(sign_in, wave):
    ben = make_participant(wave, "ben")
    make_work(wave)
    late = ask_for_work(user=ben, wave=wave, task="T2")
    run_out(late)
    close_run_out(wave=wave)
    for name in ("dan", "fay"):
        submit(ask_for_work(user=make_participant(wave, name), wave=wave, task="T2"))
    submit(late)

    def told(name):
        return [row["surplus"] for row in sign_in(name).get(ANNOTATIONS).json()["results"]]

    assert told("ben") == [None]  # no place was left for it because the two others agree
    assert told("manager-of-spring") == [False, False, True]
    Wave.objects.update(closes_at=timezone.now() - timedelta(minutes=1))
    assert told("ben") == [True]
