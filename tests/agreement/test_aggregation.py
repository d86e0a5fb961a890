"""The label and the evidence of an instance, its soft label, and what annotators' errors say."""

import csv
import gzip
import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agreement.aggregation import (
    Vote,
    choose_sets,
    dawid_skene,
    decide,
    entropy,
    labels_with_share,
    left_out,
    majority,
    merge_sets,
    soft_labels,
    tied_labels,
)
from agreement.measures import annotation_table
from tests.gold_cases import cases
from tests.shared import shared_data

S, R, N = "SUPPORTS", "REFUTES", "NOT ENOUGH INFO"


def votes(*labels, **details):
    return [Vote(label, f"a{number}", **details) for number, label in enumerate(labels)]


def items_of(decision):
    return [each.items for each in decision.evidence]


def test_the_label_of_more_than_half_wins():
    decision = decide(votes(S, S, R))

    assert (decision.label, decision.reason) == (S, "majority")
    assert decision.counts == {S: 2, R: 1}


@pytest.mark.parametrize(
    ("labels", "reason"),
    [((S, R), "tie"), ((S, S, R, R, N), "tie"), ((S, S, R, N), "no_majority"), ((), "no_labels")],
)
def test_an_instance_that_nobody_decided_is_left_out_with_its_reason(labels, reason):
    decision = decide(votes(*labels))

    assert (decision.label, decision.reason, decision.evidence) == (None, reason, ())


def test_adjudication_beats_any_majority():
    decision = decide([*votes(S, S, S), Vote(R, "cyn", kind="adjudication")])

    assert (decision.label, decision.reason) == (R, "adjudicated")
    assert decision.counts == {S: 3}


def test_the_last_of_two_adjudications_holds():
    expert = [Vote(label, "cyn", kind="adjudication") for label in (S, R)]

    assert decide(expert).label == R


def test_a_files_own_label_counts_only_without_named_annotators():
    aggregate = Vote(N, "", kind="aggregate")

    assert decide([aggregate]).reason == "aggregate"
    assert decide([aggregate, *votes(S, kind="import")]).label == S


@pytest.mark.parametrize("kind", ["calibration", "corrective"])
def test_trial_and_corrective_annotations_never_vote(kind):
    assert decide(votes(S, kind=kind)).reason == "no_labels"


@pytest.mark.parametrize(
    ("policy", "cross", "expected"),
    [
        ("never", [], None),
        ("when-alone", [], R),
        ("when-alone", [S], S),
        ("vote", [S], None),
        ("vote", [], R),
    ],
)
def test_the_authors_own_label_counts_as_the_policy_says(policy, cross, expected):
    own = Vote(R, "ada", kind="own")

    assert decide([own, *votes(*cross)], own_labels=policy).label == expected


@pytest.mark.parametrize(("policy", "expected"), [("first", S), ("last", R), ("all", None)])
def test_a_repeat_of_an_annotator_counts_as_the_policy_says(policy, expected):
    repeated = [Vote(label, "ben", kind="import") for label in (S, R)]

    assert decide(repeated, duplicates=policy).label == expected


@pytest.mark.parametrize(("policy", "expected"), [("nei", N), ("drop", None), ("as-is", S)])
def test_a_label_with_a_condition_alone_counts_as_the_policy_says(policy, expected):
    conditional = votes(S, is_conditional=True)

    assert decide(conditional, conditional_labels=policy).label == expected


def test_a_label_with_a_condition_gives_way_to_one_without():
    decision = decide([*votes(S, S, is_conditional=True), Vote(R, "ben")])

    assert decision.label == R
    assert decision.counts == {R: 1}


def test_evidence_of_a_conditional_label_does_not_support_not_enough_info():
    decision = decide(votes(S, is_conditional=True, evidence=(("p1",),)))

    assert (decision.label, items_of(decision)) == (N, [])


def test_an_unknown_policy_is_named():
    with pytest.raises(ValueError, match="own_labels is 'always'"):
        decide([], own_labels="always")


def test_evidence_of_the_winning_label_is_merged_over_annotators():
    decision = decide(
        [
            Vote(S, "ada", evidence=(("p1", "p2"), ("p3",))),
            Vote(R, "ben", evidence=(("p9",),)),
            Vote(S, "cyn", evidence=(("p2", "p1"), ("p4",))),
        ]
    )

    assert items_of(decision) == [("p1", "p2"), ("p3",), ("p4",)]
    assert [each.n_annotators for each in decision.evidence] == [2, 1, 1]


def test_the_adjudicators_evidence_is_merged_with_that_of_their_side():
    decision = decide(
        [
            Vote(S, "ada", evidence=(("p1",),)),
            Vote(R, "ben", evidence=(("p9",),)),
            Vote(R, "cyn", kind="adjudication", evidence=(("p8",),)),
        ]
    )

    assert items_of(decision) == [("p9",), ("p8",)]


