"""How well predicted labels meet the given ones, label by label."""

from collections.abc import Sequence

import numpy as np


def f1_by_label(
    given: Sequence[str], predicted: Sequence[str | None], labels: Sequence[str]
) -> dict[str, float]:
    """F1 in 0 to 1 of each of `labels`; 0 for a label that nobody gave or predicted.

    given, predicted: (n,) labels in the same order; a prediction outside `labels` is wrong.
    Raises ValueError where a given label is outside `labels` or the lengths differ.
    """
    if len(given) != len(predicted):
        raise ValueError(f"{len(given)} labels and {len(predicted)} predictions; give as many.")
    if unknown := set(given) - set(labels):
        raise ValueError(f"the label {min(unknown)!r} is not among {', '.join(labels)}.")
    place: dict[str | None, int] = {label: number for number, label in enumerate(labels)}
    other = len(labels)
    codes = np.array([place[label] for label in given], dtype=np.int64)
    guesses = np.array([place.get(label, other) for label in predicted], dtype=np.int64)
    scores = f1_of_codes(codes, guesses, other + 1)
    return dict(zip(labels, scores[:other].tolist(), strict=True))


def macro_f1(given: Sequence[str], predicted: Sequence[str | None], labels: Sequence[str]) -> float:
    """The mean of F1 over `labels`, in 0 to 1; a label that occurs nowhere counts 0.

    Raises ValueError as `f1_by_label` does, and without labels.
    """
    if not labels:
        raise ValueError("macro F1 needs at least one label.")
    scores = f1_by_label(given, predicted, labels)
    return float(np.mean(list(scores.values())))


def f1_of_codes(codes: np.ndarray, predicted: np.ndarray, n_labels: int) -> np.ndarray:
    """(n_labels,): F1 of each label, twice what is right over what was given and predicted.

    codes, predicted: (n,) labels as numbers from 0. 0 where a label was never predicted rightly.
    """
    right = np.bincount(codes[codes == predicted], minlength=n_labels)
    told = np.bincount(codes, minlength=n_labels) + np.bincount(predicted, minlength=n_labels)
    return 2 * right / np.maximum(told, 1)
