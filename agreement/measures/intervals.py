"""Intervals for Krippendorff's alpha: what it might have been with other claims.

Units (or clusters of units, where mutations share a source) are drawn again with replacement,
and both observed and expected disagreement are computed anew. Units with the same counts are
alike, so a sample is a draw of how often each distinct pattern occurs.
"""

from dataclasses import dataclass

import numpy as np

from agreement.measures.alpha import (
    alpha_of,
    check_defined,
    check_level,
    coincidences,
    distances,
    pairable,
    unit_disagreement,
)

# Drawing one pattern's count costs about as much as drawing this many units one by one.
UNITS_PER_PATTERN = 8
# Weights held at once: samples x patterns; 32 MB of floats.
CHUNK = 4_000_000


@dataclass(frozen=True)
class Interval:
    """An interval of alpha from resampling.

    low, median, high: None where no sample had a defined alpha; undefined_share: the share
    of samples without one (a single label drawn); below_667, below_800: the share of defined
    samples under Krippendorff's two thresholds; sd: their standard deviation.
    """

    low: float | None
    median: float | None
    high: float | None
    method: str
    n_samples: int
    undefined_share: float
    below_667: float | None
    below_800: float | None
    sd: float | None


def alpha_interval(
    counts: np.ndarray,
    *,
    rng: np.random.Generator,
    n_samples: int = 10_000,
    level: str = "nominal",
    values: np.ndarray | None = None,
    clusters: np.ndarray | None = None,
    confidence: float = 0.95,
) -> Interval:
    """The percentile interval of alpha over samples of its units, or of clusters of them.

    counts: (n_units, n_labels); clusters: (n_units,) whole numbers, equal for units that are
        drawn together. Raises Undefined where alpha itself is undefined.
    Source: Efron and Tibshirani, "An Introduction to the Bootstrap" (1993), chapters 8 and 13.
    """
    check_level(level)
    check_defined(counts)
    several = counts.sum(axis=1) >= 2
    groups = None if clusters is None else np.asarray(clusters)[several]
    used = counts[several].sum(axis=0) > 0
    values = None if values is None else np.asarray(values, dtype=float)[used]
    features, weights = unit_features(counts[several][:, used], level, groups)
    samples = resample(features, weights, int(used.sum()), level, values, n_samples, rng)
    return summary(samples, confidence, "units" if clusters is None else "clusters")


def unit_features(counts, level, clusters) -> tuple[np.ndarray, np.ndarray]:
    """Distinct things to draw: (n_distinct, n_features), and how often each occurs.

    Nominal alpha needs a unit's disagreement and labels; other levels its coincidences.
    """
    patterns, occurrence, times = distinct_rows(counts)
    features = nominal_features(patterns) if level == "nominal" else metric_features(patterns)
    if clusters is None:
        return features, times
    size = int(np.unique(clusters).size)
    member = np.unique(clusters, return_inverse=True)[1]
    sums = np.zeros((size, features.shape[1]))
    for column, feature in enumerate(features.T):
        sums[:, column] = np.bincount(member, feature[occurrence], minlength=size)
    distinct, _, times = distinct_rows(np.round(sums, 9))
    return distinct, times


