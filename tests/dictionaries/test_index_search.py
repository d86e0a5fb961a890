"""Searching an embedded index, and what a dictionary was chosen from."""

import pytest

from dictionaries.backends.base import (
    KEYWORD,
    SEMANTIC,
    DictionaryQuery,
    DictionarySettings,
    SearchQuery,
)
from tests.dictionaries.builders import DAY, build, make_row, make_rows

BRIDGE = ["The bridge opened", "A ferry sank", "The bridge and the ferry", "Rain fell on the hills"]


def search(folder, rows, text, method=KEYWORD, *, before=None, limit=10, article=None):
    index = build(folder, rows).open("news")
    return [
        hit.paragraph_id for hit in index.search(SearchQuery(text, before, limit, article), method)
    ]


def test_words_find_the_paragraphs_that_have_them(tmp_path):
    assert set(search(tmp_path, make_rows(BRIDGE), "bridges")) == {1, 3}


def test_a_paragraph_with_all_words_together_comes_first(tmp_path):
    rows = make_rows(["Japan has a central bank", "The Bank of Japan spoke"])

    assert search(tmp_path, rows, "Bank of Japan") == [2, 1]


def test_meaning_ranks_all_that_is_eligible(tmp_path):
    found = search(tmp_path, make_rows(BRIDGE), "The bridge opened", SEMANTIC)

    assert found[0] == 1
    assert sorted(found) == [1, 2, 3, 4]


@pytest.mark.parametrize("method", [KEYWORD, SEMANTIC])
@pytest.mark.parametrize(("before", "expected"), [(DAY, []), (DAY + 1, [1]), (3 * DAY, [2, 1])])
def test_only_older_paragraphs_are_found(tmp_path, method, before, expected):
    rows = make_rows(["Same bridge"] * 4)

    assert search(tmp_path, rows, "bridge", method, before=before) == expected


@pytest.mark.parametrize("method", [KEYWORD, SEMANTIC])
def test_equal_scores_go_to_the_newer_then_to_the_public_id(tmp_path, method):
    rows = [
        make_row(1, "Same bridge", at=5, public_id="b_1"),
        make_row(2, "Same bridge", at=5, public_id="a_1"),
        make_row(3, "Same bridge", at=9, public_id="z_1"),
    ]

    assert search(tmp_path, rows, "bridge", method) == [3, 2, 1]
    assert search(tmp_path, rows, "bridge", method, limit=2) == [3, 2]


@pytest.mark.parametrize("method", [KEYWORD, SEMANTIC])
def test_a_left_out_article_is_not_found(tmp_path, method):
    rows = [make_row(n, "Same bridge", article=n % 2) for n in range(4)]

    assert search(tmp_path, rows, "bridge", method, article=1) == [2, 0]


@pytest.mark.parametrize("text", ["", "the", "?!"])
def test_a_text_without_words_finds_nothing_by_words(tmp_path, text):
    assert search(tmp_path, make_rows(BRIDGE), text) == []


@pytest.mark.parametrize("method", [KEYWORD, SEMANTIC])
def test_an_empty_index_is_searched_in_vain(tmp_path, method):
    assert search(tmp_path, [], "bridge", method) == []


def test_a_wrong_method_or_limit_is_named(tmp_path):
    with pytest.raises(ValueError, match="'magic'; use keyword or semantic"):
        search(tmp_path, make_rows(BRIDGE), "bridge", "magic")
    with pytest.raises(ValueError, match="limit is 0"):
        SearchQuery("x", None, 0)


LONG = (
    "The transport minister Pavel Orst resigned on Monday after admitting that the Norvell bridge"
    " would not open this autumn as his ministry had promised for three years"
)


def detail_of(folder, rows, query, **settings):
    index = build(folder, rows).open("news")
    return index.retrieve(query, DictionarySettings(**settings), detail=True)


