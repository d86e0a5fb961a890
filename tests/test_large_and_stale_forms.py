"""Forms that the server cannot take: too large, or drawn before the last sign-in."""

import pytest
from django.test import Client

from annotation.giving import ask_for_work
from annotation.models import Annotation, Claim
from tests.annotation.pages import page_of, read
from tests.factories import (
    make_campaign,
    make_corpus,
    make_participant,
    make_source,
    make_user,
    make_wave,
)

pytestmark = pytest.mark.django_db
OURS = "http://testserver"
TOO_LARGE = {
    "long": {"claim-1": "x" * 3_000_000},
    "wide": {f"field-{number}": "1" for number in range(6000)},
}


@pytest.fixture
def writing():
    wave = make_wave(make_campaign(corpus=make_corpus()))
    make_source(wave)
    return ask_for_work(user=make_participant(wave, "ben"), wave=wave, task="T1a")


@pytest.fixture
def stale(writing):
    """The browser of somebody who signed in again after the page was drawn."""
    client = Client(enforce_csrf_checks=True)
    client.force_login(make_user(username="ben"))
    client.get(page_of(writing))
    return client


@pytest.mark.parametrize("form", sorted(TOO_LARGE))
@pytest.mark.parametrize("path", ["", "draft/", "check/"])
def test_a_form_that_is_too_large_is_refused_in_words(sign_in, writing, form, path):
    response = sign_in("ben").post(page_of(writing) + path, TOO_LARGE[form])

    assert response.status_code == 413
    assert "That was too much at once" in response.content.decode()
    assert "Content-Security-Policy" in response
    assert not Claim.objects.exists()


def test_an_api_client_is_told_in_json(sign_in):
    response = sign_in("ben").post("/api/v1/schema/?format=json", TOO_LARGE["wide"])

    assert response.status_code in {405, 413}
    assert "detail" in response.json()


def test_what_a_stale_page_sent_is_there_to_send_again(stale, writing):
    form = {"claim-1": "Typed on a stale page.", "csrfmiddlewaretoken": "x" * 64}
    headers = {"Origin": OURS, "Referer": OURS + page_of(writing)}

    response = stale.post(page_of(writing), form, headers=headers)

    assert response.status_code == 302
    assert "Typed on a stale page.</textarea>" in read(stale.get(response["Location"]))
    assert not Claim.objects.exists()


@pytest.mark.parametrize("sender", ["https://evil.example", "null", ""])
def test_what_another_site_sent_is_not_kept(stale, writing, sender):
    form = {"claim-1": "Typed by nobody.", "csrfmiddlewaretoken": "x" * 64}
    headers = {"Origin": sender} if sender else {}

    response = stale.post(page_of(writing), form, headers=headers)

    assert response.status_code == 403
    assert "Typed by nobody." not in read(stale.get(page_of(writing)))
    assert not Annotation.objects.exists()
