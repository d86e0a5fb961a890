"""How near predicted label distributions come to those of people.

human: (n_instances, n_labels) counts of annotations; predicted: shares of the same labels in the
same order, each row adding up to 1.
Source: Baan et al., "Stop measuring calibration when humans disagree" (2022), section 4;
Glockner et al., "AmbiFC" (2024), section 6.2, and the code beside it.
"""

from collections.abc import Collection, Hashable

import numpy as np

from agreement.aggregation.distributions import entropy, labels_with_share, soft_labels


def entropy_errors(human: np.ndarray, predicted: np.ndarray) -> np.ndarray:
    """(n_instances,): how far the prediction's entropy is off, in nats; 0 is best (EntCE)."""
    return np.abs(entropy(soft_labels(predicted)) - entropy(soft_labels(human)))


def distribution_scores(human: np.ndarray, predicted: np.ndarray) -> np.ndarray:
    """(n_instances,): 1 less half the L1 distance, in 0 to 1; 1 is best (DistCS)."""
    distance = np.abs(predicted - soft_labels(human)).sum(axis=1) / 2
    return np.clip(1 - distance, 0, 1)


def rank_scores(human: np.ndarray, predicted: np.ndarray) -> np.ndarray:
    """(n_instances,): 1 where the predicted order of labels is one that people allow (RankCS).

    Labels that people gave equally often may stand in any order; labels predicted equally stand
    in the order of the columns, as in the code beside the paper.
    """
    order = np.argsort(predicted, axis=1, kind="stable")
    ordered = np.take_along_axis(human, order, axis=1)
    return (np.diff(ordered, axis=1) >= 0).all(axis=1).astype(float)


def rank_scores_without_ties(human: np.ndarray, predicted: np.ndarray) -> np.ndarray:
    """(n_instances,): the same, but labels predicted equally agree with no human order.

    1 where each label that more people gave is predicted with a strictly larger share.
    """
    preferred = human[:, :, None] > human[:, None, :]
    larger = predicted[:, :, None] > predicted[:, None, :]
    return (larger | ~preferred).all(axis=(1, 2)).astype(float)


def multi_label_f1(gold: np.ndarray, predicted: np.ndarray) -> np.ndarray:
    """(n_instances,): F1 of sets of labels, in 0 to 1; 1 where both are empty.

    gold, predicted: (n_instances, n_labels), whether a label belongs to the set.
    """
    common = (gold & predicted).sum(axis=1)
    size = gold.sum(axis=1) + predicted.sum(axis=1)
    return np.where(size == 0, 1.0, 2 * common / np.maximum(size, 1))


def evidence_f1(gold: Collection[Hashable], predicted: Collection[Hashable]) -> float:
    """F1 of the parts predicted as evidence, in 0 to 1; 1 where both sides are empty."""
    given, found = set(gold), set(predicted)
    if not given and not found:
        return 1.0
    return 2 * len(given & found) / (len(given) + len(found))


def instance_scores(
    human: np.ndarray,
    predicted: np.ndarray,
    evidence: np.ndarray,
    chosen: np.ndarray | None = None,
) -> dict[str, np.ndarray]:
    """Every score of each instance, (n_instances,) under its name.

    evidence: (n_instances,) F1 of the evidence; chosen: (n_instances, n_labels), the labels that
    a model names; without it, those with a share of a fifth or more.
    Raises ValueError where shapes differ, or an instance has no human label.
    """
    check(human, predicted, evidence)
    labels = labels_with_share(predicted) if chosen is None else chosen
    return {
        "ent_ce": entropy_errors(human, predicted),
        "dist_cs": distribution_scores(human, predicted),
        "rank_cs": rank_scores(human, predicted),
        "rank_cs_strict_ties": rank_scores_without_ties(human, predicted),
        "f1_any": multi_label_f1(human > 0, labels),
        "f1_20": multi_label_f1(labels_with_share(soft_labels(human)), labels),
        "evidence_f1": evidence.astype(float),
    }


def check(human: np.ndarray, predicted: np.ndarray, evidence: np.ndarray) -> None:
    if human.shape != predicted.shape or len(human) != len(evidence):
        raise ValueError(
            f"labels are {human.shape}, predictions {predicted.shape}, "
            f"evidence {evidence.shape}; give one row each for every instance."
        )
    if (human.sum(axis=1) == 0).any():
        raise ValueError("an instance has no label of a person; leave it out.")


def mean_scores(scores: dict[str, np.ndarray]) -> dict[str, float]:
    """The means over all instances, and those weighted by evidence, in both variants.

    The paper counts as gold the labels with a fifth of the votes (20pct), its code those with
    any vote (any). The paper weights each instance's F1 by its evidence F1 (pointwise), its code
    multiplies the two means (w_F1_code). EntCE is better small, all others are better large.
    """
    weights = scores["evidence_f1"]
    means = {
        "EntCE": scores["ent_ce"],
        "DistCS": scores["dist_cs"],
        "RankCS": scores["rank_cs"],
        "RankCS_strict_ties": scores["rank_cs_strict_ties"],
        "F1_code_any_annotation": scores["f1_any"],
        "F1_paper_20pct": scores["f1_20"],
        "w_DistCS": scores["dist_cs"] * weights,
        "w_RankCS": scores["rank_cs"] * weights,
        "w_F1_paper_pointwise_any": scores["f1_any"] * weights,
        "w_F1_paper_pointwise_20": scores["f1_20"] * weights,
    }
    code = scores["f1_any"].mean() * weights.mean()
    return {name: float(values.mean()) for name, values in means.items()} | {
        "w_F1_code": float(code)
    }
