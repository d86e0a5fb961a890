"""Measures against the gold files: values checked by several programs or printed in papers."""

import numpy as np
import pytest

from agreement.measures import (
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
    generalised_kappa,
    gwet_ac1,
    kalpha_interval,
    krippendorff_alpha,
    percent_agreement,
)
from tests.gold_cases import cases

NOMINAL = [
    *cases("krippendorff_nominal"),
    *cases("fetched_freelon_2010"),
    *cases("fetched_hayes_krippendorff_2007"),
    *cases("fetched_ctkfacts"),
]
CLOSE = {"abs": 1e-9}


def table_of(triples, duplicates="last"):
    columns = list(zip(*triples, strict=True)) or [(), (), ()]
    return annotation_table(*columns, duplicates=duplicates)


@pytest.mark.parametrize("case", NOMINAL)
def test_alpha_equals_the_gold_value(case):
    table = table_of(case["input"]["triples"])

    alpha = krippendorff_alpha(table.counts)

    assert alpha == pytest.approx(case["expected"]["alpha"]["value"], **CLOSE)
    if case.get("published"):
        assert alpha == pytest.approx(case["published"]["value"], abs=case["published"]["abs_tol"])


@pytest.mark.parametrize("case", NOMINAL)
def test_sizes_equal_the_gold_sizes(case):
    table = table_of(case["input"]["triples"])
    per_unit = table.counts.sum(axis=1)

    assert len(table.units) == case["expected"]["n_units_total"]
    assert (per_unit >= 2).sum() == case["expected"]["n_units_pairable"]
    assert per_unit[per_unit >= 2].sum() == case["expected"]["n_pairable_values"]


@pytest.mark.parametrize("case", NOMINAL)
def test_contributions_equal_the_gold_contributions(case):
    table = table_of(case["input"]["triples"])
    expected = case["expected"]["unit_contributions"]
    listed = expected.get("first10_sorted_units", expected)

    found = dict(zip(table.units, alpha_contributions(table.counts), strict=True))

    assert {unit: found[unit] for unit in listed} == pytest.approx(listed, **CLOSE)
    assert sum(found.values()) == pytest.approx(1 - case["expected"]["alpha"]["value"], **CLOSE)


@pytest.mark.parametrize("case", NOMINAL)
def test_alpha_of_each_label_equals_the_gold_value(case):
    table = table_of(case["input"]["triples"])

    values = [label["value"] for label in alpha_per_label(table.counts)]

    found = dict(zip(map(str, table.labels), values, strict=True))
    expected = case["expected"]["per_label_one_vs_rest_alpha"]
    assert {label: found[label] for label in expected} == pytest.approx(expected, **CLOSE)


@pytest.mark.parametrize("case", NOMINAL)
def test_leaving_out_each_annotator_equals_the_gold_value(case):
    table = table_of(case["input"]["triples"])
    expected = case["expected"].get("leave_one_annotator_out_alpha", {})

    values = [left["value"] for left in alpha_without_each(table)]

    found = dict(zip(table.annotators, values, strict=True))
    assert {name for name in expected if found[name] is None} == {
        name for name, value in expected.items() if value is None
    }
    defined = {name: value for name, value in expected.items() if value is not None}
    assert {name: found[name] for name in defined} == pytest.approx(defined, **CLOSE)


@pytest.mark.parametrize("case", NOMINAL)
def test_percent_agreement_equals_the_gold_values(case):
    table = table_of(case["input"]["triples"])

    assert percent_agreement(table.counts) == pytest.approx(
        case["expected"]["percent_agreement"], **CLOSE
    )


@pytest.mark.parametrize("case", cases("fetched_ctkfacts"))
def test_ctkfacts_kappa_of_four_labels_is_the_published_one(case):
    table = table_of(case["input"]["triples"], "first")

    four = next(entry for entry in fleiss_by_raters(table.counts) if entry["n_raters"] == 4)

    assert four["n_units"] == 228
    assert four["value"] == pytest.approx(case["published_fleiss"]["value"], abs=0.006)
    assert four["share"] == pytest.approx(case["published_fleiss"]["share"], abs=0.001)


