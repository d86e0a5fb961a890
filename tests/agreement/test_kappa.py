"""Kappas, AC1 and S on tables small enough to work out by hand, and where they are undefined."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from agreement.measures import (
    Undefined,
    annotation_table,
    brennan_prediger,
    cohen_kappa,
    cohen_pairs,
    cohen_summary,
    fleiss_by_raters,
    fleiss_kappa,
    fleiss_of_sample,
    gwet_ac1,
)
from tests.agreement.by_hand import ROWS, TWO_AGREE_ONE_DIFFERS, table_of


def test_fleiss_kappa_by_hand():
    # Observed 2/3, each label half of all: expected 1/2.
    assert fleiss_kappa(TWO_AGREE_ONE_DIFFERS) == pytest.approx(1 / 3)


@pytest.mark.parametrize("counts", [[[2, 0], [2, 0]], [[2, 1], [1, 1]], [[1, 0]], [[0, 0]]])
def test_kappa_is_undefined(counts):
    with pytest.raises(ValueError, match="undefined"):
        fleiss_kappa(np.array(counts))


def test_kappa_for_each_number_of_annotators_comes_with_its_share():
    counts = np.array([[2, 0], [0, 2], [1, 1], [3, 0], [1, 0]])

    assert fleiss_by_raters(counts) == [
        {"n_raters": 2, "value": pytest.approx(1 / 3), "undefined": None, "n_units": 3,
         "share": 0.6, "observed": pytest.approx(2 / 3), "expected": 0.5,
         "per_label": pytest.approx([1 / 3, 1 / 3])},
        {"n_raters": 3, "value": None, "undefined": "no_variation", "n_units": 1, "share": 0.2,
         "observed": 1, "expected": 1, "per_label": [None, None]},
    ]  # fmt: skip


def test_kappa_of_a_sample_takes_as_many_labels_from_each_unit():
    counts = np.array([[5, 0], [0, 4], [2, 0], [1, 0]])

    # Two labels from units of one mind: full agreement, whatever is drawn.
    assert fleiss_of_sample(counts, raters=2, rng=np.random.default_rng(1)) == 1.0


def test_kappa_of_a_sample_is_undefined_where_no_unit_has_enough():
    with pytest.raises(Undefined, match="no instance has labels of two"):
        fleiss_of_sample(np.array([[1, 1]]), raters=3, rng=np.random.default_rng(1))


def test_ac1_and_s_by_hand():
    # Chance of AC1: (1/2 * 1/2) * 2 / 1 = 1/2; of S: 1/2; both as kappa here.
    assert gwet_ac1(TWO_AGREE_ONE_DIFFERS) == pytest.approx(1 / 3)
    assert brennan_prediger(TWO_AGREE_ONE_DIFFERS) == pytest.approx(1 / 3)


@pytest.mark.parametrize("measure", [gwet_ac1, brennan_prediger])
@pytest.mark.parametrize(
    ("counts", "reason"),
    [([[0, 0]], "no_data"), ([[1, 0], [0, 1]], "no_pairs"), ([[2, 0]], "no_variation")],
)
def test_ac1_and_s_are_undefined_with_their_reason(measure, counts, reason):
    with pytest.raises(Undefined) as error:
        measure(np.array(counts))

    assert error.value.reason == reason


def test_cohen_kappa_by_hand():
    # Observed 3/4; chance (2*3 + 2*1) / 16 = 1/2.
    assert cohen_kappa(np.array([[2, 0], [1, 1]])) == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("confusion", "reason"), [([[0, 0], [0, 0]], "no_data"), ([[3, 0], [0, 0]], "no_variation")]
)
def test_cohen_kappa_is_undefined(confusion, reason):
    with pytest.raises(Undefined) as error:
        cohen_kappa(np.array(confusion))

    assert error.value.reason == reason


def test_pairs_of_annotators_are_measured_on_what_both_labelled():
    rows = [*ROWS, ("u3", "r", "A"), ("u9", "r", "C")]
    table = table_of(rows)

    pairs = cohen_pairs(table)

    # p and q: observed 2/3, chance (2*1 + 1*2) / 9; p and r: one unit, one label.
    assert pairs["n"].tolist() == [3, 1, 1]
    assert pairs["kappa"][0] == pytest.approx((2 / 3 - 4 / 9) / (5 / 9))
    assert np.isnan(pairs["kappa"][1])
    assert cohen_summary(pairs)["n_pairs"] == 2


@settings(deadline=None)
@given(st.lists(st.tuples(st.sampled_from("ABC"), st.sampled_from("ABC")), min_size=1))
def test_cohen_kappa_is_that_of_scikit_learn(pairs):
    rows = [(unit, name, pair[name]) for unit, pair in enumerate(pairs) for name in (0, 1)]
    kappa = cohen_pairs(annotation_table(*zip(*rows, strict=True)))["kappa"][0]

    if len({label for pair in pairs for label in pair}) == 1:
        assert np.isnan(kappa)
    else:
        assert kappa == pytest.approx(cohen_kappa_score(*zip(*pairs, strict=True)))
