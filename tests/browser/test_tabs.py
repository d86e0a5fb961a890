"""The tabs of a campaign: the open one in sight on a phone, all in one row on a laptop."""

import pytest
from django.urls import reverse

from tests.browser.people import LAPTOP, PHONE, sign_in
from tests.factories import make_campaign, make_corpus, make_user

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.browser]
ROWS = "tabs => new Set(tabs.map(tab => tab.offsetTop)).size"


@pytest.fixture
def address():
    make_campaign(manager=make_user(username="mara"), corpus=make_corpus())
    return reverse("annotation:campaign-settings", args=["spring"])


def test_on_a_phone_the_open_tab_is_in_sight(browser, live_server, address):
    page = sign_in(browser, live_server, "mara", viewport=PHONE)

    page.goto(address)
    page.wait_for_function("document.querySelector('.tabs').scrollLeft > 0")

    box = page.locator(".tabs [aria-current]").bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] < PHONE["width"] + 1
    assert page.evaluate("window.scrollY") == 0


@pytest.mark.parametrize("language", ["en", "cs"])
def test_on_a_laptop_they_stand_in_one_row(browser, live_server, address, language):
    page = sign_in(browser, live_server, "mara", viewport=LAPTOP, locale=language)

    page.goto(address)

    assert page.locator("html").get_attribute("lang") == language
    assert page.locator(".tabs a").evaluate_all(ROWS) == 1
