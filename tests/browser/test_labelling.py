"""Labelling in a real browser: keys, phone, without scripts, and with a session that ends."""

import pytest
from django.contrib.sessions.models import Session
from django.utils import timezone

from annotation.models import Annotation, Draft, Membership
from tests.browser.people import PHONE, ask, cell, sign_in, wait_until_saved
from tests.factories import (
    A_DAY,
    PASSWORD,
    make_article,
    make_campaign,
    make_claim,
    make_corpus,
    make_dictionary,
    make_item,
    make_participant,
    make_wave,
    paragraph_of,
)

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.browser]
SOURCE = "The bridge opened in May."
OLDER = "Work on the bridge began."
HIDDEN = "The deck was laid in June."


@pytest.fixture
def wave(live_server):
    campaign = make_campaign(slug="spring", corpus=make_corpus())
    wave = make_wave(campaign)
    make_participant(wave, "ben")
    source = make_article(campaign.corpus, SOURCE, "It cost ten million.")
    before = A_DAY.replace(year=A_DAY.year - 1)
    older = make_article(campaign.corpus, OLDER, HIDDEN, title="Begun", published_at=before)
    dictionary = make_dictionary(campaign.corpus, paragraph_of(older))
    claim = make_claim(
        wave, "The bridge opened.", source=paragraph_of(source), dictionary=dictionary
    )
    make_item(claim, wave)
    return wave


def stored():
    annotation = Annotation.objects.live().get()
    sets = [
        [item.paragraph.text for item in each.items.all()]
        for each in annotation.evidence_sets.all()
    ]
    return annotation.label, sets


def test_a_claim_is_labelled_with_the_keyboard_alone(browser, live_server, wave):
    page = sign_in(browser, live_server, "ben")
    ask(page, "T2")

    page.keyboard.press("j")
    page.keyboard.press("e")
    page.keyboard.press("o")
    page.keyboard.press("w")
    page.keyboard.press("e")
    page.keyboard.press("1")
    page.keyboard.press("Control+Enter")

    page.wait_for_selector(".message:has-text('Stored:')")
    assert stored() == ("SUPPORTS", [[SOURCE], [OLDER]])


def test_keys_count_by_place_and_not_while_somebody_types(browser, live_server, wave):
    page = sign_in(browser, live_server, "ben")
    ask(page, "T2")

    # On a Czech layout the key of 2 types "ě".
    page.dispatch_event("body", "keydown", {"code": "Digit2", "key": "ě", "bubbles": True})
    assert page.is_checked("[name=label][value=REFUTES]")
    page.focus("#note")
    page.keyboard.type("1 j e")
    assert page.is_checked("[name=label][value=REFUTES]")
    assert page.input_value("#note") == "1 j e"


def test_the_question_mark_shows_all_keys(browser, live_server, wave):
    page = sign_in(browser, live_server, "ben")
    ask(page, "T2")

    page.keyboard.press("?")

    assert page.locator("#keys[open]").is_visible()


def test_ticking_in_the_last_column_adds_a_set(browser, live_server, wave):
    page = sign_in(browser, live_server, "ben")
    ask(page, "T2")

    cell(page, SOURCE, 2).check()

    assert cell(page, SOURCE, 3).is_visible()
    page.click("summary:has-text('Begun')")
    cell(page, OLDER, 3).check()
    assert cell(page, SOURCE, 4).is_visible()


def test_an_opened_article_comes_without_a_new_page_and_ticks_stay(browser, live_server, wave):
    page = sign_in(browser, live_server, "ben")
    ask(page, "T2")
    cell(page, SOURCE).check()
    page.click("summary:has-text('Begun')")

    page.locator("details", has_text="Begun").get_by_role("button", name="Open article").click()
    page.wait_for_selector(f"text={HIDDEN}")
    cell(page, HIDDEN).check()

    assert cell(page, SOURCE).is_checked()
    wait_until_saved(page)
    page.reload()
    assert cell(page, HIDDEN).is_checked()


