"""Dictionaries of real corpora keep every rule: none as new, none of its article, none twice."""

import csv
import gzip
import lzma
from itertools import islice
from random import Random

import pytest

from dictionaries.models import DictionaryEntry
from tests.dictionaries.corpora import (
    dictionary_of,
    import_into,
    indexed,
    new_corpus,
    paragraphs_of,
    sample_corpus,
)
from tests.shared import shared_data

pytestmark = pytest.mark.django_db


def check_rules(dictionary, source):
    """What holds for every dictionary of a source, whatever is in it."""
    entries = list(dictionary.entries.select_related("paragraph__article"))
    for entry in entries:
        paragraph = entry.paragraph
        if source.published_at:
            assert paragraph.available_at < source.published_at
        assert paragraph.article_id != source.article_id
        assert paragraph.rank > 0
        assert paragraph.article.retrievable
        assert not paragraph.article.is_tabular
        assert paragraph.article.duplicate_of_id is None
    found = [(entry.method, entry.paragraph_id) for entry in entries]
    assert len(found) == len(set(found))
    for method in DictionaryEntry.Method.values:
        ranks = [entry.rank for entry in entries if entry.method == method]
        assert ranks == list(range(1, len(ranks) + 1))
        assert len(ranks) <= 4
    return len(entries)


def check_random_sources(corpus, count):
    """How many entries the dictionaries of some sources have together."""
    sources = list(paragraphs_of(corpus).order_by("pk"))
    chosen = Random(7).sample(sources, count)
    return sum(check_rules(dictionary_of(source), source) for source in chosen)


@pytest.mark.parametrize(
    ("name", "language"), [("norvell-en.jsonl", "en"), ("orlavsko-cs.jsonl", "cs")]
)
def test_dictionaries_of_the_samples_keep_every_rule(name, language):
    corpus = sample_corpus(name, language=language)

    assert check_random_sources(corpus, 20) > 60


def test_dictionaries_of_real_stories_keep_every_rule():
    path = shared_data("reuters21578", "reut2-001.sgm.xz")
    corpus = indexed(import_into(new_corpus(), path, format="reuters"))

    assert check_random_sources(corpus, 50) > 300


def test_dictionaries_of_czech_days_keep_every_rule():
    path = shared_data("ctkfacts", "paragraphs_derived.jsonl.gz")
    corpus = new_corpus(language="cs", time_zone="Europe/Prague")
    mapping = {"article": "did", "rank": "para", "published_at": "date"}
    import_into(corpus, path, mapping=mapping)

    assert check_random_sources(indexed(corpus), 50) > 300


def test_dictionaries_of_government_posts_keep_every_rule(tmp_path):
    path = shared_data("digitalgov", "articles_2010-2019.jsonl.xz")
    thinned = tmp_path / "posts.jsonl"
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        thinned.write_text("".join(islice(lines, 0, None, 8)), encoding="utf-8")
    corpus = new_corpus(time_zone="America/New_York")
    import_into(corpus, thinned, format="frontmatter")

    assert check_random_sources(indexed(corpus), 50) > 300


def every_nth_row(source, target, step, **dialect):
    """Write every nth row of a packed CSV file, its first included."""
    with gzip.open(source, "rt", encoding="utf-8", newline="") as file:
        rows = list(islice(csv.reader(file, **dialect), 0, None, step))
    with target.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, **dialect).writerows(rows)
    return target


def test_dictionaries_of_german_articles_keep_every_rule(tmp_path):
    path = shared_data("gnad10k", "test.csv.gz")
    signs = {"delimiter": ";", "quotechar": "'"}
    thinned = every_nth_row(path, tmp_path / "articles.csv", 8, **signs)
    corpus = new_corpus(language="de", undated=True)
    read = {"format": "csv", "undated": True, "delimiter": ";", "quote": "'"}
    import_into(corpus, thinned, header=("section", "text"), **read)

    assert check_random_sources(indexed(corpus), 50) > 300


def test_dictionaries_of_news_in_three_languages_keep_every_rule(tmp_path):
    path = shared_data("uni_news", "Dataset.csv.gz")
    thinned = every_nth_row(path, tmp_path / "news.csv", 3)
    corpus = new_corpus(undated=True)
    mapping = {"text": "content", "url": "link"}
    import_into(corpus, thinned, format="csv", undated=True, mapping=mapping)

    assert set(corpus.articles.values_list("language", flat=True)) == {"en", "ku", "ar"}
    assert check_random_sources(indexed(corpus), 50) > 250
