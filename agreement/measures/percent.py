"""Agreement without a correction for chance, and plain descriptions of a table of labels."""

import numpy as np

from agreement.measures.alpha import check_defined, pairable
from agreement.measures.undefined import Undefined


def agreeing_pairs(counts: np.ndarray) -> np.ndarray:
    """(n_units,): how many pairs of annotators gave the unit the same label."""
    return (counts * (counts - 1)).sum(axis=1) / 2


def percent_agreement(counts: np.ndarray) -> dict[str, float]:
    """Four shares in 0 to 1 that papers all call percent agreement, over units with two labels.

    unit_mean: mean over units of the share of agreeing pairs; pooled_pairs: the share among all
    pairs; value_weighted: mean over units weighted by labels (1 - alpha's observed
    disagreement); unanimous: the share of units with one label only.
    Raises Undefined without labels or pairs.
    """
    try:
        usable = check_defined(counts, "percent agreement")
    except Undefined as error:
        if error.reason != "no_variation":
            raise
        usable = pairable(counts)
    size = usable.sum(axis=1)
    pairs, agreeing = size * (size - 1) / 2, agreeing_pairs(usable)
    return {
        "unit_mean": float((agreeing / pairs).mean()),
        "pooled_pairs": float(agreeing.sum() / pairs.sum()),
        "value_weighted": float((agreeing / pairs) @ size / size.sum()),
        "unanimous": float((agreeing == pairs).mean()),
    }


def labels_per_unit(counts: np.ndarray) -> dict[int, int]:
    """How many units have one label, two labels, and so on."""
    sizes, units = np.unique(counts.sum(axis=1), return_counts=True)
    return {int(size): int(n) for size, n in zip(sizes, units, strict=True)}


def tied_units(counts: np.ndarray) -> np.ndarray:
    """(n_units,) whether two or more labels share the unit's highest count."""
    most = counts.max(axis=1, initial=0, keepdims=True)
    return ((counts == most) & (counts > 0)).sum(axis=1) > 1