def test_a_claim_is_labelled_on_a_phone(browser, live_server, wave):
    page = sign_in(browser, live_server, "ben", viewport=PHONE, has_touch=True, is_mobile=True)
    ask(page, "T2")

    assert cell(page, SOURCE, 1).is_visible()
    assert not cell(page, SOURCE, 2).is_visible()
    cell(page, SOURCE, 1).check()
    page.click(".set-choice >> nth=1")
    page.click("summary:has-text('Begun')")
    cell(page, OLDER, 2).check()
    verdict = page.locator("label.verdict[data-verdict=SUPPORTS]")
    assert verdict.bounding_box()["y"] > PHONE["height"] / 2  # within reach of the thumb
    verdict.click()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    page.click("text=Submit and stop")

    page.wait_for_selector(".message:has-text('Stored:')")
    assert stored() == ("SUPPORTS", [[SOURCE], [OLDER]])


def test_a_claim_is_labelled_without_scripts(browser, live_server, wave):
    page = sign_in(browser, live_server, "ben", java_script_enabled=False)
    ask(page, "T2")

    cell(page, SOURCE).check()
    page.click("summary:has-text('Begun')")
    page.locator("details", has_text="Begun").get_by_role("button", name="Open article").click()
    page.click("text=Add a set")
    cell(page, HIDDEN, 2).check()
    page.check("[name=label][value=REFUTES]", force=True)
    page.click("text=Submit and stop")

    assert "Stored:" in page.inner_text("main")
    assert stored() == ("REFUTES", [[SOURCE], [HIDDEN]])


def test_a_session_that_ends_in_the_middle_loses_nothing(browser, live_server, wave):
    page = sign_in(browser, live_server, "ben")
    ask(page, "T2")
    cell(page, SOURCE).check()
    page.check("[name=label][value=REFUTES]", force=True)
    wait_until_saved(page)
    Session.objects.all().delete()

    page.fill("#condition", "It has one deck")
    page.click("text=Submit and stop")
    page.wait_for_selector("#sign-in-dialog[open]")
    page.fill("#sign-in-password", PASSWORD)
    page.press("#sign-in-password", "Enter")
    page.wait_for_selector("#sign-in-dialog:not([open])", state="attached")
    if not Annotation.objects.exists() and page.get_by_text("Submit and stop").count():
        page.wait_for_timeout(500)

    page.wait_for_selector(".message:has-text('Stored:')")
    assert stored() == ("REFUTES", [[SOURCE]])
    assert Annotation.objects.get().condition == "It has one deck"


def test_a_broken_network_keeps_the_work_in_the_browser(browser, live_server, wave):
    page = sign_in(browser, live_server, "ben")
    ask(page, "T2")
    page.context.set_offline(True)

    page.fill("#note", "typed in the tunnel")
    page.wait_for_selector("[data-draft-status][data-state=failed]")
    assert not Draft.objects.exists()
    page.context.set_offline(False)
    page.wait_for_function("navigator.onLine")
    for _ in range(3):  # right behind the tunnel a page may come without its scripts
        page.reload()
        if page.input_value("#note"):
            break

    assert page.input_value("#note") == "typed in the tunnel"
    wait_until_saved(page)
    assert Draft.objects.get().data["note"] == ["typed in the tunnel"]


def test_a_page_that_a_save_overtook_shows_what_was_saved(browser, live_server, wave):
    page = sign_in(browser, live_server, "ben")
    ask(page, "T2")
    before = page.context.request.get(page.url)
    page.fill("#note", "typed in the tunnel")
    wait_until_saved(page)
    page.route(page.url, lambda route: route.fulfill(response=before))

    page.reload()

    assert page.input_value("#note") == "typed in the tunnel"
    page.fill("#note", "and after it")
    wait_until_saved(page)
    assert Draft.objects.get().data["note"] == ["and after it"]


def test_what_was_typed_before_the_answer_was_stored_is_offered_and_not_put_in(
    browser, live_server, wave
):
    page = sign_in(browser, live_server, "ben")
    ask(page, "T2")
    address = page.url
    page.fill("#note", "typed before")
    wait_until_saved(page)
    kept = page.evaluate("Object.entries(localStorage)")
    cell(page, SOURCE).check()
    page.check("[name=label][value=REFUTES]", force=True)
    page.click("text=Submit and stop")
    page.wait_for_selector(".message:has-text('Stored:')")
    page.evaluate(
        "kept => kept.forEach(([name, value]) => localStorage.setItem(name, value))", kept
    )

    page.goto(address)

    assert cell(page, SOURCE).is_checked()


