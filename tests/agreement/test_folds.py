"""How claims are dealt out to the parts of a cross-validation."""

import numpy as np
import pytest
from sklearn.model_selection import StratifiedGroupKFold

from agreement.cues.folds import grouped_folds


def folds_of(labels, groups, n_folds=5, seed=0):
    return grouped_folds(np.array(labels), np.array(groups), n_folds, np.random.default_rng(seed))


def shares_of(labels, folds, n_folds=5):
    """(n_folds, n_labels): how much of each label is in each fold."""
    cells = np.zeros((n_folds, labels.max() + 1))
    np.add.at(cells, (folds, labels), 1)
    return cells / np.bincount(labels)


def articles(seed, n=400):
    """Labels and groups of claims: one to nine of an article, mostly of that article's label."""
    rng = np.random.default_rng(seed)
    group = np.repeat(np.arange(n), rng.integers(1, 10, size=n))
    own = rng.choice(3, size=n, p=[0.5, 0.3, 0.2])[group]
    return np.where(rng.random(len(group)) < 0.7, own, rng.integers(0, 3, len(group))), group


def test_the_largest_group_comes_first_and_each_goes_where_its_labels_are_rarest():
    # Three of S in one group, then two groups of two R: the first R goes to the empty fold, the
    # second where no R is yet.
    assert folds_of([0, 0, 0, 1, 1, 1, 1], [0, 0, 0, 1, 1, 2, 2], n_folds=2).tolist() in (
        [0, 0, 0, 1, 1, 0, 0],
        [0, 0, 0, 0, 0, 1, 1],
    )


def test_a_group_is_in_one_fold():
    labels, groups = articles(1)

    folds = folds_of(labels, groups)

    assert all(len(set(folds[groups == group])) == 1 for group in range(groups.max() + 1))


def test_each_fold_has_a_fifth_of_each_label():
    labels, groups = articles(2)

    assert shares_of(labels, folds_of(labels, groups)) == pytest.approx(
        np.full((5, 3), 0.2), abs=5e-3
    )


@pytest.mark.parametrize("seed", range(5))
def test_labels_are_spread_as_evenly_as_scikit_learn_spreads_them(seed):
    labels, groups = articles(seed)
    theirs = np.zeros(len(labels), dtype=int)
    parts = StratifiedGroupKFold(5, shuffle=True, random_state=seed).split(labels, labels, groups)
    for number, (_, test) in enumerate(parts):
        theirs[test] = number

    ours = shares_of(labels, folds_of(labels, groups, seed=seed))

    assert ours.std(axis=0).mean() < shares_of(labels, theirs).std(axis=0).mean() + 1e-3


def test_no_fold_is_empty_where_there_are_as_many_groups():
    assert sorted(folds_of([0, 0, 1, 1, 2], [0, 1, 2, 3, 4])) == [0, 1, 2, 3, 4]


def test_the_seed_draws_who_comes_first_among_groups_of_one_size():
    labels, groups = articles(3)

    assert (folds_of(labels, groups) == folds_of(labels, groups)).all()
    assert (folds_of(labels, groups) != folds_of(labels, groups, seed=1)).any()
