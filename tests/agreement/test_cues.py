"""What wording gives away: counts by hand, the gold files, and the report."""

import gzip
import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agreement.cues import (
    balanced_subsamples,
    bigrams,
    coverage,
    cue_information,
    cue_report,
    fold_means,
    harmonic_mean,
    is_negation,
    label_counts,
    local_mutual_information,
    paired_cues,
    productivity,
    published_tokens,
    tokens_of,
    unigrams,
    utility,
    wilson_low,
    word_tokens,
)
from tests.gold_cases import cases
from tests.shared import shared_data

CLOSE = {"abs": 1e-9}
CLAIMS = ["Prague is in Czechia.", "Prague is not in France.", "Brno is not big.", "Brno is nice."]
LABELS = ["SUPPORTS", "REFUTES", "REFUTES", "SUPPORTS"]


def rng():
    return np.random.default_rng(1)


def grams_of(claims, kind=unigrams, split=published_tokens, **options):
    return kind(tokens_of(claims, split), **options)


def coded(labels):
    names = sorted(set(labels))
    return names, np.array([names.index(label) for label in labels])


def report_row(report, cue, table="unigrams"):
    return next(row for row in report[table] if row["cue"] == cue)


def test_published_tokens_keep_case_and_lose_full_stops():
    assert published_tokens("The U.S. is big . Yes.") == ["The", "U.S", "is", "big", "", "Yes"]


def test_word_tokens_are_lower_case_words_in_any_language():
    assert word_tokens("„Není“ to Brno-Střed, 3,5 km!") == [
        "není",
        "to",
        "brno-střed",
        "3",
        "5",
        "km",
    ]


def test_an_empty_token_is_no_unigram_but_stands_in_bigrams():
    assert grams_of(["big . town"]).cues == ["big", "town"]
    assert grams_of(["big . town"], bigrams).cues == [" town", "big "]


def test_a_cue_counts_once_in_a_claim_that_repeats_it():
    found = grams_of(["no no yes", "yes"])

    assert found.cues == ["no", "yes"]
    assert found.times.toarray().tolist() == [[2, 1], [0, 1]]
    assert found.present.toarray().tolist() == [[1, 1], [0, 1]]


def test_bigrams_do_not_cross_claims():
    assert grams_of(["a b", "c d"], bigrams).cues == ["a b", "c d"]


def test_bigrams_may_skip_tokens():
    assert grams_of(["a b c d"], bigrams, skip=1).cues == ["a b", "a c", "b c", "b d", "c d"]


def test_rare_cues_are_not_listed_and_still_counted_in_their_claims():
    found = grams_of(["a b", "a b", "a c"], bigrams, min_count=2)

    assert found.cues == ["a b"]
    assert found.per_claim.tolist() == [1, 1, 1]


@settings(deadline=None)
@given(st.lists(st.text("abc ", max_size=12), max_size=12), st.integers(1, 3))
def test_rare_cues_leave_the_others_as_they_were(claims, least):
    for kind in (unigrams, bigrams):
        everything, frequent = grams_of(claims, kind), grams_of(claims, kind, min_count=least)
        n_claims = dict(zip(everything.cues, everything.times.getnnz(axis=0), strict=True))
        expected = [cue for cue in everything.cues if n_claims[cue] >= least]
        columns = [everything.cues.index(cue) for cue in expected]
        assert frequent.cues == expected
        assert frequent.times.toarray().tolist() == everything.times[:, columns].toarray().tolist()


def test_productivity_coverage_and_utility_by_hand():
    counts = np.array([[2, 1], [0, 2], [0, 0]])

    assert productivity(counts) == pytest.approx([2 / 3, 1, 0])
    assert coverage(counts, 4) == pytest.approx([3 / 4, 1 / 2, 0])
    assert utility(counts) == pytest.approx([1 / 6, 1 / 2, -1 / 2])
    assert harmonic_mean(np.array([1.0, 0.0]), np.array([0.5, 0.0])) == pytest.approx([2 / 3, 0])