def distinct_rows(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The distinct rows, for each row the one it equals, and how often each occurs."""
    if np.issubdtype(rows.dtype, np.integer):
        widths = rows.max(axis=0, initial=0) + 1
        if np.prod(widths.astype(float)) < 2**62:
            keys = np.ravel_multi_index(rows.T, widths)
            _, first, inverse, times = np.unique(
                keys, return_index=True, return_inverse=True, return_counts=True
            )
            return rows[first], inverse, times
    distinct, inverse, times = np.unique(rows, axis=0, return_inverse=True, return_counts=True)
    return distinct, inverse.reshape(-1), times


def nominal_features(counts: np.ndarray) -> np.ndarray:
    """(n, 1 + n_labels): disagreement of each unit in labels, and its labels."""
    return np.column_stack([unit_disagreement(counts), counts])


def metric_features(counts: np.ndarray) -> np.ndarray:
    """(n, n_labels * n_labels): the coincidences of each unit."""
    size = counts.sum(axis=1)[:, None, None]
    pairs = counts[:, :, None] * counts[:, None, :] - np.einsum(
        "ul,lk->ulk", counts, np.eye(counts.shape[1])
    )
    return (pairs / (size - 1)).reshape(len(counts), -1)


def resample(features, times, n_labels, level, values, n_samples, rng) -> np.ndarray:
    """(n_samples,) alphas, nan where a sample holds a single label.

    All are nan where there is one thing to draw: each sample would be the same.
    """
    if times.sum() < 2:
        return np.full(n_samples, np.nan)
    step = max(1, CHUNK // max(len(features), 1))
    parts = []
    for start in range(0, n_samples, step):
        size = min(step, n_samples - start)
        sums = draw(times, size, rng) @ features
        if level == "nominal":
            parts.append(nominal_alphas(sums))
        else:
            parts.append(alpha_of(sums.reshape(size, n_labels, n_labels), level, values))
    return np.concatenate(parts)


def draw(times: np.ndarray, n_samples: int, rng: np.random.Generator) -> np.ndarray:
    """(n_samples, n_distinct): how often each distinct thing occurs in a sample of all of them."""
    n, distinct = int(times.sum()), len(times)
    if distinct * UNITS_PER_PATTERN < n:
        # Commonest first: a row is done once all its draws are used up.
        order = np.argsort(-times, kind="stable")
        drawn = np.empty((n_samples, distinct))
        drawn[:, order] = rng.multinomial(n, times[order] / n, size=n_samples)
        return drawn
    kind = np.repeat(np.arange(distinct), times)
    rows = [
        np.bincount(kind[rng.integers(n, size=n)], minlength=distinct) for _ in range(n_samples)
    ]
    return np.array(rows, dtype=float)


def nominal_alphas(sums: np.ndarray) -> np.ndarray:
    """Alpha of each row of summed `nominal_features`; nan where expected disagreement is 0."""
    unequal, totals = sums[:, 0], sums[:, 1:]
    n = totals.sum(axis=1)
    expected = (n**2 - (totals**2).sum(axis=1)) / (n - 1)
    return np.where(expected > 0.5, 1 - unequal / np.where(expected > 0.5, expected, 1), np.nan)


def kalpha_interval(
    counts: np.ndarray,
    *,
    rng: np.random.Generator,
    n_samples: int = 10_000,
    level: str = "nominal",
    values: np.ndarray | None = None,
    confidence: float = 0.95,
    capped: bool = True,
) -> Interval:
    """Krippendorff's own bootstrap, compatible with the KALPHA macro.

    It draws pairs of labels and keeps expected disagreement as it is. The number of pairs is
    capped at 25 times the kinds of pairs seen, so its width does not shrink with more data;
    `capped=False` draws as many pairs as there are.
    Source: Hayes and Krippendorff (2007); Krippendorff, "Bootstrapping distributions" (2016).
    """
    samples = kalpha_samples(
        counts, rng=rng, n_samples=n_samples, level=level, values=values, capped=capped
    )
    return summary(samples, confidence, "kalpha")


def kalpha_samples(counts, *, rng, n_samples, level, values, capped=True) -> np.ndarray:
    """(n_samples,) alphas of `kalpha_interval`. Raises Undefined where alpha is undefined."""
    check_level(level)
    check_defined(counts)
    met = coincidences(counts)
    shares, distance, expected = pair_shares(met, level, values)
    n_pairs = pairs_to_draw(counts, met, capped)
    drawn = rng.multinomial(n_pairs, shares, size=n_samples)
    return 1 - (drawn @ distance) / n_pairs / expected


def pair_shares(met, level, values) -> tuple[np.ndarray, np.ndarray, float]:
    """Each kind of pair's share and squared distance, and the expected distance of a pair."""
    totals = met.sum(axis=1)
    n = totals.sum()
    distance = distances(totals, level, values)
    expected = float((np.outer(totals, totals) * distance).sum() / (n * (n - 1)))
    shares = (met / met.sum()).reshape(-1)
    return shares / shares.sum(), distance.reshape(-1), expected


def pairs_to_draw(counts, met, capped) -> int:
    n_pairs = label_pairs(counts)
    return min(n_pairs, 25 * int((met > 0).sum())) if capped else n_pairs


def label_pairs(counts: np.ndarray) -> int:
    """How many pairs of labels share a unit."""
    size = pairable(counts).sum(axis=1)
    return int((size * (size - 1) // 2).sum())


def summary(samples: np.ndarray, confidence: float, method: str) -> Interval:
    """The interval of the defined samples: percentiles, thresholds, and the share undefined."""
    defined = samples[~np.isnan(samples)]
    undefined_share = 1 - len(defined) / len(samples) if len(samples) else 1.0
    if not len(defined):
        return Interval(None, None, None, method, len(samples), undefined_share, None, None, None)
    tail = (1 - confidence) / 2
    low, median, high = np.quantile(defined, [tail, 0.5, 1 - tail])
    return Interval(
        low=float(low),
        median=float(median),
        high=float(high),
        method=method,
        n_samples=len(samples),
        undefined_share=undefined_share,
        below_667=float((defined < 0.667).mean()),
        below_800=float((defined < 0.800).mean()),
        sd=float(defined.std()),
    )
