"""Intervals of the measures beside alpha: sums over units give the measures themselves."""

import numpy as np
import pytest

from agreement.evidence_figures import evidence_figures
from agreement.measures import EvidenceAnswer, alpha_interval, annotation_table
from agreement.measures.evidence import by_unit
from agreement.measures.evidence_resampling import alphas as alphas_of_parts
from agreement.measures.evidence_resampling import (
    evidence_intervals,
    features_of,
    kappas,
    mean_overlaps,
    overlaps,
    parts_alike,
)
from agreement.measures.report import report_of
from agreement.measures.resampling import (
    chance_corrected_measures,
    cohen_means,
    fleiss_measure,
    intervals_of,
    meetings_of,
    paired_measures,
)

S, R, N = "SUPPORTS", "REFUTES", "NOT ENOUGH INFO"


def random_table(n_units=60, *, seed=0, most=5):
    """Labels of one to `most` of seven annotators on each unit, which mostly agree."""
    rng = np.random.default_rng(seed)
    rows = []
    for unit in range(n_units):
        usual = rng.integers(3)
        for annotator in rng.choice(7, size=rng.integers(1, most + 1), replace=False).tolist():
            given = usual if rng.random() < 0.7 else rng.integers(3)
            rows.append((unit, f"a{annotator}", (S, R, N)[given]))
    return annotation_table(*zip(*rows, strict=True))


def report(table):
    return report_of(table, rng=np.random.default_rng(0), n_samples=10)


def of_all(measures, counts):
    """The measures where each unit is drawn once."""
    found = measures(np.ones((1, len(counts))), counts)
    return {name: value for name, (value,) in found.items()}


def test_drawn_once_each_unit_gives_the_measures_themselves():
    table = random_table()
    counts, figures = table.counts, report(table)
    size = counts.sum(axis=1)

    found = of_all(paired_measures(table.labels), counts[size >= 2])
    found |= of_all(chance_corrected_measures, counts)
    for raters in (2, 3, 4, 5):
        found |= of_all(fleiss_measure(f"fleiss.{raters}", raters), counts[size == raters])

    expected = {name: figures[name] for name in ("fleiss_generalised", "ac1", "brennan_prediger")}
    for group in ("percent", "alpha_per_label"):
        expected |= {f"{group}.{name}": value for name, value in figures[group].items()}
    del expected["percent.undefined"]
    expected |= {f"fleiss.{each['n_raters']}": each["value"] for each in figures["fleiss"]}
    assert found == pytest.approx(expected)


def test_cohens_means_are_those_of_the_pairs():
    table = random_table()
    meetings, cohen = meetings_of(table), report(table)["cohen"]

    found = of_all(lambda drawn, _: cohen_means(drawn, meetings), np.ones(meetings.met.shape[0]))

    assert found["cohen.mean"] == pytest.approx(cohen["mean"])
    assert found["cohen.weighted_mean"] == pytest.approx(cohen["weighted_mean"])


def answers(n_units=40, *, seed=0):
    rng = np.random.default_rng(seed)
    return [
        EvidenceAnswer(
            unit=unit,
            annotator=annotator,
            label=(S, R, N)[0 if rng.random() < 0.7 else rng.integers(3)],
            parts=frozenset(np.flatnonzero(rng.random(6) < 0.3).tolist()),
            n_parts=6,
        )
        for unit in range(n_units)
        for annotator in range(2 + unit % 2)
    ]


def test_drawn_once_each_unit_gives_the_agreement_on_evidence():
    given = answers()
    units, figures = by_unit(given), evidence_figures(given)
    pairs = [unit for unit in units if len(unit) == 2 and unit[0].label == unit[1].label != N]

    found = of_all(alphas_of_parts, features_of(map(parts_alike, units), 3))
    rows = [
        [6 - len(one | two), len(two - one), len(one - two), len(one & two)]
        for one, two in ((first.parts, second.parts) for first, second in pairs)
    ]
    found |= of_all(kappas, features_of(rows, 4))
    found |= of_all(mean_overlaps, features_of(overlaps(units), 2))

    assert found == pytest.approx(
        {"alpha": figures["ambifc"]["all"]["value"], "kappa": figures["scifact"]["value"],
         "jaccard": figures["mean_jaccard"]}
    )  # fmt: skip


def test_every_interval_holds_its_measure_and_narrows_with_more_units():
    few, many = (intervals_of(random_table(n), rng=np.random.default_rng(1)) for n in (40, 1000))
    figures = report(random_table(1000))

    for name in ("ac1", "brennan_prediger", "fleiss_generalised"):
        assert many[name][0] < figures[name] < many[name][1]
    assert many["cohen.mean"][0] < figures["cohen"]["mean"] < many["cohen.mean"][1]
    assert few.keys() <= many.keys() | {"fleiss.5"}
    for name in few:
        assert few[name][1] - few[name][0] > many[name][1] - many[name][0]


def test_of_two_labels_a_label_has_the_interval_of_alpha():
    """Against all others, each of two labels is the whole scale."""
    rows = [
        (unit, a, (S, R)[(unit * 7 + a * (unit % 5)) % 3 > 0])
        for unit in range(200)
        for a in (0, 1)
    ]
    table = annotation_table(*zip(*rows, strict=True))
    alpha = alpha_interval(table.counts, rng=np.random.default_rng(3))

    found = intervals_of(table, rng=np.random.default_rng(4))

    assert alpha.low < alpha.high < 0.5
    assert found[f"alpha_per_label.{S}"] == pytest.approx([alpha.low, alpha.high], abs=0.02)


@pytest.mark.parametrize(
    "rows", [[], [(1, "a", S), (1, "b", R)], [(1, "a", S), (2, "b", S)],
             [(1, "a", S), (1, "b", S), (2, "a", S), (2, "b", S)]]
)  # fmt: skip
def test_what_is_undefined_has_no_interval(rows):
    table = annotation_table(*(zip(*rows, strict=True) if rows else ([], [], [])))

    found = intervals_of(table, rng=np.random.default_rng(0))

    for name in ("ac1", "cohen.mean", f"alpha_per_label.{S}"):
        assert found.get(name) is None


def test_the_same_seed_gives_the_same_intervals():
    table = random_table(30)

    first, again = (intervals_of(table, rng=np.random.default_rng(7)) for _ in range(2))

    assert first == again
    given = answers(20)
    one, other = (evidence_intervals(given, rng=np.random.default_rng(7)) for _ in range(2))
    assert one == other
    # Nobody has two labels that two gave: of three answers at most one label is shared.
    assert set(one) == {
        "evidence.alpha.all", "evidence.alpha.relaxed", "evidence.kappa", "evidence.jaccard"
    }  # fmt: skip
