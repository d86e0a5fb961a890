"""Cues weighed by what they tell about the label: LMI and DCI."""

import numpy as np

from agreement.cues.grams import Grams
from agreement.cues.statistics import label_counts


def local_mutual_information(grams: Grams, labels: np.ndarray, n_labels: int) -> np.ndarray:
    """(n_cues, n_labels): LMI in nats; above 0 where cue and label meet more than by chance.

    labels: (n_claims,) codes. A cue and a label that never meet have 0.
    Source: Schuster et al., "Towards debiasing fact verification models" (2019), section 2.
    """
    together = label_counts(grams.times, labels, n_labels)
    of_label = np.bincount(labels, grams.per_claim, minlength=n_labels)
    total = max(of_label.sum(), 1)
    expected = together.sum(axis=1, keepdims=True) * of_label
    ratio = np.divide(together * total, expected, out=np.ones(together.shape), where=together > 0)
    return together / total * np.log(ratio)


def cue_information(
    grams: Grams,
    labels: np.ndarray,
    n_labels: int,
    *,
    scale: int = 3,
    base: float | None = None,
) -> np.ndarray:
    """(n_cues,): dataset-weighted cue information in 0 to 1; 1 gives all claims' labels away.

    labels: (n_claims,) codes; scale: the root that lifts rare cues; base: of the
    logarithm, by default the number of labels (10 in the CTKFacts code).
    Source: Derczynski et al., "Maintaining quality in FEVER annotation" (2020), section 4.2.
    """
    together = label_counts(grams.times, labels, n_labels).astype(float)
    totals = together.sum(axis=1, keepdims=True)
    shares = np.divide(together, totals, out=np.zeros_like(together), where=totals > 0)
    logs = np.log(shares, out=np.zeros_like(shares), where=shares > 0)
    disorder = -(shares * logs).sum(axis=1) / np.log(base or max(n_labels, 2))
    order = np.where(disorder > 1 - 1e-12, 0, 1 - disorder)
    claims = grams.times.getnnz(axis=0) / max(len(grams.per_claim), 1)
    return np.sqrt(np.maximum(order, 0) * claims ** (1 / scale))
