"""How far labels of instances are apart, as histograms of counts: (n_units, n_labels)."""

import numpy as np

from agreement.aggregation.distributions import entropy, soft_labels


def entropy_histogram(counts: np.ndarray, bins: int = 10) -> list[dict]:
    """Instances by the normalised entropy of their soft label: {low, high, n} of each bin.

    Of instances with two labels or more; 0 is one label alone, 1 all labels alike. A bin holds
    its lower bound, the last one both.
    """
    several = counts[counts.sum(axis=1) >= 2]
    spread = entropy(soft_labels(several), unit="normalised") if counts.shape[1] else np.zeros(0)
    return in_bins(spread, bins)


def share_histogram(counts: np.ndarray, bins: int = 5) -> list[list[dict]]:
    """For each label, the instances with two labels or more by the share that it has in them."""
    several = soft_labels(counts[counts.sum(axis=1) >= 2])
    return [in_bins(shares, bins) for shares in several.T]


def in_bins(values: np.ndarray, bins: int) -> list[dict]:
    """{low, high, n} of so many bins of equal width over 0 to 1."""
    # Nudged, so that 2/3 - 1/3 is not under 1/3; a bin holds its lower bound.
    places = np.clip(np.floor(values * bins + 1e-9).astype(int), 0, bins - 1)
    n = np.bincount(places, minlength=bins)
    return [
        {"low": place / bins, "high": (place + 1) / bins, "n": int(n[place])}
        for place in range(bins)
    ]
