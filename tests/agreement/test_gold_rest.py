"""What the gold files hold beside the coefficients: their parts, other policies, other data."""

import json

import numpy as np
import pytest

from agreement.aggregation import dawid_skene
from agreement.measures import (
    alpha_interval,
    annotation_table,
    figure,
    fleiss_by_raters,
    fleiss_kappa,
    kalpha_interval,
    krippendorff_alpha,
    percent_agreement,
)
from agreement.measures.alpha import coincidences
from agreement.measures.intervals import kalpha_samples, label_pairs, pairs_to_draw
from agreement.measures.kappa import fleiss_agreement, fleiss_per_label
from tests.gold_cases import cases
from tests.shared import shared_data

CLOSE = {"abs": 1e-9}


def table_of(triples, duplicates="last"):
    columns = list(zip(*triples, strict=True)) or [(), (), ()]
    return annotation_table(*columns, duplicates=duplicates)


@pytest.mark.parametrize("case", cases("fetched_ctkfacts"))
@pytest.mark.parametrize(
    ("duplicates", "key"), [("first", "alpha"), ("last", "alpha_keep_last"),
                            ("all", "alpha_all_rows")],
)  # fmt: skip
def test_raw_rows_come_to_the_published_alpha_through_the_policy(case, duplicates, key):
    rows = case["input"]["rows_with_duplicates_in_file_order"]
    expected = case["expected"][key]

    alpha = krippendorff_alpha(table_of(rows, duplicates).counts)

    assert alpha == pytest.approx(expected["value"] if key == "alpha" else expected, **CLOSE)


@pytest.mark.parametrize("case", cases("fetched_ctkfacts"))
def test_claims_with_four_raw_rows_have_the_gold_kappa(case):
    table = table_of(case["input"]["rows_with_duplicates_in_file_order"], "all")
    expected = case["expected"]["fleiss_exactly_4_rows"]

    four = next(entry for entry in fleiss_by_raters(table.counts) if entry["n_raters"] == 4)

    assert four["n_units"] == expected["n_claims"] == 233
    assert four["value"] == pytest.approx(expected["kappa"], **CLOSE)


@pytest.mark.parametrize(
    "case",
    cases("fetched_freelon_2010", where=lambda case: "fleiss_kappa" in case["expected"]),
)
def test_fleiss_kappa_of_many_annotators_is_freelons(case):
    counts = table_of(case["input"]["triples"]).counts

    assert fleiss_kappa(counts) == pytest.approx(case["expected"]["fleiss_kappa"], **CLOSE)


@pytest.mark.parametrize("case", cases("fetched_hayes_krippendorff_2007"))
def test_ordinal_alpha_of_the_paper_on_kalpha(case):
    table = table_of(case["input"]["triples"])

    alpha = krippendorff_alpha(table.counts, level="ordinal", values=np.array(table.labels))

    assert alpha == pytest.approx(case["expected"]["alpha_ordinal"], **CLOSE)


@pytest.mark.parametrize("case", cases("fetched_hayes_krippendorff_2007"))
def test_alpha_falls_under_thresholds_as_often_as_in_the_macro(case):
    table, n_samples = table_of(case["input"]["triples"]), 20_000
    expected = case["expected"]["ordinal_krippendorff_bootstrap_M239"]
    options = {"level": "ordinal", "values": np.array(table.labels), "n_samples": n_samples}

    samples = kalpha_samples(table.counts, rng=np.random.default_rng(1), **options)
    interval = kalpha_interval(table.counts, rng=np.random.default_rng(1), **options)

    assert pairs_to_draw(table.counts, coincidences(table.counts), capped=True) == 239
    assert interval.below_800 == pytest.approx((samples < 0.8).mean())
    for threshold in (0.8, 0.7):
        share = expected[f"P(alpha<.{threshold * 100:.0f})"]
        four_sigma = 4 * (share * (1 - share) / n_samples) ** 0.5
        assert (samples < threshold).mean() == pytest.approx(share, abs=four_sigma)
    assert interval.low == pytest.approx(expected["q025"], abs=0.005)
    assert interval.high == pytest.approx(expected["q975"], abs=0.005)


@pytest.mark.parametrize(
    "case", cases("fleiss", where=lambda case: "P_bar" in case["expected"])
)  # fmt: skip
def test_agreement_seen_and_expected_equal_the_gold_values(case):
    observed, chance = fleiss_agreement(np.array(case["input"]["count_rows"]))

    assert observed == pytest.approx(case["expected"]["P_bar"], **CLOSE)
    assert chance == pytest.approx(case["expected"].get("P_e", 1), **CLOSE)


