"""Splits of a localised dataset, by hand: balanced, grouped or dealt, and what leaks."""

import numpy as np
import pytest

from datasets.localising.splitting import deal, localised_splits, shared_articles
from datasets.splits import SplitRecord
from tests.datasets.localising import R, S, line, lines_of, localise

WORDS = "most řeka hrad film pes kočka dům les pole moře hora vlak"


def record(key, label, *pages):
    text = f"{WORDS.split()[key % 12]} {key} {label.lower()} {key * 7}"
    return SplitRecord(key=key, text=text, label=label, claim_id=str(key),
                       evidence=tuple((page, f"{page}_1") for page in pages))  # fmt: skip


def dealt_counts(labels, targets, balanced, seed=0):
    """How many of each label each split got, and at the end none."""
    codes = np.array(labels)
    chosen = deal(codes, np.array(targets, dtype=float), balanced, np.random.default_rng(seed))
    splits = [*range(len(targets)), -1]
    return [[int(((chosen == s) & (codes == c)).sum()) for c in (0, 1, 2)] for s in splits]


def test_balanced_splits_get_as_many_of_each_label_and_train_the_rest():
    labels = [0] * 50 + [1] * 30 + [2] * 20

    counts = dealt_counts(labels, [76, 12, 12], balanced=[1, 2])

    assert counts == [[42, 22, 12], [4, 4, 4], [4, 4, 4], [0, 0, 0]]


def test_balanced_splits_shrink_alike_where_a_label_is_too_rare():
    labels = [0] * 50 + [1] * 30 + [2] * 5

    counts = dealt_counts(labels, [25, 30, 30], balanced=[1, 2])

    assert counts == [[46, 26, 1], [2, 2, 2], [2, 2, 2], [0, 0, 0]]


def test_without_another_split_the_surplus_is_left_out():
    labels = [0] * 8 + [1] * 4 + [2] * 4

    counts = dealt_counts(labels, [8, 8], balanced=[0, 1])

    assert counts == [[2, 2, 2], [2, 2, 2], [4, 0, 0]]


def test_unbalanced_splits_share_each_label_by_their_sizes():
    labels = [0] * 10 + [1] * 20 + [2] * 30

    assert dealt_counts(labels, [30, 30], balanced=[]) == [[5, 10, 15], [5, 10, 15], [0, 0, 0]]


def test_claims_that_cite_an_article_of_another_split_are_counted():
    records = [record(1, S, "A"), record(2, S, "A", "B"), record(3, R, "C"), record(4, R)]

    found = shared_articles(records, {1: "train", 2: "dev", 3: "dev", 4: "train"})

    assert found == {
        "dev": {"claims": 2, "leaking": 1, "articles": 3, "shared": 1},
        "train": {"claims": 1, "leaking": 1, "articles": 1, "shared": 1},
    }


@pytest.mark.parametrize(("group", "leaks"), [("article", False), ("none", True)])
def test_grouped_splits_share_no_article_and_dealt_ones_say_how_many(group, leaks):
    records = [record(n, S if n % 2 else R, f"page{n // 4}") for n in range(80)]

    splits = localised_splits(records, {"train": 0.5, "dev": 0.5}, group=group, balanced=(), seed=1)

    counts = splits.report["counts"]
    assert counts["train"] + counts["dev"] == 80
    assert abs(counts["train"] - 40) <= 4
    assert any(row["shared"] for row in splits.report["articles"].values()) is leaks
    assert bool(splits.report["leaks"]["evidence_article"]) is leaks


def test_a_split_dataset_has_a_file_for_each_split_and_its_leaks_in_the_manifest(tmp_path):
    pages = [f"Page {n}" for n in range(6)]
    lines = [line(n, S if n % 2 else R, [(pages[n % 6], 0)]) for n in range(1, 25)]
    texts = {n: f"{WORDS.split()[n % 12]} {n * 31} tvrdí {n}" for n in range(1, 25)}
    titles = [(page, f"Strana {page}") for page in pages]

    report = localise(
        tmp_path, *lines, titles=titles, texts=texts,
        split="train=rest,dev=6,test=6", group="none", seed=2,
    )  # fmt: skip

    written = {
        name: lines_of(tmp_path / "out" / f"{name}.jsonl") for name in report["splits"]["counts"]
    }
    assert {name: len(rows) for name, rows in written.items()} == {"train": 12, "dev": 6, "test": 6}
    for name in ("dev", "test"):
        assert sorted(each["label"] for each in written[name]) == [R] * 3 + [S] * 3
    assert report["settings"]["balanced"] == ["dev", "test"]
    assert report["splits"]["articles"]["dev"]["claims"] == 6
    assert report["splits"]["articles"]["dev"]["leaking"] > 0


def test_balance_of_grouped_splits_takes_claims_away_and_counts_them(tmp_path):
    lines = [line(n, S if n % 3 else R, [(f"Page {n}", 0)]) for n in range(1, 31)]
    texts = {n: f"{WORDS.split()[n % 12]} {n * 31} tvrdí {n}" for n in range(1, 31)}
    titles = [(f"Page {n}", f"Strana {n}") for n in range(1, 31)]

    report = localise(
        tmp_path, *lines, titles=titles, texts=texts, split="train=0.5,dev=0.5", seed=2
    )

    lost = report["lost"]["label_balance"]
    assert lost == 30 - sum(file["lines"] for file in report["files"]) > 0
    assert report["steps"][-1]["lost_claims"][S] == lost
