"""What an interval of alpha would be with more labels: by simulation from those that are there."""

from itertools import combinations_with_replacement
from math import factorial

import numpy as np

from agreement.measures.alpha import check_defined, pairable
from agreement.measures.intervals import (
    Interval,
    distinct_rows,
    draw,
    nominal_alphas,
    nominal_features,
    summary,
)


def planned_interval(
    counts: np.ndarray,
    *,
    n_more: int,
    labels_each: int,
    rng: np.random.Generator,
    n_samples: int = 1000,
    confidence: float = 0.95,
) -> Interval:
    """The interval of nominal alpha, were there `n_more` units of `labels_each` labels like these.

    A simulated data set draws the units of counts: (n_units, n_labels) again with replacement,
    and adds new ones: each like a unit at random, its labels from `label_chances` of that one.
    Raises Undefined as alpha does, ValueError for fewer than two labels or fewer than no units.
    """
    if n_more < 0 or labels_each < 2:
        raise ValueError(
            f"n_more is {n_more} and labels_each {labels_each}; use 0 or more, and 2 or more."
        )
    check_defined(counts)
    several = pairable(counts)
    patterns, _, times = distinct_rows(several)
    sums = draw(times, n_samples, rng) @ nominal_features(patterns)
    new, chances = new_units(several, labels_each)
    sums += rng.multinomial(n_more, chances, size=n_samples) @ nominal_features(new)
    return summary(nominal_alphas(sums), confidence, "simulated units")


def label_chances(counts: np.ndarray) -> np.ndarray:
    """(n_units, n_labels): how likely one more person gives a unit each label.

    A unit's own shares, mixed with those of all units so far that two new labels of a unit agree
    as often as two old ones do: shares of few labels alone would agree too often.
    """
    size = counts.sum(axis=1, keepdims=True)
    shares = counts / size
    overall = shares.mean(axis=0)
    agreed = ((counts * (counts - 1)).sum(axis=1) / (size[:, 0] * (size[:, 0] - 1))).mean()
    by_chance, by_shares = (overall**2).sum(), (shares**2).sum(axis=1).mean()
    apart = by_shares - by_chance
    own = np.sqrt(np.clip((agreed - by_chance) / apart, 0, 1)) if apart > 1e-12 else 0.0
    return own * shares + (1 - own) * overall


def new_units(counts: np.ndarray, labels_each: int) -> tuple[np.ndarray, np.ndarray]:
    """The (n, n_labels) counts that a unit of so many labels may have, and how likely each is."""
    n_labels = counts.shape[1]
    chosen = list(combinations_with_replacement(range(n_labels), labels_each))
    patterns = np.array([np.bincount(labels, minlength=n_labels) for labels in chosen])
    distinct, _, times = distinct_rows(counts)
    chances = label_chances(np.repeat(distinct, times, axis=0))
    kinds, weight = np.unique(np.round(chances, 12), axis=0, return_counts=True)
    likely = np.array(
        [orders(pattern) * (kinds**pattern).prod(axis=1) @ weight for pattern in patterns]
    )
    return patterns, likely / likely.sum()


def orders(pattern: np.ndarray) -> int:
    """In how many orders labels with these counts may come."""
    ways = factorial(int(pattern.sum()))
    for n in pattern.tolist():
        ways //= factorial(n)
    return ways
