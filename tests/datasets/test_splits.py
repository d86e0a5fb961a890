"""Splits: what stays together, how sizes and labels come out, and what leaks."""

import gzip
import json
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from datasets.splits import (
    SplitRecord,
    check_splits,
    group_records,
    make_splits,
    near_duplicates,
    normalised,
    parse_sizes,
    record_of_line,
)
from tests.shared import shared_data

S, R, N = "SUPPORTS", "REFUTES", "NOT ENOUGH INFO"
THIRDS = {"train": 0.8, "dev": 0.1, "test": 0.1}
LONG = "The new railway bridge over the river will open for traffic in the spring of next year"


def record(key, text=None, label=S, **details):
    return SplitRecord(key, f"claim number {key}" if text is None else text, label, **details)


def many(n, per_article=5):
    """Claims of articles with so many claims each, labels in turn."""
    labels = [S, R, N]
    return [
        record(
            key, f"w{key} x{key} y{key}", labels[key % 3], source_article=f"a{key // per_article}"
        )
        for key in range(n)
    ]


def rng(seed=1):
    return np.random.default_rng(seed)


def groups_of(records):
    found = {}
    for each, number in zip(records, group_records(records).group.tolist(), strict=True):
        found.setdefault(number, set()).add(each.key)
    return sorted(found.values(), key=min)


def read(*path):
    with gzip.open(shared_data(*path), "rt") as file:
        return [json.loads(line) for line in file]


@pytest.mark.parametrize(
    "tie",
    [
        {"source_article": "a1"},
        {"source_article": "", "initial_claim": "c1"},
        {"evidence": (("a1", "a1_2"),)},
        {"claim_id": "7"},
    ],
)
def test_claims_that_share_something_are_one_group(tie):
    assert groups_of([record(1, **tie), record(2, **tie), record(3)]) == [{1, 2}, {3}]


def test_groups_are_joined_through_a_third_claim():
    records = [
        record(1, source_article="a1"),
        record(2, source_article="a1", initial_claim="c1"),
        record(3, source_article="a2", initial_claim="c1"),
    ]

    assert groups_of(records) == [{1, 2, 3}]


def test_cited_articles_join_only_claims_without_a_source():
    evidence = (("a9", "a9_1"),)
    records = [
        record(1, source_article="a1", evidence=evidence),
        record(2, source_article="a2", evidence=evidence),
        record(3, evidence=evidence),
    ]

    assert groups_of(records) == [{1}, {2}, {3}]


def test_equal_words_join_claims_whatever_their_case_and_marks():
    assert groups_of([record(1, "Praha je velká."), record(2, "praha je VELKÁ")]) == [{1, 2}]


def test_claims_without_any_word_are_not_alike():
    assert groups_of([record(1, "..."), record(2, "!?")]) == [{1}, {2}]


def test_a_changed_word_in_a_long_claim_is_a_near_duplicate():
    records = [
        record(1, LONG, source_article="a1"),
        record(2, LONG.replace("spring", "autumn"), source_article="a2"),
        record(3, "A new bridge opens in the spring", source_article="a3"),
    ]

    assert groups_of(records) == [{1, 2}, {3}]


def test_likeness_by_hand():
    # Of the pairs of adjacent words three of five are shared: (., a), (a, b), (d, .) and not c.
    texts = ["a b d", "a b c d"]

    assert near_duplicates(texts, threshold=3 / 6).tolist() == [[0, 1]]
    assert near_duplicates(texts, threshold=3 / 6 + 0.01).tolist() == []


def test_texts_with_equal_words_are_compared_once():
    assert near_duplicates([LONG, LONG.upper(), LONG + " soon"]).tolist() == [[0, 2]]


@pytest.mark.parametrize("threshold", [0, -1, 1.1])
def test_an_impossible_threshold_is_refused(threshold):
    with pytest.raises(ValueError, match=f"threshold is {threshold}; use more than 0"):
        near_duplicates([], threshold=threshold)


TEXTS = st.lists(st.lists(st.sampled_from("abcd"), max_size=7).map(" ".join), max_size=14)