def test_a_rare_cue_has_a_low_bound():
    # Wilson's bound for 2 of 2 is 1 / (1 + 1.96^2 / 2).
    bounds = wilson_low(np.array([[2, 0], [90, 10], [0, 0]]))

    assert bounds[0] == pytest.approx(0.34238, abs=1e-5)
    assert bounds[1] > bounds[0]
    assert bounds[2] == pytest.approx(0)


def test_subsamples_are_balanced_and_differ():
    labels = np.array([0] * 30 + [1] * 10 + [2] * 20)

    folds = balanced_subsamples(labels, 3, 10, rng())

    assert all(np.bincount(labels[fold]).tolist() == [10, 10, 10] for fold in folds)
    assert all(len(set(fold.tolist())) == 30 for fold in folds)
    assert len({tuple(fold) for fold in folds}) == 10


def test_an_absent_fold_counts_as_nothing_and_is_told_apart():
    grams = grams_of(["a", "b", "b", "b"])

    means = fold_means(
        grams.present, np.array([0, 1, 0, 1]), 2, [np.array([0, 1]), np.array([2, 3])]
    )

    assert means["productivity"] == pytest.approx([0.5, 0.75])
    assert means["productivity_present"] == pytest.approx([1.0, 0.75])
    assert means["n_folds_present"].tolist() == [1, 2]


@pytest.mark.parametrize("case", cases("cues"))
@pytest.mark.parametrize(("kind", "name"), [(unigrams, "unigram"), (bigrams, "bigram")])
def test_cues_of_all_claims_equal_the_gold_values(case, kind, name):
    names, codes = coded(case["input"]["labels"])
    grams = grams_of(case["input"]["claims"], kind)

    counts = label_counts(grams.present, codes, len(names))

    figures = {
        "productivity": productivity(counts),
        "coverage": coverage(counts, len(codes)),
        "hmean": harmonic_mean(productivity(counts), coverage(counts, len(codes))),
        "utility": utility(counts),
    }
    for cue, expected in case["expected"][name]["full_dataset"].items():
        place = grams.cues.index(cue)
        by_label = dict(zip(names, counts[place].tolist(), strict=True))
        assert {label: n for label, n in by_label.items() if n} == expected["labels"]
        found = {key: values[place] for key, values in figures.items()}
        assert found == pytest.approx({key: expected[key] for key in figures}, **CLOSE)


@pytest.mark.parametrize("case", cases("cues"))
@pytest.mark.parametrize("kind", ["unigram", "bigram"])
def test_means_over_subsamples_equal_the_gold_values(case, kind):
    folds = [np.array(fold) for fold in case["input"]["balanced_subsample_indices"]]
    rows = range(len(case["input"]["claims"]))

    report = cue_report(
        case["input"]["claims"], case["input"]["labels"],
        rng=rng(), keys=rows, folds=folds, min_count=1, top=1000,
    )  # fmt: skip

    for cue, expected in case["expected"][kind]["balanced_folds_top60"].items():
        row = report_row(report, cue, f"{kind}s")
        for ours, theirs in {
            "productivity": "productivity_mean_missing_as_zero",
            "productivity_present": "productivity_mean_present_folds",
            "coverage": "coverage_mean_missing_as_zero",
            "coverage_present": "coverage_mean_present_folds",
            "harmonic_mean": "hmean_mean_missing_as_zero",
            "harmonic_mean_present": "hmean_mean_present_folds",
            "n_folds_present": "n_folds_present",
        }.items():
            assert row[ours] == pytest.approx(expected[theirs], **CLOSE), (cue, ours)


@pytest.mark.parametrize("case", cases("cues"))
@pytest.mark.parametrize(("kind", "name"), [(unigrams, "unigram"), (bigrams, "bigram")])
def test_lmi_equals_the_gold_values(case, kind, name):
    names, codes = coded(case["input"]["labels"])
    grams = grams_of(case["input"]["claims"], kind)

    lmi = local_mutual_information(grams, codes, len(names))

    assert grams.per_claim.sum() == case["expected"][name]["n_ngram_occurrences"]
    for pair, expected in case["expected"][name]["lmi_top25_nats"].items():
        cue, label = pair.split("\t")
        assert lmi[grams.cues.index(cue), names.index(label)] == pytest.approx(expected, **CLOSE)


