"""Corpora, articles and imports over HTTP: who reads what, and what an import answers."""

from datetime import UTC, datetime, timedelta

import pytest
from django.utils.http import urlencode

from accounts.tokens import issue_token
from corpus.models import Article, Import, Paragraph
from corpus.throttling import BUDGETS
from operations.worker import run_due_jobs
from tests.annotation.pages import count_queries
from tests.factories import (
    A_DAY,
    add_paragraphs,
    make_article,
    make_campaign,
    make_corpus,
    make_member,
    paragraph_of,
)

pytestmark = pytest.mark.django_db
AGENCY = "/api/v1/corpora/agency/"
IMPORTS = f"{AGENCY}imports/"
RAIN = {"id": "rain", "title": "Rain", "published_at": "2022-05-14", "text": "It rained.\n\nA lot."}
MANAGER = "manager-of-spring"


@pytest.fixture
def corpus():
    corpus = make_corpus(time_zone="Europe/Prague")
    make_campaign(slug="spring", corpus=corpus)
    return corpus


@pytest.fixture
def reader(corpus):
    return make_member(make_campaign(), "ben")


def send(client, *articles, path=IMPORTS, **options):
    body = {"articles": articles, **options}
    return client.post(path, body, content_type="application/json")


def sent(client, *articles, **options):
    """The import of articles when its jobs have run."""
    url = send(client, *articles, **options).json()["url"]
    run_due_jobs()
    return client.get(url).json()


def ids(response):
    return [row["external_id"] for row in response.json()["results"]]


def test_a_member_reads_the_corpora_of_their_campaigns(sign_in, reader):
    make_corpus(slug="other")

    listed = sign_in(reader).get("/api/v1/corpora/").json()["results"]

    assert [row["slug"] for row in listed] == ["agency"]
    assert sign_in("eve").get("/api/v1/corpora/").json()["results"] == []


def test_a_corpus_says_how_many_articles_it_has(sign_in, reader, corpus):
    make_article(corpus)

    assert sign_in(reader).get(AGENCY).json()["articles"] == 1


def test_articles_are_listed_by_their_ids_in_pages(sign_in, reader, corpus, monkeypatch):
    monkeypatch.setattr("corpus.api.ArticlePages.page_size", 2)
    for name in ["c", "a", "b"]:
        make_article(corpus, external_id=name)

    first = sign_in(reader).get(f"{AGENCY}articles/?page_size=1000")

    assert ids(first) == ["a", "b"]
    assert ids(sign_in(reader).get(first.json()["next"])) == ["c"]


def test_an_article_has_its_paragraphs_and_a_day_is_told_as_a_day(sign_in, reader, corpus):
    midnight = datetime(2022, 5, 13, 22, tzinfo=UTC)  # in Prague
    last = midnight + timedelta(days=1, microseconds=-1)
    make_article(corpus, "It rained.", external_id="rain", published_at=midnight, available_at=last)

    article = sign_in(reader).get(f"{AGENCY}articles/rain/").json()

    assert article["published_day"] == "2022-05-14"
    assert [row["public_id"] for row in article["paragraphs"]] == ["rain_0", "rain_1"]
    assert article["paragraphs"][1]["text"] == "It rained."
    assert article["paragraphs"][1]["published_day"] == "2022-05-14"


def test_an_article_with_a_moment_has_no_day(sign_in, reader, corpus):
    make_article(corpus, external_id="rain")

    article = sign_in(reader).get(f"{AGENCY}articles/rain/").json()

    assert (article["published_at"], article["published_day"]) == ("2022-05-14T09:00:00Z", None)


@pytest.mark.parametrize("name", ["https://a.example/b/?c=d", "a b", "č", "a/b/", "50%"])
def test_any_id_can_stand_in_an_address(sign_in, reader, corpus, name):
    make_article(corpus, external_id=name)
    quoted = urlencode({"x": name}).removeprefix("x=").replace("+", "%20")

    article = sign_in(reader).get(f"{AGENCY}articles/{quoted}/").json()

    assert article["external_id"] == name