@settings(deadline=None)
@given(TEXTS, st.sampled_from([0.3, 0.5, 0.8, 1.0]))
def test_every_near_duplicate_is_found_and_no_other(texts, threshold):
    def pairs_of_words(text):
        words = text.split()
        return set(zip(["", *words], [*words, ""], strict=True)) if words else set()

    firsts = [place for place, text in enumerate(texts) if text and texts.index(text) == place]
    expected = []
    for place, first in enumerate(firsts):
        for second in firsts[place + 1 :]:
            one, other = pairs_of_words(texts[first]), pairs_of_words(texts[second])
            if len(one & other) / len(one | other) >= threshold:
                expected.append([first, second])

    assert near_duplicates(texts, threshold=threshold).tolist() == expected


def test_many_candidates_are_compared_in_parts(monkeypatch):
    texts = [LONG.replace("spring", f"week{number}") for number in range(40)]
    whole = near_duplicates(texts)

    monkeypatch.setattr("datasets.splits.likeness.CHUNK", 50)

    assert near_duplicates(texts).tolist() == whole.tolist()
    assert len(whole) == 40 * 39 / 2


def test_no_group_stands_in_two_splits_and_nothing_leaks():
    splits = make_splits(many(300), THIRDS, rng=rng())

    articles = {}
    for each in many(300):
        articles.setdefault(each.source_article, set()).add(splits.split_of[each.key])
    assert all(len(names) == 1 for names in articles.values())
    assert set(splits.report["leaks"].values()) == {0}


def test_sizes_and_label_shares_come_out_as_asked():
    splits = make_splits(many(3000, per_article=3), THIRDS, rng=rng())

    counts = splits.report["counts"]
    assert counts == pytest.approx({"train": 2400, "dev": 300, "test": 300}, abs=3)
    assert max(splits.report["deviation"].values()) < 0.01


def test_a_rare_label_is_in_every_split():
    records = [record(key, label=R if key % 20 == 0 else S) for key in range(400)]

    labels = make_splits(records, THIRDS, rng=rng()).report["labels"]

    assert [labels[name][R] for name in THIRDS] == [16, 2, 2]


def test_counts_leave_the_rest_to_the_open_split():
    splits = make_splits(many(200, 1), {"train": None, "dev": 30, "test": 20}, rng=rng())

    assert splits.report["counts"] == {"train": 150, "dev": 30, "test": 20}


def test_the_order_of_the_records_does_not_matter():
    records = many(200) + [record(f"k{key}", label=R) for key in range(30)]
    shuffled = random.Random(3).sample(records, len(records))

    first, again = (make_splits(each, THIRDS, rng=rng()) for each in (records, shuffled))

    assert first == again


def test_another_seed_gives_other_splits():
    first, second = (make_splits(many(200), THIRDS, rng=rng(seed)) for seed in (1, 2))

    assert first.split_of != second.split_of


def test_a_group_of_over_a_tenth_goes_to_train_whole_and_is_reported():
    big = [record(1000 + key, label=R, source_article="big") for key in range(30)]

    splits = make_splits(many(100) + big, THIRDS, rng=rng())

    assert {splits.split_of[each.key] for each in big} == {"train"}
    [oversized] = splits.report["groups"]["oversized"]
    assert oversized["n_records"] == 30
    assert oversized["share"] == pytest.approx(30 / 130)
    assert (oversized["split"], oversized["first_keys"][0]) == ("train", 1000)


def test_an_oversized_group_is_cut_at_near_duplicates_only():
    alike = [
        record(1000 + key, LONG.replace("spring", f"week{key}"), source_article=f"b{key // 3}")
        for key in range(30)
    ]

    splits = make_splits(many(100) + alike, THIRDS, rng=rng(), oversized="cut")

    assert len({splits.split_of[each.key] for each in alike}) > 1
    assert splits.report["leaks"]["source_article"] == 0
    assert splits.report["leaks"]["near_duplicate"] > 0
    assert splits.report["groups"]["oversized"] == []


def test_without_a_train_split_the_largest_takes_what_is_too_large():
    big = [record(1000 + key, source_article="big") for key in range(30)]

    splits = make_splits(many(60) + big, {"a": 0.3, "b": 0.7}, rng=rng())

    assert splits.split_of[1000] == "b"


def test_balanced_splits_have_as_many_of_each_label_and_say_what_they_left_out():
    records = [record(key, label=S if key % 4 else R) for key in range(400)]

    splits = make_splits(records, THIRDS, rng=rng(), balanced=["dev", "test"])

    assert splits.report["labels"]["dev"] == {R: 10, S: 10}
    assert splits.report["labels"]["train"] == {R: 80, S: 240}
    assert len(splits.left_out["label_balance"]) == 40
    assert not set(splits.left_out["label_balance"]) & splits.split_of.keys()


