"""One label, or a distribution, for each instance from its annotations. Pure: no Django."""

from agreement.aggregation.decisions import Decision, Vote, decide, left_out
from agreement.aggregation.distributions import (
    entropy,
    labels_with_share,
    majority,
    soft_labels,
    tied_labels,
)
from agreement.aggregation.error_rates import DawidSkene, dawid_skene
from agreement.aggregation.evidence import MergedSet, choose_sets, merge_sets

__all__ = [
    "DawidSkene",
    "Decision",
    "MergedSet",
    "Vote",
    "choose_sets",
    "dawid_skene",
    "decide",
    "entropy",
    "labels_with_share",
    "left_out",
    "majority",
    "merge_sets",
    "soft_labels",
    "tied_labels",
]
