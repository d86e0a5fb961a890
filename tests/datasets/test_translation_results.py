"""Figures of judged translations, by hand."""

from itertools import pairwise

import pytest

from datasets.validating.results import Judged, results_of, share
from datasets.validating.sampling import draw

S, R, N = "SUPPORTS", "REFUTES", "NOT ENOUGH INFO"
YES, NO, DUNNO, BAD = "SUPPORTED", "REFUTED", "NOT ENOUGH INFO", "UNUSABLE TRANSLATION"


def judged(*rows):
    """Claims of (label, verdicts of ben, cyn and dan)."""
    return [
        Judged(number, label, dict(zip(("ben", "cyn", "dan"), said, strict=False)))
        for number, (label, *said) in enumerate(rows, start=1)
    ]


CLAIMS = judged(
    (S, YES), (S, YES, YES), (S, NO), (S, BAD, BAD),
    (R, NO), (R, DUNNO), (R, NO, NO, YES), (R, NO, YES),
    (N, DUNNO), (N,),
)  # fmt: skip


def test_the_matrix_counts_each_claim_once_by_what_most_people_said():
    found = results_of(CLAIMS)

    assert found["verdicts"] == [YES, NO, DUNNO, BAD]
    assert found["matrix"] == {S: [2, 1, 0, 1], R: [0, 2, 1, 0], N: [0, 0, 1, 0]}
    counts = {
        name: found[name] for name in ("claims", "answered", "undecided", "answers", "people")
    }
    assert counts == {"claims": 10, "answered": 9, "undecided": 1, "answers": 14, "people": 3}


def test_precision_counts_an_unusable_translation_as_a_miss_or_leaves_it_out():
    found = results_of(CLAIMS)

    right = {name: (row["right"], row["n"]) for name, row in found["precision"].items()}
    usable = {name: (row["right"], row["n"]) for name, row in found["precision_of_usable"].items()}
    assert right == {S: (2, 4), R: (2, 3), N: (1, 1), "all": (5, 8)}
    assert usable == {S: (2, 3), R: (2, 3), N: (1, 1), "all": (5, 7)}
    assert (found["unusable"]["right"], found["unusable"]["n"]) == (1, 8)


def test_the_interval_is_wilsons():
    # 81 of 263 is the example of Newcombe, "Two-sided confidence intervals" (1998), table I.
    found = share(81, 263)

    assert found["value"] == pytest.approx(0.3080, abs=5e-5)
    assert (found["low"], found["high"]) == pytest.approx((0.2553, 0.3662), abs=5e-5)


@pytest.mark.parametrize(("part", "low", "high"), [(0, 0.0, 0.2775), (10, 0.7225, 1.0)])
def test_the_interval_stays_within_0_and_1(part, low, high):
    found = share(part, 10)

    assert (found["low"], found["high"]) == pytest.approx((low, high), abs=5e-5)


def test_nothing_judged_has_no_figures():
    found = results_of(judged((S,), (R,)))

    assert found["precision"]["all"]["value"] is None
    assert found["unusable"]["value"] is None
    assert found["agreement"]["alpha"] == {"value": None, "undefined": "no_data"}


def test_agreement_is_over_claims_that_several_judged():
    # Pairs: YES YES agree, BAD BAD agree, NO NO YES one of three, NO YES none: 3 of 6.
    agreement = results_of(CLAIMS)["agreement"]

    assert agreement["claims"] == 4
    assert agreement["percent"]["value"] == pytest.approx(3 / 6)
    # Nine values: YES 4, NO 3, BAD 2. NO NO YES and NO YES bring 2 differing coincidences each.
    observed, expected = 4 / 9, 1 - (4 * 3 + 3 * 2 + 2 * 1) / (9 * 8)
    assert agreement["alpha"]["value"] == pytest.approx(1 - observed / expected)


# The sample


LABELS = {n: S if n % 10 < 6 else R if n % 10 < 8 else N for n in range(100)}
ORDER = (S, R, N)


def drawn(size=20, labels=LABELS, order=ORDER, is_stratified=False, seed=1):
    return draw(labels, size, order=order, is_stratified=is_stratified, seed=seed)


def counts(keys):
    return [sum(LABELS[key] == label for key in keys) for label in ORDER]


def test_a_seed_draws_the_same_claims_whatever_the_order_of_the_rows():
    backwards = dict(reversed(LABELS.items()))

    assert drawn() == drawn(labels=backwards)
    assert drawn() != drawn(seed=2)
    assert len(set(drawn())) == 20


def test_a_stratified_sample_has_as_many_of_each_label_the_first_one_more():
    assert counts(drawn(20, is_stratified=True)) == [7, 7, 6]


def test_a_label_with_too_few_claims_gives_all_of_them():
    assert counts(drawn(90, is_stratified=True)) == [30, 20, 20]


def test_only_the_labels_that_are_asked_for_are_drawn():
    assert counts(drawn(20, order=(R, N)))[0] == 0


def test_the_order_of_a_stratified_sample_says_nothing_of_the_labels():
    kinds = [LABELS[key] for key in drawn(60, is_stratified=True)]

    changes = sum(first != second for first, second in pairwise(kinds))
    assert changes > 20  # in blocks there would be 2
