"""What the signed-out sent: kept for them for a while, no way to fill the database."""

import re
from datetime import timedelta

import pytest
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.jobs import sweep_sessions
from annotation.answering import skip_work
from annotation.guidelines import publish_guideline
from annotation.models import Claim, Invitation, Operation, Report, Wave
from corpus import throttling
from tests.annotation.asking import ask
from tests.annotation.pages import page_of, read
from tests.factories import (
    PASSWORD,
    make_claim,
    make_item,
    make_member,
    make_participant,
    make_user,
)

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)


def send_signed_out(url, page, **fields):
    """A browser whose session is gone, and the answer to what it sent from `page`."""
    client = Client(headers={"Referer": f"http://testserver{page}"})
    return client, client.post(url, fields)


def sign_in_after(client, response, username):
    form = {"username": username, "password": PASSWORD}
    form["next"] = re.search(r"next=(.*)", response["Location"])[1]
    return client.post("/accounts/sign-in/", form, follow=True)


def time_left():
    return Session.objects.get().expire_date - timezone.now()


def test_what_the_signed_out_sent_is_kept_for_an_hour(writing):
    send_signed_out(page_of(writing), page_of(writing), **{"claim-1": "Typed."})

    assert time_left() <= timedelta(hours=1)


def test_signing_in_gives_the_session_its_full_age(writing):
    client, response = send_signed_out(page_of(writing), page_of(writing), **{"claim-1": "Typed."})

    assert "Typed.</textarea>" in read(sign_in_after(client, response, "ben"))
    assert time_left() > 13 * DAY


def test_one_address_makes_so_many_sessions_and_no_more(writing, monkeypatch):
    monkeypatch.setitem(throttling.BUDGETS, "unsent", (2, 10**9))

    answers = [send_signed_out(page_of(writing), page_of(writing))[1] for _ in range(4)]

    assert {answer.status_code for answer in answers} == {302}
    assert Session.objects.count() == 2


def test_other_forms_of_the_signed_out_are_not_kept(writing):
    send_signed_out(reverse("accounts:theme"), "/accounts/", theme="x" * 1000)

    assert not Session.objects.exists()


def test_the_sweep_deletes_the_sessions_that_have_ended(client, writing):
    client.force_login(make_user(username="ben"))
    send_signed_out(page_of(writing), page_of(writing))
    Session.objects.exclude(pk=client.session.session_key).update(expire_date=timezone.now() - DAY)

    sweep_sessions()

    assert [each.pk for each in Session.objects.all()] == [client.session.session_key]


# What was sent from the page of work to another address


@pytest.fixture
def searching(labelling):
    """An assignment to label, in a wave that allows search."""
    Wave.objects.update(allows_search=True)
    labelling.refresh_from_db()
    return labelling


TYPED = {
    "label": "REFUTES",
    "note": "Hm.",
    "search-text": "Norvell bridge",
    "search-method": "semantic",
}


def holds_what_was_typed(html):
    return 'value="Hm."' in html and 'value="Norvell bridge"' in html


@pytest.mark.parametrize("action", ["search", "enter"])
@pytest.mark.parametrize("sender", ["annotation:work", "annotation:search"])
def test_what_a_search_of_the_signed_out_sent_is_on_the_page_of_work(searching, sender, action):
    address = reverse("annotation:search", args=[searching.pk])
    page = reverse(sender, args=[searching.pk])  # a search without scripts is drawn at its own

    client, response = send_signed_out(address, page, action=action, **TYPED)

    html = read(sign_in_after(client, response, "ben"))
    assert holds_what_was_typed(html)
    assert re.search(r'name="label" value="REFUTES"[^>]* checked', html)
    assert re.search(r'value="semantic" checked', html)
    assert 'id="search" open' in html
    assert not Operation.objects.exists()


def test_what_a_search_from_a_stale_page_sent_is_on_the_page_of_work(searching):
    client = Client(enforce_csrf_checks=True)
    client.force_login(searching.user)
    address = reverse("annotation:search", args=[searching.pk])
    headers = {"Origin": "http://testserver", "Referer": f"http://testserver{address}"}

    response = client.post(address, TYPED, headers=headers, follow=True)

    assert holds_what_was_typed(read(response))


def test_what_runs_in_the_background_is_not_kept_in_place_of_what_was_typed(searching):
    page = page_of(searching)
    client, response = send_signed_out(page, page, **TYPED)

    client.post(reverse("annotation:beat", args=[searching.pk]), {"seconds": 5})

    assert holds_what_was_typed(read(sign_in_after(client, response, "ben")))


def test_what_was_typed_is_there_to_copy_where_the_work_has_ended(searching):
    page = page_of(searching)
    client, response = send_signed_out(page, page, **TYPED)
    skip_work(assignment=searching, reason="too hard")

    html = read(sign_in_after(client, response, "ben"))

    assert "You skipped this" in html
    assert re.findall(r'<li dir="auto">([^<]*)</li>', html) == ["Hm."]


# Sessions that are used