def test_a_set_that_contains_another_goes_only_on_request():
    votes = [
        Vote(S, "ada", evidence=(("p1", "p2"), ("p3",))),
        Vote(S, "ben", evidence=(("p1",), (), ("p1", "p2", "p3"))),
    ]

    kept, smallest = decide(votes), decide(votes, drop_supersets=True)

    assert items_of(kept) == [("p1", "p2"), ("p3",), ("p1",), ("p1", "p2", "p3")]
    assert kept.n_supersets == 0
    assert items_of(smallest) == [("p3",), ("p1",)]
    assert smallest.n_supersets == 2


def test_sets_with_most_annotators_then_the_smallest_are_chosen():
    merged = merge_sets(
        [("ada", [["p1", "p2"], ["p3"], ["p4"]]), ("ben", [["p1", "p2"]]), ("cyn", [["p5"]])]
    )

    kept, rest = choose_sets(merged, at_most=2)

    assert [each.items for each in kept] == [("p1", "p2"), ("p3",)]
    assert [each.items for each in rest] == [("p4",), ("p5",)]


def test_sets_that_must_share_nothing_are_chosen_in_the_same_order():
    merged = merge_sets([("ada", [["p1"], ["p1", "p2"], ["p2", "p3"]]), ("ben", [["p1", "p2"]])])

    kept, rest = choose_sets(merged, disjoint=True)

    assert [each.items for each in kept] == [("p1", "p2")]
    assert [each.items for each in rest] == [("p1",), ("p2", "p3")]


def test_what_was_left_out_is_counted_by_reason():
    decisions = [decide(votes(*labels)) for labels in [(S,), (S, R), (S, N), ()]]

    assert left_out(decisions) == {"no_labels": 1, "tie": 2}


@settings(deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(0, 3), st.sampled_from([S, R, N]), st.booleans(), st.booleans()),
        max_size=8,
    ),
    st.sampled_from(["first", "last", "all"]),
    st.sampled_from(["never", "when-alone", "vote"]),
    st.sampled_from(["nei", "drop", "as-is"]),
)
def test_votes_are_counted_as_the_measures_count_them(rows, duplicates, own, conditional):
    policies = {"duplicates": duplicates, "own_labels": own, "conditional_labels": conditional}
    ballots = [Vote(label, who, "own" if mine else "cross", on) for who, label, mine, on in rows]
    columns = list(zip(*rows, strict=True)) or [(), (), (), ()]

    decision = decide(ballots, **policies)

    table = annotation_table(
        ["u"] * len(rows),
        columns[0],
        columns[1],
        own=columns[2],
        conditional=columns[3],
        **policies,
    )
    counts = table.counts[0].tolist() if len(table.counts) else []
    assert decision.counts == dict(zip(table.labels, counts, strict=True))


def test_soft_labels_by_hand():
    counts = np.array([[3, 1, 0], [0, 0, 0]])

    soft = soft_labels(counts)

    assert soft.tolist() == [[0.75, 0.25, 0], [0, 0, 0]]
    assert entropy(soft, unit="bits") == pytest.approx([0.811278, 0], abs=1e-6)


def test_entropy_in_an_unknown_unit_is_refused():
    with pytest.raises(ValueError, match="unit is 'hartleys'; use nats, bits or normalised"):
        entropy(np.array([[1.0]]), unit="hartleys")


def test_a_tie_has_no_majority():
    counts = np.array([[2, 2, 1], [1, 0, 2], [0, 0, 0]])

    assert majority(counts).tolist() == [-1, 2, -1]
    assert tied_labels(counts).tolist() == [[1, 1, 0], [0, 0, 1], [0, 0, 0]]


@pytest.mark.parametrize("case", cases("soft_labels"))
def test_soft_labels_equal_the_gold_values(case):
    order, expected = case["label_order"], case["expected"]
    counts = np.array([[labels.count(label) for label in order] for labels in case["input"]])

    soft = soft_labels(counts)

    assert soft == pytest.approx(np.array([row["soft"] for row in expected]), abs=1e-12)
    for unit in ("nats", "bits", "normalised"):
        values = [row[f"entropy_{unit}"] for row in expected]
        assert entropy(soft, unit=unit) == pytest.approx(values, abs=1e-12)
    names = [None if code < 0 else order[code] for code in majority(counts)]
    assert names == [row["majority"] for row in expected]
    assert [named(order, row) for row in labels_with_share(soft)] == [
        row["labels_ge_20pct"] for row in expected
    ]
    tied = [named(order, row) for row in tied_labels(counts)]
    assert [labels if len(labels) > 1 else [] for labels in tied] == [
        row["tied"] for row in expected
    ]


def named(order, row):
    return [label for label, chosen in zip(order, row, strict=True) if chosen]


def table_of(triples, **options):
    return annotation_table(*zip(*triples, strict=True), **options)


