"""Our coefficients beside those of statsmodels, scikit-learn and nltk, on the same labels."""

import numpy as np
import pytest
from nltk.metrics.agreement import AnnotationTask
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import aggregate_raters, cohens_kappa
from statsmodels.stats.inter_rater import fleiss_kappa as their_fleiss

from agreement.measures import (
    annotation_table,
    cohen_kappa,
    cohen_pairs,
    cohen_summary,
    figure,
    fleiss_kappa,
    krippendorff_alpha,
    percent_agreement,
)
from agreement.measures.kappa import fleiss_per_label

LABELS = np.array(["SUPPORTS", "REFUTES", "NOT ENOUGH INFO"])


def codes(units=120, annotators=4, seed=3):
    """(units, annotators): the place of each label; two in three are the unit's own."""
    rng = np.random.default_rng(seed)
    truth = rng.choice(3, size=(units, 1), p=[0.5, 0.3, 0.2])
    noise = rng.integers(0, 3, size=(units, annotators))
    return np.where(rng.random((units, annotators)) < 0.66, truth, noise)


def triples(given):
    return [
        (unit, f"a{annotator}", str(LABELS[code]))
        for unit, row in enumerate(given.tolist())
        for annotator, code in enumerate(row)
    ]


def table_of(given):
    return annotation_table(*zip(*triples(given), strict=True))


def nltks(given):
    return AnnotationTask(data=[(who, unit, label) for unit, who, label in triples(given)])


@pytest.mark.parametrize("annotators", [2, 3, 7])
def test_fleiss_kappa_is_that_of_statsmodels(annotators):
    given = codes(annotators=annotators)

    theirs = their_fleiss(aggregate_raters(given)[0])

    assert fleiss_kappa(table_of(given).counts) == pytest.approx(theirs, abs=1e-12)


def test_fleiss_kappa_of_a_label_is_that_of_statsmodels_on_two_labels():
    given = codes()
    table = table_of(given)

    found = dict(zip(table.labels, fleiss_per_label(table.counts), strict=True))

    for code, label in enumerate(LABELS.tolist()):
        theirs = their_fleiss(aggregate_raters((given == code).astype(int))[0])
        assert found[label] == pytest.approx(theirs, abs=1e-12)


def test_cohens_kappa_of_a_pair_is_theirs():
    first, second = codes(annotators=2).T
    confusion = np.zeros((3, 3), dtype=int)
    np.add.at(confusion, (first, second), 1)

    ours = cohen_kappa(confusion)

    assert ours == pytest.approx(cohens_kappa(confusion).kappa, abs=1e-12)
    assert ours == pytest.approx(cohen_kappa_score(first, second), abs=1e-12)
    pairs = cohen_pairs(table_of(np.column_stack([first, second])))
    assert pairs["kappa"].tolist() == pytest.approx([ours], abs=1e-12)


def test_alpha_pi_and_mean_kappa_are_nltks():
    given = codes()
    table, task = table_of(given), nltks(given)

    assert krippendorff_alpha(table.counts) == pytest.approx(task.alpha(), abs=1e-12)
    assert percent_agreement(table.counts)["unit_mean"] == pytest.approx(task.avg_Ao(), abs=1e-12)
    assert cohen_summary(cohen_pairs(table))["mean"] == pytest.approx(task.kappa(), abs=1e-12)
    pair = codes(annotators=2)
    assert fleiss_kappa(table_of(pair).counts) == pytest.approx(nltks(pair).pi(), abs=1e-12)


def test_where_others_answer_a_single_label_has_no_alpha_and_no_kappa():
    one = np.zeros((4, 3), dtype=int)
    counts = table_of(one).counts

    assert figure(krippendorff_alpha, counts) == {"value": None, "undefined": "no_variation"}
    assert figure(fleiss_kappa, counts) == {"value": None, "undefined": "no_variation"}
    # What docs/methods.md says of them:
    assert nltks(one).alpha() == 1
    with np.errstate(invalid="ignore"):
        assert np.isnan(their_fleiss(np.array([[3, 0]] * 4)))