@pytest.fixture
def old_session(client):
    """Ben signed in twelve days ago."""
    ben = make_user(username="ben")
    client.force_login(ben)
    ben.last_login = timezone.now() - 12 * DAY
    ben.save(update_fields=["last_login"])
    Session.objects.update(expire_date=timezone.now() + 2 * DAY)
    return client


def test_a_session_that_is_used_does_not_end(old_session):
    response = old_session.get("/")

    assert time_left() > 13 * DAY
    assert response.cookies["sessionid"]["max-age"] == 14 * 24 * 3600


def test_it_is_written_once_a_day_and_not_at_each_request(old_session):
    old_session.get("/")
    Session.objects.update(expire_date=timezone.now() + 2 * DAY)

    response = old_session.get("/")

    assert time_left() < 3 * DAY
    assert "sessionid" not in response.cookies


# Long forms beside the pages of work


def test_guidelines_that_were_sent_signed_out_are_there_to_send_again(wave):
    ada = make_member(wave.campaign, "ada", role="manager")
    publish_guideline(campaign=wave.campaign, text="# Old", waves=[], actor=ada)
    page = reverse("annotation:edit-guidelines", args=[wave.campaign.slug])

    client, response = send_signed_out(page, page, text="# New\n\nWritten all morning.")

    html = read(sign_in_after(client, response, "ada"))
    assert "Written all morning.</textarea>" in html
    (box,) = re.findall(r'<input type="checkbox" name="waves"[^>]*>', html)
    assert "checked" not in box  # the wave was not to be moved
    client.post(page, {"text": "# Newer"})
    assert "# Newer</textarea>" in read(client.get(page))


def test_a_decision_that_was_sent_signed_out_is_there_to_send_again(wave):
    make_member(wave.campaign, "cyn", role="curator")
    claims = [make_claim(wave, f"Claim {n}.") for n in range(2)]
    reports = [Report.objects.create(claim=claim, reason="Two facts.") for claim in claims]
    page = reverse("annotation:reports", args=[wave.campaign.slug])
    decide = reverse("annotation:decide-report", args=[reports[0].pk])

    client, response = send_signed_out(decide, page, decision="fix", text="A.", note="As agreed.")

    html = read(sign_in_after(client, response, "cyn"))
    assert html.count("As agreed.</textarea>") == 1
    assert "A.</textarea>" in html
    assert "Claim 1.</textarea>" in html


def test_a_decision_that_was_refused_first_is_there_to_send_again(wave):
    make_member(wave.campaign, "cyn", role="curator")
    report = Report.objects.create(claim=make_claim(wave, "Claim 1."), reason="Two facts.")
    decide = reverse("annotation:decide-report", args=[report.pk])  # where a refused form stands

    client, response = send_signed_out(decide, decide, decision="fix", text="A.", note="As agreed.")

    assert "As agreed.</textarea>" in read(sign_in_after(client, response, "cyn"))


@pytest.fixture
def editing(wave):
    """The page on which ada changes a claim of hers."""
    make_member(wave.campaign, "ada")
    return reverse("annotation:edit-claim", args=[make_claim(wave, "A bridge opened.").pk])


def test_a_claim_that_was_sent_signed_out_is_there_to_send_again(editing):
    client, response = send_signed_out(editing, editing, text="A bridge was opened twice.")

    html = read(sign_in_after(client, response, "ada"))

    assert "A bridge was opened twice.</textarea>" in html
    assert "What you had typed is here" in html
    client.post(editing, {"text": "A bridge opened once."})
    assert "A bridge opened once.</textarea>" in (html := read(client.get(editing)))
    assert "What you had typed is here" not in html


def test_a_claim_that_was_given_out_meanwhile_shows_what_was_typed(wave, editing):
    client, response = send_signed_out(editing, editing, text="A bridge was opened twice.")
    make_item(Claim.objects.get(), wave)
    ask(make_participant(wave, "ben"), wave)

    html = read(sign_in_after(client, response, "ada"))

    assert "Somebody was given this claim to label" in html
    assert '<span dir="auto">A bridge was opened twice.</span>' in html


@pytest.mark.parametrize("sender", ["invitations", "invite", "invite-class"])
def test_a_class_list_that_was_sent_signed_out_is_there_to_send_once(wave, sender):
    make_member(wave.campaign, "mara", role="manager")
    page = reverse(f"annotation:{sender}", args=[wave.campaign.slug])
    send_to = reverse("annotation:invite-class", args=[wave.campaign.slug])
    fields = {"people": "Ada Abel\r\nBen Berg", "role": "curator", "wave": wave.pk, "days": 9}

    client, response = send_signed_out(send_to, page, **fields)

    html = read(sign_in_after(client, response, "mara"))
    assert re.search(r"Ada Abel\s+Ben Berg</textarea>", html)
    assert re.search(r'<option value="curator" selected>', html)
    client.post(send_to, fields)
    assert Invitation.objects.count() == 2
    page = reverse("annotation:invitations", args=[wave.campaign.slug])
    assert "Ben Berg</textarea>" not in read(client.get(page))
