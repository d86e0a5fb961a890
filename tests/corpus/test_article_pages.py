"""Articles as members and managers see them."""

from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import Event
from corpus import throttling
from corpus.models import Article, Corpus
from operations.models import Job
from tests.corpus.importing import import_lines, line_of
from tests.corpus.pages import page, shown
from tests.factories import make_article, make_corpus

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)


def make_articles(corpus, count, **fields):
    return [
        make_article(
            corpus,
            title=f"Title number {n}",
            external_id=f"id{n}",
            published_at=datetime(2022, 1, 1, 12, tzinfo=UTC) + n * DAY,
            **fields,
        )
        for n in range(count)
    ]


def test_articles_are_listed_newest_first_in_pages(reader, corpus):
    make_articles(corpus, 65)

    first = page(reader, "articles")
    titles = [article.title for article in first.context["page"].articles]
    assert titles == [f"Title number {n}" for n in range(64, 34, -1)]

    older = page(reader, "articles", before=first.context["page"].older)
    oldest = page(reader, "articles", before=older.context["page"].older)
    assert [len(r.context["page"].articles) for r in (older, oldest)] == [30, 5]
    assert not oldest.context["page"].older

    back = page(reader, "articles", after=oldest.context["page"].newer)
    assert back.context["page"].articles == older.context["page"].articles
    again = page(reader, "articles", after=back.context["page"].newer)
    assert again.context["page"].articles == first.context["page"].articles
    assert not again.context["page"].newer


def test_articles_of_the_same_moment_are_all_reached(reader, corpus):
    made = [make_article(corpus, external_id=f"id{n}") for n in range(40)]

    first = page(reader, "articles").context["page"]
    second = page(reader, "articles", before=first.older).context["page"]

    assert {a.pk for a in first.articles + second.articles} == {a.pk for a in made}


def test_an_undated_corpus_is_listed_too(sign_in, root):
    corpus = make_corpus(undated=True)
    for n in range(35):
        make_article(corpus, published_at=None, external_id=f"id{n}")
    client = sign_in(root)

    first = page(client, "articles").context["page"]
    second = page(client, "articles", before=first.older).context["page"]

    assert [len(first.articles), len(second.articles)] == [30, 5]
    back = page(client, "articles", after=second.newer).context["page"]
    assert back.articles == first.articles


@pytest.mark.parametrize("cursor", ["x", "1.x", ".", "9" * 30 + ".1", "1." + "9" * 40, "-5.-5"])
def test_a_cursor_that_is_none_shows_the_newest(reader, corpus, cursor):
    make_article(corpus)

    assert len(page(reader, "articles", before=cursor).context["page"].articles) == 1


def found(client, **data):
    articles = page(client, "articles", **data).context["page"].articles
    return [article.external_id for article in articles]


def test_articles_are_found_by_title_id_and_day(reader, corpus):
    make_articles(corpus, 5)

    assert found(reader, q="number 3") == ["id3"]
    assert found(reader, q="id2") == ["id2"]
    assert found(reader, since="2022-01-03", until="2022-01-04") == ["id3", "id2"]
    assert found(reader, q="number", until="2022-01-01") == ["id0"]
    assert found(reader, q="nowhere") == []


@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "Pacific/Pago_Pago"])
@pytest.mark.parametrize(
    ("asked", "titles"),
    [
        ({"since": "0001-01-01"}, ["id1", "id0"]),
        ({"since": "9999-12-31"}, []),
        ({"until": "0001-01-01"}, []),
        ({"until": "9999-12-31"}, ["id1", "id0"]),
    ],
)
def test_days_at_the_ends_of_the_calendar_are_bounds_too(reader, corpus, zone, asked, titles):
    make_articles(corpus, 2)
    Corpus.objects.update(time_zone=zone)

    assert found(reader, **asked) == titles


def test_a_search_by_htmx_gets_the_list_alone(reader, corpus):
    make_article(corpus)
    url = reverse("corpus:articles", args=["agency"])

    text = reader.get(url, headers={"HX-Request": "true"}).content.decode()

    assert text.lstrip().startswith('<section id="articles"')


def test_a_list_takes_the_same_queries_however_long(reader, corpus):
    make_articles(corpus, 2)
    page(reader, "articles")
    few = queries_of(reader)
    for n in range(20):
        make_article(corpus, external_id=f"more{n}")

    assert queries_of(reader) == few


def queries_of(client):
    with CaptureQueriesContext(connection) as queries:
        page(client, "articles")
    return len(queries)


def test_an_article_is_shown_with_its_paragraphs_and_ids(reader, tmp_path, corpus):
    import_lines(
        tmp_path,
        line_of("a1", "First.\n\nSecond.", section="Politics", published_at="2022-05-14"),
        corpus=corpus,
    )

    text = shown(page(reader, "article", Article.objects.get().pk))

    for part in ("Title of a1", "First.", "a1_1", "a1_2", "Politics", "14 May 2022<"):
        assert part in text
    assert "Leave it out" not in text


