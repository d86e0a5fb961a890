"""Enter while a claim is labelled: it searches in the search, and keeps the draft elsewhere."""

import re

import pytest
from django.urls import reverse

from annotation.models import Annotation, Operation
from corpus import throttling
from tests.annotation.pages import HTMX, page_of, read
from tests.annotation.test_t2_search import TEXTS, give
from tests.dictionaries.corpora import small_corpus

pytestmark = pytest.mark.django_db
BUTTON = re.compile(r"<button[^>]*>")
BRIDGE = "Norvell bridge"


@pytest.fixture
def corpus():
    return small_corpus(*TEXTS)


@pytest.fixture
def assignment(corpus):
    return give(corpus)


@pytest.fixture
def client(sign_in, assignment):
    return sign_in("ben")


def press_enter(client, assignment, *, action="enter", htmx=True, **fields):
    """What the browser sends for the form's first button."""
    url = reverse("annotation:search", args=[assignment.pk])
    draft = getattr(type(assignment).objects.get(pk=assignment.pk), "draft", None)
    data = {"revision": draft.revision if draft else 0, "action": action, **fields}
    return client.post(url, data, headers=HTMX if htmx else {}, follow=not htmx)


def searches():
    return list(Operation.objects.filter(kind="search").values_list("value", flat=True))


@pytest.mark.parametrize("allows_search", [True, False])
def test_the_first_button_of_the_form_neither_opens_nor_submits(sign_in, corpus, allows_search):
    assignment = give(corpus, allows_search=allows_search)

    html = read(sign_in("ben").get(page_of(assignment)))

    first = BUTTON.search(html, html.index('id="work"'))[0]
    assert 'name="action" value="enter"' in first
    assert ("formaction" in first) is allows_search
    assert 'tabindex="-1"' in first


@pytest.mark.parametrize("htmx", [True, False])
def test_new_words_are_searched_for(client, assignment, htmx):
    html = read(press_enter(client, assignment, htmx=htmx, **{"search-text": BRIDGE}))

    assert searches() == [f"keyword 2: {BRIDGE}"]
    assert "2 articles found" in html
    assert f'name="searched" value="keyword {BRIDGE}"' in html


@pytest.mark.parametrize("told", [{}, {"search-text": BRIDGE, "search-method": "keyword",
                                       "searched": f"keyword {BRIDGE}"}])  # fmt: skip
@pytest.mark.parametrize("htmx", [True, False])
def test_words_whose_hits_are_shown_are_not_searched_for_again(client, assignment, htmx, told):
    answer = press_enter(client, assignment, htmx=htmx, note="Hm.", **told)

    assert answer.status_code == 200
    assert searches() == []
    assert assignment.draft.data == {"active": ["1"], "columns": ["2"], "note": ["Hm."]}
    assert not Annotation.objects.exists()


@pytest.mark.parametrize("htmx", [True, False])
def test_words_that_could_not_be_searched_for_are_searched_for_by_the_next_enter(
    client, assignment, monkeypatch, htmx
):
    words = {"search-text": BRIDGE, "search-method": "keyword"}
    with monkeypatch.context() as budget:
        budget.setitem(throttling.BUDGETS, "search", (0, 10**9))
        throttling.seconds_to_wait(assignment.user, "search")
        html = read(press_enter(client, assignment, htmx=htmx, **words))
    searched = re.search(r'name="searched" value="([^"]*)"', html)[1]

    press_enter(client, assignment, htmx=htmx, **words, searched=searched)

    assert "You have searched very often" in html
    assert searches() == [f"keyword 2: {BRIDGE}"]


def test_words_typed_beside_an_article_that_was_refused_are_not_searched_for_yet(
    client, assignment, monkeypatch
):
    found = read(press_enter(client, assignment, htmx=False, **{"search-text": BRIDGE}))
    ticket = re.search(r'name="open_found" value="([^"]+)"', found)[1]
    monkeypatch.setitem(throttling.BUDGETS, "reading", (0, 10**9))
    throttling.seconds_to_wait(assignment.user, "reading")
    told = {"search-text": "Ferries", "searched": f"keyword {BRIDGE}", "open_found": ticket}

    html = read(press_enter(client, assignment, action="", htmx=False, **told))

    assert 'id="search-problem"' in html
    assert f'name="searched" value="keyword {BRIDGE}"' in html


def test_a_script_says_that_enter_was_pressed_elsewhere(client, assignment):
    answer = press_enter(client, assignment, action="keep", **{"search-text": BRIDGE})

    assert searches() == []
    assert (answer.content, answer["HX-Reswap"]) == (b"", "none")
    assert '"draft-stored"' in answer["HX-Trigger"]


def test_without_a_search_enter_keeps_the_draft_and_nothing_is_drawn(sign_in, corpus):
    assignment = give(corpus, allows_search=False)
    data = {"revision": 0, "action": "enter", "note": "Hm."}

    answer = sign_in("ben").post(page_of(assignment), data, headers=HTMX)

    assert (answer.content, answer["HX-Reswap"]) == (b"", "none")
    assert assignment.draft.data["note"] == ["Hm."]
    assert not Annotation.objects.exists()
