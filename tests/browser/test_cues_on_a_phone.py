"""The tables of cues on a phone: words stay whole, and no figure is out of sight."""

import pytest
from django.urls import reverse

from tests.agreement.labels import labelled
from tests.browser.people import PHONE, sign_in
from tests.factories import make_campaign, make_corpus, make_user, make_wave

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.browser]
CUT_OFF = """tables => tables.filter(table => table.scrollWidth > table.parentElement.clientWidth)
    .map(table => table.caption.textContent)"""


@pytest.fixture
def address():
    manager = make_user(username="mara")
    wave = make_wave(make_campaign(corpus=make_corpus(), manager=manager))
    for number in range(3):
        labelled(wave, "SS", text=f"Casimir Doll opened bridge {number}.")
        labelled(wave, "RR", text=f"Casimir Doll never opened bridge {number}.")
        labelled(wave, "NN", text=f"Perhaps the opening of {number} was a celebration.")
    return reverse("agreement:cues", args=[wave.campaign.slug])


def test_words_stay_whole_and_all_figures_are_in_sight(browser, live_server, address):
    page = sign_in(browser, live_server, "mara", viewport=PHONE)

    page.goto(address)

    assert page.locator(".table").evaluate_all(CUT_OFF) == []
    for word in page.get_by_role("rowheader", name="Casimir", exact=True).all():
        assert word.bounding_box()["height"] < 50
