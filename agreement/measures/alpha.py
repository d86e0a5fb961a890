"""Krippendorff's alpha and what it is made of.

Every function takes counts: (n_units, n_labels), how many annotators gave each unit each
label. Units with fewer than two labels are left out first, of both observed and expected
disagreement. Source: Krippendorff, "Content Analysis" (4th ed., 2018), chapter 12.
"""

from collections.abc import Iterator
from typing import cast

import krippendorff
import numpy as np
from scipy import sparse

from agreement.measures.annotations import AnnotationTable
from agreement.measures.undefined import Undefined

LEVELS = ("nominal", "ordinal", "interval", "ratio")

# The package builds several arrays of units x labels x labels; past this many entries alpha is
# taken from the units (nominal) or the coincidence matrix instead, by the same formula.
PACKAGE_ENTRIES = 4_000_000


def pairable(counts: np.ndarray) -> np.ndarray:
    """The units with two labels or more: the only ones that alpha knows."""
    return counts[counts.sum(axis=1) >= 2]


def check_defined(counts: np.ndarray, measure: str = "alpha") -> np.ndarray:
    """The pairable units. Raises Undefined where there is nothing to compare."""
    if counts.sum() == 0:
        raise Undefined(measure, "no_data")
    usable = pairable(counts)
    if not len(usable):
        raise Undefined(measure, "no_pairs")
    if (usable.sum(axis=0) > 0).sum() < 2:
        raise Undefined(measure, "no_variation")
    return usable


def krippendorff_alpha(
    counts: np.ndarray, *, level: str = "nominal", values: np.ndarray | None = None
) -> float:
    """Krippendorff's alpha: 1 is full agreement, 0 chance level, below 0 is systematic.

    values: (n_labels,) increasing numbers that the labels stand for, for other levels than
        nominal (ordinal uses their order alone).
    Raises Undefined without labels, without pairs, or where all pairable labels are one.
    Source: Krippendorff, "Computing Krippendorff's Alpha-Reliability" (2011).
    """
    check_level(level)
    check_increasing(values)
    usable = check_defined(counts)
    used = usable.sum(axis=0) > 0
    usable = usable[:, used]
    values = np.arange(used.sum()) if values is None else np.asarray(values, dtype=float)[used]
    if usable.size * usable.shape[1] > PACKAGE_ENTRIES:
        if level == "nominal":
            return float(1 - alpha_contributions(usable).sum())
        return float(alpha_of(coincidences(usable), level, values))
    return float(
        krippendorff.alpha(
            value_counts=usable,
            value_domain=values,
            level_of_measurement=cast(krippendorff.LevelOfMeasurement, level),
        )
    )


def check_level(level):
    if level not in LEVELS:
        raise ValueError(f"level is {level!r}; use one of {', '.join(LEVELS)}.")


def check_increasing(values):
    if values is not None and (np.diff(values) < 0).any():
        raise ValueError(f"values are {list(values)}; sort labels and values by size.")


def coincidences(counts: np.ndarray) -> np.ndarray:
    """(n_labels, n_labels): how often two labels met in a unit, each unit weighing its labels.

    Source: Krippendorff (2011), section C: o_ck = sum over units of pairs(c, k) / (m_u - 1).
    """
    usable = pairable(counts).astype(float)
    weights = 1 / (usable.sum(axis=1) - 1)
    return (usable * weights[:, None]).T @ usable - np.diag(weights @ usable)


def alpha_of(met: np.ndarray, level: str = "nominal", values: np.ndarray | None = None):
    """Alpha of coincidence matrices (..., n_labels, n_labels); nan where it is undefined."""
    totals = met.sum(axis=-1)
    n = totals.sum(axis=-1)
    distance = distances(totals, level, values)
    chance = totals[..., :, None] * totals[..., None, :] * distance
    with np.errstate(divide="ignore", invalid="ignore"):
        observed = (met * distance).sum(axis=(-2, -1)) / n
        expected = chance.sum(axis=(-2, -1)) / (n * (n - 1))
        return np.where(expected > 0, 1 - observed / expected, np.nan)