def test_paragraphs_of_older_versions_stay_readable(sign_in, reader, corpus):
    article = make_article(corpus, "It rained.", external_id="rain", version=1)
    article.version = 2
    article.save()
    add_paragraphs(article, "It snowed.")

    def text(public_id):
        return sign_in(reader).get(f"{AGENCY}paragraphs/{public_id}/").json()["text"]

    assert (text("rain_1"), text("rain@2_1")) == ("It rained.", "It snowed.")


def test_what_an_unfinished_import_brought_is_not_seen(sign_in, reader, corpus):
    running = Import.objects.create(corpus=corpus, fingerprint="1" * 64)
    make_article(corpus, external_id="new", added_by=running)
    article = make_article(corpus, external_id="old")
    Paragraph.objects.create(
        corpus=corpus, article=article, version=2, rank=1, public_id="old@2_1", text="Soon."
    )
    client = sign_in(reader)

    assert ids(client.get(f"{AGENCY}articles/")) == ["old"]
    for path in ["articles/new/", "paragraphs/new_1/", "paragraphs/old@2_1/"]:
        assert client.get(AGENCY + path).status_code == 404


@pytest.mark.parametrize("path", ["", "articles/", "articles/rain/", "paragraphs/rain_1/"])
def test_outsiders_read_nothing(sign_in, corpus, path):
    make_article(corpus, external_id="rain")
    make_campaign(slug="autumn", corpus=make_corpus(slug="other"))

    for name in ["eve", "manager-of-autumn"]:
        assert sign_in(name).get(AGENCY + path).status_code == 404


def test_an_address_with_a_null_character_leads_nowhere(sign_in, reader):
    assert sign_in(reader).get(f"{AGENCY}articles/%00/").status_code == 404


def test_reading_too_much_is_held_back_for_each_person(sign_in, reader, corpus, monkeypatch):
    monkeypatch.setitem(BUDGETS, "reading", (2, 10**9))
    make_article(corpus, external_id="rain")
    paths = ["articles/", "articles/rain/", "paragraphs/rain_1/"]

    answers = [sign_in(reader).get(AGENCY + path) for path in paths]

    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert int(answers[2]["Retry-After"]) > 0
    assert sign_in(MANAGER).get(f"{AGENCY}articles/").status_code == 200


def test_lists_take_as_many_queries_with_many_rows(sign_in, reader, corpus):
    first = make_article(corpus, external_id="a")
    few = count_queries(sign_in(reader), f"{AGENCY}articles/")
    one = count_queries(sign_in(reader), f"{AGENCY}articles/a/")
    for _ in range(3):
        make_article(corpus, duplicate_of=first, duplicate_kind="near")
    longer = make_article(corpus, *"abcdef")

    assert count_queries(sign_in(reader), f"{AGENCY}articles/") == few
    assert count_queries(sign_in(reader), f"{AGENCY}articles/{longer.external_id}/") == one


def test_a_manager_imports_articles(sign_in, corpus):
    answer = send(sign_in(MANAGER), RAIN)

    assert answer.status_code == 202
    assert (answer.json()["state"], answer.json()["job"]["state"]) == ("read", "queued")
    run_due_jobs()
    done = sign_in(MANAGER).get(answer.json()["url"]).json()
    assert (done["state"], done["job"]["state"]) == ("complete", "done")
    assert (done["counts"]["articles_new"], done["counts"]["paragraphs"]) == (1, 2)
    article = Article.objects.get(external_id="rain")
    assert article.added_by.created_by.username == MANAGER
    assert article.published_at == datetime(2022, 5, 13, 22, tzinfo=UTC)  # in the corpus' zone
    assert paragraph_of(article, 2).text == "A lot."


