"""Each rule of indexes and dictionaries finds what breaks it; health sees lost indexes."""

import pytest
from django.utils import timezone

from corpus.followups import changed_texts
from corpus.models import Corpus
from dictionaries import doctor, health
from dictionaries.models import Dictionary, DictionaryEntry
from operations.models import Job
from tests.dictionaries.corpora import indexed, small_corpus
from tests.factories import make_article, make_dictionary, paragraph_of

pytestmark = pytest.mark.django_db
TEXTS = ["The Norvell bridge is open.", "The Sael ferry is gone."]
INDEX = "the index holds current paragraphs only, and all of them"


def broken():
    """The rules that something breaks, with the rows that do."""
    found = {name: list(rows()) for name, _, rows in doctor.RULES}
    return {name: rows for name, rows in found.items() if rows}


@pytest.fixture
def corpus():
    return small_corpus(*TEXTS)


@pytest.fixture
def entry(corpus):
    dictionary = make_dictionary(
        corpus, paragraph_of(corpus.articles.first()), as_of=timezone.now()
    )
    return dictionary.entries.get()


def test_a_built_index_and_its_dictionaries_are_sound(corpus, entry):
    assert broken() == {}


def test_a_corpus_without_an_index_is_sound():
    make_article()

    assert broken() == {}


def test_an_index_that_nobody_brings_up_to_date_is_found(corpus):
    changed_texts(corpus)
    assert list(broken()) == [INDEX]
    assert "out of date" in broken()[INDEX][0]

    Job.objects.create(kind="build-index", key=corpus.slug)
    assert broken() == {}


def test_paragraphs_that_differ_are_found(corpus):
    make_article(corpus, "Not indexed.", external_id="new")
    corpus.articles.filter(external_id="a0").update(retrievable=False)

    told = " ".join(broken()[INDEX])

    assert "has 1 paragraphs missing" in told
    assert "has 1 paragraphs extra" in told


def test_another_version_than_the_corpus_names_is_found(corpus):
    Corpus.objects.update(index_version="000009-000000000000")

    assert "its corpus names 000009" in broken()[INDEX][0]


def test_a_lost_index_is_found_and_unhealthy(corpus, settings):
    assert health.check() == []
    (settings.DATA_DIR / "indexes" / corpus.slug / "CURRENT").unlink()

    assert "no index yet" in broken()[INDEX][0]
    assert len(health.check()) == 1
    assert corpus.slug in health.check()[0]


def test_a_corpus_that_was_never_indexed_is_healthy():
    make_article()

    assert health.check() == []


def test_the_left_out_article_in_a_dictionary_is_found(entry):
    Dictionary.objects.update(left_out_article=entry.paragraph.article)

    assert list(broken()) == ["nothing of the left-out article is in a dictionary"]


@pytest.mark.parametrize("name", ["available_at", "as_of"])
def test_times_that_differ_are_found(entry, name):
    later = {"available_at": "2022-02-02T00:00:00Z", "as_of": "2100-01-01T00:00:00Z"}
    DictionaryEntry.objects.update(**{name: later[name]})

    assert list(broken()) == ["times in dictionaries equal those of paragraphs"]


def test_a_title_in_a_dictionary_is_found(entry):
    title = entry.paragraph.article.paragraphs.get(rank=0)
    DictionaryEntry.objects.update(paragraph=title)

    assert list(broken()) == ["dictionaries hold paragraphs of their corpus, and no titles"]


def test_a_paragraph_of_another_corpus_is_found(entry):
    other = small_corpus("Elsewhere.")
    Dictionary.objects.update(corpus=other)

    assert list(broken()) == ["dictionaries hold paragraphs of their corpus, and no titles"]


@pytest.mark.parametrize("values", [{"state": "pending"}, {"index_version": ""}])
def test_a_half_filled_dictionary_is_found(entry, values):
    Dictionary.objects.update(**values)

    assert list(broken()) == ["dictionaries are filled at once"]


def test_an_index_is_sound_again_once_it_is_built(corpus):
    make_article(corpus, "Not indexed.", external_id="new")
    changed_texts(corpus)

    indexed(corpus)

    assert broken() == {}
