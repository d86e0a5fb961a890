"""What led to a dictionary, in figures, and two settings held against each other."""

import pytest
from django.urls import reverse

from corpus.models import Paragraph
from dictionaries.backends.base import DictionarySettings
from dictionaries.exploring import explore, held_against
from dictionaries.queries import query_of_paragraph
from tests.annotation.pages import count_queries
from tests.dictionaries.corpora import small_corpus

pytestmark = pytest.mark.django_db
LONG = "The Norvell bridge in Dalby was delayed by Torvik Steel once more, the ministry told us."
TEXTS = [
    "Norvell bridge and Torvik Steel are in a dispute about money.",
    "Torvik Steel hires people.",
    "Dalby elects a mayor.",
    LONG,
    LONG,
    f"{LONG} It rained.",
    "Torvik Steel and the Norvell bridge come too late to count.",
]


@pytest.fixture
def corpus():
    return small_corpus(*TEXTS, agency_names=["NPA"])


def paragraph(corpus, number):
    return Paragraph.objects.get(corpus=corpus, public_id=f"a{number}_1")


def exploration(corpus, number=4, **settings):
    query = query_of_paragraph(paragraph(corpus, number))
    return explore(corpus, query, DictionarySettings(**settings))


def test_hits_with_both_names_are_told_apart_without_the_bonus(corpus):
    one = exploration(corpus)

    searched = {each.query: each for each in one.searched}
    pair = next(each for query, each in searched.items() if "Torvik Steel" in query)
    assert pair.hits[0].has_both
    assert pair.hits[0].paragraph == paragraph(corpus, 0)
    assert all(0 < hit.score < 1000 for each in one.searched for hit in each.hits)
    assert sum(each.chosen for each in one.searched) == len(one.keyword)


def test_copies_that_were_met_are_listed_by_kind(corpus):
    copies = {each.paragraph.public_id: each.is_exact for each in exploration(corpus).copies}

    assert copies == {"a3_1": True}


def test_clusters_hold_all_that_was_near(corpus):
    one = exploration(corpus)

    assert sum(cluster.size for cluster in one.clusters) == 3
    assert [cluster.size for cluster in one.clusters] == list(one.result.clusters)


def test_a_lone_cluster_is_one(corpus):
    assert [cluster.number for cluster in exploration(corpus, k=1).clusters] == [1]


def test_two_settings_tell_what_both_find(corpus):
    few, more = exploration(corpus, n_kw=1, n_sem=0), exploration(corpus)

    few, more = held_against(few, more), held_against(more, few)

    assert [one.is_shared for one in few.found] == [True]
    assert (few.shared_count, few.own_count) == (1, 0)
    assert (more.shared_count, more.own_count) == (1, 2)


def test_the_page_compares_in_words_not_by_colour_alone(corpus, sign_in, root):
    url = reverse("dictionaries:explore", args=[corpus.slug])
    asked = {"paragraph": "a4_1", "n_kw": 1, "n_sem": 0, "compare": "on", "b-n_kw": 4}

    page = sign_in(root).get(url, asked).content.decode()

    for part in ("First settings", "Second settings", "in both", "only here", "differs"):
        assert part in page, part
    assert f"{reverse('annotation:save-settings', args=[corpus.slug])}?n_kw=1&amp;" in page


def test_a_wrong_second_setting_is_said(corpus, sign_in, root):
    url = reverse("dictionaries:explore", args=[corpus.slug])

    response = sign_in(root).get(url, {"paragraph": "a4_1", "compare": "on", "b-n_kw": -1})

    assert response.context["explorations"] == []
    assert "greater than or equal to 0" in response.content.decode()


def test_a_paragraph_links_to_its_dictionary_for_managers_alone(corpus, sign_in, root):
    article = paragraph(corpus, 4).article
    url = reverse("corpus:article", args=[corpus.slug, article.pk])

    page = sign_in(root).get(url).content.decode()

    link = f"{reverse('dictionaries:explore', args=[corpus.slug])}?paragraph=a4_1"
    assert link in page
    assert "Torvik Steel" in sign_in(root).get(link).content.decode()


def test_exploring_takes_as_many_queries_whatever_it_finds(corpus, sign_in, root):
    url = reverse("dictionaries:explore", args=[corpus.slug])
    client = sign_in(root)

    few = count_queries(client, f"{url}?paragraph=a2_1")
    more = count_queries(client, f"{url}?paragraph=a6_1")

    assert few == more
