"""Measures against what papers and other programs print, and of a hundred thousand units."""

import json

import numpy as np
import pytest

from agreement.measures import (
    agreement_report,
    annotation_table,
    brennan_prediger,
    cohen_pairs,
    fleiss_kappa,
    generalised_kappa,
    gwet_ac1,
    krippendorff_alpha,
    percent_agreement,
)
from tests.gold_cases import cases
from tests.shared import shared_data

CLOSE = {"abs": 1e-9}


def table_of(triples, duplicates="last"):
    columns = list(zip(*triples, strict=True)) or [(), (), ()]
    return annotation_table(*columns, duplicates=duplicates)


def generated_rows(recipe):
    """The rows of the gold file's linear congruential recipe."""
    state = recipe["seed"]

    def draw():
        nonlocal state
        state = (6364136223846793005 * state + 1442695040888963407) % 2**64
        return state >> 33

    for unit in range(recipe["U"]):
        truth, used = draw() % 3, set()
        for _ in range(recipe["per"]):
            annotator = draw() % recipe["A"]
            while annotator in used:
                annotator = (annotator + 1) % recipe["A"]
            used.add(annotator)
            yield unit, annotator, truth if draw() % 100 < recipe["acc"] else draw() % 3


@pytest.mark.parametrize("case", cases("generator_perf"))
def test_a_hundred_thousand_units_give_the_gold_values(case):
    rows = np.array(list(generated_rows(case["input"])))
    expected = case["expected"]

    report = agreement_report(*rows.T, rng=np.random.default_rng(1), n_samples=100)

    assert rows[:6].tolist() == case["input"]["first6"]
    assert list(report["labels"].values()) == case["input"]["label_counts"]
    assert report["alpha"]["value"] == pytest.approx(expected["alpha"], **CLOSE)
    assert report["alpha_per_label"] == pytest.approx(
        expected["per_label_one_vs_rest_alpha"], **CLOSE
    )
    assert report["leave_one_out"] == pytest.approx(
        report["leave_one_out"] | expected["leave_one_out"], **CLOSE
    )
    assert report["fleiss"][0]["value"] == pytest.approx(expected["fleiss_kappa_n2"], **CLOSE)
    assert report["percent"]["unit_mean"] == pytest.approx(expected["percent_agreement"], **CLOSE)


PUBLISHED = {
    "alpha_nominal": lambda table: krippendorff_alpha(table.counts),
    "alpha_ordinal": lambda table: krippendorff_alpha(
        table.counts, level="ordinal", values=np.array(table.labels)
    ),
    "alpha_interval": lambda table: krippendorff_alpha(
        table.counts, level="interval", values=np.array(table.labels)
    ),
    "alpha_ratio": lambda table: krippendorff_alpha(
        table.counts, level="ratio", values=np.array(table.labels)
    ),
    "fleiss_kappa": lambda table: generalised_kappa(table.counts),
    "gwet_ac1": lambda table: gwet_ac1(table.counts),
    "brennan_prediger": lambda table: brennan_prediger(table.counts),
    "S": lambda table: brennan_prediger(table.counts),
    "scott_pi": lambda table: fleiss_kappa(table.counts),
    "cohen_kappa": lambda table: cohen_pairs(table)["kappa"][0],
    "percent": lambda table: percent_agreement(table.counts)["unit_mean"],
    "p_observed": lambda table: percent_agreement(table.counts)["unit_mean"],
}


def rows_of(published):
    """(unit, annotator, label) of a published table: ratings, a confusion or counts."""
    if "ratings" in published:
        for unit, labels in enumerate(published["ratings"]):
            yield from ((unit, annotator, label) for annotator, label in enumerate(labels))
    elif "counts" in published:
        for unit, counts in enumerate(published["counts"]):
            labels = np.repeat(np.arange(len(counts)), counts).tolist()
            yield from ((unit, annotator, label) for annotator, label in enumerate(labels))
    else:
        unit = 0
        for first, row in enumerate(published.get("table", [])):
            for second, times in enumerate(row):
                for _ in range(times):
                    yield from ((unit, 0, first), (unit, 1, second))
                    unit += 1


def test_published_coefficients_come_out_to_the_printed_digits():
    everything = json.loads(shared_data("agreement", "published_values.json").read_text())
    checked = 0

    for published in everything:
        rows = list(rows_of(published))
        for name in published["published"].keys() & PUBLISHED.keys() if rows else ():
            printed = published["published"][name]
            value = printed[0] if isinstance(printed, list) else printed
            digits = len(str(value).partition(".")[2])
            found = PUBLISHED[name](table_of(rows))
            assert found == pytest.approx(value, abs=max(0.51 * 10**-digits, 5e-4)), published["id"]
            checked += 1

    assert checked >= 25


@pytest.mark.parametrize("number", ["01_paradox_2x2", "02_cohen_ex1", "03_cohen_ex2"])
def test_published_ac1_of_two_annotators(number):
    fixture = json.loads(shared_data("agreement", f"fixture_{number}.json").read_text())
    expected = next(case for case in fixture["cases"] if case["measure"] == "AC1")

    found = gwet_ac1(table_of(list(rows_of(fixture))).counts)

    assert found == pytest.approx(expected["coefficient"], abs=5e-6)
