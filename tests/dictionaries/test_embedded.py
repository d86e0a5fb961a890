"""Dictionaries from an embedded index: its rules, by hand and on real texts."""

import gzip
import json
import lzma
import re
from datetime import UTC, datetime
from itertools import islice

import pytest

from dictionaries.backends.base import (
    KEYWORD,
    SEMANTIC,
    DictionaryQuery,
    DictionarySettings,
    IndexRow,
    backend_for,
)
from tests.dictionaries.builders import DAY, build, found, make_row, make_rows, retrieve
from tests.shared import shared_data

LONG = (
    "The transport minister Pavel Orst resigned on Monday after admitting that the Norvell bridge"
    " would not open this autumn as his ministry had promised for three years"
)
OTHERS = [f"Mayor Quist opened the ferry to Sael for the {n}th time." for n in range(6)]


def test_nothing_as_new_as_the_as_of_date_is_found(tmp_path):
    result = retrieve(tmp_path, make_rows(OTHERS), "Quist in Sael", as_of=3 * DAY)

    assert set(found(result, KEYWORD)) == {1, 2}
    assert set(found(result, SEMANTIC)) == {1, 2}
    assert result.excluded["newer"] == 4


def test_a_microsecond_makes_a_paragraph_older(tmp_path):
    result = retrieve(tmp_path, make_rows(OTHERS), "Quist in Sael", as_of=3 * DAY + 1)

    assert set(found(result, SEMANTIC)) == {1, 2, 3}


def test_without_an_as_of_date_all_are_eligible(tmp_path):
    result = retrieve(tmp_path, make_rows(OTHERS, at=0), "Quist in Sael")

    assert result.excluded["newer"] == 0
    assert len(found(result, SEMANTIC)) == 4


def test_the_left_out_article_is_in_neither_part(tmp_path):
    rows = [make_row(n, text, article=n % 2) for n, text in enumerate(OTHERS)]
    result = retrieve(tmp_path, rows, "Quist in Sael", article=1)

    assert set(found(result, KEYWORD)) == set(found(result, SEMANTIC)) == {0, 2, 4}
    assert result.excluded["same_article"] == 3


def test_exact_and_near_copies_are_left_out_and_replaced(tmp_path):
    copies = [
        LONG,
        LONG.upper(),
        "KESTRIN 4. října (NPA) - " + LONG,
        LONG.replace("Monday", "Sunday"),
    ]
    rest = [f"{LONG.split(' resigned')[0]} of {n} towns spoke in Norvell." for n in range(5)]
    result = retrieve(tmp_path, make_rows(copies + rest), LONG)

    assert len(found(result, KEYWORD)) == len(found(result, SEMANTIC)) == 4
    assert not {1, 2, 3, 4} & {entry.paragraph_id for entry in result.entries}
    assert result.excluded["copies"] == 4


def test_more_copies_than_spare_candidates_do_not_shorten_the_result(tmp_path):
    rows = make_rows([LONG] * 60 + OTHERS)

    result = retrieve(tmp_path, rows, LONG, n_pre=4)

    assert len(found(result, SEMANTIC)) == 4
    assert set(found(result, SEMANTIC)) <= set(range(61, 67))


def test_a_paragraph_found_both_ways_keeps_both_entries(tmp_path):
    result = retrieve(tmp_path, make_rows(["Alba met Borg", "It rained"]), "Alba, Borg", k=1)

    assert [(e.method, e.rank) for e in result.entries if e.paragraph_id == 1] == [
        (KEYWORD, 1),
        (SEMANTIC, 1),
    ]


def test_entries_name_the_pair_and_the_cluster(tmp_path):
    result = retrieve(tmp_path, make_rows(["Alba Borg", "x y"]), "q", entities=("Alba", "Borg"))

    queries = {(e.method, e.rank): e.query for e in result.entries}
    assert queries[KEYWORD, 1] == "Alba + Borg"
    assert queries[SEMANTIC, 1] == "cluster 1"