def test_a_set_of_several_is_asked_about_once_and_then_stored(browser, live_server, wave):
    page = sign_in(browser, live_server, "ben")
    ask(page, "T2")
    page.click("summary:has-text('Begun')")
    cell(page, SOURCE).check()
    cell(page, OLDER).check()
    page.check("[name=label][value=SUPPORTS]", force=True)

    page.click("text=Submit and stop")
    page.wait_for_selector(".message:has-text('only enough together')")
    page.click("text=Submit and stop")

    page.wait_for_selector(".message:has-text('Stored:')")
    assert stored() == ("SUPPORTS", [[SOURCE, OLDER]])


def test_an_added_set_stays_when_the_page_is_loaded_again(browser, live_server, wave):
    page = sign_in(browser, live_server, "ben")
    ask(page, "T2")
    page.fill("#note", "typed before")
    page.click("text=Add a set")
    cell(page, SOURCE, 3).wait_for()

    page.reload()

    assert cell(page, SOURCE, 3).is_visible()
    assert page.input_value("#note") == "typed before"


def test_a_second_tab_that_opens_an_article_keeps_one_form(browser, live_server, wave):
    first = sign_in(browser, live_server, "ben")
    ask(first, "T2")
    second = first.context.new_page()
    second.goto(first.url)
    first.fill("#note", "from the first tab")
    wait_until_saved(first)

    second.evaluate("localStorage.clear()")
    second.click("summary:has-text('Begun')")
    second.locator("details", has_text="Begun").get_by_role("button", name="Open article").click()

    second.wait_for_selector(".message:has-text('changed in another tab')")
    assert second.locator("form.work").count() == 1
    assert Draft.objects.get().data["note"] == ["from the first tab"]


def test_an_answer_that_does_not_reach_the_server_says_so(browser, live_server, wave):
    page = sign_in(browser, live_server, "ben")
    ask(page, "T2")
    page.check("[name=label][value='NOT ENOUGH INFO']", force=True)
    page.context.set_offline(True)

    page.click("text=Submit and stop")
    page.wait_for_selector("#failure:has-text('did not reach the server')")
    page.context.set_offline(False)
    page.click("text=Submit and stop")

    page.wait_for_selector(".message:has-text('Stored:')")
    assert Annotation.objects.count() == 1


def test_an_answer_that_is_not_taken_any_more_says_so(browser, live_server, wave):
    page = sign_in(browser, live_server, "ben")
    ask(page, "T2")
    Membership.objects.update(ended_at=timezone.now())

    page.fill("#note", "typed too late")
    page.wait_for_selector("[data-draft-status]:has-text('cannot keep this draft')")
    page.click("text=Submit and stop")

    page.wait_for_selector("#failure:has-text('not open to you any more')")
    assert page.input_value("#note") == "typed too late"


def test_a_double_click_stores_one_answer_and_the_back_button_shows_it(browser, live_server, wave):
    page = sign_in(browser, live_server, "ben")
    ask(page, "T2")
    page.check("[name=label][value='NOT ENOUGH INFO']", force=True)

    page.dblclick("text=Submit and stop")
    page.wait_for_selector(".message:has-text('Stored:')")
    page.go_back()

    page.wait_for_selector("form.work")
    assert Annotation.objects.count() == 1
    assert page.is_checked("[name=label][value='NOT ENOUGH INFO']")


def test_a_second_tab_is_told_and_loses_nothing(browser, live_server, wave):
    first = sign_in(browser, live_server, "ben")
    ask(first, "T2")
    second = first.context.new_page()
    second.goto(first.url)
    first.fill("#note", "from the first tab")
    wait_until_saved(first)

    second.evaluate("localStorage.clear()")
    second.fill("#note", "from the second tab")

    second.wait_for_selector("[data-draft-newer]:not([hidden])")
    assert second.input_value("#note") == "from the second tab"
    assert Draft.objects.get().data["note"] == ["from the first tab"]
