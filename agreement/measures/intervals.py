"""Intervals for Krippendorff's alpha: what it might have been with other claims.

Units (or clusters of units, where mutations share a source) are drawn again with replacement,
and both observed and expected disagreement are computed anew. Units with the same counts are
alike, so a sample is a draw of how often each distinct pattern occurs.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from agreement.measures.alpha import (
    check_defined,
    check_level,
    coincidences,
    distances,
    pairable,
    unit_disagreement,
)

# Drawing one pattern's count costs about as much as drawing this many units one by one.
UNITS_PER_PATTERN = 8
# Weights held at once: samples x patterns or labels; 32 MB of floats.
CHUNK = 4_000_000
# Up to so many labels a product of plain arrays is faster than one of sparse ones.
FEW_LABELS = 64


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
    usable = counts[several][:, used]
    if level == "ordinal":
        samples = ordinal_samples(usable, groups, n_samples, rng)
    else:
        distance = None if level == "nominal" else distances(usable.sum(axis=0), level, values)
        samples = fixed_samples(usable, groups, distance, n_samples, rng)
    return summary(samples, confidence, "units" if clusters is None else "clusters")


def fixed_samples(counts, clusters, distance, n_samples, rng) -> np.ndarray:
    """(n_samples,) alphas; distance: (n_labels, n_labels), in all samples; None for nominal."""
    features, times = unit_features(counts, distance, clusters)
    # Of many labels a unit has a few: what is 0 is not summed up.
    few = sparse.csc_array(features) if features.shape[1] > FEW_LABELS else features
    width = features.shape[1]
    return in_samples(
        times, n_samples, rng, lambda drawn: fixed_alphas(drawn @ few, distance), width=width
    )


def unit_features(counts, distance, clusters) -> tuple[np.ndarray, np.ndarray]:
    """Distinct things to draw: (n_distinct, 1 + n_labels), and how often each occurs."""
    patterns, occurrence, times = distinct_rows(counts)
    features = fixed_features(patterns, distance)
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
        if np.log2(widths).sum() < 62:
            keys = np.ravel_multi_index(rows.T, widths)
            _, first, inverse, times = np.unique(
                keys, return_index=True, return_inverse=True, return_counts=True
            )
            return rows[first], inverse, times
    distinct, inverse, times = np.unique(rows, axis=0, return_inverse=True, return_counts=True)
    return distinct, inverse.reshape(-1), times


def nominal_features(counts: np.ndarray) -> np.ndarray:
    """(n, 1 + n_labels): disagreement of each unit in labels, and its labels."""
    return fixed_features(counts, None)


def fixed_features(counts: np.ndarray, distance: np.ndarray | None) -> np.ndarray:
    """(n, 1 + n_labels): distance within each unit, in labels, and its labels."""
    if distance is None:
        return np.column_stack([unit_disagreement(counts), counts])
    apart = np.einsum("ul,ul->u", counts @ distance, counts)
    return np.column_stack([apart / (counts.sum(axis=1) - 1), counts])


def in_samples(
    times: np.ndarray,
    n_samples: int,
    rng: np.random.Generator,
    alphas_of: Callable[[np.ndarray], np.ndarray],
    *,
    width: int,
) -> np.ndarray:
    """(n_samples,) alphas, nan where a sample holds a single label.

    times: (n_distinct,) how often each thing to draw occurs; alphas_of: the alphas of (n,
    n_distinct) times that each of them was drawn; width: how many values it holds at once for each
    sample. All are nan where there is one thing to draw: each sample would be the same.
    """
    if times.sum() < 2:
        return np.full(n_samples, np.nan)
    step = max(1, CHUNK // max(len(times), width))
    sizes = [min(step, n_samples - start) for start in range(0, n_samples, step)]
    return np.concatenate([alphas_of(draw(times, size, rng)) for size in sizes])


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
    return fixed_alphas(sums, None)


def fixed_alphas(sums: np.ndarray, distance: np.ndarray | None) -> np.ndarray:
    """Alpha of each row of summed `fixed_features`; nan where expected disagreement is 0."""
    unequal, totals = sums[:, 0], sums[:, 1:]
    n = totals.sum(axis=1)
    if distance is None:
        expected = (n**2 - (totals**2).sum(axis=1)) / (n - 1)
        varies = expected > 0.5
    else:
        expected = np.einsum("sl,sl->s", totals @ distance, totals) / (n - 1)
        varies = (totals > 0.5).sum(axis=1) > 1
    return np.where(varies, 1 - unequal / np.where(varies, expected, 1), np.nan)


def ordinal_samples(counts, clusters, n_samples, rng) -> np.ndarray:
    """(n_samples,) ordinal alphas: how far labels are apart depends on all labels of a sample."""
    patterns, occurrence, times = distinct_rows(counts)
    width = max(patterns.shape)
    if clusters is None:
        return in_samples(
            times, n_samples, rng, lambda drawn: ordinal_alphas(drawn, patterns), width=width
        )
    names, member = np.unique(clusters, return_inverse=True)
    cells = np.ones(len(member)), (member, occurrence)
    holds = sparse.csr_array(cells, shape=(len(names), len(patterns)))
    times = np.ones(len(names), dtype=np.int64)
    return in_samples(
        times, n_samples, rng, lambda drawn: ordinal_alphas(drawn @ holds, patterns), width=width
    )


def ordinal_alphas(drawn: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """(n_samples,) ordinal alphas of samples that hold each of (n, n_labels) units so often.

    drawn: (n_samples, n). The squared distances of all pairs of some ranks add up to twice
    their number times the sum of their squares, less the square of their sum.
    """
    totals = drawn @ counts
    n = totals.sum(axis=1)
    # From the middle, so that little is lost in the difference of the squares.
    ranks = np.cumsum(totals, axis=1) - totals / 2 - n[:, None] / 2
    size, held = counts.sum(axis=1), sparse.csr_array(counts)
    apart = size * (held @ (ranks**2).T).T - (held @ ranks.T).T ** 2
    unequal = (drawn / (size - 1) * apart).sum(axis=1)
    expected = (n * (totals * ranks**2).sum(axis=1) - (totals * ranks).sum(axis=1) ** 2) / (n - 1)
    varies = (totals > 0.5).sum(axis=1) > 1
    return np.where(varies, 1 - unequal / np.where(varies, expected, 1), np.nan)


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
    step = max(1, CHUNK // len(shares))
    sizes = [min(step, n_samples - start) for start in range(0, n_samples, step)]
    drawn = (rng.multinomial(n_pairs, shares, size=size) @ distance for size in sizes)
    return 1 - np.concatenate(list(drawn)) / n_pairs / expected


def pair_shares(met, level, values) -> tuple[np.ndarray, np.ndarray, float]:
    """The share and squared distance of each kind of pair that occurs, and the expected one."""
    totals = met.sum(axis=1)
    n = totals.sum()
    distance = distances(totals, level, values)
    expected = float((np.outer(totals, totals) * distance).sum() / (n * (n - 1)))
    occurs = met > 0
    shares = met[occurs] / met.sum()
    return shares / shares.sum(), distance[occurs], expected


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
