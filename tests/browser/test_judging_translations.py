"""Translated claims are judged on a phone by buttons, and on a laptop by keys."""

import pytest

from datasets.models import TranslationAnswer
from tests.browser.people import PHONE, sign_in
from tests.datasets.translating import make_sample, make_translated
from tests.factories import make_member

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.browser]


@pytest.fixture
def sample():
    campaign = make_translated()
    make_member(campaign, "ben")
    return make_sample(campaign, 2)


def verdicts():
    answers = TranslationAnswer.objects.order_by("item__number")
    return list(answers.values_list("verdict", flat=True))


def test_a_sample_is_judged_on_a_phone_without_scripts(browser, live_server, sample):
    page = sign_in(browser, live_server, "ben", viewport=PHONE, java_script_enabled=False)

    page.goto("/campaigns/spring/")
    page.get_by_role("link", name="Begin").click()
    page.get_by_role("button", name="Supported").click()
    buttons = page.locator(".thumb-bar button").all()
    boxes = [button.bounding_box() for button in buttons]
    page.get_by_role("button", name="Unusable translation").click()

    assert "You have judged all claims" in page.inner_text("h1")
    assert verdicts() == ["SUPPORTED", "UNUSABLE TRANSLATION"]
    assert all(box["height"] >= 44 and box["y"] + box["height"] <= 740 for box in boxes)


def test_keys_answer_and_a_second_answer_replaces_the_first(browser, live_server, sample):
    page = sign_in(browser, live_server, "ben")

    page.goto(f"/translations/{sample.pk}/judge/")
    page.wait_for_load_state("networkidle")
    page.keyboard.press("2")
    page.wait_for_url("**/judge/2/")
    page.get_by_role("link", name="Back").click()
    page.wait_for_url("**/judge/1/")
    assert page.get_by_role("button", name="Refuted").get_attribute("aria-pressed") == "true"
    page.keyboard.press("4")
    page.wait_for_url("**/judge/2/")

    assert verdicts() == ["UNUSABLE TRANSLATION"]
