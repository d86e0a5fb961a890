"""Percent agreement and plain descriptions of a table, by hand."""

import numpy as np
import pytest

from agreement.measures import (
    labels_per_unit,
    percent_agreement,
    tied_units,
)


def test_four_kinds_of_percent_agreement_by_hand():
    # Three labels with one agreeing pair of three, and two labels that agree.
    found = percent_agreement(np.array([[2, 1], [2, 0], [0, 1]]))

    assert found == pytest.approx(
        {"unit_mean": 4 / 6, "pooled_pairs": 2 / 4, "value_weighted": 3 / 5, "unanimous": 1 / 2}
    )


def test_percent_agreement_is_full_where_alpha_is_undefined():
    assert set(percent_agreement(np.array([[2], [2]])).values()) == {1.0}


def test_labels_per_unit_and_ties():
    counts = np.array([[2, 0], [1, 1], [0, 1], [2, 2]])

    assert labels_per_unit(counts) == {1: 1, 2: 2, 4: 1}
    assert tied_units(counts).tolist() == [False, True, False, True]
