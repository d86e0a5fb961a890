"""Percentile intervals for the agreement on evidence: with other claims, all parts of each."""

from collections.abc import Iterable, Sequence
from itertools import combinations

import numpy as np

from agreement.measures.evidence import (
    INTERPRETATIONS,
    EvidenceAnswer,
    Units,
    agree_on_a_verdict,
    by_unit,
    confusion_of,
    jaccard,
    shared_labels,
)
from agreement.measures.intervals import fixed_alphas
from agreement.measures.resampling import (
    N_SAMPLES,
    Interval,
    Samples,
    corrected,
    percentiles,
    ratio,
    resampled,
)


def evidence_intervals(
    answers: Iterable[EvidenceAnswer], *, rng: np.random.Generator, n_samples: int = N_SAMPLES
) -> dict[str, Interval]:
    """The 95 % interval of each figure of `evidence_figures` that a card shows, by its path."""
    units = by_unit(answers)
    samples: Samples = {}
    for least, name in enumerate(INTERPRETATIONS):
        chosen = [unit for unit in units if shared_labels(unit) >= least] if least else units
        found = resampled(features_of(map(parts_alike, chosen), 3), alphas, rng, n_samples)
        samples |= {f"alpha.{name}": values for values in found.values()}
    pairs = [unit for unit in units if len(unit) == 2 and agree_on_a_verdict(unit)]
    samples |= resampled(features_of(map(confusion_row, pairs), 4), kappas, rng, n_samples)
    samples |= resampled(features_of(overlaps(units), 2), mean_overlaps, rng, n_samples)
    return {f"evidence.{name}": percentiles(values) for name, values in samples.items()}


def features_of(rows: Iterable[Sequence[float]], width: int) -> np.ndarray:
    """(n_units, width), rounded so that units that are alike are equal."""
    return np.round(np.array(list(rows), dtype=float).reshape(-1, width), 9)


def parts_alike(unit: Sequence[EvidenceAnswer]) -> tuple[float, int, int]:
    """The disagreement of a unit's parts, in answers, and how often parts were passed and cited.

    As `fixed_features` of its `part_counts`, summed.
    """
    size, times = len(unit), dict[int, int]()
    for answer in unit:
        for part in answer.parts:
            times[part] = times.get(part, 0) + 1
    cited = sum(times.values())
    apart = sum(2 * n * (size - n) / (size - 1) for n in times.values())
    return apart, size * unit[0].n_parts - cited, cited


def alphas(drawn: np.ndarray, features: np.ndarray) -> Samples:
    return {"alpha": fixed_alphas(drawn @ features, None)}


def confusion_row(unit: Sequence[EvidenceAnswer]) -> list[int]:
    return confusion_of(*unit).reshape(-1).tolist()


def kappas(drawn: np.ndarray, features: np.ndarray) -> Samples:
    neither, second, first, both = (drawn @ features).T
    n = neither + second + first + both
    by_first, by_second = first + both, second + both
    chance = by_first * by_second + (n - by_first) * (n - by_second)
    return {"kappa": corrected(ratio(neither + both, n), ratio(chance, n**2))}


def overlaps(units: Units) -> Iterable[tuple[float, int]]:
    """The sum and the number of the overlaps of each unit in which anything was cited."""
    for unit in units:
        shares = [jaccard(one.parts, other.parts) for one, other in combinations(unit, 2)]
        known = [share for share in shares if share is not None]
        if known:
            yield sum(known), len(known)


def mean_overlaps(drawn: np.ndarray, features: np.ndarray) -> Samples:
    total, n = (drawn @ features).T
    return {"jaccard": ratio(total, n)}