def test_lmi_does_not_change_when_rare_cues_are_left_out():
    _, codes = coded(LABELS)

    everything = local_mutual_information(grams_of(CLAIMS), codes, 2)
    frequent = local_mutual_information(grams_of(CLAIMS, min_count=2), codes, 2)

    columns = [grams_of(CLAIMS).cues.index(cue) for cue in grams_of(CLAIMS, min_count=2).cues]
    assert frequent == pytest.approx(everything[columns])


@pytest.mark.parametrize("case", cases("cues_dci"))
def test_dci_equals_the_gold_values(case):
    names, codes = coded(case["input"]["labels"])
    claims, skip = case["input"]["claims"], case["input"]["skip"]
    grams = {
        "unigram": grams_of(claims),
        "bigram": grams_of(claims, bigrams, str.split, skip=skip),
    }

    for kind, found in grams.items():
        for base, name in ((10, "dci_log10_ctk_code"), (None, "dci_logK")):
            values = cue_information(found, codes, len(names), scale=case["input"]["s"], base=base)
            for cue, expected in case["expected"][kind].items():
                assert values[found.cues.index(cue)] == pytest.approx(expected[name], **CLOSE)


@pytest.mark.parametrize("case", cases("cues_niven_kao"))
def test_paired_cues_equal_the_gold_values(case):
    found = paired_cues(case["input"])

    for cue, expected in case["expected"].items():
        assert found[cue] == pytest.approx(expected, **CLOSE)


@pytest.mark.parametrize(
    ("cue", "language", "denies"),
    [
        ("not", "en", True),
        ("is Not", "en", True),
        ("didn't", "en", True),
        ("don’t know", "en", True),
        ("note", "en", False),
        ("knot", "en", False),
        ("není", "cs", True),
        ("Nikdy", "cs", True),
        ("nebyl v", "cs", True),
        ("nemá", "cs", True),
        ("nejsou", "cs", True),
        ("nejvyšší", "cs", False),
        ("nebo", "cs", False),
        ("Německo", "cs", False),
        ("nemocnice", "cs", False),
        ("neděle", "cs", False),
        ("nedělá", "cs", True),
        ("nezvítězil", "cs", True),
        ("not", "de", False),
    ],
)
def test_words_that_deny_are_marked(cue, language, denies):
    assert is_negation(cue, language) is denies


def test_the_report_by_hand():
    report = cue_report(CLAIMS, LABELS, rng=rng(), min_count=1, language="en")

    # Both labels have two claims, so every fold is all of them.
    denied = report_row(report, "not")
    assert report["n_claims"] == report["fold_size"] == 4
    assert (denied["label"], denied["applicability"], denied["n_folds_present"]) == (
        "REFUTES",
        2,
        10,
    )
    assert (denied["productivity"], denied["coverage"]) == (1.0, 0.5)
    assert denied["harmonic_mean"] == pytest.approx(2 / 3)
    assert denied["utility"] == pytest.approx(0.5)
    assert [row["cue"] for row in report["negations"]] == ["not"]
    assert report["lmi"][0]["cue"] in {"not", "is not"}


def test_a_claim_counts_once_for_each_distinct_label_of_its_instances():
    claims, labels = ["a b", "a b", "a b", "c"], ["X", "X", "Y", "Y"]

    report = cue_report(claims, labels, rng=rng(), keys=[1, 1, 1, 2], min_count=1)

    assert report["labels"] == {"X": 1, "Y": 2}
    assert report_row(report, "a")["by_label"] == {"X": 1, "Y": 1}


def test_equal_texts_of_different_claims_count_apart():
    report = cue_report(["a", "a", "b"], ["X", "X", "Y"], rng=rng(), keys=[1, 2, 3], min_count=1)

    assert report["n_claims"] == 3


def test_a_claim_without_a_label_is_not_counted():
    report = cue_report(["a", "b", "c"], ["X", "", "Y"], rng=rng())

    assert report["n_claims"] == 2