def test_a_dataset_without_records_has_empty_splits():
    splits = make_splits([], THIRDS, rng=rng())

    assert splits.split_of == {}
    assert splits.report["counts"] == {"train": 0, "dev": 0, "test": 0}


def test_a_key_that_comes_twice_is_refused():
    with pytest.raises(ValueError, match="the key 1 comes twice"):
        make_splits([record(1), record(1)], THIRDS, rng=rng())


@pytest.mark.parametrize(
    ("sizes", "message"),
    [
        ({}, "no splits are named"),
        ({"train": 0.5, "dev": 0.1}, "add up to 0.6, not to 1"),
        ({"train": 0.9, "dev": 0.2}, "add up to 1.1, not to 1"),
        ({"train": None, "dev": 60}, "train=rest,dev=60 add up to 60, not to the 50 records"),
        ({"train": None, "dev": None}, "leave at most one open"),
        ({"train": None, "dev": -0.1}, "sizes are train=rest,dev=-0.1; give none below 0"),
        ({"train": 0.5, "dev": 20}, "all as fractions, or all as whole counts"),
    ],
)
def test_sizes_that_do_not_fit_are_refused(sizes, message):
    with pytest.raises(ValueError, match=message):
        make_splits(many(50), sizes, rng=rng())


def test_unknown_choices_are_named():
    with pytest.raises(ValueError, match="oversized is 'drop'; use one of train, cut"):
        make_splits([], THIRDS, rng=rng(), oversized="drop")
    with pytest.raises(ValueError, match="balanced names 'val'; the splits are train, dev, test"):
        make_splits([], THIRDS, rng=rng(), balanced=["val"])


@pytest.mark.parametrize(
    ("text", "sizes"),
    [
        ("train=0.8,dev=0.1, test=0.1", THIRDS),
        ("train=rest,dev=500,test=500", {"train": None, "dev": 500, "test": 500}),
        ("train=1", {"train": 1.0}),
    ],
)
def test_sizes_are_read_from_text(text, sizes):
    assert parse_sizes(text) == sizes


@pytest.mark.parametrize("text", ["", "train", "train=", "=0.5", "a=0.5,a=0.5", "train=half"])
def test_text_that_is_no_sizes_is_refused(text):
    with pytest.raises(ValueError, match="split '"):
        parse_sizes(text)


VALUES = st.sampled_from(["", "", "p", "q", "r", "s"])
RECORDS = st.lists(
    st.builds(
        lambda text, label, source, parent, cited: (text, label, source, parent, cited),
        st.lists(st.sampled_from("abc"), min_size=1, max_size=4).map(" ".join),
        st.sampled_from([S, R, N]),
        VALUES,
        VALUES,
        VALUES,
    ),
    max_size=40,
)


@settings(deadline=None)
@given(RECORDS, st.integers(0, 5))
def test_splits_never_leak(rows, seed):
    records = [
        SplitRecord(key, text, label, str(key), source, f"{source}_1" if source else "", parent,
                    ((cited, f"{cited}_1"),) if cited else ())
        for key, (text, label, source, parent, cited) in enumerate(rows)
    ]  # fmt: skip

    splits = make_splits(records, {"train": 0.6, "dev": 0.2, "test": 0.2}, rng=rng(seed))

    assert set(splits.report["leaks"].values()) == {0}
    assert splits.split_of.keys() == {each.key for each in records}
    assert sum(splits.report["counts"].values()) == len(records)


def test_leaks_are_found_by_kind_with_examples():
    one = record(
        1, LONG, claim_id="1", source_article="a", source_paragraph="a_1", initial_claim="9"
    )
    same = record(
        2, LONG, claim_id="1", source_article="a", source_paragraph="a_1", initial_claim="9"
    )
    near = record(3, LONG.replace("spring", "autumn"), evidence=(("z", "z_1"),))
    other = record(4, evidence=(("z", "z_1"),))

    found = check_splits({"train": [one, other], "test": [same, near]})

    assert found["counts"] == {"train": 2, "test": 2}
    assert found["leaks"] == {
        "source_paragraph": 1, "source_article": 1, "initial_claim": 1, "claim_id": 1,
        "claim_text": 1, "near_duplicate": 1, "evidence_article": 1,
    }  # fmt: skip
    assert found["examples"]["source_article"][0]["claims"] == {"train": ["1"], "test": ["1"]}
    assert found["shared_evidence_paragraphs"] == {"train, test": 1}