def test_detail_shows_each_pair_with_its_hits(tmp_path):
    rows = make_rows(["Alba Borg", "Alba Corn", "Dorn"])
    query = DictionaryQuery("q", None, entities=("Alba", "Borg", "Corn"))

    detail = detail_of(tmp_path, rows, query, n_kw=1).detail

    found = {one.query: [hit.paragraph_id for hit in one.hits] for one in detail.searched}
    assert found == {"Alba + Borg": [1], "Alba + Corn": [2], "Borg + Corn": []}
    assert list(found) == ["Alba + Borg", "Alba + Corn", "Borg + Corn"]
    assert detail.searched[0].hits[0].score > 1000


def test_detail_shows_single_entity_and_words(tmp_path):
    rows = make_rows(["Alba won", "bridges are delayed", "nothing"])
    query = DictionaryQuery("Alba delayed the bridge", None, entities=("Alba",))

    detail = detail_of(tmp_path, rows, query).detail

    assert [one.query for one in detail.searched] == ["Alba", "Alba delayed bridge"]


def test_detail_shows_the_cluster_of_every_candidate(tmp_path):
    result = detail_of(
        tmp_path, make_rows(BRIDGE * 3), DictionaryQuery("The bridge", None), n_pre=6
    )

    clusters = [one.cluster for one in result.detail.candidates]
    assert len(clusters) == 6
    assert tuple(clusters.count(number) for number in (1, 2)) == result.clusters
    cluster = {one.paragraph_id: one.cluster for one in result.detail.candidates}
    for entry in result.entries:
        if entry.method == SEMANTIC:
            assert entry.query == f"cluster {cluster[entry.paragraph_id]}"


def test_detail_shows_copies_and_what_they_copy(tmp_path):
    rows = make_rows([LONG, LONG.upper(), LONG.replace("Monday", "Sunday"), *BRIDGE])
    query = DictionaryQuery(LONG, None, paragraph_id=1)

    result = detail_of(tmp_path, rows, query)

    copies = [(one.paragraph_id, one.exact, one.of) for one in result.detail.copies]
    assert copies == [(1, True, 1), (2, True, 1), (3, False, 1)]
    assert result.excluded["copies"] == 3


def test_detail_names_agencies_and_names_past_the_limit(tmp_path):
    text = "Reuters said Alba Corp met Borg Corp and Corn Corp in Norvell."
    result = detail_of(tmp_path, make_rows(BRIDGE), DictionaryQuery(text, None), max_entities=1)

    assert result.detail.own_names == ("Reuters",)
    assert len(result.detail.past_limit) == result.excluded["entities"] - 1 > 0


def test_detail_changes_no_dictionary(tmp_path):
    index = build(tmp_path, make_rows(BRIDGE)).open("news")
    query, settings = DictionaryQuery("The bridge", None), DictionarySettings()

    plain = index.retrieve(query, settings)

    assert plain.detail is None
    assert plain.entries == index.retrieve(query, settings, detail=True).entries


def test_a_paragraph_of_the_corpus_is_not_encoded(tmp_path, monkeypatch):
    rows = make_rows(BRIDGE)
    index = build(tmp_path, rows).open("news")
    encoded = index.retrieve(DictionaryQuery(BRIDGE[2], rows[2].available_at), DictionarySettings())
    monkeypatch.setattr(index.encoder(), "encode", None)

    for named in ({"paragraph_id": 3}, {"left_out_article": 3}):
        query = DictionaryQuery(BRIDGE[2], rows[2].available_at, **named)
        assert index.retrieve(query, DictionarySettings()).entries == encoded.entries


def test_a_paragraph_with_another_text_is_encoded(tmp_path):
    index = build(tmp_path, make_rows(BRIDGE)).open("news")
    query = DictionaryQuery(BRIDGE[1], None, paragraph_id=3)

    result = index.retrieve(query, DictionarySettings(k=1))

    plain = index.retrieve(DictionaryQuery(BRIDGE[1], None), DictionarySettings(k=1))
    assert result.entries == plain.entries