def distances(totals: np.ndarray, level: str, values: np.ndarray | None) -> np.ndarray:
    """Squared distances of labels for (..., n_labels) totals. Source: Krippendorff (2011), D."""
    size = totals.shape[-1]
    if level == "nominal":
        return 1.0 - np.eye(size)
    if level == "ordinal":
        ranks = np.cumsum(totals, axis=-1) - totals / 2
        return (ranks[..., :, None] - ranks[..., None, :]) ** 2
    values = np.arange(size, dtype=float) if values is None else np.asarray(values, dtype=float)
    difference = values[:, None] - values[None, :]
    if level == "interval":
        return difference**2
    total = values[:, None] + values[None, :]
    return np.divide(difference, total, out=np.zeros_like(difference), where=total != 0) ** 2


def unit_disagreement(counts: np.ndarray) -> np.ndarray:
    """(n_units,): the nominal disagreement of each unit, in labels; 0 for those without pairs."""
    size = counts.sum(axis=1)
    unequal = size**2 - (counts**2).sum(axis=1)
    return np.divide(unequal, size - 1, out=np.zeros(len(counts)), where=size >= 2)


def expected_disagreement(totals: np.ndarray) -> float:
    """The share of unequal pairs among all labels of `totals`: (n_labels,), nominal."""
    n = float(totals.sum())
    return float((n**2 - (totals.astype(float) ** 2).sum()) / (n * (n - 1)))


def alpha_contributions(counts: np.ndarray) -> np.ndarray:
    """(n_units,): what each unit takes from full agreement; they add up to 1 - alpha.

    Raises Undefined as alpha does. Nominal.
    """
    totals = check_defined(counts).sum(axis=0)
    return unit_disagreement(counts) / (totals.sum() * expected_disagreement(totals))


def alpha_per_label(counts: np.ndarray) -> list[dict]:
    """For each label alpha of that label against all others, as {value, undefined}.

    Nominal whatever the level of the labels: what is compared has two values.
    Source: Krippendorff (2018), section 12.4, "reliability of single values".
    """
    usable = pairable(counts).astype(float)
    if not len(usable):
        return [unknown("no_pairs") for _ in range(counts.shape[1])]
    size = usable.sum(axis=1, keepdims=True)
    n, totals = size.sum(), usable.sum(axis=0)
    observed = (2 * usable * (size - usable) / (size - 1)).sum(axis=0) / n
    expected = 2 * totals * (n - totals) / (n * (n - 1))
    return [
        known(1 - seen / chance) if chance > 0 else unknown("no_variation")
        for seen, chance in zip(observed, expected, strict=True)
    ]


def known(value) -> dict:
    return {"value": float(value), "undefined": None}


def unknown(reason: str) -> dict:
    return {"value": None, "undefined": reason}


def label_confusion(counts: np.ndarray) -> np.ndarray:
    """(n_labels, n_labels): of a label's pairs, the share with each label; rows add up to 1.

    Rows of labels that are in no pair are all 0.
    """
    met = coincidences(counts)
    totals = met.sum(axis=1, keepdims=True)
    return np.divide(met, totals, out=np.zeros_like(met), where=totals > 0)


def alpha_without_each(
    table: AnnotationTable, *, level: str = "nominal", values: np.ndarray | None = None
) -> list[dict]:
    """For each annotator alpha of all the others' labels, as {value, undefined}.

    values: as in `krippendorff_alpha`. One pass over the rows: what an annotator's rows added is
    taken away again, and units that keep a single label leave both observed and expected
    disagreement.
    """
    counts = table.counts
    rows = annotator_rows(table, counts)
    new_size = counts.sum(axis=1)[rows["unit"]] - rows["removed"]
    totals = pairable(counts).sum(axis=0) - labels_lost(table, counts, rows, new_size)
    if level == "nominal":
        alphas = list(nominal_alphas_without_each(table, rows, new_size, totals))
    else:
        alphas = [alpha_of(met, level, values) for met in coincidences_without_each(table)]
    return [leave_one_out_value(*left) for left in zip(alphas, np.round(totals), strict=True)]


