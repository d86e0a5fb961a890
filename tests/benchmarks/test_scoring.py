"""The benchmark of scoring measures two ways to the same figures."""

import json

from benchmarks import run, scoring


def test_both_ways_come_to_the_same_figures():
    figures = scoring.run(claims=300)
    judged = [run.judged("scoring", *row) for row in scoring.budgets(figures)]

    assert json.loads(json.dumps(judged)) == judged
    assert figures["figures_that_differ"] == 0
    assert [row["what"] for row in judged][1] == "figures that differ from a plain loop"


def test_the_files_are_no_easy_prey(tmp_path):
    gold, told = scoring.write_files(tmp_path, 300)

    strict, accuracy, *others = scoring.plain_loop(gold, told)

    assert 0.3 < strict < accuracy < 1
    assert all(0.1 < value < 1 for value in others)
