"""Alpha on tables small enough to work out by hand, what it is made of, and other packages."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nltk.metrics.agreement import AnnotationTask

from agreement.measures import (
    Undefined,
    alpha_contributions,
    alpha_interval,
    alpha_per_label,
    alpha_without_each,
    annotation_table,
    figure,
    kalpha_interval,
    krippendorff_alpha,
    label_confusion,
)
from agreement.measures import alpha as alpha_module
from agreement.measures.alpha import LEVELS, alpha_of, coincidences
from tests.agreement.by_hand import ROWS, TWO_AGREE_ONE_DIFFERS, report_on, table_of


def test_alpha_by_hand():
    assert krippendorff_alpha(TWO_AGREE_ONE_DIFFERS) == pytest.approx(4 / 9)


def test_alpha_ignores_units_with_one_label_and_labels_seen_only_there():
    with_singles = np.array([[2, 0, 0], [0, 2, 0], [1, 1, 0], [0, 0, 1], [1, 0, 0]])

    assert krippendorff_alpha(with_singles) == pytest.approx(4 / 9)


def test_alpha_of_systematic_disagreement_is_negative():
    assert krippendorff_alpha(np.array([[1, 1], [1, 1]])) == pytest.approx(-0.5)


@pytest.mark.parametrize(
    ("counts", "reason"),
    [
        (np.zeros((0, 2), dtype=int), "no_data"),
        (np.zeros((0, 0), dtype=int), "no_data"),
        ([[1, 0], [0, 1]], "no_pairs"),
        ([[2, 0], [3, 0]], "no_variation"),
        ([[2, 0], [0, 1]], "no_variation"),
    ],
)
@pytest.mark.parametrize(
    "measure", [krippendorff_alpha, alpha_contributions, alpha_interval, kalpha_interval]
)
def test_alpha_is_undefined_with_its_reason(measure, counts, reason):
    options = {"rng": np.random.default_rng(1)} if "interval" in measure.__name__ else {}

    with pytest.raises(Undefined, match="alpha is undefined") as error:
        measure(np.array(counts), **options)

    assert error.value.reason == reason


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval", "ratio"])
def test_alpha_from_coincidences_equals_that_of_the_package(level, monkeypatch):
    counts = np.random.default_rng(3).integers(0, 3, size=(60, 4))
    values = np.array([1.0, 2.0, 4.0, 7.0])
    packaged = krippendorff_alpha(counts, level=level, values=values)

    monkeypatch.setattr(alpha_module, "PACKAGE_ENTRIES", 0)

    assert krippendorff_alpha(counts, level=level, values=values) == pytest.approx(packaged)
    assert alpha_of(coincidences(counts), level, values) == pytest.approx(packaged)


def test_an_unknown_level_is_named():
    with pytest.raises(ValueError, match="level is 'cardinal'; use one of nominal"):
        krippendorff_alpha(TWO_AGREE_ONE_DIFFERS, level="cardinal")


def test_values_out_of_order_are_refused():
    with pytest.raises(ValueError, match="sort labels and values by size"):
        krippendorff_alpha(TWO_AGREE_ONE_DIFFERS, level="ordinal", values=np.array([2.0, 1.0]))


def test_contributions_by_hand_add_up_to_what_alpha_lacks():
    assert alpha_contributions(TWO_AGREE_ONE_DIFFERS) == pytest.approx([0, 0, 5 / 9])


def test_alpha_of_each_label_by_hand():
    # A against the rest is the two-label table above; C is never in a pair.
    counts = np.array([[2, 0, 0], [0, 2, 0], [1, 1, 0], [0, 0, 1]])

    a, b, c = alpha_per_label(counts)

    assert a["value"] == b["value"] == pytest.approx(4 / 9)
    assert c == {"value": None, "undefined": "no_variation"}


def test_confusion_says_what_a_label_meets():
    # A: 2 labels of u1 meet A, 1 label of u3 meets B, so 2/3 and 1/3.
    assert label_confusion(TWO_AGREE_ONE_DIFFERS) == pytest.approx(
        np.array([[2 / 3, 1 / 3], [1 / 3, 2 / 3]])
    )


def test_leaving_out_one_of_three_annotators_equals_measuring_the_other_two():
    rows = [*ROWS, ("u1", "r", "B"), ("u2", "r", "B"), ("u4", "r", "A"), ("u4", "p", "C")]
    table = table_of(rows)

    left_out = [figure["value"] for figure in alpha_without_each(table)]

    for annotator, value in zip(table.annotators, left_out, strict=True):
        others = table_of([row for row in rows if row[1] != annotator])
        assert value == pytest.approx(krippendorff_alpha(others.counts))


def test_leaving_out_one_of_two_annotators_leaves_no_pairs():
    assert alpha_without_each(table_of(ROWS)) == [{"value": None, "undefined": "no_pairs"}] * 2


def test_leaving_out_an_annotator_takes_all_their_repeats():
    rows = [*ROWS, ("u1", "r", "B"), ("u1", "r", "A"), ("u3", "r", "A")]
    table = table_of(rows, duplicates="all")

    without_r = alpha_without_each(table)[table.annotators.index("r")]

    assert without_r["value"] == pytest.approx(4 / 9)


TRIPLES = st.lists(
    st.tuples(st.integers(0, 6), st.integers(0, 4), st.sampled_from("ABC")), max_size=60
)


@settings(deadline=None)
@given(TRIPLES, st.permutations("ABC"))
def test_alpha_does_not_depend_on_what_labels_are_called(rows, names):
    renamed = [(u, a, dict(zip("ABC", names, strict=True))[label]) for u, a, label in rows]

    before, after = report_on(rows)["alpha"], report_on(renamed)["alpha"]

    assert before["value"] == pytest.approx(after["value"])
    assert before["undefined"] == after["undefined"]


@settings(deadline=None)
@given(TRIPLES)
def test_alpha_is_that_of_nltk_with_our_undefined_cases(rows):
    table = annotation_table(*(list(zip(*rows, strict=True)) or [(), (), ()]))
    paired = table.of_units(table.counts.sum(axis=1) >= 2)
    found = figure(krippendorff_alpha, table.counts)

    if found["undefined"]:
        assert len(paired.labels) < 2
        return
    columns = (paired.annotator.tolist(), paired.unit.tolist(), paired.label.tolist())
    assert found["value"] == pytest.approx(AnnotationTask(zip(*columns, strict=True)).alpha())


@pytest.mark.parametrize("level", LEVELS)
@settings(deadline=None)
@given(TRIPLES)
def test_leave_one_out_equals_measuring_without_the_annotator(level, rows):
    table = annotation_table(*(list(zip(*rows, strict=True)) or [(), (), ()]), duplicates="all")
    values = np.array(["CBA".index(label) ** 2 for label in table.labels])[::-1]
    table = table.with_labels_in(table.labels[::-1])

    lefts = alpha_without_each(table, level=level, values=values)

    for code, left in enumerate(lefts):
        others = table.counts.copy()
        mine = table.annotator == code
        np.subtract.at(others, (table.unit[mine], table.label[mine]), 1)
        alone = figure(krippendorff_alpha, others, level=level, values=values)
        assert left["value"] == pytest.approx(alone["value"])


def test_the_report_leaves_people_out_at_its_level():
    rows = [("u1", "a", "1"), ("u1", "b", "1"), ("u1", "c", "5"), ("u2", "a", "5"),
            ("u2", "b", "4"), ("u2", "c", "1"), ("u3", "a", "5"), ("u3", "b", "5")]  # fmt: skip

    report = report_on(rows, level="interval")

    # Labels 1 1 5 4 5 5: observed 2 / 6, expected 2 * (6 * 16 + 2 * 9 + 3 * 1) / 30.
    assert report["leave_one_out"]["c"] == pytest.approx(1 - (2 / 6) / (234 / 30))
