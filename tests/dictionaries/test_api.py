"""Dictionaries over HTTP: who may ask, what is refused, what comes back when the job has run."""

from datetime import timedelta
from uuid import uuid4

import pytest

from accounts.tokens import issue_token
from corpus.throttling import BUDGETS
from dictionaries.models import Dictionary
from dictionaries.services import build_corpus_index
from operations.models import Job
from operations.worker import run_due_jobs
from tests.annotation.pages import count_queries
from tests.factories import (
    A_DAY,
    make_article,
    make_campaign,
    make_corpus,
    make_dictionary,
    make_member,
    paragraph_of,
)

pytestmark = pytest.mark.django_db

TEXTS = (
    "The Norvell bridge in Dalby was delayed by Torvik Steel once more, the ministry said.",
    "Minister Alda Renn of Dalby told reporters that Torvik Steel asked for four more months.",
)
QUESTION = {
    "text": "Torvik Steel delayed the Norvell bridge.",
    "as_of": A_DAY.isoformat(),
}


@pytest.fixture
def corpus():
    """A corpus with an index and articles before, at and after A_DAY."""
    corpus = make_corpus(slug=f"indexed-{uuid4().hex[:8]}", encoder="svd")
    for days in range(-4, 3):
        texts = [f"{text} Day {days}." for text in TEXTS]
        make_article(corpus, *texts, published_at=A_DAY + timedelta(days=days))
    build_corpus_index(corpus=corpus)
    corpus.refresh_from_db()
    return corpus


@pytest.fixture
def cyn(corpus):
    return make_member(make_campaign(corpus=corpus), "cyn", role="curator")


def ask(client, corpus, question=QUESTION, **changes):
    body = {name: value for name, value in {**question, **changes}.items() if value is not None}
    path = f"/api/v1/corpora/{corpus.slug}/dictionaries/"
    return client.post(path, body, content_type="application/json")


def test_a_curator_asks_for_a_dictionary_and_reads_it_when_it_is_built(sign_in, cyn, corpus):
    asked = ask(sign_in(cyn), corpus)
    before = asked.json()
    run_due_jobs()
    after = sign_in(cyn).get(before["url"]).json()

    assert asked.status_code == 202
    assert (before["state"], before["entries"], before["job"]["state"]) == ("pending", [], "queued")
    assert (after["state"], after["job"]["state"]) == ("ready", "done")
    assert {"Torvik Steel", "Norvell"} & set(after["entities"])
    assert after["entries"]
    assert all(entry["published_at"] < "2022-05-14" for entry in after["entries"])


def test_a_paragraph_is_judged_as_of_its_own_time_without_its_article(sign_in, cyn, corpus):
    source = paragraph_of(corpus.articles.get(published_at=A_DAY))

    asked = ask(sign_in(cyn), corpus, {"paragraph": source.public_id, "seed": 7}).json()
    run_due_jobs()
    entries = sign_in(cyn).get(asked["url"]).json()["entries"]

    assert (asked["text"], asked["as_of"]) == (source.text, "2022-05-14T09:00:00Z")
    assert asked["left_out_article"] == source.article.external_id
    assert entries
    assert source.article.external_id not in {entry["article"] for entry in entries}


def test_a_dictionary_that_is_ready_is_given_at_once(sign_in, cyn, corpus):
    ask(sign_in(cyn), corpus)
    run_due_jobs()

    again = ask(sign_in(cyn), corpus)

    assert again.status_code == 200
    assert again.json()["entries"]
    assert Job.objects.filter(kind="build-dictionary").count() == 1


def test_the_same_moment_written_in_another_zone_is_the_same_dictionary(sign_in, cyn, corpus):
    first = ask(sign_in(cyn), corpus, as_of="2022-05-14T09:00:00Z").json()["key"]

    assert ask(sign_in(cyn), corpus, as_of="2022-05-14T11:00:00+02:00").json()["key"] == first
    type(corpus).objects.update(time_zone="Europe/Prague")
    assert ask(sign_in(cyn), corpus, as_of="2022-05-14T11:00:00").json()["key"] == first
    assert ask(sign_in(cyn), corpus, seed=1).json()["key"] != first