def test_a_time_is_shown_in_the_zone_of_the_corpus(reader, corpus):
    article = make_article(corpus, published_at=datetime(2022, 5, 14, 22, 30, tzinfo=UTC))

    assert "15 May 2022, 00:30" in shown(page(reader, "article", article.pk))


def test_older_versions_stay_readable(reader, tmp_path, corpus):
    import_lines(tmp_path, line_of("a1", "Old text."), corpus=corpus)
    import_lines(tmp_path, line_of("a1", "New text.", title="New title"), corpus=corpus)
    article = Article.objects.get()

    now, then = (
        shown(page(reader, "article", article.pk)),
        shown(page(reader, "article-version", article.pk, 1)),
    )

    assert "New text." in now
    assert "Old text." not in now
    assert "Old text." in then
    assert "Title of a1" in then
    assert "This is version 1" in then
    response = page(reader, "article-version", article.pk, 7)
    assert response.url == reverse("corpus:article", args=["agency", article.pk])


def test_what_an_unfinished_import_brought_is_not_there(reader, corpus):
    article = make_article(corpus)
    Corpus.objects.get().imports.update(state="running")

    assert page(reader, "article", article.pk).status_code == 404
    assert found(reader) == []


def test_a_copy_names_its_original(reader, tmp_path, corpus):
    import_lines(tmp_path, line_of("a1", "Same."), line_of("a2", "Same."), corpus=corpus)
    original, copy = Article.objects.order_by("external_id")

    assert reverse("corpus:article", args=["agency", original.pk]) in shown(
        page(reader, "article", copy.pk)
    )
    assert reverse("corpus:article", args=["agency", copy.pk]) in shown(
        page(reader, "article", original.pk)
    )


def set_retrievable(client, article, answer):
    url = reverse("corpus:set-retrievable", args=["agency", article.pk])
    return client.post(url, {"retrievable": answer}, follow=True)


def test_a_manager_leaves_an_article_out_and_takes_it_in_again(manager, corpus):
    article = make_article(corpus)
    Corpus.objects.update(index_version="1", indexed_data_version=0)

    assert "is left out" in shown(set_retrievable(manager, article, "no"))
    article.refresh_from_db()
    assert not article.retrievable
    assert Corpus.objects.get().is_index_stale
    assert Job.objects.filter(kind="build-index").count() == 1

    assert "again" in shown(set_retrievable(manager, article, "yes"))
    verbs = Event.objects.filter(subject=f"article:{article.pk}").values_list("verb", flat=True)
    assert list(verbs) == ["took in article", "left out article"]


def test_an_article_without_text_is_not_taken_in(manager, tmp_path, corpus):
    import_lines(tmp_path, line_of("a1", ""), corpus=corpus)

    set_retrievable(manager, Article.objects.get(), "yes")

    assert not Article.objects.get().retrievable


def test_a_manager_has_articles_compared_again(manager, corpus):
    make_article(corpus)

    manager.post(reverse("corpus:mark-near-duplicates", args=["agency"]))

    assert Job.objects.get().kind == "mark-near-duplicates"


def test_who_reads_very_much_learns_when_to_go_on(reader, corpus, monkeypatch):
    monkeypatch.setitem(throttling.BUDGETS, "reading", (2, 10**9))
    article = make_article(corpus)
    assert [page(reader, "article", article.pk).status_code for _ in range(2)] == [200, 200]

    response = page(reader, "article", article.pk)

    assert response.status_code == 429
    assert int(response["Retry-After"]) <= 10**9
    assert "You can go on in" in response.content.decode()


def test_budgets_are_for_each_person(reader, manager, corpus, monkeypatch):
    monkeypatch.setitem(throttling.BUDGETS, "reading", (1, 10**9))
    article = make_article(corpus)

    assert page(reader, "article", article.pk).status_code == 200
    assert page(manager, "article", article.pk).status_code == 200
    assert page(reader, "article", article.pk).status_code == 429


def test_a_fragment_past_the_budget_asks_for_the_whole_page(reader, corpus, monkeypatch):
    monkeypatch.setitem(throttling.BUDGETS, "search", (0, 10**9))
    url = reverse("corpus:articles", args=["agency"])
    reader.get(url)

    response = reader.get(url, headers={"HX-Request": "true"})

    assert response["HX-Refresh"] == "true"


def test_markup_in_texts_is_shown_as_text(reader, corpus):
    article = make_article(corpus, "<script>alert(1)</script>", title="<b>Bold</b>")

    text = shown(page(reader, "article", article.pk))

    assert "<script>alert" not in text
    assert "<b>Bold" not in text
