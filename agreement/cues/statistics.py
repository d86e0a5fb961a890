"""How well a cue tells the label, and how many claims it touches.

present: (n_claims, n_cues) sparse, 1 where the cue stands in the claim; labels: (n_claims,)
codes. Source: Niven and Kao, "Probing neural network comprehension" (2019), section 3, for more
than two labels as in Ullrich et al., "CsFEVER and CTKFacts" (2023), section 4.7.
"""

import numpy as np
from scipy import sparse

from agreement.measures.wilson import wilson

FOLD_FIGURES = ("productivity", "coverage", "harmonic_mean")


def label_counts(present: sparse.csr_matrix, labels: np.ndarray, n_labels: int) -> np.ndarray:
    """(n_cues, n_labels): in how many claims of each label the cue stands."""
    by_label = sparse.csr_matrix(
        (np.ones(len(labels)), (np.arange(len(labels)), labels)), shape=(len(labels), n_labels)
    )
    return np.rint((present.T @ by_label).toarray()).astype(np.int64)


def productivity(counts: np.ndarray) -> np.ndarray:
    """(n_cues,): the share of the cue's claims that have its commonest label; 0 where absent."""
    return share(counts.max(axis=1, initial=0), counts.sum(axis=1))


def coverage(counts: np.ndarray, n_claims: int) -> np.ndarray:
    """(n_cues,): the share of all claims in which the cue stands."""
    return counts.sum(axis=1) / max(n_claims, 1)


def utility(counts: np.ndarray) -> np.ndarray:
    """(n_cues,): productivity beyond a guess among the labels; it can be below 0 where absent."""
    return productivity(counts) - 1 / counts.shape[1]


def harmonic_mean(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    return share(2 * first * second, first + second)


def wilson_low(counts: np.ndarray) -> np.ndarray:
    """(n_cues,): the lower bound of productivity, so that two lucky claims do not top a list."""
    n = np.maximum(counts.sum(axis=1), 1)
    return wilson(productivity(counts) * n, n)[0]


def balanced_subsamples(
    labels: np.ndarray, n_labels: int, n_folds: int, rng: np.random.Generator
) -> list[np.ndarray]:
    """`n_folds` draws of claims, each with as many of every label as the rarest label has.

    Every fold is a draw of its own; where all labels are alike common, all folds are the whole.
    """
    groups = [np.flatnonzero(labels == label) for label in range(n_labels)]
    size = min(len(group) for group in groups)
    return [
        np.sort(np.concatenate([rng.choice(group, size=size, replace=False) for group in groups]))
        for _ in range(n_folds)
    ]


def fold_means(
    present: sparse.csr_matrix, labels: np.ndarray, n_labels: int, folds: list[np.ndarray]
) -> dict[str, np.ndarray]:
    """Means over folds: productivity, coverage and harmonic_mean, each (n_cues,).

    A fold without the cue counts as 0, as in the reference (so that productivity can fall under
    1 / number of labels); `<name>_present` is the mean over folds with it, n_folds_present how
    many; label_counts: (n_cues, n_labels) claims in an average fold.
    """
    sums = {name: np.zeros(present.shape[1]) for name in FOLD_FIGURES}
    n_present = np.zeros(present.shape[1], dtype=np.int64)
    total = np.zeros((present.shape[1], n_labels))
    for fold in folds:
        counts = label_counts(present[fold], labels[fold], n_labels)
        productive, covers = productivity(counts), coverage(counts, len(fold))
        values = productive, covers, harmonic_mean(productive, covers)
        for name, value in zip(FOLD_FIGURES, values, strict=True):
            sums[name] += value
        total += counts
        n_present += counts.sum(axis=1) > 0
    n_folds = max(len(folds), 1)
    means = {name: value / n_folds for name, value in sums.items()}
    means |= {f"{name}_present": share(value, n_present) for name, value in sums.items()}
    return means | {"n_folds_present": n_present, "label_counts": total / n_folds}


def share(part: np.ndarray, whole: np.ndarray) -> np.ndarray:
    return np.divide(part, whole, out=np.zeros(len(part)), where=whole > 0)
