"""Evidence sets without a database."""

from annotation.evidence import containing_sets, merged_sets

A, B, C = (1, ""), (2, ""), (2, "s0")


def test_empty_and_equal_sets_are_merged_in_order():
    assert merged_sets([[B, A], [], [A], [A, B, A]]) == [[B, A], [A]]


def test_a_part_and_its_paragraph_are_different_items():
    assert merged_sets([[B], [C]]) == [[B], [C]]


def test_a_set_that_contains_another_is_pointed_out():
    assert containing_sets([[A, B], [A], [C]]) == [(1, 2)]


def test_equal_sets_do_not_contain_each_other():
    assert containing_sets([[A], [A]]) == []
