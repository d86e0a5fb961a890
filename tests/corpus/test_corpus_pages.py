"""Corpora as members and managers see them."""

from datetime import timedelta

import pytest
from django.urls import reverse

from accounts.models import Event
from corpus.models import Corpus
from operations.models import Job
from tests.corpus.importing import import_lines, line_of
from tests.corpus.pages import page, shown
from tests.factories import make_article, make_corpus

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)


@pytest.fixture
def root_client(sign_in, root):
    return sign_in(root)


def test_the_list_shows_the_corpora_of_own_campaigns(reader):
    make_corpus(slug="other", name="Other agency")

    text = shown(reader.get(reverse("corpus:corpora")))

    assert "News agency" in text
    assert "Other agency" not in text
    assert "Make a corpus" not in text


def test_a_superuser_makes_a_corpus(root_client, root):
    data = {
        "name": "Wire",
        "slug": "wire",
        "language": "cs",
        "time_zone": "Europe/Prague",
        "agency_names": "Wire\r\n  ČTK  \r\nWire\r\n",
        "encoder": "auto",
    }

    response = root_client.post(reverse("corpus:new-corpus"), data)

    corpus = Corpus.objects.get(slug="wire")
    assert response.url == reverse("corpus:new-import", args=["wire"])
    assert corpus.agency_names == ["Wire", "ČTK"]
    assert Event.objects.get(verb="made corpus").actor == root


@pytest.mark.parametrize(
    ("field", "value", "told"),
    [
        ("slug", "new", "cannot be used"),
        ("slug", "agency", "already exists"),
        ("language", "klingon!", "no language code"),
        ("time_zone", "Mars", "no time zone"),
    ],
)
def test_settings_that_cannot_be_are_refused_kindly(root_client, corpus, field, value, told):
    data = {"name": "Wire", "slug": "wire", "language": "cs", "time_zone": "UTC", "encoder": "auto"}

    text = shown(root_client.post(reverse("corpus:new-corpus"), data | {field: value}))

    assert told in text
    assert Corpus.objects.count() == 1


def settings_of(corpus, **changes):
    names = ("name", "language", "time_zone", "licence", "encoder")
    return {name: getattr(corpus, name) for name in names} | {"agency_names": ""} | changes


def test_what_dates_rest_on_is_fixed_once_there_are_articles(root_client, corpus):
    make_article(corpus)
    data = settings_of(corpus, time_zone="UTC", undated="on", name="Renamed")

    root_client.post(reverse("corpus:edit-corpus", args=["agency"]), data)

    corpus.refresh_from_db()
    assert (corpus.name, corpus.time_zone, corpus.undated) == ("Renamed", "Europe/Prague", False)


def test_another_encoder_makes_the_index_stale(root_client, corpus):
    Corpus.objects.update(index_version="1", indexed_data_version=0)

    root_client.post(
        reverse("corpus:edit-corpus", args=["agency"]), settings_of(corpus, encoder="svd")
    )

    corpus.refresh_from_db()
    assert corpus.is_index_stale
    assert Job.objects.get(kind="build-index").key == "agency"


def test_another_name_leaves_the_index_alone(root_client, corpus):
    Corpus.objects.update(index_version="1", indexed_data_version=0)

    root_client.post(
        reverse("corpus:edit-corpus", args=["agency"]), settings_of(corpus, name="Renamed")
    )

    corpus.refresh_from_db()
    assert not corpus.is_index_stale
    assert Event.objects.get(verb="changed corpus").data == {"fields": ["name"]}


def test_the_overview_counts_what_there_is(reader, tmp_path, corpus):
    import_lines(
        tmp_path,
        line_of("a1", "One.\n\nTwo.", published_at="2021-03-01"),
        line_of("a2", "One.\n\nTwo.", published_at="2022-04-02"),
        line_of("a3", "", published_at="2023-05-03"),
        corpus=corpus,
    )

    text = shown(page(reader, "corpus"))

    assert "From 1 Mar 2021 to 3 May 2023." in text
    for label, number in [
        ("Articles", 3),
        ("Paragraphs", 4),
        ("Retrievable paragraphs", 2),
        ("Exact duplicates", 1),
        ("Without text", 1),
    ]:
        assert f"<dt>{label}</dt><dd>{number}</dd>" in text


def test_counts_follow_the_texts(reader, tmp_path, corpus):
    import_lines(tmp_path, line_of("a1"), corpus=corpus)
    assert "<dt>Articles</dt><dd>1</dd>" in shown(page(reader, "corpus"))

    import_lines(tmp_path, line_of("a2"), corpus=corpus)

    assert "<dt>Articles</dt><dd>2</dd>" in shown(page(reader, "corpus"))


def test_imports_are_the_managers_business(reader, manager, tmp_path, corpus):
    import_lines(tmp_path, line_of("a1"), corpus=corpus)

    assert "articles.jsonl" not in shown(page(reader, "corpus"))
    assert "articles.jsonl" in shown(page(manager, "corpus"))
