"""Articles that are opened beside the work count as reading, which nobody may do without end."""

import re

import pytest

from annotation.answering import skip_work
from annotation.models import Assignment, OpenedArticle, Operation
from corpus import throttling
from tests.annotation.pages import HTMX, page_of, read
from tests.annotation.test_t2_search import TEXTS, give, paragraph, search, ticket
from tests.dictionaries.corpora import small_corpus

pytestmark = pytest.mark.django_db
TOO_MUCH = "You have opened very many texts in a short time."


@pytest.fixture(autouse=True)
def _two_pages(monkeypatch):
    monkeypatch.setitem(throttling.BUDGETS, "reading", (2, 10**9))


def read_all_but(user, n=0):
    """Use up the budget of a person but for `n` pages."""
    for _ in range(2 - n):
        assert throttling.seconds_to_wait(user, "reading") == 0


def open_article(client, assignment, *, htmx=True, **fields):
    """Press the button that opens the source's article."""
    assignment = Assignment.objects.get(pk=assignment.pk)
    article = assignment.preselection or assignment.claim or assignment.item.instance.claim
    source = article.paragraph if assignment.preselection else article.source
    draft = getattr(assignment, "draft", None)
    data = {"revision": draft.revision if draft else 0, "open_article": source.article_id, **fields}
    headers = HTMX if htmx else {}
    return client.post(page_of(assignment), data, headers=headers, follow=not htmx)


@pytest.fixture(params=["writing", "mutating", "labelling"])
def work(request):
    """An assignment of ben's, whatever its task; its source's article has one paragraph more."""
    return request.getfixturevalue(request.param)


TYPED = {"T1a": "claim-1", "T1b": "specify", "T2": "note"}


@pytest.mark.parametrize("htmx", [True, False])
def test_past_the_budget_nothing_more_is_opened_and_nothing_typed_is_lost(ben_client, work, htmx):
    read_all_but(work.user)

    fields = {TYPED[work.task]: "Typed before."}
    response = open_article(ben_client, work, htmx=htmx, **fields)

    html = read(response)
    assert TOO_MUCH in html
    assert re.search(r"you can open more in (a minute|\d+ minutes)\.", html)
    assert "Typed before." in html
    assert work.draft.data[TYPED[work.task]] == ["Typed before."]
    assert f'name="revision" value="{work.draft.revision}"' in html
    assert not OpenedArticle.objects.exists()


def test_an_article_counts_once_in_an_assignment(ben_client, work):
    read_all_but(work.user, 1)

    for _ in range(3):
        assert TOO_MUCH not in read(open_article(ben_client, work))

    assert throttling.seconds_to_wait(work.user, "reading") > 0
    assert OpenedArticle.objects.count() == 1


# What a search found


@pytest.fixture
def corpus():
    return small_corpus(*TEXTS)


@pytest.fixture
def searching(corpus):
    return give(corpus)


@pytest.fixture
def hits(sign_in, searching):
    """What the page shows after a search."""
    return read(search(sign_in("ben"), searching))


def test_past_the_budget_what_was_found_stays_and_says_when_to_go_on(
    sign_in, searching, corpus, hits
):
    read_all_but(searching.user)
    article = paragraph(corpus, 0).article

    answer = search(sign_in("ben"), searching, open_found=ticket(hits, article), note="Hm.")

    assert TOO_MUCH in (html := read(answer))
    assert ticket(html, article) == ticket(hits, article)  # the button is there to press again
    assert answer["HX-Retarget"] == f'[id="found-{article.pk}@1"]'
    assert searching.draft.data["note"] == ["Hm."]
    assert not OpenedArticle.objects.exists()


def test_without_scripts_the_words_stay_too(sign_in, searching, corpus, hits):
    read_all_but(searching.user)
    asked = {"open_found": ticket(hits, paragraph(corpus, 0).article), "note": "Hm."}

    html = read(search(sign_in("ben"), searching, "Norvell", htmx=False, **asked))

    assert TOO_MUCH in html
    assert 'name="search-text" type="search" maxlength="300" value="Norvell"' in html
    assert 'value="Hm."' in html


def test_what_was_found_counts_once(sign_in, searching, corpus, hits):
    read_all_but(searching.user, 1)
    asked = {"open_found": ticket(hits, paragraph(corpus, 0).article)}

    for _ in range(3):
        assert TOO_MUCH not in read(search(sign_in("ben"), searching, **asked))

    assert Operation.objects.filter(kind="open").count() == 1


def test_what_cannot_be_opened_counts_nothing(sign_in, searching, hits):
    read_all_but(searching.user, 1)

    assert search(sign_in("ben"), searching, open_found="forged").status_code == 404

    assert throttling.seconds_to_wait(searching.user, "reading") == 0


def test_a_search_in_work_that_was_skipped_meanwhile_shows_what_was_typed(sign_in, searching):
    skip_work(assignment=searching, reason="too hard")

    html = read(search(sign_in("ben"), searching, note="Typed in another tab."))

    assert "You skipped this" in html
    assert "Typed in another tab." in html
