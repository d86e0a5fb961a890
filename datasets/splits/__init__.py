"""Splits that share nothing which would let a model look up its test. Pure: no Django."""

from datasets.splits.allotment import parse_sizes
from datasets.splits.groups import Groups, group_records
from datasets.splits.leaks import check_splits, find_leaks, shared_paragraphs
from datasets.splits.likeness import near_duplicates, normalised
from datasets.splits.records import SplitRecord, record_of_line
from datasets.splits.split import Splits, make_splits

__all__ = [
    "Groups",
    "SplitRecord",
    "Splits",
    "check_splits",
    "find_leaks",
    "group_records",
    "make_splits",
    "near_duplicates",
    "normalised",
    "parse_sizes",
    "record_of_line",
    "shared_paragraphs",
]