@pytest.mark.parametrize("case", [*cases("dawid_skene"), *cases("fetched_dawid_skene_1979")])
def test_dawid_skene_equals_the_gold_model(case):
    expected = case["expected"]
    table = table_of(
        case["input"]["triples"], duplicates="all", label_order=list(expected["priors"])
    )

    model = dawid_skene(table, n_iterations=case["input"].get("n_iter", 100), tolerance=0)

    assert model.priors == pytest.approx(list(expected["priors"].values()), abs=1e-6)
    for unit, posterior in expected["posteriors"].items():
        assert model.posteriors[table.units.index(unit)] == pytest.approx(posterior, abs=1e-6)
    for name, accuracy in expected.get("annotator_expected_accuracy", {}).items():
        assert model.accuracy[table.annotators.index(name)] == pytest.approx(accuracy, abs=1e-6)
    for name, errors in expected.get("error_matrices_first3", {}).items():
        found = model.errors[table.annotators.index(name)]
        assert found == pytest.approx(np.array(errors), abs=1e-6)


@pytest.mark.parametrize("case", cases("fetched_dawid_skene_1979"))
def test_dawid_skene_finds_the_published_shares_of_labels(case):
    table = table_of(case["input"]["triples"], duplicates="all")

    priors = dawid_skene(table).priors

    published = case["published"]
    assert priors == pytest.approx(published["priors"], abs=published["abs_tol"])


@pytest.mark.parametrize("case", cases("aggregation_planted_truth"))
def test_dawid_skene_is_righter_than_the_majority_and_finds_spammers(case):
    table = table_of(case["input"]["triples"])
    truth = np.array([table.labels.index(case["input"]["truth"][unit]) for unit in table.units])

    model = dawid_skene(table)

    right = float((model.posteriors.argmax(axis=1) == truth).mean())
    by_votes = float((table.counts.argmax(axis=1) == truth).mean())
    assert right >= case["expected"]["min_accuracy_required"]["dawid_skene"] > by_votes - 0.02
    assert by_votes >= case["expected"]["min_accuracy_required"]["majority"]
    spammers = {table.annotators.index(name) for name in case["expected"]["spammers"]}
    informative = np.array([np.ptp(errors, axis=1).sum() for errors in model.errors])
    assert set(np.argsort(informative)[: len(spammers)].tolist()) == spammers


def test_dawid_skene_outvotes_annotators_who_contradict_everybody():
    # x always says the opposite, so two votes of x and one other go to the other.
    rows = [(unit, name, "AB"[unit % 2]) for unit in range(20) for name in "pqr"]
    rows += [(unit, "x", "BA"[unit % 2]) for unit in range(20)]
    rows += [("new", "x", "B"), ("new", "p", "A")]
    table = table_of(rows)

    model = dawid_skene(table)

    new = model.posteriors[table.units.index("new")]
    assert new[table.labels.index("A")] > 0.99
    assert model.accuracy[table.annotators.index("x")] < 0.05


def test_a_share_right_is_of_the_labels_that_an_annotator_gave():
    # c met ten units whose label is A, and none of the others; by hand, 10 of 10 are right.
    rows = [(unit, name, "AB"[unit % 2]) for unit in range(60) for name in "ab"]
    rows += [(unit, "c", "A") for unit in range(0, 20, 2)]

    model = dawid_skene(table_of(rows))

    assert model.share_right == pytest.approx([1, 1, 1])
    assert model.accuracy == pytest.approx([1, 1, 0.5])


def test_dawid_skene_of_nothing_is_nothing():
    model = dawid_skene(annotation_table([], [], []))

    assert model.posteriors.shape == (0, 0)


@pytest.mark.parametrize(("name", "least"), [("dog4", 0.84), ("ducks", 0.88)])
def test_dawid_skene_on_published_crowds(name, least):
    folder = ("agreement",)
    with gzip.open(shared_data(*folder, f"{name}_answer.csv.gz"), "rt") as file:
        rows = [tuple(row.values()) for row in csv.DictReader(file)]
    with gzip.open(shared_data(*folder, f"{name}_truth.csv.gz"), "rt") as file:
        truth = {row["question"]: row["truth"] for row in csv.DictReader(file)}
    table = table_of(rows)

    chosen = dawid_skene(table).posteriors.argmax(axis=1)

    right = [
        table.labels[code] == truth[unit]
        for unit, code in zip(table.units, chosen, strict=True)
        if unit in truth
    ]
    assert np.mean(right) >= least


def test_the_published_anaesthetists_labels():
    everything = json.loads(shared_data("agreement", "published_values.json").read_text())
    published = next(entry for entry in everything if entry["id"] == "dawid_skene1979")
    with shared_data("agreement", "anesthesia.csv").open() as file:
        rows = [
            (int(row["item"]), row["rater"], int(row["rating"])) for row in csv.DictReader(file)
        ]

    model = dawid_skene(table_of(rows, duplicates="all"), n_iterations=500, tolerance=1e-12)

    assert (model.posteriors.argmax(axis=1) + 1).tolist() == published["recomputed"]["labels"]
    assert model.priors == pytest.approx(published["recomputed"]["class_marginals"], abs=1e-4)