def test_ties_go_to_the_newer_and_then_to_the_public_id(tmp_path):
    text = "Alba met Borg"
    rows = [
        make_row(1, text, at=5, public_id="b_1"),
        make_row(2, text, at=5, public_id="B_1"),
        make_row(3, text, at=5, public_id="a_1"),
        make_row(4, text, at=9, public_id="z_1"),
    ]
    result = retrieve(tmp_path, rows, "Alba Borg meeting", entities=("Alba", "Borg"))

    assert found(result, KEYWORD) == [4, 2, 3, 1]
    assert found(result, SEMANTIC) == [4, 2, 3, 1]


def test_the_same_inputs_give_the_same_dictionary(tmp_path):
    rows = make_rows([*OTHERS, LONG, "Borg sings in Sael"])
    one = retrieve(tmp_path / "a", rows, "Quist and Borg", seed=7)
    other = retrieve(tmp_path / "b", list(reversed(rows)), "Quist and Borg", seed=7)

    assert one.entries == other.entries


@pytest.mark.parametrize("count", [0, 1, 2, 3])
def test_small_corpora_give_what_they_have(tmp_path, count):
    result = retrieve(tmp_path, make_rows(OTHERS[:count]), "Quist in Sael")

    assert sorted(found(result, SEMANTIC)) == list(range(1, count + 1))
    assert sorted(found(result, KEYWORD)) == list(range(1, count + 1))


def test_numbers_of_entries_follow_the_settings(tmp_path):
    result = retrieve(tmp_path, make_rows(OTHERS), "Quist in Sael", n_kw=2, n_sem=0)

    assert len(found(result, KEYWORD)) == 2
    assert found(result, SEMANTIC) == []


def test_scores_of_both_parts_fall_with_rank_within_a_cluster(tmp_path):
    result = retrieve(tmp_path, make_rows(OTHERS), "Quist in Sael", k=1)

    scores = [entry.score for entry in result.entries if entry.method == SEMANTIC]
    assert scores == sorted(scores, reverse=True)
    assert [e.rank for e in result.entries if e.method == KEYWORD] == [1, 2, 3, 4]


def test_given_entities_are_used_and_limited(tmp_path):
    names = tuple(f"Name{n}" for n in range(15))
    result = retrieve(tmp_path, make_rows(["Name1 Name2"]), "q", entities=names)

    assert result.entities == names[:12]
    assert result.excluded["entities"] == 3


def test_a_query_in_another_script_than_the_corpus_works(tmp_path):
    result = retrieve(tmp_path, make_rows(OTHERS), "رئيس الوزراء 中国政府")

    assert found(result, KEYWORD) == []
    assert len(found(result, SEMANTIC)) == 4


def test_every_stage_is_timed(tmp_path):
    result = retrieve(tmp_path, make_rows(OTHERS), "Quist in Sael")

    assert set(result.seconds) == {"entities", "keyword", "encode", "search", "cluster"}


@pytest.mark.parametrize(
    ("field", "value"), [("n_kw", -1), ("k", 0), ("n_pre", 0), ("seed", -1), ("max_entities", -1)]
)
def test_a_wrong_setting_is_named_with_its_value(field, value):
    with pytest.raises(ValueError, match=f"{field} is {value}"):
        DictionarySettings(**{field: value})


def test_settings_have_one_canonical_line():
    assert DictionarySettings(seed=3).as_json() == DictionarySettings(seed=3).as_json()
    assert DictionarySettings(seed=3).as_json() != DictionarySettings(seed=4).as_json()


def test_an_unknown_backend_is_named(tmp_path):
    with pytest.raises(ValueError, match="'milvus://x'"):
        backend_for("milvus://x", data_dir=tmp_path)


