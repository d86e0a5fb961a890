"""Thousands of labels, as of texts in the wrong column: measured in bounded room, or refused."""

import numpy as np
import pytest

from agreement.aggregation import dawid_skene
from agreement.measures import alpha as alpha_module
from agreement.measures import (
    alpha_contributions,
    alpha_interval,
    annotation_table,
    intervals,
    krippendorff_alpha,
    report,
    report_of,
)
from agreement.measures.alpha import alpha_of, coincidences
from tests.agreement.test_commands import refusal


def counts_of(n_units, n_labels, seed=1):
    """Three labels for each unit, two of them mostly alike."""
    rng = np.random.default_rng(seed)
    first, third = rng.integers(0, n_labels, size=(2, n_units))
    second = np.where(rng.random(n_units) < 0.6, first, rng.integers(0, n_labels, n_units))
    counts = np.zeros((n_units, n_labels), dtype=np.int64)
    for given in (first, second, third):
        counts[np.arange(n_units), given] += 1
    return counts


def rows_of(n_units, n_labels):
    units, annotators = np.repeat(np.arange(n_units), 2), ["p", "q"] * n_units
    return units, annotators, [f"answer {n % n_labels}" for n in range(2 * n_units)]


def test_nominal_alpha_of_many_labels_is_that_of_the_package(monkeypatch):
    counts = counts_of(200, 80)
    packaged = krippendorff_alpha(counts)

    monkeypatch.setattr(alpha_module, "PACKAGE_ENTRIES", 0)

    assert krippendorff_alpha(counts) == pytest.approx(packaged)
    assert alpha_of(coincidences(counts)) == pytest.approx(packaged)
    assert 1 - alpha_contributions(counts).sum() == pytest.approx(packaged)


def test_the_interval_of_many_labels_is_the_same_from_sparse_sums(monkeypatch):
    counts = counts_of(300, 90)
    monkeypatch.setattr(intervals, "FEW_LABELS", 1000)
    dense = alpha_interval(counts, rng=np.random.default_rng(1), n_samples=300)

    monkeypatch.setattr(intervals, "FEW_LABELS", 1)
    thin = alpha_interval(counts, rng=np.random.default_rng(1), n_samples=300)

    assert (thin.low, thin.high) == pytest.approx((dense.low, dense.high))


@pytest.mark.parametrize("level", ["ordinal", "interval", "ratio"])
@pytest.mark.parametrize("clusters", [None, np.repeat(np.arange(20), 3)])
def test_each_sample_has_the_alpha_of_the_units_that_it_drew(level, clusters, monkeypatch):
    counts, values = counts_of(60, 7), np.array([1.0, 2.0, 3.0, 5.0, 8.0, 13.0, 21.0])
    drawn = np.random.default_rng(2).integers(0, 4, size=(5, 60 if clusters is None else 20))
    monkeypatch.setattr(intervals, "draw", lambda *_: drawn.astype(float))
    monkeypatch.setattr(intervals, "distinct_rows", one_by_one)

    samples = samples_of(counts, level, values, clusters)

    times = drawn if clusters is None else drawn[:, clusters]
    for alpha, each in zip(samples, times, strict=True):
        taken = np.repeat(counts, each, axis=0)
        assert alpha == pytest.approx(krippendorff_alpha(taken, level=level, values=values))


def one_by_one(rows):
    """As `distinct_rows` where no two rows are alike."""
    return rows, np.arange(len(rows)), np.ones(len(rows), dtype=np.int64)


def samples_of(counts, level, values, clusters):
    if level == "ordinal":
        return intervals.ordinal_samples(counts, clusters, 5, None)
    distance = alpha_module.distances(counts.sum(axis=0), level, values)
    return intervals.fixed_samples(counts, clusters, distance, 5, None)


def test_too_many_labels_are_one_clear_line(monkeypatch):
    monkeypatch.setattr(report, "MOST_CELLS", 999)
    table = annotation_table(*rows_of(50, 20))

    with pytest.raises(ValueError, match="20 different labels on 50 units, too many to compare"):
        report_of(table, rng=np.random.default_rng(1))


def test_too_many_labels_for_distances_are_one_clear_line(monkeypatch):
    monkeypatch.setattr(report, "MOST_VALUES", 3)
    units, annotators, _ = rows_of(6, 1)
    table = annotation_table(units, annotators, [str(n % 5) for n in range(12)])

    with pytest.raises(ValueError, match="5 different labels on 6 units, too many to compare at"):
        report_of(table, rng=np.random.default_rng(1), level="interval")


def test_a_file_of_texts_says_which_column_to_look_at(write, monkeypatch):
    monkeypatch.setattr(report, "MOST_CELLS", 10)
    lines = [f"u{n // 2},p{n % 2},Some text {n}." for n in range(12)]

    message = refusal("--labels", write("unit,annotator,label", *lines))

    assert message.endswith("check which column holds the label.")


def test_error_matrices_without_room_are_one_clear_line(monkeypatch):
    monkeypatch.setattr("agreement.aggregation.error_rates.MOST_CELLS", 100)

    with pytest.raises(ValueError, match="2 annotators' errors on 20 labels has no room"):
        dawid_skene(annotation_table(*rows_of(50, 20)))
