"""One label, or a distribution, for each instance from its annotations. Pure: no Django."""

from agreement.aggregation.decisions import Decision, Vote, counted_votes, decide, left_out
from agreement.aggregation.distributions import (
    entropy,
    labels_with_share,
    majority,
    soft_labels,
    tied_labels,
)
from agreement.aggregation.error_rates import DawidSkene, dawid_skene
from agreement.aggregation.evidence import MergedSet, choose_sets, merge_sets, without_supersets

__all__ = [
    "DawidSkene",
    "Decision",
    "MergedSet",
    "Vote",
    "choose_sets",
    "counted_votes",
    "dawid_skene",
    "decide",
    "entropy",
    "labels_with_share",
    "left_out",
    "majority",
    "merge_sets",
    "soft_labels",
    "tied_labels",
    "without_supersets",
]