def test_use_is_the_encoder_of_an_english_corpus(tmp_path):
    rows = make_rows(["The secretary stepped down.", "It rained in the hills.", "Ferries sail."])
    index = build(tmp_path, rows, model="auto").open("news")

    result = index.retrieve(
        DictionaryQuery("The minister resigned.", None, None, "en"), DictionarySettings(k=1)
    )

    assert index.encoder().name == "use"
    assert found(result, SEMANTIC)[0] == 1


def midnight(day):
    return int(datetime.fromisoformat(day).replace(tzinfo=UTC).timestamp()) * 1_000_000


def ctk_rows():
    path = shared_data("ctkfacts", "paragraphs_derived.jsonl.gz")
    articles = {}
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for number, line in enumerate(lines, start=1):
            row = json.loads(line)
            article = articles.setdefault(row["did"], len(articles))
            yield IndexRow(number, article, row["id"], midnight(row["date"]), row["text"], "cs")


def reuters_rows():
    path = shared_data("reuters21578", "reut2-000.sgm.xz")
    with lzma.open(path, "rt", encoding="latin-1") as file:
        text = file.read()
    number = 0
    stories = re.findall(r"<DATE>\s*(\d+-\w+-\d+ [\d:]+).*?<BODY>(.*?)</BODY>", text, re.S)
    for article, (date, body) in enumerate(stories):
        at = datetime.strptime(date, "%d-%b-%Y %H:%M:%S").replace(tzinfo=UTC)
        for rank, paragraph in enumerate(re.split(r"\n {4}", body), start=1):
            number += 1
            yield IndexRow(
                number,
                article,
                f"r{article}_{rank}",
                int(at.timestamp()) * 1_000_000,
                " ".join(paragraph.replace("&#3;", "").replace("&lt;", "<").split()),
                "en",
            )


def assert_rules_hold(result, row, rows):
    """Nothing as new, of the same article, with the same text, or twice by one method."""
    for method in (KEYWORD, SEMANTIC):
        assert len(found(result, method)) == len(set(found(result, method))) <= 4
    for entry in result.entries:
        other = rows[entry.paragraph_id]
        assert other.available_at < row.available_at
        assert other.article_id != row.article_id
        assert other.text != row.text


def dictionary_of(index, row, **settings):
    query = DictionaryQuery(row.text, row.available_at, row.article_id, row.language)
    return index.retrieve(query, DictionarySettings(**settings))


CTK, REUTERS = (ctk_rows, "cs", 1338), (reuters_rows, "en", 2000)


@pytest.fixture(scope="module", params=[CTK, REUTERS], ids=["ctk", "reuters"])
def real(request, tmp_path_factory):
    """A real corpus: its rows by paragraph, and its open index."""
    read, language, count = request.param
    rows = {row.paragraph_id: row for row in islice(read(), count)}
    folder = tmp_path_factory.mktemp("real")
    index = build(folder, rows.values(), language=language).open("news")
    assert index.paragraphs == count
    return rows, index


def test_the_rules_hold_for_fifty_sources_of_a_real_corpus(real):
    rows, index = real

    for row in list(rows.values())[:: len(rows) // 50]:
        assert_rules_hold(dictionary_of(index, row), row, rows)


def test_the_newest_source_chooses_from_1024_candidates(real):
    rows, index = real
    newest = max(rows.values(), key=lambda row: (row.available_at, len(row.text)))

    result = dictionary_of(index, newest)

    assert len(found(result, SEMANTIC)) == 4
    assert found(result, KEYWORD)
    assert sum(result.clusters) == min(1024, index.rows.prefix(newest.available_at))


@pytest.mark.parametrize("real", [CTK], indirect=True, ids=["ctk"])
def test_names_are_found_in_another_case_and_with_their_pair(real):
    rows, index = real
    query = DictionaryQuery("Škromachovi to v ČSSD neprošlo.", midnight("2003-06-01"), None, "cs")

    result = index.retrieve(query, DictionarySettings())

    texts = [rows[number].text for number in found(result, KEYWORD)]
    assert len(texts) == 4
    assert all("Škromach" in text and "ČSSD" in text for text in texts)