@pytest.mark.parametrize("case", cases("fleiss_n_way_subset"))
def test_observed_agreement_with_missing_labels_equals_the_gold_value(case):
    counts = table_of(case["input"]["triples"]).counts

    assert percent_agreement(counts)["unit_mean"] == pytest.approx(case["expected"]["pa"], **CLOSE)


@pytest.mark.parametrize("case", cases("bootstrap_alpha"))
def test_pairs_that_are_drawn_equal_the_gold_numbers(case):
    counts = table_of(case["input"]["triples"]).counts
    expected, met = case["expected"], coincidences(counts)

    assert label_pairs(counts) == expected["n_pairs"]
    assert (met > 0).sum() == expected["Q_nonzero_cells"]
    assert pairs_to_draw(counts, met, capped=True) == expected["M_capped"]
    assert krippendorff_alpha(counts) == pytest.approx(expected["alpha"], **CLOSE)


@pytest.mark.parametrize("case", cases("bootstrap_alpha"))
def test_the_middle_of_the_samples_equals_the_gold_median(case):
    counts = table_of(case["input"]["triples"]).counts
    expected, allowed = case["expected"], case["tolerance"]["quantiles_abs"]
    options = {"rng": np.random.default_rng(1), "n_samples": 20_000}

    drawn = alpha_interval(counts, **options)
    capped = kalpha_interval(counts, **options)
    pairs = kalpha_interval(counts, capped=False, **options)

    gold = expected["unit_resampling"]
    assert drawn.median == pytest.approx(gold["q50"], abs=allowed)
    assert drawn.undefined_share == pytest.approx(gold["undefined_share"], abs=0.001)
    assert capped.median == pytest.approx(expected["krippendorff_M_capped"]["q50"], abs=allowed)
    assert pairs.median == pytest.approx(expected["krippendorff_M_pairs"]["q50"], abs=allowed)


@pytest.mark.parametrize(
    "case",
    [*cases("krippendorff_nominal"), *cases("fetched_freelon_2010"),
     *cases("fetched_hayes_krippendorff_2007"), *cases("fetched_ctkfacts")],
)  # fmt: skip
def test_pairs_of_labels_equal_the_gold_number(case):
    counts = table_of(case["input"]["triples"]).counts

    assert label_pairs(counts) == case["expected"]["n_pairs"]


@pytest.mark.parametrize("case", cases("krippendorff_edge"))
def test_sizes_and_percent_at_the_edges(case):
    counts, expected = table_of(case["input"]["triples"]).counts, case["expected"]
    size = counts.sum(axis=1)
    percent = figure(percent_agreement, counts)["value"] or {}

    values = int(size[size >= 2].sum())
    assert values == expected.get("n_pairable_values", values)
    for kind, share in expected.get("percent_agreement", {}).items():
        assert percent[kind] == pytest.approx(share, **CLOSE)


@pytest.mark.parametrize("case", cases("aggregation_planted_truth"))
def test_planted_truth_is_found_as_often_as_by_other_programs(case):
    table = table_of(case["input"]["triples"])
    truth = np.array([table.labels.index(case["input"]["truth"][unit]) for unit in table.units])
    accuracy = case["expected"]["accuracy"]

    model = dawid_skene(table)

    right = (model.posteriors.argmax(axis=1) == truth).mean()
    assert right == pytest.approx(accuracy["dawid_skene"], abs=0.003)
    by_votes = (table.counts.argmax(axis=1) == truth).mean()
    assert by_votes == pytest.approx(accuracy["majority"], abs=0.02)  # ties: any rule
    spammers = {table.annotators.index(name) for name in case["expected"]["spammers"]}
    assert spammers == set(np.argsort(model.accuracy)[:2].tolist())


def published(name):
    everything = json.loads(shared_data("agreement", "published_values.json").read_text())
    return next(each for each in everything if each["id"] == name)


def test_kappa_of_each_diagnosis_is_fleiss_own():
    ratings = published("fleiss1971")
    counts = np.array([np.bincount(row, minlength=6)[1:] for row in ratings["ratings"]])
    printed = ratings["published"]

    found = fleiss_per_label(counts)

    # The paper rounded on the way: its note allows 0.005.
    assert found == pytest.approx(list(printed["kappa_by_category"].values()), abs=0.005)
    assert fleiss_agreement(counts)[0] == pytest.approx(printed["p_observed"], abs=5e-5)
    assert fleiss_agreement(counts)[1] == pytest.approx(printed["p_expected"], abs=3e-4)


def test_chance_agreement_of_cohens_second_example_is_the_printed_one():
    example = published("cohen1960_ex2")
    table = np.array(example["table"])

    chance = (table.sum(axis=0) @ table.sum(axis=1)) / table.sum() ** 2

    assert chance == pytest.approx(example["published"]["p_expected"], abs=5e-3)
