"""How far labels of one instance are apart, and what more of them would bring. Pure: no Django."""

import numpy as np

from agreement.aggregation import entropy, soft_labels
from agreement.aggregation.histograms import entropy_histogram, share_histogram
from agreement.measures import AnnotationTable, Undefined
from agreement.measures.planning import planned_interval

ENTROPY_BINS, SHARE_BINS = 10, 5
PLANS = (0, 100, 300, 1000, 3000)
LABELS_EACH = (2, 3, 5)
SAMPLES = 1000


def soft_figures(table: AnnotationTable) -> dict:
    """Of instances with two labels or more: n_units, histograms, and the mean entropy by unit.

    entropy: as `entropy_histogram`; shares: {label: as `share_histogram`}; mean_entropy: {nats,
    bits, normalised}, None without such an instance.
    """
    several = table.counts[table.counts.sum(axis=1) >= 2]
    soft = soft_labels(several)
    units = ("nats", "bits", "normalised")
    means = {
        unit: float(entropy(soft, unit=unit).mean()) if len(several) else None for unit in units
    }
    names = [str(label) for label in table.labels]
    return {
        "n_units": len(several),
        "mean_entropy": means,
        "entropy": entropy_histogram(table.counts, ENTROPY_BINS),
        "shares": dict(zip(names, share_histogram(table.counts, SHARE_BINS), strict=True)),
    }


def planning_figures(table: AnnotationTable, *, seed: int, by_unit: bool = True) -> dict:
    """Simulated intervals of nominal alpha: {rows, n_samples, undefined}.

    rows: {n_more, labels_each, ci, half_width}, by number of further instances and of the labels
    that each of them gets. The draws have a generator of their own, so that no other figure
    depends on them. by_unit: whether intervals draw single units; a plan has no others.
    """
    if not by_unit:
        return {"rows": [], "n_samples": SAMPLES, "undefined": "drawn_otherwise"}
    rng = np.random.default_rng([seed, len(PLANS)])
    try:
        rows = [plan(table.counts, n, labels, rng) for n in PLANS for labels in LABELS_EACH]
    except Undefined as error:
        return {"rows": [], "n_samples": SAMPLES, "undefined": error.reason}
    return {"rows": rows, "n_samples": SAMPLES, "undefined": None}


def plan(counts, n_more, labels_each, rng) -> dict:
    found = planned_interval(
        counts, n_more=n_more, labels_each=labels_each, rng=rng, n_samples=SAMPLES
    )
    if found.low is None or found.high is None:
        return {"n_more": n_more, "labels_each": labels_each, "ci": None, "half_width": None}
    return {
        "n_more": n_more,
        "labels_each": labels_each,
        "ci": [found.low, found.high],
        "half_width": (found.high - found.low) / 2,
    }
