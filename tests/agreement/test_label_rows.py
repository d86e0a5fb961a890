"""Which labels figures are asked for: by task, by period, and by doubt about an instance."""

import numpy as np
import pytest

from agreement.label_rows import (
    AnnotationRows,
    ends_before_it_begins,
    of_period,
    of_subset,
    of_task,
)
from agreement.measures import krippendorff_alpha

NAMES = {"S": "SUPPORTS", "R": "REFUTES", "N": "NOT ENOUGH INFO"}
AS_USUAL = {"bound": "at-least", "marks": 1, "among": 2}


def rows_of(text, **columns):
    """Rows from words like "1bS?": unit, annotator, label, and a mark of doubt."""
    words = text.split()
    n = len(words)
    values = {
        "unit": np.array([int(word[0]) for word in words], dtype=np.int64),
        "annotator": [word[1] for word in words],
        "label": [NAMES[word[2]] for word in words],
        "own": np.array(["!" in word for word in words], dtype=bool),
        "conditional": np.zeros(n, dtype=bool),
        "doubtful": np.array(["?" in word for word in words], dtype=bool),
        "source": np.arange(n),
        "day": ["2024-03-01"] * n,
        "annotation": np.arange(n),
        "label_order": tuple(NAMES.values()),
    }
    return AnnotationRows(**values | columns)


def units(rows):
    return sorted(set(rows.unit.tolist()))


THREE = "1bS 1cS 2bS? 2cR 3bS? 3cN? 3dS"


@pytest.mark.parametrize(("subset", "left"), [("all", [1, 2, 3]), ("certain", [1]),
                                              ("uncertain", [2, 3])])  # fmt: skip
def test_one_mark_makes_an_instance_uncertain(subset, left):
    assert units(of_subset(rows_of(THREE), subset, **AS_USUAL)) == left


@pytest.mark.parametrize(
    ("rule", "left"),
    [
        ({"bound": "at-least", "marks": 2, "among": 2}, [3]),
        ({"bound": "at-most", "marks": 1, "among": 2}, [1, 2]),
        ({"bound": "at-least", "marks": 0, "among": 3}, [3]),
        ({"bound": "at-most", "marks": 0, "among": 3}, []),
    ],
)
def test_a_rule_counts_marks_among_enough_labels(rule, left):
    assert units(of_subset(rows_of(THREE), "rule", **rule)) == left


def test_an_instance_is_in_or_out_with_all_its_labels():
    assert len(of_subset(rows_of(THREE), "uncertain", **AS_USUAL)) == 5


def test_expected_disagreement_is_that_of_the_subset():
    rows = of_subset(rows_of("1bS? 1cR 2bS? 2cS 3bN 3cN 4bN 4cN"), "uncertain", **AS_USUAL)

    # SR and SS alone: 2 of 4 labels disagree, chance (16 - 9 - 1) / (4 * 3) = 1/2: alpha is 0.
    assert krippendorff_alpha(rows.table().counts) == pytest.approx(0)


def test_a_label_that_does_not_count_does_not_mark():
    rows = rows_of("1bS 1cS 1aR!?")

    assert units(of_subset(rows, "certain", **AS_USUAL)) == [1]
    assert units(of_subset(rows, "certain", own_labels="vote", **AS_USUAL)) == []


def test_a_repeat_that_does_not_count_does_not_mark():
    rows = rows_of("1bS? 1bS 1cS")

    assert units(of_subset(rows, "uncertain", duplicates="last", **AS_USUAL)) == []
    assert units(of_subset(rows, "uncertain", duplicates="first", **AS_USUAL)) == [1]


@pytest.mark.parametrize(
    ("since", "until", "wrong"),
    [("2026-03-02", "2026-03-01", True), ("2026-03-01", "2026-03-01", False),
     ("2026-03-02", "", False), ("", "2026-03-01", False), (None, None, False)],
)  # fmt: skip
def test_a_period_ends_on_its_first_day_or_later(since, until, wrong):
    assert ends_before_it_begins(since, until) is wrong


@pytest.mark.parametrize(("task", "people"), [("all", "bca"), ("T2b", "bc"), ("T2a", "a")])
def test_a_task_is_of_others_claims_or_of_ones_own(task, people):
    assert "".join(of_task(rows_of("1bS 1cS 1aR!"), task).annotator) == people


@pytest.mark.parametrize(
    ("since", "until", "left"),
    [("", "", "bcd"), ("2024-03-02", "", "cd"), ("", "2024-03-02", "bc"),
     ("2024-03-02", "2024-03-02", "c"), ("2024-03-04", "", "")],
)  # fmt: skip
def test_both_days_of_a_period_belong_to_it(since, until, left):
    rows = rows_of("1bS 1cS 1dS", day=["2024-03-01", "2024-03-02", "2024-03-03"])

    assert "".join(of_period(rows, since, until).annotator) == left


def test_the_rows_kept_are_those_of_the_table():
    rows = rows_of("1bS 1bR 1aR! 2cS 2cN", conditional=np.array([0, 1, 0, 0, 1], dtype=bool))

    for policies in ({"duplicates": "last"}, {"duplicates": "all", "own_labels": "vote"},
                     {"duplicates": "first", "conditional_labels": "drop"}):  # fmt: skip
        table = rows.table(**policies)
        names = [table.annotators[place] for place in table.annotator]
        assert [rows.annotator[place] for place in rows.kept(**policies)] == names


@pytest.mark.parametrize("wrong", [{"subset": "half"}, {"subset": "rule", "bound": "about"}])
def test_an_unknown_subset_is_refused(wrong):
    options = {**AS_USUAL, **wrong}

    with pytest.raises(ValueError, match="no subset"):
        of_subset(rows_of(THREE), options.pop("subset"), **options)