@pytest.mark.parametrize(("claims", "reason"), [([], "no_data"), (["a", "b"], "no_variation")])
def test_the_report_says_why_there_are_no_cues(claims, reason):
    report = cue_report(claims, ["X"] * len(claims), rng=rng(), with_dci=True)

    assert report["undefined"] == reason
    assert report["unigrams"] == report["lmi"] == report["dci"] == []


def test_the_report_depends_on_the_seed_alone():
    claims = [f"w{number % 7} v{number % 5} is" for number in range(90)]
    labels = ["X" if number % 3 else "Y" for number in range(90)]

    first, again = (cue_report(claims, labels, rng=rng()) for _ in range(2))
    other = cue_report(claims, labels, rng=np.random.default_rng(2))

    assert first == again
    assert first["unigrams"] != other["unigrams"]
    json.dumps(first, allow_nan=False)


def test_a_label_in_the_table_is_not_just_the_commonest_one():
    claims = [f"plain {number}" for number in range(20)] + ["cue x"] * 4 + ["cue y"] * 3
    labels = ["X"] * 24 + ["Y"] * 3

    report = cue_report(claims, labels, rng=rng(), keys=range(27))

    assert report_row(report, "cue")["by_label"] == {"X": 4, "Y": 3}
    assert report_row(report, "cue")["label"] == "Y"


def test_cues_can_be_put_in_order_of_what_is_sure():
    claims = ["often a", "often b", "often c", "often d", "lucky e", "f", "g", "h"]
    labels = ["X"] * 4 + ["Y"] * 4

    report = cue_report(claims, labels, rng=rng(), order_by="productivity_low", min_count=1)

    assert report["unigrams"][0]["cue"] == "often"


def test_an_unknown_order_or_tokenisation_is_named():
    with pytest.raises(ValueError, match="order_by is 'age'; use one of harmonic_mean"):
        cue_report([], [], rng=rng(), order_by="age")
    with pytest.raises(ValueError, match="tokens is 'bytes'; use one of published, words"):
        cue_report([], [], rng=rng(), tokens="bytes")


def test_columns_of_unequal_length_are_refused():
    with pytest.raises(ValueError, match="2 claims have 1 labels"):
        cue_report(["a", "b"], ["X"], rng=rng())


def test_rows_have_what_they_tell_about_the_label():
    row = report_row(cue_report(CLAIMS, LABELS, rng=rng(), min_count=1), "not")

    # "not" is 2 of 16 words, both among the 9 of the refuted: 2/16 ln(2 * 16 / (2 * 9)).
    assert row["lmi"] == pytest.approx(2 / 16 * np.log(16 / 9))
    # It always meets one label, in half of the claims: the root of 1 times the cube root of 1/2.
    assert row["dci"] == pytest.approx(0.5 ** (1 / 6))


def test_cues_can_be_put_in_order_of_lmi():
    rows = cue_report(CLAIMS, LABELS, rng=rng(), min_count=1, order_by="lmi")["unigrams"]

    assert rows[0]["cue"] == "not"
    assert [row["lmi"] for row in rows] == sorted((row["lmi"] for row in rows), reverse=True)


def test_dci_is_given_on_request():
    report = cue_report(CLAIMS, LABELS, rng=rng(), min_count=1, with_dci=True)

    assert report["dci"][0]["cue"] in {"not", "is not"}
    assert "dci" not in cue_report(CLAIMS, LABELS, rng=rng())


def test_denying_words_of_the_published_czech_claims_point_to_refutes():
    with gzip.open(shared_data("ctkfacts", "fever_ctkId", "train.jsonl.gz"), "rt") as file:
        records = [json.loads(line) for line in file]
    claims, labels = zip(*((record["claim"], record["label"]) for record in records), strict=True)

    report = cue_report(claims, labels, rng=rng(), language="cs", tokens="words")

    first = report["negations"][0]
    assert (first["cue"], first["label"]) == ("není", "REFUTES")
    assert first["productivity"] > 0.5
