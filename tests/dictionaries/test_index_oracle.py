"""Whole dictionaries and searches against brute force, on random small corpora."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dictionaries.backends.base import (
    KEYWORD,
    SEMANTIC,
    DictionaryQuery,
    DictionarySettings,
    SearchQuery,
)
from tests.dictionaries.builders import build, make_row
from tests.dictionaries.oracle import Oracle

WORDS = ["alba", "borg", "corn", "dorn", "bridge", "ferry", "opened", "sank"]
NAMES = ["Alba", "Borg", "Corn", "Alba Borg", "Dorn", "Nowhere"]

texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=7).map(" ".join)
corpora = st.lists(
    st.tuples(texts, st.integers(0, 4), st.integers(0, 5), st.sampled_from("aBbč")), max_size=25
)
queries = st.builds(
    DictionaryQuery,
    text=texts,
    as_of=st.one_of(st.none(), st.integers(0, 5)),
    left_out_article=st.one_of(st.none(), st.integers(0, 5)),
    language=st.just("xx"),
    entities=st.lists(st.sampled_from(NAMES), max_size=4, unique=True).map(tuple),
)
choices = st.builds(
    DictionarySettings,
    n_kw=st.integers(0, 6),
    n_sem=st.integers(0, 6),
    n_pre=st.integers(6, 12),
    k=st.integers(1, 3),
    seed=st.integers(0, 3),
)


def rows_of(corpus):
    return [
        make_row(number, text, at=at, article=article, public_id=f"{name}{number}", language="xx")
        for number, (text, at, article, name) in enumerate(corpus)
    ]


def opened(folder, rows):
    index = build(folder, rows, language="xx").open("news")
    return index, Oracle(rows, index.encoder())


def entries_of(result, method):
    found = [entry for entry in result.entries if entry.method == method]
    assert [entry.rank for entry in found] == list(range(1, len(found) + 1))
    return [(entry.paragraph_id, entry.query) for entry in found], [e.score for e in found]


def compare(result, method, expected):
    names, scores = entries_of(result, method)
    assert names == [(paragraph, name) for paragraph, name, _ in expected]
    assert scores == pytest.approx([score for _, _, score in expected], abs=1e-3)


@settings(max_examples=120, deadline=None)
@given(corpus=corpora, query=queries, chosen=choices)
@example(
    corpus=[], query=DictionaryQuery("alba", None, None, "xx", ()), chosen=DictionarySettings()
)
@example(  # all equal, at one time: public ids decide
    corpus=[("alba borg", 1, 1, name) for name in "aBbč" * 3],
    query=DictionaryQuery("alba", 2, None, "xx", ("Alba", "Borg")),
    chosen=DictionarySettings(),
)
@example(  # all copies of the query
    corpus=[("alba borg", at, 1, "a") for at in range(5)],
    query=DictionaryQuery("Alba borg", 9, None, "xx", ("Alba", "Borg")),
    chosen=DictionarySettings(),
)
def test_a_dictionary_is_that_of_brute_force(tmp_path_factory, corpus, query, chosen):
    rows = rows_of(corpus)
    index, oracle = opened(tmp_path_factory.mktemp("index"), rows)

    result = index.retrieve(query, chosen)

    compare(result, KEYWORD, oracle.keyword(query, chosen.n_kw))
    compare(result, SEMANTIC, oracle.semantic(query, chosen))
    newer = sum(query.as_of is not None and row.available_at >= query.as_of for row in rows)
    assert result.excluded["newer"] == newer


@settings(max_examples=60, deadline=None)
@given(corpus=corpora, text=texts, before=st.one_of(st.none(), st.integers(0, 5)),
       limit=st.integers(1, 8))  # fmt: skip
def test_searches_are_those_of_brute_force(tmp_path_factory, corpus, text, before, limit):
    index, oracle = opened(tmp_path_factory.mktemp("index"), rows_of(corpus))
    query = SearchQuery(text, before, limit, language="xx")
    eligible = DictionaryQuery("no such text", before, None, "xx")

    by_words = [hit.paragraph_id for hit in index.search(query, KEYWORD)]
    by_meaning = [hit.paragraph_id for hit in index.search(query, SEMANTIC)]

    scored = [(oracle.entity(text, row), row, text) for row in oracle.eligible(eligible)]
    assert by_words == [paragraph for paragraph, _, _ in oracle._best(scored, limit)]
    oracle.eligible = lambda _: Oracle.eligible(oracle, eligible)
    nearest = oracle.nearest(DictionaryQuery(text, before), limit)
    assert by_meaning == [row.paragraph_id for row, _, _ in nearest]


def test_thirty_entities_make_the_pairs_of_twelve(tmp_path):
    names = tuple(f"name{number}" for number in range(30))
    rows = rows_of([(f"{a} {b}", at, 9, "a") for at, (a, b) in enumerate(zip(names, names[3:]))])  # noqa: B905
    index, oracle = opened(tmp_path, rows)
    query = DictionaryQuery("name", None, None, "xx", names)

    result = index.retrieve(query, DictionarySettings(n_kw=9))

    limited = DictionaryQuery("name", None, None, "xx", names[:12])
    compare(result, KEYWORD, oracle.keyword(limited, 9))
    assert result.excluded["entities"] == 18
