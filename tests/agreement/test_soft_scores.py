"""Soft scores on values worked out by hand; the gold cases are read with the AmbiFC scorer."""

import numpy as np
import pytest

from agreement.aggregation.soft_scores import (
    distribution_scores,
    entropy_errors,
    evidence_f1,
    instance_scores,
    mean_scores,
    multi_label_f1,
    rank_scores,
    rank_scores_without_ties,
)


def rows(*values, kind=float):
    return np.array(values, dtype=kind)


def test_entropy_is_compared_in_nats():
    human, predicted = rows([2, 2, 0]), rows([1.0, 0.0, 0.0])

    assert entropy_errors(human, predicted) == pytest.approx([np.log(2)])


def test_the_distribution_score_is_one_less_half_the_distance():
    human, predicted = rows([3, 1, 0], [0, 0, 2]), rows([0.5, 0.25, 0.25], [1.0, 0.0, 0.0])

    assert distribution_scores(human, predicted).tolist() == pytest.approx([0.75, 0])


@pytest.mark.parametrize(
    ("human", "predicted", "agrees"),
    [
        ([1, 3, 2], [0.1, 0.6, 0.3], 1),
        ([1, 3, 2], [0.3, 0.6, 0.1], 0),
        ([2, 0, 2], [0.6, 0.1, 0.3], 1),
        ([2, 0, 2], [0.3, 0.1, 0.6], 1),
        ([1, 1, 1], [0.2, 0.5, 0.3], 1),
        ([2, 0, 2], [0.1, 0.3, 0.6], 0),
    ],
)
def test_labels_that_people_gave_equally_often_may_stand_in_any_order(human, predicted, agrees):
    assert rank_scores(rows(human), rows(predicted)) == agrees
    assert rank_scores_without_ties(rows(human), rows(predicted)) == agrees


def test_predicted_ties_agree_with_an_order_only_in_the_lenient_variant():
    human, tied = rows([1, 2, 3]), rows([0.3, 0.3, 0.4])

    assert rank_scores(human, tied) == 1
    assert rank_scores_without_ties(human, tied) == 0


def test_predicted_ties_stand_in_the_order_of_the_columns():
    assert rank_scores(rows([3, 2, 0]), rows([1 / 3, 1 / 3, 1 / 3])) == 0


def test_f1_of_label_sets():
    gold = rows([1, 1, 0], [1, 0, 0], [0, 0, 0], kind=bool)
    predicted = rows([1, 0, 0], [0, 1, 1], [0, 0, 0], kind=bool)

    assert multi_label_f1(gold, predicted).tolist() == pytest.approx([2 / 3, 0, 1])


@pytest.mark.parametrize(
    ("gold", "predicted", "expected"),
    [({1, 2}, {2}, 2 / 3), (set(), set(), 1), (set(), {1}, 0), ({1}, set(), 0), ({1}, {2}, 0)],
)
def test_f1_of_evidence(gold, predicted, expected):
    assert evidence_f1(gold, predicted) == pytest.approx(expected)


def test_the_paper_counts_labels_with_a_fifth_and_the_code_any():
    human, predicted = rows([9, 1, 0]), rows([0.9, 0.1, 0.0])

    scores = instance_scores(human, predicted, np.array([1.0]))

    assert scores["f1_20"] == 1
    assert scores["f1_any"] == pytest.approx(2 / 3)


def test_the_paper_means_products_and_the_code_multiplies_means():
    human = rows([5, 0, 0], [5, 0, 0])
    predicted = rows([1.0, 0.0, 0.0], [0.0, 1.0, 0.0])

    means = mean_scores(instance_scores(human, predicted, np.array([1.0, 0.0])))

    assert means["w_F1_paper_pointwise_20"] == 0.5
    assert means["w_F1_code"] == 0.25
    assert means["w_DistCS"] == 0.5


def test_labels_that_a_model_names_replace_the_threshold():
    human, predicted = rows([5, 0, 0]), rows([0.4, 0.3, 0.3])
    named = rows([1, 0, 0], kind=bool)

    assert instance_scores(human, predicted, np.ones(1))["f1_any"] == 0.5
    assert instance_scores(human, predicted, np.ones(1), named)["f1_any"] == 1


def test_an_instance_without_a_label_is_refused():
    with pytest.raises(ValueError, match="no label of a person"):
        instance_scores(rows([0, 0, 0]), rows([1.0, 0.0, 0.0]), np.ones(1))


def test_other_shapes_are_refused():
    with pytest.raises(ValueError, match="one row each"):
        instance_scores(rows([1, 0, 0]), rows([1.0, 0.0, 0.0]), np.ones(2))
