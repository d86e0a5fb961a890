"""Measures on tables small enough to work out by hand, their undefined cases and their policies."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nltk.metrics.agreement import AnnotationTask
from sklearn.metrics import cohen_kappa_score

from agreement.measures import (
    Undefined,
    agreement_report,
    alpha_contributions,
    alpha_interval,
    alpha_per_label,
    alpha_without_each,
    annotation_table,
    brennan_prediger,
    cohen_kappa,
    cohen_pairs,
    cohen_summary,
    figure,
    fleiss_by_raters,
    fleiss_kappa,
    fleiss_of_sample,
    gwet_ac1,
    kalpha_interval,
    krippendorff_alpha,
    label_confusion,
    labels_per_unit,
    percent_agreement,
    tied_units,
)
from agreement.measures import alpha as alpha_module
from agreement.measures.alpha import alpha_of, coincidences

# Three units: two of one mind, one of two minds. By hand: labels S 3, R 3 of n = 6; observed
# disagreement 2/6; expected 18/30; alpha = 1 - (1/3) / (3/5) = 4/9.
TWO_AGREE_ONE_DIFFERS = np.array([[2, 0], [0, 2], [1, 1]])
ROWS = [("u1", "p", "A"), ("u1", "q", "A"), ("u2", "p", "B"), ("u2", "q", "B"), ("u3", "p", "A"),
        ("u3", "q", "B")]  # fmt: skip


def table_of(rows, **policies):
    return annotation_table(*zip(*rows, strict=True), **policies)


def report_on(rows, **options):
    columns = list(zip(*rows, strict=True)) or [(), (), ()]
    return agreement_report(*columns, rng=np.random.default_rng(1), n_samples=200, **options)


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


def test_contributions_by_hand_add_up_to_what_alpha_lacks():
    assert alpha_contributions(TWO_AGREE_ONE_DIFFERS) == pytest.approx([0, 0, 5 / 9])


def test_alpha_of_each_label_by_hand():
    # A against the rest is the two-label table above; C is never in a pair.
    counts = np.array([[2, 0, 0], [0, 2, 0], [1, 1, 0], [0, 0, 1]])

    a, b, c = alpha_per_label(counts)

    assert a["value"] == b["value"] == pytest.approx(4 / 9)
    assert c == {"value": None, "undefined": "no_variation"}


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


def test_confusion_says_what_a_label_meets():
    # A: 2 labels of u1 meet A, 1 label of u3 meets B, so 2/3 and 1/3.
    assert label_confusion(TWO_AGREE_ONE_DIFFERS) == pytest.approx(
        np.array([[2 / 3, 1 / 3], [1 / 3, 2 / 3]])
    )


def test_four_kinds_of_percent_agreement_by_hand():
    # Three labels with one agreeing pair of three, and two labels that agree.
    found = percent_agreement(np.array([[2, 1], [2, 0], [0, 1]]))

    assert found == pytest.approx(
        {"unit_mean": 4 / 6, "pooled_pairs": 2 / 4, "value_weighted": 3 / 5, "unanimous": 1 / 2}
    )


def test_percent_agreement_is_full_where_alpha_is_undefined():
    assert set(percent_agreement(np.array([[2], [2]])).values()) == {1.0}


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


def test_labels_per_unit_and_ties():
    counts = np.array([[2, 0], [1, 1], [0, 1], [2, 2]])

    assert labels_per_unit(counts) == {1: 1, 2: 2, 4: 1}
    assert tied_units(counts).tolist() == [False, True, False, True]


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


@pytest.mark.parametrize("missing", [None, "", float("nan")])
def test_an_empty_label_is_missing_and_counted(missing):
    report = report_on([*ROWS, ("u1", "r", missing), ("u7", "r", missing)])

    assert report["n_missing"] == 2
    assert report["n_units"] == 3
    assert report["n_annotators"] == 2


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


def test_the_report_has_every_key_with_values_by_hand():
    report = report_on(ROWS)

    assert report["alpha"]["value"] == pytest.approx(4 / 9)
    assert report["labels"] == {"A": 3, "B": 3}
    assert report["labels_per_unit"] == {2: 3}
    assert report["cohen"]["mean"] == pytest.approx(0.4)
    assert report["majority"] == {"n_ties": 1}
    assert report["undefined"] == {"leave_one_out.p": "no_pairs", "leave_one_out.q": "no_pairs"}
    assert report["policies"]["duplicates"] == "last"
    assert {"n_units", "n_units_pairable", "n_annotators", "n_annotations", "n_duplicates_dropped",
            "alpha_per_label", "fleiss", "percent", "ac1"} <= report.keys()  # fmt: skip


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ([], "no_data"),
        ([("u", "p", "A")], "no_pairs"),
        ([("u", "p", "A"), ("u", "q", "A")], "no_variation"),
    ],
)
def test_the_report_says_why_a_figure_has_no_value(rows, reason):
    report = report_on(rows)

    assert report["alpha"]["value"] is report["alpha"]["ci"] is report["ac1"] is None
    assert report["undefined"]["alpha"] == report["undefined"]["ac1"] == reason
    assert "NaN" not in json.dumps(report)


def test_the_report_is_the_same_for_integers_and_names_and_on_a_second_run():
    rows = [
        (unit, annotator, (unit * annotator) % 3) for unit in range(30) for annotator in (1, 2, 4)
    ]
    named = [(f"u{unit:02}", f"a{annotator}", str(label)) for unit, annotator, label in rows]

    numbers, names = report_on(rows), report_on(named)

    assert numbers["alpha"] == names["alpha"] == report_on(rows)["alpha"]
    assert list(numbers["leave_one_out"].values()) == list(names["leave_one_out"].values())


def test_a_level_that_needs_numbers_says_so():
    with pytest.raises(ValueError, match="level is 'interval', which needs numbers"):
        report_on(ROWS, level="interval")


def test_labels_that_spell_numbers_are_put_in_order_for_other_levels():
    rows = [("u1", "p", "10"), ("u1", "q", "10"), ("u2", "p", "9"), ("u2", "q", "8"),
            ("u3", "p", "8"), ("u3", "q", "8")]  # fmt: skip
    numbers = [(unit, annotator, int(label)) for unit, annotator, label in rows]

    for level in ("ordinal", "interval", "ratio"):
        assert report_on(rows, level=level)["alpha"] == report_on(numbers, level=level)["alpha"]


def test_values_out_of_order_are_refused():
    with pytest.raises(ValueError, match="sort labels and values by size"):
        krippendorff_alpha(TWO_AGREE_ONE_DIFFERS, level="ordinal", values=np.array([2.0, 1.0]))


def test_clusters_that_repeat_a_unit_widen_the_interval():
    rng = np.random.default_rng(5)
    counts = np.repeat(rng.multinomial(2, [0.8, 0.2], size=60), 5, axis=0)
    groups = np.repeat(np.arange(60), 5)

    alone = alpha_interval(counts, rng=rng, n_samples=2000)
    together = alpha_interval(counts, rng=rng, n_samples=2000, clusters=groups)

    assert together.sd > 1.6 * alone.sd
    assert together.method == "clusters"


def test_the_report_takes_clusters_by_row():
    report = report_on(ROWS, clusters=["x", "x", "x", "x", "y", "y"])

    assert "resamples of clusters" in report["alpha"]["method"]


@pytest.mark.parametrize("level", ["ordinal", "interval", "ratio"])
def test_the_interval_of_other_levels_surrounds_their_alpha(level):
    counts = np.random.default_rng(2).multinomial(3, [0.5, 0.3, 0.2], size=200)
    counts[:150] = np.eye(3, dtype=int)[np.arange(150) % 3] * 3

    found = alpha_interval(counts, rng=np.random.default_rng(1), n_samples=500, level=level)

    assert found.low < krippendorff_alpha(counts, level=level) < found.high


def test_few_patterns_and_unit_by_unit_drawing_give_the_same_interval(monkeypatch):
    counts = np.random.default_rng(4).multinomial(3, [0.6, 0.4], size=300)
    by_pattern = alpha_interval(counts, rng=np.random.default_rng(1), n_samples=4000)

    monkeypatch.setattr("agreement.measures.intervals.UNITS_PER_PATTERN", 1e9)
    by_unit = alpha_interval(counts, rng=np.random.default_rng(2), n_samples=4000)

    assert by_unit.low == pytest.approx(by_pattern.low, abs=0.012)
    assert by_unit.high == pytest.approx(by_pattern.high, abs=0.012)


def test_one_unit_or_one_cluster_has_no_interval():
    rng = np.random.default_rng(1)

    one = alpha_interval(np.array([[2, 1], [1, 0]]), rng=rng, n_samples=100)
    together = alpha_interval(np.array([[2, 1], [1, 2]]), rng=rng, clusters=[0, 0], n_samples=100)

    for interval in (one, together):
        assert (interval.low, interval.high, interval.undefined_share) == (None, None, 1.0)


def test_an_interval_says_how_many_samples_had_a_single_label():
    counts = np.array([[2, 0], [1, 1]])

    found = alpha_interval(counts, rng=np.random.default_rng(1), n_samples=4000)

    # Both draws are the unit of one mind with probability 1/4.
    assert found.undefined_share == pytest.approx(0.25, abs=0.03)


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


@settings(deadline=None)
@given(TRIPLES)
def test_leave_one_out_equals_measuring_without_the_annotator(rows):
    table = annotation_table(*(list(zip(*rows, strict=True)) or [(), (), ()]), duplicates="all")

    for code, left in enumerate(alpha_without_each(table)):
        others = figure(krippendorff_alpha, table.rows(table.annotator != code).counts)
        assert left["value"] == pytest.approx(others["value"])


@settings(deadline=None)
@given(st.lists(st.tuples(st.sampled_from("ABC"), st.sampled_from("ABC")), min_size=1))
def test_cohen_kappa_is_that_of_scikit_learn(pairs):
    rows = [(unit, name, pair[name]) for unit, pair in enumerate(pairs) for name in (0, 1)]
    kappa = cohen_pairs(annotation_table(*zip(*rows, strict=True)))["kappa"][0]

    if len({label for pair in pairs for label in pair}) == 1:
        assert np.isnan(kappa)
    else:
        assert kappa == pytest.approx(cohen_kappa_score(*zip(*pairs, strict=True)))
