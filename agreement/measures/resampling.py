"""Percentile intervals for the measures beside alpha: what they might have been with other claims.

Units are drawn again with replacement and each measure is computed anew, from sums over the units
drawn. Units with the same labels are alike, as in `agreement.measures.intervals`.
Source: Efron and Tibshirani, "An Introduction to the Bootstrap" (1993), chapter 13.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from agreement.measures.annotations import AnnotationTable, without_duplicates
from agreement.measures.intervals import CHUNK, distinct_rows, draw

N_SAMPLES = 2_000
# Of Cohen's kappas, whose pairs of annotators may be many: cells times samples.
MOST_WORK = 200_000_000
FEWEST = 200
Interval = list[float] | None
Samples = dict[str, np.ndarray]


def intervals_of(
    table: AnnotationTable, *, rng: np.random.Generator, n_samples: int = N_SAMPLES
) -> dict[str, Interval]:
    """The 95 % interval of each measure of labels but alpha, by its path in a report.

    None where a measure has none: it is undefined in all samples, or there is one unit.
    """
    counts = table.counts
    size = counts.sum(axis=1)
    several = counts[size >= 2]
    samples = resampled(several, paired_measures(table.labels), rng, n_samples)
    samples |= resampled(counts[size >= 1], chance_corrected_measures, rng, n_samples)
    for raters in np.unique(size[size >= 2]).tolist():
        name = f"fleiss.{raters}"
        samples |= resampled(counts[size == raters], fleiss_measure(name, raters), rng, n_samples)
    samples |= cohen_samples(table, rng, n_samples)
    return {name: percentiles(values) for name, values in samples.items()}


def percentiles(samples: np.ndarray, confidence: float = 0.95) -> Interval:
    """[low, high] of the samples in which a measure is defined; None where there are none."""
    defined = samples[~np.isnan(samples)]
    tail = (1 - confidence) / 2
    return np.quantile(defined, [tail, 1 - tail]).tolist() if len(defined) else None


def resampled(
    units: np.ndarray,
    measures_of: Callable[[np.ndarray, np.ndarray], Samples],
    rng: np.random.Generator,
    n_samples: int,
) -> Samples:
    """{measure: (n_samples,)}; nothing for fewer than two units, whose samples are all the same.

    units: (n_units, width), what a unit adds; measures_of: the measures of (n, n_distinct) times
    that each of the distinct (n_distinct, width) units was drawn.
    """
    if len(units) < 2:
        return {}
    distinct, _, times = distinct_rows(units)
    step = max(1, CHUNK // max(distinct.shape))
    sizes = [min(step, n_samples - start) for start in range(0, n_samples, step)]
    parts = [measures_of(draw(times, n, rng), distinct) for n in sizes]
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def ratio(above: np.ndarray, below: np.ndarray) -> np.ndarray:
    """nan where there is nothing to divide by."""
    return np.divide(above, below, out=np.full(np.shape(above), np.nan), where=below > 1e-12)


def corrected(observed: np.ndarray, expected: np.ndarray) -> np.ndarray:
    """(observed - expected) / (1 - expected); nan where chance alone agrees fully."""
    return ratio(observed - expected, np.where(np.isnan(observed), 0, 1 - expected))


def agreeing_share(counts: np.ndarray) -> np.ndarray:
    """(n_units,) of each unit the share of pairs of labels that agree; 0 where there is no pair."""
    size = counts.sum(axis=1)
    agreeing, pairs = (counts * (counts - 1)).sum(axis=1), size * (size - 1)
    return np.divide(agreeing, pairs, out=np.zeros(len(counts)), where=pairs > 0)


def paired_measures(labels: list) -> Callable[[np.ndarray, np.ndarray], Samples]:
    """Percent agreement in its four senses and alpha of each label, as in `percent` and `alpha`."""

    def measures(drawn: np.ndarray, counts: np.ndarray) -> Samples:
        size, share = counts.sum(axis=1), agreeing_share(counts)
        pairs = size * (size - 1)
        n = drawn @ size
        unlike = drawn @ (2 * counts * (size[:, None] - counts) / (size[:, None] - 1))
        totals = drawn @ counts
        expected = 2 * totals * (n[:, None] - totals) / (n[:, None] - 1)
        alphas = 1 - ratio(unlike, expected)
        return {
            "percent.unit_mean": ratio(drawn @ share, drawn.sum(axis=1)),
            "percent.pooled_pairs": ratio(drawn @ (share * pairs), drawn @ pairs),
            "percent.value_weighted": ratio(drawn @ (share * size), n),
            "percent.unanimous": ratio(drawn @ (share == 1), drawn.sum(axis=1)),
            **{f"alpha_per_label.{name}": alphas[:, at] for at, name in enumerate(labels)},
        }

    return measures


def chance_corrected_measures(drawn: np.ndarray, counts: np.ndarray) -> Samples:
    """Generalised kappa, AC1 and S, as in `kappa`; labels in use are those of the sample."""
    size = counts.sum(axis=1)
    several = (size >= 2).astype(float)
    observed = ratio(drawn @ (agreeing_share(counts) * several), drawn @ several)
    shares = (drawn @ (counts / size[:, None])) / drawn.sum(axis=1, keepdims=True)
    used = (shares > 1e-12).sum(axis=1)
    chance = np.where(used > 1, used, np.nan)
    return {
        "fleiss_generalised": corrected(observed, (shares**2).sum(axis=1)),
        "ac1": corrected(observed, (shares * (1 - shares)).sum(axis=1) / (chance - 1)),
        "brennan_prediger": corrected(observed, 1 / chance),
    }


def fleiss_measure(name: str, raters: int) -> Callable[[np.ndarray, np.ndarray], Samples]:
    def measure(drawn: np.ndarray, counts: np.ndarray) -> Samples:
        n = drawn.sum(axis=1)
        shares = drawn @ counts / (n[:, None] * raters)
        observed = drawn @ agreeing_share(counts) / n
        return {name: corrected(observed, (shares**2).sum(axis=1))}

    return measure


def cohen_samples(table: AnnotationTable, rng: np.random.Generator, n_samples: int) -> Samples:
    """Mean and weighted mean of the kappas of pairs, over units in which two met."""
    meetings = meetings_of(table)
    n_units = meetings.met.shape[0]
    if n_units < 2:
        return {}
    n_samples = max(FEWEST, min(n_samples, MOST_WORK // meetings.width))
    step = max(1, CHUNK // meetings.width)
    sizes = [min(step, n_samples - start) for start in range(0, n_samples, step)]
    each_once = np.ones(n_units, dtype=np.int64)
    parts = [cohen_means(draw(each_once, n, rng), meetings) for n in sizes]
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


@dataclass(frozen=True)
class Meetings:
    """Which pairs of annotators met where, with which labels.

    met: sparse (n_units, n_cells), of the units in which two met; pair, first, second: (n_cells,)
    the pair, and the labels that the first and the second of it gave; n_labels: of all.
    """

    met: sparse.csr_array
    pair: np.ndarray
    first: np.ndarray
    second: np.ndarray
    n_labels: int

    @property
    def n_pairs(self) -> int:
        return int(self.pair.max(initial=-1)) + 1

    @property
    def width(self) -> int:
        """How many values one sample holds at once."""
        return max(*self.met.shape, self.met.nnz, self.n_pairs * self.n_labels, 1)


def cohen_means(drawn: np.ndarray, meetings: Meetings) -> Samples:
    """Of (n, n_units) times that units were drawn; each mean is of the pairs with a kappa there."""
    n_pairs, n_labels, pair = meetings.n_pairs, meetings.n_labels, meetings.pair
    cells = drawn @ meetings.met
    n = cells @ indicator(pair, n_pairs)
    alike = cells @ indicator(pair, n_pairs, meetings.first == meetings.second)
    by_first, by_second = (
        cells @ indicator(pair * n_labels + label, n_pairs * n_labels)
        for label in (meetings.first, meetings.second)
    )
    chance = (by_first * by_second).reshape(len(drawn), n_pairs, n_labels).sum(axis=2)
    kappa = corrected(ratio(alike, n), ratio(chance, n**2))
    known = ~np.isnan(kappa)
    kappa, n = np.where(known, kappa, 0), np.where(known, n, 0)
    return {
        "cohen.mean": ratio(kappa.sum(axis=1), known.sum(axis=1)),
        "cohen.weighted_mean": ratio((kappa * n).sum(axis=1), n.sum(axis=1)),
    }


def indicator(group: np.ndarray, n_groups: int, keep: np.ndarray | None = None):
    """(n_cells, n_groups), 1 where a cell is of a group."""
    held = np.ones(len(group)) if keep is None else keep.astype(float)
    return sparse.csr_array((held, (np.arange(len(group)), group)), shape=(len(group), n_groups))


def meetings_of(table: AnnotationTable) -> Meetings:
    """Of an annotator's labels of a unit the last counts, as in `cohen_pairs`."""
    rows, _ = without_duplicates(np.arange(len(table.unit)), table.unit, table.annotator, "last")
    rows = rows[np.lexsort((table.annotator[rows], table.unit[rows]))]
    one, other = (rows[places] for places in places_that_meet(table.unit[rows]))
    width, people = max(len(table.labels), 1), max(len(table.annotators), 1)
    pair = table.annotator[one] * people + table.annotator[other]
    labels = table.label[one] * width + table.label[other]
    keys, cell = np.unique(pair * width**2 + labels, return_inverse=True)
    units, unit = np.unique(table.unit[one], return_inverse=True)
    return Meetings(
        met=sparse.csr_array((np.ones(len(cell)), (unit, cell)), shape=(len(units), len(keys))),
        pair=np.unique(keys // width**2, return_inverse=True)[1],
        first=keys % width**2 // width,
        second=keys % width,
        n_labels=width,
    )


def places_that_meet(unit: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """All pairs of places of equal values of `unit`: (n,) whole numbers in order."""
    starts = np.flatnonzero(np.diff(unit, prepend=-1))
    sizes = np.diff(np.append(starts, len(unit)))
    found = [
        (starts[sizes == n][:, None] + np.array(np.triu_indices(n, 1))[:, None, :]).reshape(2, -1)
        for n in np.unique(sizes).tolist()
        if n > 1
    ]
    one, other = np.concatenate(found, axis=1) if found else np.zeros((2, 0), dtype=np.int64)
    return one, other