@pytest.mark.parametrize("case", cases("krippendorff_edge"))
def test_alpha_at_the_edges_follows_the_policy(case):
    expected = case["expected"]
    policies = {"policy_first": "first", "policy_last": "last", "policy_all_rows": "all"}
    wanted = {policies[key]: value for key, value in expected.items() if key in policies}

    for duplicates, value in (wanted or {"last": expected.get("alpha")}).items():
        found = figure(krippendorff_alpha, table_of(case["input"]["triples"], duplicates).counts)

        assert found["value"] == pytest.approx(value, abs=1e-12)
        if value is None:
            assert f"undefined_{found['undefined']}" == expected["status"]


@pytest.mark.parametrize("case", cases("krippendorff_metrics"))
def test_alpha_of_each_level_equals_the_gold_value(case):
    table = table_of(case["input"]["triples"])

    for level, expected in case["expected"].items():
        alpha = krippendorff_alpha(table.counts, level=level, values=np.array(table.labels))

        assert alpha == pytest.approx(expected["value"], **CLOSE), level
        assert alpha == pytest.approx(expected["published"], abs=0.001), level


@pytest.mark.parametrize("case", cases("bootstrap_alpha"))
@pytest.mark.parametrize(
    ("interval", "gold"),
    [
        (alpha_interval, "unit_resampling"),
        (kalpha_interval, "krippendorff_M_capped"),
        (lambda *a, **o: kalpha_interval(*a, capped=False, **o), "krippendorff_M_pairs"),
    ],
)
def test_intervals_equal_the_gold_intervals(case, interval, gold):
    table = table_of(case["input"]["triples"])
    expected = case["expected"][gold]

    found = interval(table.counts, rng=np.random.default_rng(1), n_samples=20_000)

    allowed = case["tolerance"]["quantiles_abs"]
    assert found.low == pytest.approx(expected["q025"], abs=allowed)
    assert found.high == pytest.approx(expected["q975"], abs=allowed)
    if "sd" in expected or "analytic_sd" in expected:
        assert found.sd == pytest.approx(expected.get("sd", expected.get("analytic_sd")), rel=0.03)


@pytest.mark.parametrize("case", cases("fetched_hayes_krippendorff_2007"))
def test_kalpha_interval_is_the_one_that_the_macro_printed(case):
    table = table_of(case["input"]["triples"])
    values = np.array(table.labels)

    found = kalpha_interval(
        table.counts, rng=np.random.default_rng(1), level="ordinal", values=values
    )

    assert found.low == pytest.approx(case["published_bootstrap"]["q025"], abs=0.012)
    assert found.high == pytest.approx(case["published_bootstrap"]["q975"], abs=0.012)


@pytest.mark.parametrize("case", cases("fleiss"))
def test_fleiss_kappa_equals_the_gold_value(case):
    counts = np.array(case["input"]["count_rows"])
    if "error" in case["expected"]:
        with pytest.raises(ValueError, match="kappa is undefined"):
            fleiss_kappa(counts)
        return
    expected = case["expected"]["fleiss_kappa"]

    found = figure(fleiss_kappa, counts)

    if expected is None:
        assert f"undefined_{found['undefined']}" == case["expected"]["status"]
        return
    assert found["value"] == pytest.approx(expected["value"], **CLOSE)
    assert gwet_ac1(counts) == pytest.approx(case["expected"]["gwet_ac1"], **CLOSE)
    assert krippendorff_alpha(counts) == pytest.approx(
        case["expected"]["krippendorff_alpha"], **CLOSE
    )


