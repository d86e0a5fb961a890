"""How rows of labels become a table, under each policy."""

import pytest

from agreement.measures import (
    annotation_table,
)
from tests.agreement.by_hand import ROWS, table_of


def test_an_annotators_repeat_counts_as_the_policy_says():
    rows = [("u1", "p", "A"), ("u1", "p", "B"), ("u1", "q", "B")]

    found = {policy: table_of(rows, duplicates=policy) for policy in ("first", "last", "all")}

    assert found["first"].counts.tolist() == [[1, 1]]
    assert found["last"].counts.tolist() == [[2]]
    assert found["all"].counts.tolist() == [[1, 2]]
    assert [found[policy].left_out["duplicates"] for policy in found] == [1, 1, 0]


@pytest.mark.parametrize(
    ("policy", "expected"),
    [("never", {"u1": 1}), ("when-alone", {"u1": 1, "u2": 1}), ("vote", {"u1": 2, "u2": 1})],
)
def test_own_labels_count_as_the_policy_says(policy, expected):
    rows = [("u1", "author", "A"), ("u1", "other", "B"), ("u2", "author", "A")]

    table = table_of(rows, own=[True, False, True], own_labels=policy)

    assert dict(zip(table.units, table.counts.sum(axis=1).tolist(), strict=True)) == expected


@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        ("nei", {"u1": ["SUPPORTS"], "u2": ["NOT ENOUGH INFO"]}),
        ("drop", {"u1": ["SUPPORTS"]}),
        ("as-is", {"u1": ["REFUTES", "SUPPORTS"], "u2": ["SUPPORTS"]}),
    ],
)
def test_conditional_labels_count_as_the_policy_says(policy, expected):
    rows = [("u1", "p", "SUPPORTS"), ("u1", "q", "REFUTES"), ("u2", "p", "SUPPORTS")]

    table = table_of(rows, conditional=[False, True, True], conditional_labels=policy)

    found = {
        unit: [label for label, n in zip(table.labels, row, strict=True) if n]
        for unit, row in zip(table.units, table.counts.tolist(), strict=True)
    }
    assert found == expected


def test_an_unknown_policy_is_named():
    with pytest.raises(ValueError, match="duplicates is 'newest'; use one of first, last, all"):
        table_of(ROWS, duplicates="newest")


def test_columns_of_unequal_length_are_refused():
    with pytest.raises(ValueError, match=r"columns have \[2, 1, 2\] rows"):
        annotation_table(["u", "v"], ["p"], ["A", "B"])


def test_labels_keep_the_order_that_was_asked_for():
    table = table_of(ROWS, label_order=["C", "B", "A"])

    assert table.labels == ["B", "A"]
    assert table.counts.tolist() == [[0, 2], [2, 0], [1, 1]]
