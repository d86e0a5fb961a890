"""F1 of labels: the gold cases, and values worked out by hand."""

import pytest

from agreement.measures.classification import f1_by_label, macro_f1
from tests.gold_cases import cases

VERDICTS = ("SUPPORTS", "REFUTES", "NOT ENOUGH INFO")


@pytest.mark.parametrize("case", cases("macro_f1"))
def test_macro_f1_equals_the_gold_value(case):
    given, told, labels = (case["input"][key] for key in ("gold", "pred", "labels"))

    assert macro_f1(given, told, labels) == pytest.approx(case["expected"]["macro_f1"], abs=1e-12)


@pytest.mark.parametrize("case", cases("macro_f1", where=lambda c: "accuracy" in c["expected"]))
def test_f1_of_each_label_equals_the_gold_value(case):
    given, told, labels = (case["input"][key] for key in ("gold", "pred", "labels"))

    expected = pytest.approx(case["expected"]["per_class_f1"], abs=1e-12)
    assert f1_by_label(given, told, labels) == expected


def test_a_prediction_outside_the_labels_is_a_miss_and_no_false_alarm():
    scores = f1_by_label(["a", "a", "b"], ["a", "c", None], ["a", "b"])

    assert scores == {"a": pytest.approx(2 / 3), "b": 0}


def test_a_given_label_outside_the_labels_is_refused():
    with pytest.raises(ValueError, match="'c' is not among a, b"):
        f1_by_label(["c"], ["a"], ["a", "b"])


def test_as_many_predictions_as_labels_are_needed():
    with pytest.raises(ValueError, match="2 labels and 1 predictions"):
        macro_f1(["a", "b"], ["a"], VERDICTS)


def test_macro_f1_without_labels_is_refused():
    with pytest.raises(ValueError, match="at least one label"):
        macro_f1([], [], [])