def test_a_moment_without_a_zone_is_in_that_of_the_corpus(sign_in, cyn, corpus):
    type(corpus).objects.update(time_zone="Europe/Prague")

    assert ask(sign_in(cyn), corpus, as_of="2022-05-14T11:00:00").json()["as_of"] == (
        "2022-05-14T09:00:00Z"
    )


@pytest.mark.parametrize(
    ("changes", "field", "reason"),
    [
        ({"text": None}, "non_field_errors", "a text or a paragraph"),
        ({"paragraph": "a_1"}, "paragraph", "has no paragraph “a_1”"),
        ({"text": None, "paragraph": "a\0_1"}, "paragraph", "Null characters"),
        ({"as_of": None}, "as_of", "needs an as-of date"),
        ({"as_of": "0001-01-01T00:00:00+14:00"}, "as_of", ""),
        ({"as_of": "yesterday"}, "as_of", "wrong format"),
        ({"text": "A\u202eb"}, "text", "RIGHT-TO-LEFT OVERRIDE"),
        ({"text": " "}, "text", "blank"),
        ({"text": "a" * 10_001}, "text", "10000"),
        ({"seed": -1}, "seed", "0"),
        ({"seed": 10**30}, "seed", "2147483647"),
    ],
)
def test_a_question_that_cannot_be_answered_is_refused_with_the_reason(
    sign_in, cyn, corpus, changes, field, reason
):
    response = ask(sign_in(cyn), corpus, **changes)

    assert response.status_code == 400
    assert reason in response.json()[field][0]
    assert not Dictionary.objects.exists()


def test_a_paragraph_and_a_date_contradict_each_other(sign_in, cyn, corpus):
    source = paragraph_of(corpus.articles.first())

    response = ask(sign_in(cyn), corpus, text=None, paragraph=source.public_id)

    assert response.json() == {"as_of": ["A paragraph is judged as of its own time."]}


def test_without_an_index_it_is_told_what_to_do(sign_in):
    bare = make_corpus(slug="bare")
    cyn = make_member(make_campaign(corpus=bare), "cyn", role="curator")

    response = ask(sign_in(cyn), bare)

    assert response.status_code == 409
    assert "index" in response.json()["detail"]


def test_who_only_labels_and_who_is_outside_find_nothing(sign_in, cyn, corpus):
    url = ask(sign_in(cyn), corpus).json()["url"]
    make_member(make_campaign(), "ben")

    for name in ["ben", "eve", "manager-of-autumn"]:
        assert ask(sign_in(name), corpus).status_code == 404
        assert sign_in(name).get(url).status_code == 404


def test_a_dictionary_of_another_corpus_is_not_found_here(sign_in, cyn, corpus):
    other = make_corpus(slug="other")
    make_member(make_campaign(slug="autumn", corpus=other), cyn, role="curator")
    dictionary = make_dictionary(other)

    path = f"/api/v1/corpora/{corpus.slug}/dictionaries/{dictionary.key}/"

    assert sign_in(cyn).get(path).status_code == 404


def test_a_token_needs_the_scope_to_build(client, cyn, corpus):
    def status(scope):
        _, secret = issue_token(user=cyn, name=scope, scopes=[scope], days=1)
        path = f"/api/v1/corpora/{corpus.slug}/dictionaries/"
        headers = {"Authorization": f"Bearer {secret}"}
        return client.post(path, QUESTION, "application/json", headers=headers).status_code

    assert [status("read"), status("build")] == [403, 202]


def test_reading_takes_as_many_queries_with_many_entries(sign_in, cyn, corpus):
    paragraphs = [paragraph_of(article) for article in corpus.articles.order_by("pk")[:4]]
    few, many = make_dictionary(corpus, paragraphs[0]), make_dictionary(corpus, *paragraphs)
    path = f"/api/v1/corpora/{corpus.slug}/dictionaries/"

    assert count_queries(sign_in(cyn), f"{path}{few.key}/") == count_queries(
        sign_in(cyn), f"{path}{many.key}/"
    )


def test_reading_too_fast_is_held_back(sign_in, cyn, corpus, monkeypatch):
    monkeypatch.setitem(BUDGETS, "reading", (2, 10**9))
    url = ask(sign_in(cyn), corpus).json()["url"]

    assert [sign_in(cyn).get(url).status_code for _ in range(2)] == [200, 429]
    # Whoever asks again for what is ready would get its texts.
    assert ask(sign_in(cyn), corpus).status_code == 429
