"""Paragraphs added to a large index: found as if all had been built at once, and little written."""

import os

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dictionaries.backends import adding
from dictionaries.backends.base import (
    KEYWORD,
    SEMANTIC,
    DictionaryQuery,
    DictionarySettings,
    IndexSettings,
    SearchQuery,
)
from dictionaries.backends.rows import RowTable
from dictionaries.backends.segments import Order, places_of
from tests.dictionaries.builders import build, make_row, make_rows

SETTINGS = IndexSettings("en", "svd")
NAMES = ["Alba", "Borg", "Corn", "Dorn"]
WORDS = [*NAMES, "bridge", "ferry", "opened", "sank", "minister", "rain"]
TEXTS = [f"{WORDS[n % 10]} {WORDS[n * 3 % 10]} town {n % 7}" for n in range(40)]


@pytest.fixture
def segmented(monkeypatch):
    """Even the smallest index gets a small segment, however much is added."""
    monkeypatch.setattr(adding, "SEGMENTED_FROM", 0)
    monkeypatch.setattr(adding, "LATE_SHARE", 1_000)


def late_of(backend):
    return backend.open("news").rows.__class__.__name__ == "JoinedRows"


def current(folder):
    news = folder / "indexes" / "news"
    return news / (news / "CURRENT").read_text().strip()


def answers(backend, query, as_of, article):
    """All that an index says of a query: the dictionary in detail, and both searches."""
    index = backend.open("news")
    asked = DictionaryQuery(query, as_of, article, "en", tuple(n for n in NAMES if n in query))
    result = index.retrieve(asked, DictionarySettings(n_pre=8), detail=True)
    found = [
        index.search(SearchQuery(query, as_of, 6, article), method)
        for method in (KEYWORD, SEMANTIC)
    ]
    return result.entries, result.excluded, result.clusters, result.detail, found


texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=5).map(" ".join)
row_values = st.tuples(texts, st.integers(0, 3), st.integers(0, 4), st.sampled_from("aBb"))


@settings(max_examples=40, deadline=None)
@given(
    main=st.lists(row_values, min_size=1, max_size=12),
    late=st.lists(row_values, min_size=1, max_size=8),
    later=st.lists(row_values, max_size=4),
    query=texts,
    as_of=st.one_of(st.none(), st.integers(0, 5)),
    article=st.one_of(st.none(), st.integers(0, 4)),
)
def test_late_rows_are_found_as_if_all_had_been_built_at_once(
    tmp_path_factory, main, late, later, query, as_of, article
):
    folder = tmp_path_factory.mktemp("index")
    rows = [
        make_row(number, text, at=at, article=of, public_id=f"{name}{number % 3}_{number}")
        for number, (text, at, of, name) in enumerate(main + late + later)
    ]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(adding, "SEGMENTED_FROM", 0)
        patch.setattr(adding, "LATE_SHARE", 1_000)
        patch.setattr("dictionaries.encoders.SvdEncoder.fits", lambda *args: True)
        joined = build(folder / "joined", rows[: len(main)])
        joined.build("news", rows[: len(main) + len(late)], SETTINGS)
        joined.build("news", rows, SETTINGS)
        assert late_of(joined)
        assert joined.check("news", rows).ok
        found = answers(joined, query, as_of, article)

        patch.setattr(adding, "SEGMENTED_FROM", 10**9)
        whole = build(folder / "whole", rows[: len(main)])
        whole.build("news", rows, SETTINGS)
        assert not late_of(whole)
        assert found == answers(whole, query, as_of, article)


def test_adding_writes_nothing_of_the_main_segment_again(tmp_path, segmented):
    backend = build(tmp_path, make_rows(TEXTS))
    parts = ["semantic/vectors.npy", "semantic/codes.npy", "rows/tokens.npy", "encoder/ngrams.npz"]
    before = [os.stat(current(tmp_path) / part).st_ino for part in parts]

    report = backend.build("news", [*make_rows(TEXTS), make_row(99, at=5)], SETTINGS)

    assert (report.added, report.paragraphs) == (1, 41)
    assert [os.stat(current(tmp_path) / part).st_ino for part in parts] == before
    assert backend.check("news", [*make_rows(TEXTS), make_row(99, at=5)]).ok


@pytest.mark.parametrize(
    "rows",
    [
        make_rows(TEXTS)[1:],
        [make_row(1, "Quite another text"), *make_rows(TEXTS)[1:]],
        [make_row(1, TEXTS[0], at=7), *make_rows(TEXTS)[1:]],
        [make_row(1, TEXTS[0], article=7), *make_rows(TEXTS)[1:]],
    ],
    ids=["gone", "text", "time", "article"],
)
def test_a_changed_row_joins_the_segments(tmp_path, segmented, rows):
    backend = build(tmp_path, make_rows(TEXTS)[:-5])
    backend.build("news", make_rows(TEXTS), SETTINGS)
    assert late_of(backend)

    report = backend.build("news", rows, SETTINGS)

    assert not late_of(backend)
    assert report.added <= 1
    assert backend.check("news", rows).ok