@pytest.mark.parametrize("case", cases("fleiss_n_way_subset"))
def test_coefficients_with_missing_labels_equal_the_gold_values(case):
    expected = case["expected"]
    counts = table_of(case["input"]["triples"]).counts

    exact = next(
        entry for entry in fleiss_by_raters(counts) if entry["n_units"] == expected["n_units_exact"]
    )

    assert exact["value"] == pytest.approx(expected["fleiss_kappa_exact_n_units"], **CLOSE)
    assert exact["share"] == pytest.approx(expected["share_of_units"], **CLOSE)
    assert generalised_kappa(counts) == pytest.approx(
        expected["generalised_fleiss_all_units"], **CLOSE
    )
    assert gwet_ac1(counts) == pytest.approx(expected["gwet_ac1_all_units"], **CLOSE)
    assert brennan_prediger(counts) == pytest.approx(
        expected["brennan_prediger_all_units"], **CLOSE
    )


@pytest.mark.parametrize("case", cases("cohen_pairwise_matrix"))
def test_cohen_kappa_of_each_pair_equals_the_gold_value(case):
    table = table_of(case["input"]["triples"])

    pairs = cohen_pairs(table)

    names = np.array(table.annotators)
    found = {
        f"{first}|{second}": {"n": n, "kappa": None if np.isnan(kappa) else kappa, "percent": share}
        for first, second, n, kappa, share in zip(
            names[pairs["first"]], names[pairs["second"]],
            *(pairs[key].tolist() for key in ("n", "kappa", "percent")), strict=True,
        )
    }  # fmt: skip
    for pair, expected in case["expected"]["pairs"].items():
        met = found.get(pair, {"n": 0, "kappa": None, "percent": None})
        assert met == pytest.approx(expected, **CLOSE), pair
    summary = cohen_summary(pairs)
    assert summary["mean"] == pytest.approx(case["expected"]["mean_kappa_defined_pairs"], **CLOSE)
    assert summary["weighted_mean"] == pytest.approx(
        case["expected"]["n_weighted_mean_kappa"], **CLOSE
    )


@pytest.mark.parametrize("case", cases("two_rater"))
def test_coefficients_of_two_annotators_equal_the_gold_values(case):
    triples = [
        (unit, annotator, label)
        for unit, labels in enumerate(case["input"]["pairs"])
        for annotator, label in enumerate(labels)
    ]
    table = table_of(triples)
    measures = {
        "cohen_kappa": figure(cohen_kappa, confusion_of(case["input"]["pairs"])),
        "scott_pi": figure(fleiss_kappa, table.counts),
        "gwet_ac1": figure(gwet_ac1, table.counts),
        "bennett_s": figure(brennan_prediger, table.counts),
        "krippendorff_alpha": figure(krippendorff_alpha, table.counts),
    }

    for name in measures.keys() & case["expected"].keys():
        assert measures[name]["value"] == pytest.approx(case["expected"][name], **CLOSE), name
        if "status" in case["expected"]:
            assert f"undefined_{measures[name]['undefined']}" == case["expected"]["status"]
    for name, (value, tolerance) in (case.get("published") or {}).items():
        assert measures[name]["value"] == pytest.approx(value, abs=tolerance), name


def confusion_of(pairs):
    labels = sorted({label for pair in pairs for label in pair})
    confusion = np.zeros((len(labels), len(labels)), dtype=int)
    for first, second in pairs:
        confusion[labels.index(first), labels.index(second)] += 1
    return confusion


@pytest.mark.parametrize("case", cases("subset_alpha"))
def test_a_subset_recomputes_both_disagreements(case):
    rows = case["input"]["rows"]
    table = table_of([row[:3] for row in rows])
    uncertain = {row[0] for row in rows if row[3]}
    is_uncertain = np.array([unit in uncertain for unit in table.units])
    subsets = {
        "certain_units": ~is_uncertain,
        "uncertain_units": is_uncertain,
        "all": np.ones(len(table.units), dtype=bool),
    }

    for name, wanted in subsets.items():
        expected = case["expected"][name]
        subset = table.of_units(wanted)
        five = subset.of_units(subset.counts.sum(axis=1) >= 5)
        assert len(subset.units) == expected["n_units"]
        assert len(five.units) == expected["n_units_5plus"]
        assert krippendorff_alpha(subset.counts) == pytest.approx(expected["alpha"], **CLOSE)
        assert krippendorff_alpha(five.counts) == pytest.approx(expected["alpha_5plus"], **CLOSE)