def nominal_alphas_without_each(table, rows, new_size, totals) -> np.ndarray:
    """(n_annotators,) from (n_annotators, n_labels) pairable labels; nan where it is undefined."""
    counts, unit = table.counts, rows["unit"]
    new_unequal = new_size**2 - ((counts**2).sum(axis=1)[unit] - rows["squares_lost"])
    left = np.divide(new_unequal, new_size - 1, out=np.zeros(len(unit)), where=new_size >= 2)
    before = unit_disagreement(counts)
    change = np.bincount(rows["annotator"], left - before[unit], minlength=len(table.annotators))
    n = totals.sum(axis=1)
    expected = (n**2 - (totals**2).sum(axis=1)) / (n - 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        return 1 - (before.sum() + change) / expected


def coincidences_without_each(table: AnnotationTable) -> Iterator[np.ndarray]:
    """The coincidences of all the others' labels, for each annotator in turn."""
    counts, met = table.counts, coincidences(table.counts)
    given = np.bincount(table.annotator, minlength=len(table.annotators))
    rows = np.argsort(table.annotator, kind="stable")
    for end, n in zip(np.cumsum(given), given, strict=True):
        mine = rows[end - n : end]
        units, place = np.unique(table.unit[mine], return_inverse=True)
        before = counts[units]
        after = before.copy()
        np.subtract.at(after, (place, table.label[mine]), 1)
        yield met - coincidences(before) + coincidences(after)


def annotator_rows(table: AnnotationTable, counts: np.ndarray) -> dict[str, np.ndarray]:
    """One entry per (unit, annotator): the labels removed, and the drop in the sum of squares."""
    width = len(table.labels)
    cells = (table.unit * len(table.annotators) + table.annotator) * width + table.label
    cells, given = np.unique(cells, return_counts=True)
    pairs, entry = np.unique(cells // width, return_inverse=True)
    unit, annotator = pairs // len(table.annotators), pairs % len(table.annotators)
    held = counts[unit[entry], cells % width]
    lost = held**2 - (held - given) ** 2
    return {
        "unit": unit,
        "annotator": annotator,
        "removed": np.bincount(entry, given, minlength=len(pairs)).astype(np.int64),
        "squares_lost": np.bincount(entry, lost, minlength=len(pairs)).astype(np.int64),
        "entry": entry,
        "label": cells % width,
        "given": given,
    }


def labels_lost(table, counts, rows, new_size) -> np.ndarray:
    """(n_annotators, n_labels): the pairable labels that go with each annotator.

    Their own; and where a unit is left with fewer than two labels, all of that unit.
    """
    shape = len(table.annotators), len(table.labels)
    was_pairable = counts.sum(axis=1)[rows["unit"]] >= 2
    stays = (new_size >= 2)[rows["entry"]]
    cells = rows["annotator"][rows["entry"]] * shape[1] + rows["label"]
    own = np.bincount(cells, rows["given"] * stays, minlength=shape[0] * shape[1])
    falls = was_pairable & (new_size < 2)
    picks = sparse.csr_matrix(
        (np.ones(falls.sum()), (rows["annotator"][falls], rows["unit"][falls])),
        shape=(shape[0], len(counts)),
    )
    return own.reshape(shape) + picks @ counts


def leave_one_out_value(alpha: float, labels: np.ndarray) -> dict:
    """Alpha of what has so many pairable (n_labels,) labels, or why there is none."""
    if not labels.any():
        return unknown("no_pairs")
    return known(alpha) if (labels > 0).sum() > 1 else unknown("no_variation")
