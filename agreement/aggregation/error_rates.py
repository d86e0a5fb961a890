"""Dawid and Skene's model: what the labels most likely are, given how annotators err."""

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from agreement.measures.annotations import AnnotationTable

# A share of 0 would rule a label out for ever; the reference implementations floor it too.
FLOOR = 1e-10
# Of all error matrices, which reports list.
MOST_CELLS = 2_000_000


@dataclass(frozen=True)
class DawidSkene:
    """What the model found: it is shown beside people's labels and never replaces them.

    posteriors: (n_units, n_labels); priors: (n_labels,); errors: (n_annotators, n_labels
    given, n_labels true), columns add up to 1; accuracy: (n_annotators,) expected share right on
    units with labels as `priors` says, where a true label that somebody never met counts as 0;
    share_right: (n_annotators,) of the labels that each gave, how many are expected to be right.
    """

    posteriors: np.ndarray
    priors: np.ndarray
    errors: np.ndarray
    accuracy: np.ndarray
    share_right: np.ndarray
    n_iterations: int


def dawid_skene(
    table: AnnotationTable, *, n_iterations: int = 100, tolerance: float = 1e-10
) -> DawidSkene:
    """Maximum likelihood by EM, started from each unit's vote shares.

    It stops after `n_iterations`, or once no posterior moves by more than `tolerance`.
    Raises ValueError where the annotators' error matrices have no room in memory.
    Source: Dawid and Skene, "Maximum likelihood estimation of observer error-rates" (1979).
    """
    shape = len(table.annotators), len(table.labels)
    check_size(*shape)
    given = labels_by_unit(table)
    posteriors = table.counts / table.counts.sum(axis=1, keepdims=True)
    priors, errors = error_rates(given, posteriors, shape)
    done = 0
    while done < n_iterations:
        done += 1
        previous, posteriors = posteriors, expected_labels(given, priors, errors)
        priors, errors = error_rates(given, posteriors, shape)
        if np.abs(posteriors - previous).max(initial=0) <= tolerance:
            break
    accuracy = np.einsum("all,l->a", errors, priors)
    return DawidSkene(posteriors, priors, errors, accuracy, share_right(table, posteriors), done)


def share_right(table: AnnotationTable, posteriors: np.ndarray) -> np.ndarray:
    """(n_annotators,): the mean posterior of the labels that each of them gave."""
    right = np.bincount(table.annotator, posteriors[table.unit, table.label])
    return right / np.bincount(table.annotator)


def check_size(n_annotators: int, n_labels: int) -> None:
    if n_annotators * n_labels**2 > MOST_CELLS:
        raise ValueError(
            f"The model of {n_annotators:,} annotators' errors on {n_labels:,} labels has no room "
            "in memory; check which column holds the label."
        )


def labels_by_unit(table: AnnotationTable) -> sparse.csr_matrix:
    """(n_units, n_annotators * n_labels): 1 where the annotator gave the unit the label."""
    width = len(table.labels)
    columns = table.annotator * width + table.label
    return sparse.csr_matrix(
        (np.ones(len(columns)), (table.unit, columns)),
        shape=(len(table.units), len(table.annotators) * width),
    )


def error_rates(given, posteriors, shape) -> tuple[np.ndarray, np.ndarray]:
    """The M step: (n_labels,) priors and (n_annotators, given, true) error rates."""
    people, width = shape
    tallies = (given.T @ posteriors).reshape(people, width, width)
    totals = tallies.sum(axis=1, keepdims=True)
    errors = np.divide(tallies, totals, out=np.zeros_like(tallies), where=totals > 0)
    priors = posteriors.mean(axis=0) if len(posteriors) else np.zeros(width)
    return priors, errors


def expected_labels(given, priors, errors) -> np.ndarray:
    """The E step: (n_units, n_labels) posteriors, by logarithms so that nothing underflows."""
    logs = np.log(np.maximum(errors, FLOOR)).reshape(given.shape[1], len(priors))
    scores = given @ logs + np.log(np.maximum(priors, FLOOR))
    scores -= scores.max(axis=1, initial=-np.inf, keepdims=True)
    likelihoods = np.exp(scores)
    return likelihoods / likelihoods.sum(axis=1, keepdims=True)
