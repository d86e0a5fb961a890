"""The queue of reports: what waits there, and what is decided."""

import pytest
from django.urls import reverse

from annotation.answering import skip_work
from annotation.giving import ask_for_work
from annotation.models import Report
from tests.factories import (
    make_campaign,
    make_claim,
    make_corpus,
    make_member,
    make_participant,
    make_source,
    make_user,
    make_wave,
    make_work,
)


@pytest.fixture
def campaign(db):
    return make_campaign(corpus=make_corpus(), time_zone="Europe/Prague")


@pytest.fixture
def wave(campaign):
    return make_wave(campaign, quota_t2=10)


def text_of(client, name, *arguments, **query):
    return client.get(reverse(name, args=arguments), query).content.decode()


@pytest.fixture
def report(wave):
    return Report.objects.create(claim=make_claim(wave, "The bridge opend."), reason="A typo.")


@pytest.fixture
def curator(wave):
    return make_member(wave.campaign, make_user(username="curator"), role="curator")


def decided(client, report, **values):
    url = reverse("annotation:decide-report", args=[report.pk])
    return client.post(url, values, follow=True).content.decode()


def test_the_queue_shows_claim_reason_and_source(report, curator, sign_in):
    page = text_of(sign_in(curator), "annotation:reports", "spring")

    assert "The bridge opend." in page
    assert "A typo." in page
    assert report.claim.source.text in page


def test_a_curator_fixes_the_wording(report, curator, sign_in):
    page = decided(sign_in(curator), report, decision="fix", text="The bridge opened.")

    report.refresh_from_db()
    report.claim.refresh_from_db()
    assert (report.decision, report.claim.text) == ("fixed", "The bridge opened.")
    assert "The wording is fixed" in page


@pytest.mark.parametrize(("decision", "stored"), [("keep", "kept"), ("withdraw", "withdrawn")])
def test_a_curator_keeps_or_withdraws(report, curator, sign_in, decision, stored):
    decided(sign_in(curator), report, decision=decision)

    report.refresh_from_db()
    assert (report.decision, report.decided_by) == (stored, curator)


def test_a_curator_replaces_a_claim_by_one_of_another_meaning(report, curator, sign_in):
    page = decided(sign_in(curator), report, decision="replace", text="The bridge closed.")

    new = report.claim.replaced_by
    assert f"Claim {new.number} replaces it." in page
    assert new.text == "The bridge closed."


def test_a_fix_that_fixes_nothing_is_explained_beside_what_was_typed(report, curator, sign_in):
    page = decided(sign_in(curator), report, decision="fix", text="The bridge opend.", note="Hm")

    assert "keep the claim instead" in page
    assert "Hm" in page
    report.refresh_from_db()
    assert report.decision == ""


def test_nobody_decides_about_their_own_claim(wave, curator, sign_in):
    report = Report.objects.create(claim=make_claim(wave, author=curator), reason="Odd.")
    client = sign_in(curator)

    page = text_of(client, "annotation:reports", "spring")
    assert "another curator decides" in page
    assert reverse("annotation:decide-report", args=[report.pk]) not in page

    decided(client, report, decision="keep")
    report.refresh_from_db()
    assert report.decision == ""


def test_what_was_decided_is_shown_when_asked_for(report, curator, sign_in):
    client = sign_in(curator)
    decided(client, report, decision="keep", note="It is fine.")

    assert "It is fine." not in text_of(client, "annotation:reports", "spring")
    assert "It is fine." in text_of(client, "annotation:reports", "spring", decided=1)


def test_the_children_of_a_withdrawn_claim_are_listed(wave, report, curator, sign_in):
    child = make_claim(wave, "It was shut in May.", parent=report.claim)
    client = sign_in(curator)

    decided(client, report, decision="withdraw")

    assert child.text in text_of(client, "annotation:reports", "spring", decided=1)


def test_a_curator_gives_a_skipped_source_out_again(wave, curator, sign_in):
    source = make_source(wave, state="held")
    client = sign_in(curator)
    assert source.paragraph.text in text_of(client, "annotation:reports", "spring")

    client.post(reverse("annotation:decide-source", args=[source.pk]), {"decision": "accept"})

    source.refresh_from_db()
    assert source.state == "accepted"


def test_a_claim_that_three_people_skipped_comes_with_their_reasons(wave, curator, sign_in):
    make_work(wave)
    for name in ("ben", "dan", "zoe"):
        someone = make_participant(wave, name)
        skip_work(assignment=ask_for_work(user=someone, wave=wave, task="T2"), reason="unclear")

    page = text_of(sign_in(curator), "annotation:reports", "spring")

    assert "skipped by three people" in page
    assert page.count("I do not understand the claim or the text") == 3


def test_the_queue_costs_the_same_however_long_it_is(
    wave, curator, sign_in, django_assert_num_queries
):
    client = sign_in(curator)
    url = reverse("annotation:reports", args=["spring"])
    queries = []
    for size in (2, 12):
        for _ in range(size):
            claim = make_claim(wave)
            make_claim(wave, parent=claim, source=claim.source)
            Report.objects.create(claim=claim, reason="Odd.")
            make_source(wave, state="held")
        with django_assert_num_queries(16, exact=False) as counted:
            client.get(url)
        queries.append(len(counted))

    assert queries[0] == queries[1]
