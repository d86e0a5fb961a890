"""Whether annotators cite the same parts of what they labelled."""

import pytest

from agreement.evidence_figures import evidence_figures
from agreement.measures import (
    EvidenceAnswer,
    Undefined,
    alpha_of_parts,
    kappa_of_parts,
    label_agreement_by_overlap,
    mean_jaccard,
)
from agreement.measures.evidence import by_unit
from agreement.sheets import evidence_sheet
from tests.gold_cases import cases

S, R, N = "SUPPORTS", "REFUTES", "NOT ENOUGH INFO"
CLOSE = {"abs": 1e-9}


def answer(unit, annotator, label, *parts, n_parts=4):
    return EvidenceAnswer(unit, annotator, label, frozenset(parts), n_parts)


def answers_of(case):
    return [
        answer(row["claim"], row["annotator"], row["label"], *row["evidence"],
               n_parts=row["n_sentences"])
        for row in case["input"]["rows"]
    ]  # fmt: skip


def test_kappa_on_parts_by_hand():
    # Four parts, both cite one of them, one cites another too: observed 3/4, chance 1/2.
    found = kappa_of_parts(by_unit([answer(1, "p", S, 0), answer(1, "q", S, 0, 1)]))

    assert found == {"value": 0.5, "undefined": None, "n_units": 1, "n_parts": 4}


@pytest.mark.parametrize(
    "answers",
    [
        [answer(1, "p", S, 0), answer(1, "q", R, 0)],
        [answer(1, "p", N), answer(1, "q", N)],
        [answer(1, "p", S, 0)],
        [answer(1, name, S, 0) for name in "pqr"],
    ],
)
def test_kappa_on_parts_takes_two_annotators_of_one_verdict(answers):
    assert kappa_of_parts(by_unit(answers))["undefined"] == "no_data"


def test_alpha_on_parts_by_hand():
    # Part 0 cited by both, 1 by one, 2 and 3 by none: labels 3 and 5 of 8, so expected
    # disagreement 30/56; observed 2/8; alpha = 1 - 14/30.
    answers = [answer(1, "p", S, 0), answer(1, "q", S, 0, 1)]

    assert alpha_of_parts(by_unit(answers)) == pytest.approx(16 / 30)


def test_an_interpretation_compares_those_who_gave_the_same_label():
    answers = [
        answer(1, "p", S, 0), answer(1, "q", S, 0), answer(1, "r", R, 1), answer(1, "s", R, 1),
    ]  # fmt: skip

    assert alpha_of_parts(by_unit(answers), per_label=True) == 1.0
    assert alpha_of_parts(by_unit(answers)) < 0.2


def test_alpha_on_parts_is_undefined_without_shared_units():
    with pytest.raises(Undefined, match="alpha is undefined"):
        alpha_of_parts(by_unit([answer(1, "p", S, 0)]), units="strict")


def test_an_unknown_choice_of_units_is_named():
    with pytest.raises(ValueError, match="units is 'loose'; use one of all, relaxed, strict"):
        alpha_of_parts([], units="loose")


def test_pairs_are_sorted_by_their_overlap():
    answers = [
        answer(1, "p", S, 0, 1), answer(1, "q", S, 0, 1),
        answer(2, "p", S, 0, 1), answer(2, "q", R, 1),
        answer(3, "p", S, 0, 1, 2), answer(3, "q", S, 2, 3),
        answer(4, "p", S, 0), answer(4, "q", R, 1),
        answer(5, "p", N), answer(5, "q", N),
    ]  # fmt: skip

    found = label_agreement_by_overlap(by_unit(answers))

    assert {name: row["percent"] for name, row in found.items()} == {
        "exact": 1, "half_or_more": 0, "less_than_half": 1, "disjoint": 0, "both_empty": 1,
    }  # fmt: skip
    assert found["both_empty"]["undefined"] == "no_variation"
    assert mean_jaccard(by_unit(answers)) == pytest.approx((1 + 1 / 2 + 1 / 4 + 0) / 4)


def test_each_alpha_says_on_how_many_units_it_rests():
    # One label twice; two labels twice each; two labels once each; and nothing cited.
    answers = [answer(1, "p", S, 0), answer(1, "q", S, 1)]
    answers += [answer(2, name, label, 0) for name, label in zip("pqrs", (S, S, R, R), strict=True)]
    answers += [answer(3, "p", S, 0), answer(3, "q", R, 0), answer(4, "p", N), answer(4, "q", N)]

    found = evidence_figures(answers)

    assert {units: alpha["n_units"] for units, alpha in found["ambifc"].items()} == {
        "all": 4, "relaxed": 3, "strict": 1,
    }  # fmt: skip
    assert found["ambifc"]["all"]["same_label"]["n_units"] == 3
    assert (found["n_units"], found["n_units_cited"]) == (4, 3)
    rows = evidence_sheet({"evidence": found}, {})[1]
    assert [row[2] for row in rows] == [1, 4, 3, 3, 3, 1, 1, 3]


def test_nothing_cited_has_no_mean_overlap():
    assert mean_jaccard(by_unit([answer(1, "p", N), answer(1, "q", N)])) is None


@pytest.mark.parametrize("case", cases("evidence_agreement"))
def test_evidence_agreement_equals_the_gold_values(case):
    answers, expected = answers_of(case), case["expected"]

    parts = kappa_of_parts(by_unit(answers))
    assert parts["value"] == pytest.approx(
        expected["scifact"]["sentence_kappa_label_agreeing"], **CLOSE
    )
    assert (parts["n_units"], parts["n_parts"]) == (
        expected["scifact"]["n_items"],
        expected["scifact"]["n_sentences"],
    )
    for name, value in expected["ambifc"].items():
        scope, units = name.split("_")
        found = alpha_of_parts(by_unit(answers), units=units, per_label=scope == "veracity")
        assert found == pytest.approx(value, **CLOSE), name


@pytest.mark.parametrize("case", cases("evidence_agreement"))
def test_label_agreement_by_overlap_equals_the_gold_values(case):
    expected = case["expected"]["feverous"]

    found = label_agreement_by_overlap(by_unit(answers_of(case)))

    assert sum(row["n_pairs"] for row in found.values()) == expected["n_pairs"]
    assert found["both_empty"]["n_pairs"] == expected["n_pairs_both_empty"]
    for ours, theirs in {
        "exact": "exact",
        "half_or_more": "ge_0.5_lt_1",
        "less_than_half": "gt_0_lt_0.5",
        "disjoint": "disjoint",
    }.items():
        gold = expected["bins_by_jaccard"][theirs]
        assert found[ours]["n_pairs"] == gold["n_pairs"]
        assert found[ours]["percent"] == pytest.approx(gold["percent"], **CLOSE)
        assert found[ours]["scott_pi"] == pytest.approx(gold["scott_pi_symmetric"], **CLOSE)
    assert mean_jaccard(by_unit(answers_of(case))) == pytest.approx(
        expected["mean_jaccard_defined"], **CLOSE
    )


def test_without_pairs_the_overlaps_are_empty_and_say_why():
    found = label_agreement_by_overlap(by_unit([answer(1, "p", S, 0)]))

    assert found["exact"] == {
        "n_pairs": 0, "percent": None, "scott_pi": None, "undefined": "no_data",
    }  # fmt: skip
