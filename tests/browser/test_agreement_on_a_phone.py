"""The tables of the agreement page on a phone: each number in sight, none to be scrolled to."""

import pytest
from django.urls import reverse

from tests.agreement.labels import labelled
from tests.agreement.stored import store_figures
from tests.browser.people import PHONE, sign_in
from tests.browser.test_cues_on_a_phone import CUT_OFF
from tests.factories import make_campaign, make_corpus, make_user, make_wave

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.browser]
WIDER = "() => document.documentElement.scrollWidth - window.innerWidth"


@pytest.fixture
def address():
    manager = make_user(username="mara")
    wave = make_wave(make_campaign(corpus=make_corpus(), manager=manager))
    for letters in ("SSS", "SRN", "RRS", "NN", "NS", "RR"):
        labelled(wave, letters)
    store_figures(wave.campaign)
    return reverse("agreement:dashboard", args=[wave.campaign.slug])


def test_all_tables_fit(browser, live_server, address):
    page = sign_in(browser, live_server, "mara", viewport=PHONE)

    page.goto(address)

    assert page.locator(".table:visible").evaluate_all(CUT_OFF) == []
    assert page.evaluate(WIDER) <= 0
