"""Search while labelling: offered by the wave, only what is older, all of it written down."""

import re

import pytest
from django.urls import reverse

from annotation.doctor import citations_outside_the_scope
from annotation.giving import ask_for_work
from annotation.models import Annotation, Claim, Instance, OpenedArticle, Operation, Wave
from annotation.scope import knowledge_scope
from corpus import throttling
from corpus.models import Paragraph
from tests.annotation.pages import HTMX, count_queries, page_of, read
from tests.annotation.test_t2_pages import send
from tests.dictionaries.corpora import new_corpus, small_corpus
from tests.factories import (
    make_article,
    make_campaign,
    make_claim,
    make_dictionary,
    make_item,
    make_participant,
    make_wave,
    paragraph_of,
)

pytestmark = pytest.mark.django_db
# Each a day newer than the one before it; the claim comes from the fourth.
TEXTS = [
    "The Norvell bridge is delayed.",
    "Ferries across the sound are gone.",
    "A bridge named after Norvell is closed.",
    "The Norvell bridge opens today.",
    "The Norvell bridge opened yesterday.",
]


@pytest.fixture
def corpus():
    return small_corpus(*TEXTS)


def paragraph(corpus, number):
    return Paragraph.objects.get(corpus=corpus, public_id=f"a{number}_1")


def give(corpus, *, allows_search=True, dictionary=()):
    """The assignment of ben to a claim from the fourth article."""
    wave = make_wave(make_campaign(corpus=corpus), allows_search=allows_search)
    source = paragraph(corpus, 3)
    dictionary = make_dictionary(corpus, *dictionary, as_of=source.published_at)
    claim = make_claim(wave, "It opens.", source=source, dictionary=dictionary)
    make_item(claim, wave)
    return ask_for_work(user=make_participant(wave, "ben"), wave=wave, task="T2")


@pytest.fixture
def assignment(corpus):
    return give(corpus)


@pytest.fixture
def client(sign_in, assignment):
    return sign_in("ben")


def search(client, assignment, text="Norvell bridge", *, htmx=True, **fields):
    url = reverse("annotation:search", args=[assignment.pk])
    draft = getattr(type(assignment).objects.get(pk=assignment.pk), "draft", None)
    data = {"revision": draft.revision if draft else 0, "search-text": text, **fields}
    return client.post(url, data, headers=HTMX if htmx else {}, follow=not htmx)


def found(html):
    return re.findall(r'id="found-(\d+)@1"', html)


def ticket(html, article):
    pattern = rf'id="found-{article.pk}@1"><button[^>]* name="open_found" value="([^"]+)"'
    return re.search(pattern, html)[1]


def written_down():
    return list(Operation.objects.values_list("kind", "value"))


def test_only_what_is_older_than_the_claim_is_found(client, assignment, corpus):
    html = read(search(client, assignment))

    assert found(html) == [str(paragraph(corpus, n).article_id) for n in (0, 2)]
    assert "opened yesterday" not in html


def test_what_is_searched_is_written_down_with_method_and_number_of_hits(client, assignment):
    search(client, assignment, "  Norvell   bridge ")
    search(client, assignment, "zeppelin")
    search(client, assignment, "Ferries", **{"search-method": "semantic"})

    assert written_down() == [
        ("search", "keyword 2: Norvell bridge"),
        ("search", "keyword 0: zeppelin"),
        ("search", "semantic 3: Ferries"),
    ]


def test_opening_a_hit_adds_its_article_at_the_end_of_the_grid(client, assignment, corpus):
    article = paragraph(corpus, 0).article
    html = read(search(client, assignment))

    added = read(search(client, assignment, open_found=ticket(html, article)))

    assert added.lstrip().startswith(f'<details class="article" id="article-{article.pk}@1" open')
    assert 'name="set-1"' in added
    assert f'<div id="found-{article.pk}@1" hx-swap-oob="true"' in added
    assert knowledge_scope(assignment).articles[-1].article == article
    assert written_down()[-1] == ("open", "a0")
    assert "found by search" in read(client.get(page_of(assignment)))


def test_what_was_opened_can_be_cited(client, assignment, corpus):
    html = read(search(client, assignment))
    search(client, assignment, open_found=ticket(html, paragraph(corpus, 0).article))

    revision = assignment.draft.revision
    cited = paragraph(corpus, 0)
    send(client, assignment, "REFUTES", sets=[[cited]], revision=revision)

    annotation = Annotation.objects.get()
    assert annotation.evidence_sets.get().items.get().paragraph == cited
    assert list(citations_outside_the_scope()) == []


def test_what_was_found_but_not_opened_cannot_be_cited(client, assignment, corpus):
    search(client, assignment)

    send(client, assignment, "REFUTES", sets=[[paragraph(corpus, 0)]], revision=1)

    assert not Annotation.objects.exists()


def test_opening_a_hit_moves_no_other_article(sign_in, corpus):
    others = [
        paragraph_of(
            make_article(corpus, f"Other {n}.", published_at=paragraph(corpus, 0).published_at)
        )
        for n in range(6)
    ]
    assignment = give(corpus, dictionary=others)
    client = sign_in("ben")
    before = [each.key for each in knowledge_scope(assignment).articles]
    html = read(search(client, assignment))

    for number in (2, 0):
        search(client, assignment, open_found=ticket(html, paragraph(corpus, number).article))

    after = [each.key for each in knowledge_scope(assignment).articles]
    assert after[: len(before)] == before
    assert after[len(before) :] == [f"{paragraph(corpus, n).article_id}@1" for n in (2, 0)]


