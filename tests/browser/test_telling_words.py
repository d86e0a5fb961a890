"""Words that give claims away, in a real browser: the hint while one types, the classifier."""

import re

import pytest
from playwright.sync_api import expect

from annotation.giving import ask_for_work
from operations.worker import run_due_jobs
from tests.agreement.labels import labelled
from tests.browser.people import LAPTOP, PHONE, sign_in
from tests.factories import (
    make_campaign,
    make_claim,
    make_corpus,
    make_participant,
    make_user,
    make_wave,
)

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.browser]


@pytest.fixture
def wave(live_server):
    return make_wave(make_campaign(corpus=make_corpus(), manager=make_user(username="mara")))


@pytest.mark.parametrize("viewport", [LAPTOP, PHONE])
def test_a_hint_comes_and_goes_beside_its_field_and_nothing_moves(
    browser, live_server, wave, viewport
):
    ada = make_participant(wave, "ada")
    make_claim(wave, "The bridge opened in May.", author=ada)
    assignment = ask_for_work(user=ada, wave=wave, task="T1b")
    page = sign_in(browser, live_server, "ada", viewport=viewport)
    page.goto(f"/assignments/{assignment.pk}/")
    field, below = page.locator("[name=rephrase]"), page.locator("[name=substitute_similar]")
    hint = page.locator("#hint-rephrase")
    before = below.bounding_box()

    field.focus()
    page.keyboard.type("The bridge never opened.")
    expect(hint).to_have_text(re.compile("Words such as “never”"))

    assert below.bounding_box() == before
    assert page.evaluate("document.activeElement.name") == "rephrase"
    field.fill("The bridge was opened.")
    expect(hint).to_have_text("")


def test_the_classifier_is_trained_while_the_page_of_cues_is_open(browser, live_server, wave):
    for number in range(5):
        labelled(wave, "SS", text=f"The bridge of town {number} opened.")
        labelled(wave, "RR", text=f"The tower of town {number} never opened.")
    page = sign_in(browser, live_server, "mara")

    page.goto("/agreement/campaigns/spring/cues/")
    expect(page.locator("#claim-only")).to_contain_text("is being trained")
    run_due_jobs()

    expect(page.locator("#claim-only")).to_contain_text("is right on 100.0 %")
