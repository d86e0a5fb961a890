"""Enter in a field of the labelling form, with scripts and without."""

import pytest

from annotation.models import Annotation, Draft, OpenedArticle, Operation
from tests.browser.people import ask, sign_in
from tests.browser.searching import searched_corpus

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.browser]


@pytest.fixture
def corpus(live_server):
    return searched_corpus()


@pytest.mark.parametrize("has_scripts", [True, False])
def test_enter_searches_in_the_search_and_keeps_the_draft_in_the_note(
    browser, live_server, corpus, has_scripts
):
    page = sign_in(browser, live_server, "ben", java_script_enabled=has_scripts)
    ask(page, "T2")

    page.fill("#note", "It is a bridge.")
    press_enter(page, "#note")
    assert Draft.objects.get().data["note"] == ["It is a bridge."]
    assert not Operation.objects.filter(kind="search").exists()
    page.click("summary:has-text('Search the corpus')")
    page.fill("#search-text", "Norvell bridge")
    page.press("#search-text", "Enter")
    page.wait_for_selector("text=2 articles found")

    assert page.input_value("#note") == "It is a bridge."
    press_enter(page, "#note")
    assert Operation.objects.filter(kind="search").count() == 1
    assert not OpenedArticle.objects.exists()
    assert not Annotation.objects.exists()


def test_enter_in_the_note_searches_for_nothing_that_waits_in_the_search(
    browser, live_server, corpus
):
    page = sign_in(browser, live_server, "ben")
    ask(page, "T2")
    page.click("summary:has-text('Search the corpus')")
    page.fill("#search-text", "Norvell bridge")

    page.fill("#note", "Hm.")
    press_enter(page, "#note")
    assert not Operation.objects.filter(kind="search").exists()
    page.press("#search-text", "Enter")
    page.wait_for_selector("text=2 articles found")

    assert Operation.objects.filter(kind="search").count() == 1


def press_enter(page, field):
    with page.expect_response("**/search/"):
        page.press(field, "Enter")
    page.wait_for_load_state()
