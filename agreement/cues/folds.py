"""Parts of a cross-validation that keep claims of one source together and labels in proportion."""

import numpy as np


def grouped_folds(
    labels: np.ndarray, groups: np.ndarray, n_folds: int, rng: np.random.Generator
) -> np.ndarray:
    """(n,): the fold of each row, 0 to n_folds - 1; rows of a group are in the same one.

    labels, groups: (n,) codes from 0, each in use; with n_folds groups or more no fold is empty.
    Groups are dealt out largest first, equally large ones in an order drawn by `rng`, each to
    the fold where its labels are rarest so far: the one that lets the sum over folds and labels
    of squared shares of a label grow least; of folds alike in that, to the smallest.
    Source: the greedy procedure of scikit-learn's StratifiedGroupKFold. It compares the spread
    of a label's shares, which squares do too: their sum being 1, both are least where all are
    alike. A group then costs one product instead of a table of what each choice would give.
    """
    n_labels, n_groups = int(labels.max()) + 1, int(groups.max()) + 1
    cells = np.bincount(groups * n_labels + labels, minlength=n_groups * n_labels)
    shares = cells.reshape(n_groups, n_labels) / np.bincount(labels, minlength=n_labels)
    sizes = np.bincount(groups)
    drawn = rng.permutation(n_groups)
    order = drawn[np.argsort(-sizes[drawn], kind="stable")]
    return dealt(shares[order].tolist(), sizes[order].tolist(), n_folds)[np.argsort(order)][groups]


def dealt(shares: list[list[float]], sizes: list[int], n_folds: int) -> np.ndarray:
    """(n_groups,): the fold of each group, in the order in which they are dealt out.

    Plain numbers: of a few labels and folds they are several times as fast as arrays.
    """
    filled = [[0.0] * len(shares[0]) for _ in range(n_folds)]
    size = [0] * n_folds
    folds = []
    for of_group, n in zip(shares, sizes, strict=True):
        mine = [(label, share) for label, share in enumerate(of_group) if share]
        # Rounded, so that sums of the same shares in another order are alike.
        costs = [round(growth(fold, mine), 12) for fold in filled]
        chosen = min(zip(costs, size, range(n_folds), strict=True))[2]
        for label, share in mine:
            filled[chosen][label] += share
        size[chosen] += n
        folds.append(chosen)
    return np.array(folds)


def growth(fold: list[float], shares: list[tuple[int, float]]) -> float:
    """How much a fold's squared shares would grow, but for what is alike in all folds."""
    return sum(fold[label] * share for label, share in shares)
