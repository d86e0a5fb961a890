"""Splits that are made: sizes, shares of labels, groups that are too large, and no leak."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from datasets.splits import SplitRecord, make_splits, parse_sizes
from tests.datasets.splitting import LONG, THIRDS, N, R, S, many, record, rng


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
