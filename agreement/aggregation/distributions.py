"""Label distributions of instances from counts: (n_units, n_labels)."""

import numpy as np


def soft_labels(counts: np.ndarray) -> np.ndarray:
    """(n_units, n_labels): the share of each label; rows add up to 1, or are 0 without labels."""
    size = counts.sum(axis=1, keepdims=True)
    return np.divide(counts, size, out=np.zeros(counts.shape), where=size > 0)


def entropy(soft: np.ndarray, *, unit: str = "nats") -> np.ndarray:
    """(n_units,): how much a distribution leaves open; 0 where one label has all.

    soft: (n_units, n_labels) shares; unit: nats, bits, or normalised (1 is all labels alike).
    Raises ValueError for another unit. Source: Shannon (1948), section 6.
    """
    scale = {"nats": 1.0, "bits": np.log(2), "normalised": np.log(max(soft.shape[1], 2))}
    if unit not in scale:
        raise ValueError(f"unit is {unit!r}; use nats, bits or normalised.")
    logs = np.log(soft, out=np.zeros(soft.shape), where=soft > 0)
    return np.abs((soft * logs).sum(axis=1)) / scale[unit]


def majority(counts: np.ndarray) -> np.ndarray:
    """(n_units,): the label that most annotators gave; -1 where labels tie or there are none."""
    if not counts.size:
        return np.full(len(counts), -1)
    return np.where(tied_labels(counts).sum(axis=1) == 1, counts.argmax(axis=1), -1)


def tied_labels(counts: np.ndarray) -> np.ndarray:
    """(n_units, n_labels): the labels that nobody outvotes; one in a row where it won alone."""
    most = counts.max(axis=1, initial=0, keepdims=True)
    return (counts == most) & (counts > 0)


def labels_with_share(soft: np.ndarray, share: float = 0.2) -> np.ndarray:
    """(n_units, n_labels): the labels with at least `share` of the votes.

    Source: Glockner et al., "AmbiFC" (2024), section 6.2: labels of 20 % and more.
    """
    return soft >= share - 1e-12
