"""Which evidence sets a line has room for."""

from collections import Counter

from agreement.aggregation import MergedSet
from datasets.fitting import fitting
from datasets.options import ExportOptions
from datasets.records import Cited

FOUND = Cited("Oslo_3", unit="s0", external="sentence_0")
LOST = Cited("Oslo", external="sentence_0", is_resolved=False)
OTHER = Cited("Oslo_4", unit="s1", external="sentence_1")


def merged(order, *cited):
    return MergedSet(tuple(cited), 1, order), cited


def test_what_a_line_of_feverous_names_alike_stands_once():
    left_out = Counter()
    sets = [merged(0, FOUND), merged(1, LOST), merged(2, OTHER, LOST, FOUND)]

    kept = fitting(sets, ExportOptions(format="feverous"), left_out)

    assert [group for _, group in kept] == [(FOUND,), (OTHER, LOST)]
    assert not +left_out
