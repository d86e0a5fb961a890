"""What is typed while a request is under way: it stays on the page and reaches the server."""

from contextlib import contextmanager

import pytest

from annotation.models import Annotation, Draft
from tests.browser.people import PHONE, ask, cell, sign_in, wait_until_saved
from tests.factories import (
    A_DAY,
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
SOURCE = "The mill closed in May."
OLDER = "The mill was for sale."
HIDDEN = "Nobody offered a crown."
SAVING = "**/assignments/*/draft/"
WORK = "**/assignments/*/"
LONGER_THAN_THE_PAUSE = 1200


@pytest.fixture
def page(browser, live_server):
    """Ben at a claim to label."""
    wave = make_wave(make_campaign(slug="spring", corpus=make_corpus()))
    make_participant(wave, "ben")
    source = make_article(wave.campaign.corpus, SOURCE, *(f"Line {n}." * 20 for n in range(9)))
    before = A_DAY.replace(year=A_DAY.year - 1)
    older = make_article(wave.campaign.corpus, OLDER, HIDDEN, title="For sale", published_at=before)
    dictionary = make_dictionary(wave.campaign.corpus, paragraph_of(older))
    claim = make_claim(wave, "A mill closed.", source=paragraph_of(source), dictionary=dictionary)
    make_item(claim, wave)
    page = sign_in(browser, live_server, "ben")
    page.set_default_timeout(8000)
    ask(page, "T2")
    return page


@contextmanager
def held(page, url):
    """Hold back the first POST to `url` while the block runs; it is sent at its end."""
    waiting = []

    def hold(route):
        if route.request.method != "POST" or waiting:
            route.fallback()
        else:
            waiting.append(route)

    page.route(url, hold)
    yield waiting
    assert waiting, f"nothing was posted to {url}"
    waiting[0].continue_()


def note():
    return Draft.objects.get().data["note"]


def wait_for_note(page, text):
    """Until the server has the note; the page says nothing of its own about that."""
    for _ in range(50):
        if Draft.objects.exists() and note() == [text]:
            return
        page.wait_for_timeout(100)
    assert note() == [text]


def conflicts(page):
    return page.locator("[data-draft-newer]:visible, .message:has-text('another tab'):visible")


def test_what_is_typed_while_a_draft_is_saved_is_saved_after_it(page):
    with held(page, SAVING), page.expect_request(SAVING):
        page.fill("#note", "Torvik")
        page.wait_for_timeout(LONGER_THAN_THE_PAUSE)
        page.fill("#note", "Torvik Steel closed its mill.")
        page.wait_for_timeout(LONGER_THAN_THE_PAUSE)

    wait_for_note(page, "Torvik Steel closed its mill.")
    assert conflicts(page).count() == 0


def test_a_text_that_a_newer_draft_keeps_out_is_offered_after_a_reload(page):
    page.fill("#note", "typed here")
    wait_until_saved(page)
    Draft.objects.update(revision=9, data={"note": ["typed on the phone"]})
    page.fill("#note", "typed here, and on")
    page.wait_for_selector("[data-draft-newer]:not([hidden])")

    page.click("text=Show the newer version")
    page.wait_for_selector("[data-draft-offer]:not([hidden])")
    assert page.input_value("#note") == "typed on the phone"
    page.click("text=Use that version")

    assert page.input_value("#note") == "typed here, and on"


def test_a_page_that_is_behind_a_phone_asks_before_it_submits(page):
    page.check("[name=label][value='NOT ENOUGH INFO']", force=True)
    page.fill("#note", "on the laptop")
    wait_until_saved(page)
    Draft.objects.update(revision=9, data={"note": ["on the phone"]})

    page.click("text=Submit and stop")
    page.wait_for_selector("#errors:focus:has-text('another tab')")
    page.fill("#note", "on the laptop, and on")
    page.wait_for_timeout(LONGER_THAN_THE_PAUSE)
    assert note() == ["on the phone"]
    page.click("text=Submit and stop")

    page.wait_for_selector(".message:has-text('Stored:')")
    assert Annotation.objects.get().note == "on the laptop, and on"


def test_an_answer_that_is_no_draft_is_no_end_of_saving(page):
    page.route(SAVING, lambda route: route.fulfill(status=200, body="<p>Sign in to the wifi</p>"))
    page.fill("#note", "typed in the train")
    page.wait_for_selector("[data-draft-status][data-state=failed]")
    page.unroute(SAVING)

    page.fill("#note", "typed in the train, and after")

    wait_for_note(page, "typed in the train, and after")


@pytest.mark.parametrize("button", ["save", "add_set"])
def test_what_is_typed_while_a_button_is_under_way_stays(page, button):
    page.fill("#note", "A")
    with held(page, WORK), page.expect_request(WORK):
        page.click(f"[value={button}]")
        page.wait_for_timeout(200)
        page.fill("#note", "A and more")
        page.wait_for_timeout(LONGER_THAN_THE_PAUSE)

    wait_for_note(page, "A and more")
    assert page.input_value("#note") == "A and more"
    assert conflicts(page).count() == 0
    assert cell(page, SOURCE, 3).is_visible() == (button == "add_set")


def test_what_is_ticked_while_an_article_opens_stays(page):
    page.click("summary:has-text('For sale')")
    with held(page, WORK), page.expect_request(WORK):
        page.get_by_role("button", name="Open article: the other paragraph").click()
        page.wait_for_timeout(200)
        cell(page, SOURCE).check()
        page.fill("#note", "ticked meanwhile")
        page.wait_for_timeout(LONGER_THAN_THE_PAUSE)
    page.wait_for_selector(f"text={HIDDEN}")

    wait_for_note(page, "ticked meanwhile")
    assert cell(page, SOURCE).is_checked()
    assert len(Draft.objects.get().data["set-1"]) == 1
    assert conflicts(page).count() == 0


def test_a_button_that_is_pressed_while_a_draft_is_saved_waits_for_it(page):
    with held(page, SAVING), page.expect_request(SAVING):
        page.fill("#note", "A")
        page.wait_for_timeout(LONGER_THAN_THE_PAUSE)
        page.click("[value=save]")
        page.wait_for_timeout(200)
    page.wait_for_selector("form.work:not(.htmx-request)")
    page.fill("#note", "A and B")
    wait_for_note(page, "A and B")
    assert conflicts(page).count() == 0


def test_submitting_while_the_draft_is_saved_by_its_button_submits_after_it(page):
    page.check("[name=label][value='NOT ENOUGH INFO']", force=True)
    with held(page, WORK), page.expect_request(WORK):
        page.click("[value=save]")
        page.wait_for_timeout(200)
        page.click("text=Submit and stop")
        page.wait_for_timeout(200)

    page.wait_for_selector(".message:has-text('Stored:')")
    assert Annotation.objects.count() == 1


def test_submitting_while_enter_keeps_the_draft_submits_after_it(page):
    page.check("[name=label][value='NOT ENOUGH INFO']", force=True)
    with held(page, WORK), page.expect_request(WORK):
        page.press("#note", "Enter")
        page.wait_for_timeout(200)
        page.click("text=Submit and stop")
        page.wait_for_timeout(200)

    page.wait_for_selector(".message:has-text('Stored:')")
    assert Annotation.objects.count() == 1


def test_a_draft_with_more_sets_than_are_drawn_comes_back_whole(page):
    page.route(SAVING, lambda route: route.abort())
    cell(page, SOURCE, 2).check()
    cell(page, SOURCE, 3).check()

    page.reload()

    assert [cell(page, SOURCE, n).is_checked() for n in (1, 2, 3, 4)] == [False, True, True, False]


def test_the_reason_of_a_report_outlives_a_redrawn_form_and_a_reload(page):
    page.click("summary:has-text('Report a problem')")
    page.fill("#report-reason", "It is two claims.")
    page.click("summary:has-text('Skip')")
    page.select_option("#skip-reason", index=1)

    page.locator("button:has-text('Add a set')").click()
    cell(page, SOURCE, 3).wait_for()
    assert page.input_value("#report-reason") == "It is two claims."
    assert page.input_value("#skip-reason")
    page.reload()

    assert page.input_value("#report-reason") == "It is two claims."
    assert page.locator("#report[open]").count() == 1
    page.click("text=Report it")
    page.wait_for_selector(".message:has-text('Reported')")


def test_a_refusal_is_seen_and_focused(page):
    page.set_viewport_size(PHONE)
    page.check("[name=label][value=SUPPORTS]", force=True)

    page.click("text=Submit and stop")
    page.wait_for_selector("#errors:focus")

    box = page.locator("#errors").bounding_box()
    header = page.locator("header.claim").bounding_box()
    assert header["y"] + header["height"] <= box["y"]
    assert box["y"] + box["height"] <= PHONE["height"]


def test_the_focus_stays_at_the_button_and_the_paragraph_of_the_keys(page):
    page.focus("button:has-text('Add a set')")
    page.keyboard.press("Enter")
    cell(page, SOURCE, 3).wait_for()
    page.wait_for_selector("button:focus:has-text('Add a set')")

    page.keyboard.press("j")
    page.keyboard.press("a")
    cell(page, SOURCE, 4).wait_for()
    page.wait_for_selector(".paragraph.is-current input:focus")
    page.keyboard.press("e")

    assert cell(page, SOURCE, 3).is_checked()
