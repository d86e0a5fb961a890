import numpy as np
import pytest

from dictionaries.analysis import fingerprint
from dictionaries.selection import (
    Hit,
    are_copies,
    best_of_each_in_turn,
    clusters_in_turn,
    entity_pairs,
    nearest_first,
    pool,
)


def positions(hits):
    return [hit.position for hit in hits]


def test_pairs_follow_the_order_of_appearance():
    assert entity_pairs(["A", "B", "C"]) == [("A", "B"), ("A", "C"), ("B", "C")]


@pytest.mark.parametrize("entities", [[], ["A"]])
def test_fewer_than_two_entities_make_no_pair(entities):
    assert entity_pairs(entities) == []


def test_twelve_entities_make_66_pairs():
    assert len(entity_pairs(list("ABCDEFGHIJKL"))) == 66


def test_the_pool_takes_the_highest_scores_of_all_pairs():
    first = [Hit(1, 9.0, "A + B"), Hit(2, 3.0, "A + B")]
    second = [Hit(3, 8.0, "A + C"), Hit(4, 7.0, "A + C")]

    assert positions(pool([first, second], 3)) == [1, 3, 4]


def test_a_paragraph_is_chosen_once_with_its_best_pair():
    first = [Hit(1, 5.0, "A + B")]
    second = [Hit(1, 9.0, "A + C"), Hit(2, 4.0, "A + C")]

    assert pool([first, second], 4) == [Hit(1, 9.0, "A + C"), Hit(2, 4.0, "A + C")]


def test_equal_scores_go_to_the_larger_position():
    assert positions(pool([[Hit(1, 5.0, "q"), Hit(7, 5.0 + 1e-9, "q"), Hit(3, 5.0, "q")]], 2)) == [
        7,
        3,
    ]


def test_a_paragraph_with_equal_scores_keeps_its_first_pair():
    assert pool([[Hit(1, 5.0, "A + B")], [Hit(1, 5.0, "A + C")]], 1) == [Hit(1, 5.0, "A + B")]


def test_the_best_of_each_pair_in_turn():
    first = [Hit(1, 9.0, "A + B"), Hit(2, 8.0, "A + B"), Hit(5, 7.0, "A + B")]
    second = [Hit(1, 6.0, "A + C"), Hit(3, 2.0, "A + C")]

    assert positions(best_of_each_in_turn([first, second], 4)) == [1, 3, 2, 5]


def test_turns_end_when_every_pair_is_empty():
    assert best_of_each_in_turn([[], [Hit(1, 1.0, "q")]], 4) == [Hit(1, 1.0, "q")]
    assert best_of_each_in_turn([], 4) == []


def test_nearest_first_breaks_ties_by_position():
    order = nearest_first(np.array([4, 9, 2]), np.array([0.5, 0.5, 0.7]))

    assert order.tolist() == [2, 1, 0]


def test_clusters_take_turns_starting_with_that_of_the_nearest():
    labels = np.array([1, 1, 1, 0, 1, 0])  # candidates nearest first

    assert clusters_in_turn(labels, 4) == [0, 3, 1, 5]


def test_an_empty_cluster_is_passed_over():
    assert clusters_in_turn(np.array([0, 1, 0, 0]), 4) == [0, 1, 2, 3]


@pytest.mark.parametrize(("labels", "n"), [([], 4), ([0, 1], 0)])
def test_nothing_is_chosen_from_nothing(labels, n):
    assert clusters_in_turn(np.array(labels, dtype=int), n) == []


def test_three_clusters_take_turns():
    assert clusters_in_turn(np.array([2, 2, 0, 1, 0]), 5) == [0, 2, 3, 1, 4]


SOURCE = (
    "The transport minister resigned on Monday after admitting that the Norvell bridge would not"
    " open this autumn as his ministry had promised for three years in 2019"
)


@pytest.mark.parametrize(
    ("other", "expected"),
    [
        (SOURCE, True),
        (SOURCE.replace("Monday", "Tuesday"), True),
        (SOURCE + " he said", True),
        (SOURCE.replace("2019", "2018"), False),
        (SOURCE[: len(SOURCE) // 3], False),
        (
            SOURCE + " " + "and then twenty other things happened to everybody who was there " * 2,
            False,
        ),
        (
            "Something else entirely was reported from the capital of the neighbouring country",
            False,
        ),
        ("", False),
    ],
)
def test_near_copies_share_nearly_all_words_and_all_numbers(other, expected):
    theirs = fingerprint(other).tokens

    copies = are_copies(
        fingerprint(SOURCE).tokens,
        theirs,
        np.array([len(theirs)]),
        jaccard=0.85,
        containment=0.9,
    )

    assert copies.tolist() == [expected]


def test_a_short_claim_is_no_copy_of_the_paragraph_that_proves_it():
    claim, proof = fingerprint("The transport minister resigned on Monday"), fingerprint(SOURCE)

    copies = are_copies(
        claim.tokens, proof.tokens, np.array([len(proof.tokens)]), jaccard=0.85, containment=0.9
    )

    assert copies.tolist() == [False]


def test_several_texts_are_judged_each_on_its_own():
    mine, other = fingerprint(SOURCE).tokens, fingerprint("Quite another short text").tokens

    copies = are_copies(
        mine,
        np.concatenate([other, mine, other]),
        np.array([len(other), len(mine), len(other)]),
        jaccard=0.85,
        containment=0.9,
    )

    assert copies.tolist() == [False, True, False]