def test_deviation_is_the_largest_difference_of_a_labels_share():
    found = check_splits(
        {"train": [record(1, label=S), record(2, label=R)], "test": [record(3, label=S)]}
    )

    assert found["deviation"] == pytest.approx({"train": 1 / 6, "test": 1 / 3})


def test_the_published_czech_splits_share_one_article():
    splits = {
        name: [record_of_line(line) for line in read("ctkfacts", "fever_ctkId", f"{name}.jsonl.gz")]
        for name in ("train", "validation")
    }

    found = check_splits(splits)

    assert found["leaks"]["source_article"] == 1
    assert found["leaks"]["claim_id"] == found["leaks"]["initial_claim"] == 0
    assert found["counts"] == {"train": 2383, "validation": 332}


def test_the_published_czech_claims_split_again_share_nothing():
    lines = [
        line
        for name in ("train", "validation")
        for line in read("ctkfacts", "fever_ctkId", f"{name}.jsonl.gz")
    ]

    splits = make_splits([record_of_line(line) for line in lines], THIRDS, rng=rng())

    assert set(splits.report["leaks"].values()) == {0}
    assert max(splits.report["deviation"].values()) < 0.005
    assert splits.report["counts"]["dev"] == pytest.approx(len(lines) / 10, abs=3)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (
            {"id": 5, "label": S, "claim": "c", "evidence": [["F1_2", "F1_0"], ["F2@3_4"]],
             "source": "F1_2", "mutated_from": 3},
            SplitRecord("5", "c", S, "5", "F1", "F1_2", "3",
                        (("F1", "F1_2"), ("F1", "F1_0"), ("F2", "F2@3_4"))),
        ),
        (
            {"id": 5, "label": S, "claim": "c", "evidence": [[[5001, 5001, "F1_2", 0]]],
             "source": "F1_2", "mutated_from": 0},
            SplitRecord("5", "c", S, "5", "F1", "F1_2", "5", (("F1", "F1_2"),)),
        ),
        (
            {"id": 5, "label": N, "claim": "c", "evidence": [[[1, None, None, None]]]},
            SplitRecord("5", "c", N, "5"),
        ),
        (
            {"id": 5, "label": R, "claim": "c", "evidence": [[[1, 2, "A_Page_1", 7]]]},
            SplitRecord("5", "c", R, "5", evidence=(("A_Page_1", "A_Page_1_7"),)),
        ),
        (
            {"id": 5, "claim": "c", "cited_doc_ids": [9],
             "evidence": {"9": [{"sentences": [1, 2], "label": "CONTRADICT"}]}},
            SplitRecord("5", "c", "CONTRADICT", "5", evidence=(("9", "9_1"), ("9", "9_2"))),
        ),
        (
            {"id": 5, "claim": "c", "label": S,
             "evidence": [{"content": ["A_Page_header_cell_0_1_2", "A_Page_title", "B_sentence_3"],
                           "context": {}}]},
            SplitRecord("5", "c", S, "5", evidence=(("A_Page", "A_Page_header_cell_0_1_2"),
                        ("A_Page", "A_Page_title"), ("B", "B_sentence_3"))),
        ),
        (
            {"claim_id": 8, "claim": "c", "wiki_page": "Page", "labels": {"passage": "neutral"}},
            SplitRecord("8", "c", "neutral", "8", "Page"),
        ),
    ],
)  # fmt: skip
def test_a_line_of_each_form_gives_a_record(line, expected):
    assert record_of_line(line) == expected


@pytest.mark.parametrize(
    "path",
    [
        ("fever", "paper_dev_1-5000.jsonl.gz"),
        ("ctkfacts", "nli_text", "validation.jsonl.gz"),
    ],
)
def test_real_files_are_split_without_a_leak(path):
    records = [record_of_line(line, key=number) for number, line in enumerate(read(*path))]

    splits = make_splits(records, THIRDS, rng=rng())

    assert set(splits.report["leaks"].values()) == {0}


def test_words_are_normalised_over_forms_of_unicode():
    assert normalised("„Příliš“  ŽLUŤ\u00a0kůň!") == "příliš žluť kůň"
