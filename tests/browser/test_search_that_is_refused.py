"""A search that meets a limit or an ended session loses nothing that was typed."""

import pytest
from django.contrib.sessions.models import Session

from annotation.models import OpenedArticle, Operation
from corpus import throttling
from tests.browser.people import ask, sign_in
from tests.browser.searching import searched_corpus
from tests.factories import (
    PASSWORD,
)

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.browser]
TOO_MUCH = "text=You have opened very many texts"


@pytest.fixture
def corpus(live_server):
    return searched_corpus()


@pytest.fixture
def limit(monkeypatch):
    def limited(most):
        monkeypatch.setitem(throttling.BUDGETS, "reading", (most, 10**9))

    return limited


def look_for_a_bridge(page):
    page.fill("#note", "Hm.")
    page.click("summary:has-text('Search the corpus')")
    page.fill("#search-text", "Norvell bridge")
    page.click("#do-search")


def test_an_article_past_the_limit_can_be_added_later(browser, live_server, corpus, ben, limit):
    limit(1)
    throttling.seconds_to_wait(ben, "reading")
    page = sign_in(browser, live_server, "ben")
    ask(page, "T2")
    look_for_a_bridge(page)

    page.locator("button[name=open_found]").first.click()
    page.wait_for_selector(TOO_MUCH)
    assert page.locator("button[name=open_found]").count() == 2
    assert not OpenedArticle.objects.exists()
    limit(300)
    page.locator("button[name=open_found]").first.click()
    page.wait_for_selector("text=Added: go to it")

    assert page.locator(TOO_MUCH).count() == 0
    assert page.input_value("#note") == "Hm."
    assert OpenedArticle.objects.count() == 1


def test_without_scripts_an_ended_session_loses_no_search(browser, live_server, corpus):
    page = sign_in(browser, live_server, "ben", java_script_enabled=False)
    ask(page, "T2")
    Session.objects.all().delete()

    look_for_a_bridge(page)
    page.wait_for_url("**/sign-in/**")
    page.fill("main [name=username]", "ben")
    page.fill("main [name=password]", PASSWORD)
    page.click("main form button.button-primary")
    page.wait_for_url("**/assignments/*/")

    assert page.input_value("#note") == "Hm."
    assert page.input_value("#search-text") == "Norvell bridge"
    page.click("#do-search")
    page.wait_for_selector("text=2 articles found")
    assert Operation.objects.filter(kind="search").count() == 1
