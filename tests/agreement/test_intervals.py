"""Intervals of alpha: what widens them, and where there are none."""

import numpy as np
import pytest

from agreement.measures import (
    alpha_interval,
    intervals,
    krippendorff_alpha,
)


def test_clusters_that_repeat_a_unit_widen_the_interval():
    rng = np.random.default_rng(5)
    counts = np.repeat(rng.multinomial(2, [0.8, 0.2], size=60), 5, axis=0)
    groups = np.repeat(np.arange(60), 5)

    alone = alpha_interval(counts, rng=rng, n_samples=2000)
    together = alpha_interval(counts, rng=rng, n_samples=2000, clusters=groups)

    assert together.sd > 1.6 * alone.sd
    assert together.method == "clusters"


@pytest.mark.parametrize("level", ["ordinal", "interval", "ratio"])
def test_the_interval_of_other_levels_surrounds_their_alpha(level):
    counts = np.random.default_rng(2).multinomial(3, [0.5, 0.3, 0.2], size=200)
    counts[:150] = np.eye(3, dtype=int)[np.arange(150) % 3] * 3

    found = alpha_interval(counts, rng=np.random.default_rng(1), n_samples=500, level=level)

    assert found.low < krippendorff_alpha(counts, level=level) < found.high


def test_few_patterns_and_unit_by_unit_drawing_give_the_same_interval(monkeypatch):
    counts = np.random.default_rng(4).multinomial(3, [0.6, 0.4], size=300)
    by_pattern = alpha_interval(counts, rng=np.random.default_rng(1), n_samples=4000)

    monkeypatch.setattr("agreement.measures.intervals.UNITS_PER_PATTERN", 1e9)
    by_unit = alpha_interval(counts, rng=np.random.default_rng(2), n_samples=4000)

    assert by_unit.low == pytest.approx(by_pattern.low, abs=0.012)
    assert by_unit.high == pytest.approx(by_pattern.high, abs=0.012)


def test_one_unit_or_one_cluster_has_no_interval():
    rng = np.random.default_rng(1)

    one = alpha_interval(np.array([[2, 1], [1, 0]]), rng=rng, n_samples=100)
    together = alpha_interval(np.array([[2, 1], [1, 2]]), rng=rng, clusters=[0, 0], n_samples=100)

    for interval in (one, together):
        assert (interval.low, interval.high, interval.undefined_share) == (None, None, 1.0)


def test_an_interval_says_how_many_samples_had_a_single_label():
    counts = np.array([[2, 0], [1, 1]])

    found = alpha_interval(counts, rng=np.random.default_rng(1), n_samples=4000)

    # Both draws are the unit of one mind with probability 1/4.
    assert found.undefined_share == pytest.approx(0.25, abs=0.03)


@pytest.mark.parametrize(("level", "clusters"), [("ordinal", 8), ("nominal", 3)])
def test_samples_of_clusters_are_drawn_in_parts_that_their_units_fit_in(
    monkeypatch, level, clusters
):
    counts = np.random.default_rng(3).multinomial(4, [0.2] * 5, size=200)
    options = {"level": level, "n_samples": 60, "clusters": np.arange(200) % clusters}
    whole = alpha_interval(counts, rng=np.random.default_rng(1), **options)
    held = held_at_once(monkeypatch)
    monkeypatch.setattr(intervals, "CHUNK", 300)

    in_parts = alpha_interval(counts, rng=np.random.default_rng(1), **options)

    assert len(held) > 1
    assert max(held) <= 300
    assert (in_parts.low, in_parts.median, in_parts.high, in_parts.sd) == pytest.approx(
        (whole.low, whole.median, whole.high, whole.sd), rel=1e-12
    )


def held_at_once(monkeypatch):
    """The sizes of what alphas are computed of, from now on."""
    held = []

    def watched(alphas):
        return lambda drawn, more: held.append(drawn.size) or alphas(drawn, more)

    monkeypatch.setattr(intervals, "ordinal_alphas", watched(intervals.ordinal_alphas))
    monkeypatch.setattr(intervals, "fixed_alphas", watched(intervals.fixed_alphas))
    return held
