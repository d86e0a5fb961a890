"""Search in a corpus, on its page and over HTTP: by words and by meaning, only what is older."""

import pytest
from django.urls import reverse

from accounts.tokens import issue_token
from corpus import throttling
from tests.annotation.pages import HTMX, count_queries, read
from tests.dictionaries.corpora import new_corpus, small_corpus
from tests.factories import make_campaign, make_member

pytestmark = pytest.mark.django_db
# Each a day newer than the one before it, from the first of January 2022.
TEXTS = [
    "The Norvell bridge is delayed.",
    "Ferries across the sound are gone.",
    "The Norvell bridge is open.",
    "A bridge named after Norvell is closed.",
]


@pytest.fixture
def corpus():
    return small_corpus(*TEXTS)


@pytest.fixture
def client(corpus, sign_in):
    return sign_in(make_member(make_campaign(corpus=corpus), "ada"))


def search(client, corpus, q="Norvell bridge", **fields):
    return client.get(reverse("dictionaries:search", args=[corpus.slug]), {"q": q, **fields})


def found(response):
    return [hit.paragraph.public_id for hit in response.context["found"].hits]


def over_http(client, corpus, **fields):
    return client.get(f"/api/v1/corpora/{corpus.slug}/search/", fields)


def test_words_that_stand_together_come_first(client, corpus):
    response = search(client, corpus)

    assert found(response) == ["a2_1", "a0_1", "a3_1"]
    assert "The Norvell bridge is open." in read(response)


def test_only_what_is_older_is_found(client, corpus):
    # Texts come at 12:00 in UTC, and one that comes at the moment itself is not older.
    assert found(search(client, corpus, as_of="2022-01-03T12:00")) == ["a0_1"]
    assert found(search(client, corpus, as_of="2022-01-03T12:01")) == ["a2_1", "a0_1"]


def test_by_meaning_the_nearest_come_first(client, corpus):
    response = search(client, corpus, "Ferries across the sound are gone.", method="semantic")

    assert found(response)[0] == "a1_1"
    assert len(found(response)) == 4


def test_an_undated_corpus_is_searched_whole(sign_in):
    corpus = small_corpus(*TEXTS, undated=True)
    client = sign_in(make_member(make_campaign(corpus=corpus), "ada"))

    response = search(client, corpus)

    assert len(found(response)) == 3
    assert "as_of" not in response.context["form"].fields


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"q": " "}, "Type some words to look for."),
        ({"q": "x" * 301}, "at most 300 characters"),
        ({"q": "a\u202eb"}, "characters that cannot be seen"),
        ({"q": "Norvell", "as_of": "soon"}, "valid date/time"),
        ({"q": "Norvell", "as_of": "0001-01-01T00:00"}, "year cannot be right"),
        ({"q": "Norvell", "method": "magic"}, "magic is not one of the available choices"),
    ],
)
def test_what_cannot_be_asked_is_said(client, corpus, fields, told):
    response = search(client, corpus, **fields)

    assert response.context["found"] is None
    assert told in read(response)


def test_nothing_found_says_what_to_try(client, corpus):
    assert "Try other words" in read(search(client, corpus, "zeppelin"))


def test_a_query_of_stop_words_finds_nothing(client, corpus):
    assert found(search(client, corpus, "the of")) == []


def test_without_an_index_it_says_so(sign_in):
    corpus = new_corpus()
    client = sign_in(make_member(make_campaign(corpus=corpus), "ada"))

    assert "it has no whole index" in read(search(client, corpus))
    assert over_http(client, corpus, text="Norvell").status_code == 409


def test_pages_follow_each_other_without_gap_or_repetition(sign_in):
    corpus = small_corpus(*(f"The Norvell bridge, part {n}." for n in range(25)))
    client = sign_in(make_member(make_campaign(corpus=corpus), "ada"))

    pages = [found(search(client, corpus, page=page)) for page in (1, 2, 3)]

    assert [len(page) for page in pages] == [10, 10, 5]
    assert len({name for page in pages for name in page}) == 25
    assert "page=3" in read(search(client, corpus, page=2))
    assert 'rel="next"' not in read(search(client, corpus, page=3))
    assert found(search(client, corpus, page="many")) == pages[0]
    assert "There are no more hits." in read(search(client, corpus, page=9))


def test_htmx_gets_the_search_alone(client, corpus):
    url = reverse("dictionaries:search", args=[corpus.slug])

    html = read(client.get(url, {"q": "Norvell"}, headers=HTMX))

    assert html.lstrip().startswith('<div id="search"')


def test_a_stranger_finds_no_corpus(corpus, sign_in, eve):
    assert search(sign_in(eve), corpus).status_code == 404
    assert over_http(sign_in(eve), corpus, text="Norvell").status_code == 404


def test_searching_is_within_the_budget_of_page_and_api_together(client, corpus, monkeypatch):
    monkeypatch.setitem(throttling.BUDGETS, "search", (1, 10**9))
    read(search(client, corpus))

    assert search(client, corpus).status_code == 429
    assert over_http(client, corpus, text="Norvell").status_code == 429


def test_a_page_takes_as_many_queries_whatever_it_finds(client, corpus):
    url = reverse("dictionaries:search", args=[corpus.slug])

    assert count_queries(client, f"{url}?q=ferries") == count_queries(client, f"{url}?q=bridge")


def test_texts_are_shown_as_text(sign_in):
    corpus = small_corpus("The <i>Norvell</i> bridge.")
    client = sign_in(make_member(make_campaign(corpus=corpus), "ada"))

    html = read(search(client, corpus, "<b>Norvell</b>"))

    assert "<i>Norvell" not in html
    assert "<b>Norvell" not in html


def test_the_api_gives_hits_with_rank_and_excerpt(client, corpus):
    body = over_http(client, corpus, text="Norvell bridge", limit=2).json()

    assert [hit["paragraph"] for hit in body["results"]] == ["a2_1", "a0_1"]
    assert [hit["rank"] for hit in body["results"]] == [1, 2]
    assert body["results"][0]["excerpt"] == "The Norvell bridge is open."
    assert body["next_offset"] == 2
    rest = over_http(client, corpus, text="Norvell bridge", limit=2, offset=2).json()
    assert [hit["paragraph"] for hit in rest["results"]] == ["a3_1"]
    assert rest["next_offset"] is None


def test_the_api_finds_only_what_is_older(client, corpus):
    body = over_http(
        client, corpus, text="Norvell", as_of="2022-01-03T12:00:00Z", method="semantic"
    ).json()

    assert {hit["paragraph"] for hit in body["results"]} == {"a0_1", "a1_1"}
    assert body["as_of"] == "2022-01-03T12:00:00Z"


@pytest.mark.parametrize("fields", [{}, {"text": " "}, {"text": "a", "limit": 51}])
def test_the_api_refuses_what_cannot_be_asked(client, corpus, fields):
    assert over_http(client, corpus, **fields).status_code == 400


def test_a_token_needs_the_scope_to_read(corpus, client, sign_in, ada):
    path = f"/api/v1/corpora/{corpus.slug}/search/?text=Norvell"

    def asked(scope):
        _, secret = issue_token(user=ada, name=scope, scopes=[scope], days=1)
        return type(client)().get(path, headers={"Authorization": f"Bearer {secret}"})

    assert asked("read").status_code == 200
    assert asked("build").status_code == 403