def test_an_article_of_the_page_is_linked_not_added(sign_in, corpus):
    assignment = give(corpus, dictionary=[paragraph(corpus, 0)])

    html = read(search(sign_in("ben"), assignment))

    key = f"{paragraph(corpus, 0).article_id}@1"
    assert f'<div id="found-{key}"><a href="#article-{key}">' in html


def test_without_script_the_page_comes_back_with_hits_and_all_that_was_typed(
    client, assignment, corpus
):
    source = paragraph(corpus, 3)
    fields = {"label": "REFUTES", "set-1": [source.pk], "note": "Hm."}

    html = read(search(client, assignment, htmx=False, **fields))

    assert "The Norvell bridge is delayed." in html
    assert re.search(rf'name="set-1" value="{source.pk}" checked', html)
    assert 'value="Hm."' in html
    assert assignment.draft.data["note"] == ["Hm."]
    assert "search-text" not in assignment.draft.data
    opened = read(
        search(
            client, assignment, htmx=False, open_found=ticket(html, paragraph(corpus, 0).article)
        )
    )
    assert f'id="article-{paragraph(corpus, 0).article_id}@1" open' in opened


def test_a_wave_that_does_not_allow_it_offers_no_search(sign_in, corpus):
    assignment = give(corpus, allows_search=False)
    client = sign_in("ben")

    assert 'id="search"' not in read(client.get(page_of(assignment)))
    assert search(client, assignment).status_code == 404
    assert not Operation.objects.exists()


def test_where_one_article_is_the_scope_nothing_is_searched(client, assignment, corpus):
    article = paragraph(corpus, 0).article
    Instance.objects.update(scope_kind="article", article=article, article_version=1)

    assert search(client, assignment).status_code == 404


def test_a_claim_without_a_date_in_a_dated_corpus_is_not_searched_for(client, assignment):
    Claim.objects.update(origin="imported", as_of=None, source=None, source_published_at=None)

    assert 'id="search"' not in read(client.get(page_of(assignment)))
    assert search(client, assignment).status_code == 404


@pytest.mark.parametrize("forged", ["", "1:2:3", "x" * 500])
def test_a_forged_ticket_opens_nothing(client, assignment, forged):
    assert search(client, assignment, open_found=forged).status_code == 404
    assert not OpenedArticle.objects.exists()


def test_the_ticket_of_another_assignment_opens_nothing(client, assignment, corpus, sign_in):
    wave = assignment.wave
    other = ask_for_work(user=make_participant(wave, "cyn"), wave=wave, task="T2")
    html = read(search(sign_in("cyn"), other))

    response = search(client, assignment, open_found=ticket(html, paragraph(corpus, 0).article))

    assert response.status_code == 404


def test_a_hit_is_not_opened_once_the_claim_is_older_than_it(client, assignment, corpus):
    hit = paragraph(corpus, 2)
    html = read(search(client, assignment))
    Claim.objects.update(
        source=paragraph(corpus, 2),
        source_published_at=hit.published_at,
        as_of=hit.published_at,
    )

    assert search(client, assignment, open_found=ticket(html, hit.article)).status_code == 404


def test_nobody_else_searches_for_it(assignment, sign_in, eve):
    assert search(sign_in(eve), assignment).status_code == 404


@pytest.mark.parametrize(
    ("text", "told"),
    [(" ", "Type some words"), ("x" * 301, "at most 300"), ("a\u202eb", "cannot be seen")],
)
def test_what_cannot_be_searched_is_said_and_not_written_down(client, assignment, text, told):
    assert told in read(search(client, assignment, text))
    assert not Operation.objects.filter(kind="search").exists()


def test_without_an_index_it_says_so(sign_in):
    corpus = new_corpus()
    for n, text in enumerate(TEXTS):
        make_article(corpus, text, external_id=f"a{n}")

    assert "cannot be searched now" in read(search(sign_in("ben"), give(corpus)))


def test_past_the_budget_the_draft_is_kept_and_nothing_is_searched(client, assignment, monkeypatch):
    monkeypatch.setitem(throttling.BUDGETS, "search", (0, 10**9))
    throttling.seconds_to_wait(assignment.user, "search")

    html = read(search(client, assignment, note="Hm."))

    assert "You have searched very often" in html
    assert assignment.draft.data["note"] == ["Hm."]


def test_a_newer_draft_is_not_replaced_by_a_search(client, assignment):
    search(client, assignment, note="First.")

    html = read(search(client, assignment, revision=0, note="Second."))

    assert "another tab or on another device" in html
    assert assignment.draft.data["note"] == ["First."]


def test_a_wave_in_use_keeps_whether_it_allows_search(assignment, sign_in):
    manager = sign_in(f"manager-of-{assignment.wave.campaign.slug}")

    page = read(manager.get(reverse("annotation:edit-wave", args=[assignment.wave_id])))

    assert re.search(r'<input[^>]*name="allows_search"[^>]*disabled', page)


def test_the_page_takes_as_many_queries_with_a_search(client, assignment):
    without = count_queries_of(client, assignment, allows=False)

    assert count_queries_of(client, assignment, allows=True) == without


def count_queries_of(client, assignment, *, allows):
    Wave.objects.update(allows_search=allows)
    return count_queries(client, page_of(assignment))
