"""Corpora with articles and an index, each under a slug that no other test has."""

from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

from corpus.importing.runs import import_files
from corpus.models import Corpus, Paragraph
from corpus.near_copies import mark_near_duplicates
from corpus.records import ReadOptions
from dictionaries.queries import query_of_paragraph
from dictionaries.services import build_corpus_index, build_dictionary, prepare_dictionary
from tests.factories import make_article

SAMPLES = Path(__file__).resolve().parents[2] / "samples"
numbers = count(1)


def new_corpus(**fields):
    """An empty corpus whose index is quick to build."""
    slug = f"indexed-{next(numbers)}"
    return Corpus.objects.create(**{"slug": slug, "name": slug, "encoder": "svd", **fields})


def import_into(corpus, *paths, **options):
    read = ReadOptions(
        **{"time_zone": corpus.time_zone, "language": corpus.language, "units": False, **options}
    )
    import_files(corpus=corpus, paths=list(paths), options=read)
    mark_near_duplicates(corpus=corpus)
    return corpus


def sample_corpus(name="norvell-en.jsonl", **fields):
    """A sample corpus with its index."""
    corpus = new_corpus(**{"time_zone": "Europe/Prague", **fields})
    return indexed(import_into(corpus, SAMPLES / name))


def small_corpus(*texts, **fields):
    """A corpus with an article for each text, a day newer than the one before, and its index."""
    corpus = new_corpus(**fields)
    for n, text in enumerate(texts):
        at = None if corpus.undated else datetime(2022, 1, 1, 12, tzinfo=UTC) + timedelta(days=n)
        make_article(corpus, text, published_at=at, external_id=f"a{n}", title=f"Title {n}")
    return indexed(corpus)


def indexed(corpus):
    build_corpus_index(corpus=corpus)
    corpus.refresh_from_db()
    return corpus


def paragraphs_of(corpus):
    return Paragraph.objects.indexed().filter(corpus=corpus).select_related("article")


def dictionary_of(paragraph, **settings):
    """The ready dictionary of a source."""
    query = query_of_paragraph(paragraph)
    return build_dictionary(prepare_dictionary(corpus=paragraph.corpus, settings=settings, **query))