def test_a_rebuild_joins_the_segments(tmp_path, segmented):
    backend = build(tmp_path, make_rows(TEXTS)[:-5])
    backend.build("news", make_rows(TEXTS), SETTINGS)

    backend.build("news", make_rows(TEXTS), SETTINGS, rebuild=True)

    assert not late_of(backend)
    assert not (current(tmp_path) / "late").exists()


def test_too_many_new_rows_are_written_into_one_segment(tmp_path, monkeypatch):
    monkeypatch.setattr(adding, "SEGMENTED_FROM", 10)
    backend = build(tmp_path, make_rows(TEXTS)[:32])

    backend.build("news", make_rows(TEXTS)[:36], SETTINGS)
    assert late_of(backend)
    backend.build("news", make_rows(TEXTS)[:37], SETTINGS)

    assert not late_of(backend)
    assert backend.check("news", make_rows(TEXTS)[:37]).ok


def test_a_small_index_is_written_anew(tmp_path):
    backend = build(tmp_path, make_rows(TEXTS)[:-1])

    backend.build("news", make_rows(TEXTS), SETTINGS)

    assert not late_of(backend)


def test_unchanged_rows_in_two_segments_need_no_build(tmp_path, segmented):
    backend = build(tmp_path, make_rows(TEXTS)[:-5])
    version = backend.build("news", make_rows(TEXTS), SETTINGS).version

    assert backend.build("news", make_rows(TEXTS), SETTINGS).version == version


def test_rows_that_can_be_read_once_are_built_as_well(tmp_path, segmented):
    backend = build(tmp_path, make_rows(TEXTS)[:-5])

    backend.build("news", iter(make_rows(TEXTS)[3:]), SETTINGS)

    assert backend.check("news", make_rows(TEXTS)[3:]).ok


def test_a_repeated_paragraph_is_refused_beside_an_index(tmp_path, segmented):
    backend = build(tmp_path, make_rows(TEXTS))

    with pytest.raises(ValueError, match="comes twice"):
        backend.build("news", [*make_rows(TEXTS), make_row(1, TEXTS[0])], SETTINGS)


def test_an_index_of_before_public_ids_were_kept_is_written_anew(tmp_path, segmented):
    backend = build(tmp_path, make_rows(TEXTS)[:-5])
    table = backend.open("news").rows
    del table.columns["public"], table.columns["public_ends"]

    assert adding.only_added(make_rows(TEXTS), [table], lambda *args: None, steps=2) is None


def test_a_harmed_late_part_is_seen(tmp_path, segmented):
    backend = build(tmp_path, make_rows(TEXTS)[:-5])
    backend.build("news", make_rows(TEXTS), SETTINGS)
    path = current(tmp_path) / "late" / "semantic" / "vectors.npy"
    content = bytearray(path.read_bytes())
    content[-1] ^= 0xFF
    path.write_bytes(content)

    assert not backend.check("news", make_rows(TEXTS)).checksum_ok


def test_positions_follow_time_and_then_the_public_id():
    """By hand: a main row at 1, 3, 3 and 5; late ones before all, at 3 between the two, after all.

    In order: late 0 | main 1 | main 3 c | late 3 b | main 3 a | main 5 | late 5 A.
    """
    main = table_of([(1, "m"), (3, "c"), (3, "a"), (5, "m")])
    late = table_of([(0, "x"), (3, "b"), (5, "A")])

    places = places_of(late, main)
    order = Order(places)

    assert places.tolist() == [0, 2, 4]
    assert order.of_late(np.arange(3)).tolist() == [0, 3, 6]
    assert order.of_main(np.arange(4)).tolist() == [1, 2, 4, 5]
    split = order.split(np.array([6, 4, 0, 1]))
    assert split.late.tolist() == [True, False, True, False]
    assert (split.in_main.tolist(), split.in_late.tolist()) == ([2, 0], [2, 0])
    assert [order.prefixes(prefix) for prefix in (0, 1, 4, 7)] == [(0, 0), (0, 1), (2, 2), (4, 3)]


def table_of(values):
    times, names = zip(*values, strict=True)
    ends = np.cumsum([len(name) for name in names])
    public = np.frombuffer("".join(names).encode(), dtype=np.uint8)
    named = {"public": public, "public_ends": ends, "paragraph": np.arange(len(values))}
    return RowTable({"available_at": np.array(times), **named})