def test_the_same_articles_again_are_told_as_the_same(sign_in, corpus):
    sent(sign_in(MANAGER), RAIN)

    again = sent(sign_in(MANAGER), RAIN, {**RAIN, "id": "more"})

    assert (again["counts"]["articles_same"], again["counts"]["articles_new"]) == (1, 1)


def test_one_bad_article_keeps_all_out_and_is_named(sign_in, corpus):
    done = sent(sign_in(MANAGER), RAIN, {"id": "snow", "text": "It snowed.", "title": "\ud800"})

    assert (done["state"], done["job"]["state"], done["counts"]) == ("read", "failed", {})
    (error,) = done["report"]["errors"]
    assert (error["file"], error["line"]) == ("articles.jsonl", 2)
    assert "published_at" in error["reason"]
    assert "nothing was stored" in done["job"]["error"]
    assert not Article.objects.exists()


def test_bad_articles_may_be_left_out(sign_in, corpus):
    done = sent(sign_in(MANAGER), RAIN, {"id": "snow"}, skip_bad=True)

    assert (done["state"], done["counts"]["bad"]) == ("complete", 1)


def test_a_dry_run_only_reports(sign_in, corpus):
    done = sent(sign_in(MANAGER), RAIN, dry_run=True)

    assert (done["state"], done["report"]["articles_new"]) == ("read", 1)
    assert not Article.objects.exists()


def test_a_line_for_each_paragraph_is_taken_as_in_files(sign_in, corpus):
    lines = [
        {"article": "rain", "rank": rank, "text": text, "published_at": "2022-05-14"}
        for rank, text in [(0, "Rain"), (4, "It rained.")]
    ]

    assert sent(sign_in(MANAGER), *lines)["state"] == "complete"
    assert Paragraph.objects.get(public_id="rain_4").text == "It rained."


@pytest.mark.parametrize(
    "body",
    [{}, {"articles": []}, {"articles": "rain"}, {"articles": [1]}, {"articles": [{}] * 1001}, []],
)
def test_what_is_no_list_of_articles_is_refused_at_once(sign_in, corpus, body):
    response = sign_in(MANAGER).post(IMPORTS, body, content_type="application/json")

    assert response.status_code == 400
    assert response.json()
    assert not Import.objects.exists()


def test_only_managers_import_and_read_reports(sign_in, corpus, reader):
    make_member(make_campaign(), "cyn", role="curator")
    url = send(sign_in(MANAGER), RAIN).json()["url"]

    for name in ["ben", "cyn", "eve", "manager-of-autumn"]:
        assert send(sign_in(name), RAIN).status_code == 404
        assert sign_in(name).get(url).status_code == 404
        assert sign_in(name).get(IMPORTS).status_code == 404


def test_a_token_needs_the_scope_to_import(client, corpus):
    manager = make_campaign().memberships.get(role="manager").user

    def status(scope):
        _, secret = issue_token(user=manager, name=scope, scopes=[scope], days=1)
        headers = {"Authorization": f"Bearer {secret}"}
        body = {"articles": [RAIN]}
        return client.post(IMPORTS, body, "application/json", headers=headers).status_code

    assert [status("read"), status("import")] == [403, 202]


def test_imports_are_listed_newest_first_by_a_constant_number_of_queries(sign_in, corpus):
    first = send(sign_in(MANAGER), RAIN).json()["id"]
    few = count_queries(sign_in(MANAGER), IMPORTS)
    second = send(sign_in(MANAGER), RAIN).json()["id"]

    listed = sign_in(MANAGER).get(IMPORTS).json()["results"]

    assert [row["id"] for row in listed] == [second, first]
    assert count_queries(sign_in(MANAGER), IMPORTS) == few


def test_times_are_those_of_the_article(sign_in, reader, corpus):
    make_article(corpus, external_id="rain", published_at=A_DAY)

    paragraph = sign_in(reader).get(f"{AGENCY}paragraphs/rain_1/").json()

    assert (paragraph["article"], paragraph["published_at"]) == ("rain", "2022-05-14T09:00:00Z")
