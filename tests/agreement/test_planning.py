"""What more labels would bring, by simulation; and how far the labels of instances are apart."""

import numpy as np
import pytest

from agreement.aggregation.histograms import entropy_histogram, share_histogram
from agreement.measures import Undefined, alpha_interval, krippendorff_alpha
from agreement.measures.planning import label_chances, new_units, planned_interval

# Alpha is .6: of 200 claims 80 are SS, 80 RR, 40 SR, so .2 of pairs differ, .5 by chance.
COUNTS = np.array([[2, 0]] * 80 + [[0, 2]] * 80 + [[1, 1]] * 40)


def width(interval):
    return interval.high - interval.low


def planned(n_more, labels_each=2, counts=COUNTS):
    return planned_interval(
        counts, n_more=n_more, labels_each=labels_each, rng=np.random.default_rng(1),
        n_samples=4000,
    )  # fmt: skip


def test_with_no_more_units_it_is_the_interval_of_those_there_are():
    now = alpha_interval(COUNTS, rng=np.random.default_rng(2), n_samples=4000)

    assert planned(0).low == pytest.approx(now.low, abs=0.01)
    assert planned(0).high == pytest.approx(now.high, abs=0.01)


def test_three_times_as_many_units_halve_the_width():
    assert width(planned(600)) == pytest.approx(width(planned(0)) / 2, rel=0.06)


def test_the_interval_stays_around_alpha():
    found = planned(2000)

    assert (found.low + found.high) / 2 == pytest.approx(krippendorff_alpha(COUNTS), abs=0.01)


def test_more_labels_a_unit_narrow_it_too():
    assert width(planned(600, 4)) < width(planned(600, 2))


def test_two_new_labels_agree_as_often_as_two_old_ones():
    patterns, chances = new_units(COUNTS, 2)

    agreed = sum(chance for row, chance in zip(patterns, chances, strict=True) if 2 in row)
    assert agreed == pytest.approx(160 / 200)
    assert chances.sum() == pytest.approx(1)


def test_chances_by_hand():
    # By shares two labels agree .9 of the time, by chance .5, and .8 did: (.8 - .5) / (.9 - .5)
    # is the square of what is each unit's own.
    own = np.sqrt(0.75)

    assert label_chances(COUNTS)[0].tolist() == pytest.approx([(1 + own) / 2, (1 - own) / 2])
    assert label_chances(COUNTS)[-1].tolist() == pytest.approx([0.5, 0.5])


def test_who_agree_less_than_by_chance_tell_nothing_of_a_unit():
    assert label_chances(np.array([[1, 1], [1, 1]])).tolist() == [[0.5, 0.5], [0.5, 0.5]]


@pytest.mark.parametrize("wrong", [{"n_more": -1}, {"labels_each": 1}])
def test_what_cannot_be_planned_is_refused(wrong):
    with pytest.raises(ValueError, match="use 0 or more"):
        planned(**{"n_more": 1, **wrong})


@pytest.mark.parametrize("counts", [[[1, 0]], [[2, 0], [3, 0]]])
def test_without_alpha_there_is_no_plan(counts):
    with pytest.raises(Undefined):
        planned(10, counts=np.array(counts))


def test_instances_stand_in_the_bin_of_their_entropy():
    # Normalised by ln 3: SS has 0, SR ln 2 / ln 3 = .63, SRN 1; a lone label says nothing.
    counts = np.array([[2, 0, 0], [1, 1, 0], [1, 1, 1], [1, 0, 0]])

    found = entropy_histogram(counts, 10)

    assert [row["n"] for row in found] == [1, 0, 0, 0, 0, 0, 1, 0, 0, 1]
    assert (found[6]["low"], found[6]["high"]) == (0.6, 0.7)


def test_instances_stand_in_the_bin_of_a_labels_share():
    counts = np.array([[2, 0], [1, 1], [1, 2]])

    first, second = share_histogram(counts, 3)

    assert [row["n"] for row in first] == [0, 2, 1]  # 1/3 and 1/2; 1
    assert [row["n"] for row in second] == [1, 1, 1]  # 0; 1/2; 2/3


def test_without_labels_the_histograms_are_empty():
    none = np.zeros((0, 0), dtype=np.int64)

    assert [row["n"] for row in entropy_histogram(none, 2)] == [0, 0]
    assert share_histogram(none) == []
