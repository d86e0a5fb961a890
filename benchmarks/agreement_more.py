"""Labels to measure agreement on, and steps without other packages: memory, a recipe, a file.

Each function is a step in a process of its own, so that its peak is its own.
"""

import io
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import numpy as np
from django.core.management import call_command

from agreement.aggregation import dawid_skene
from agreement.measures import (
    alpha_contributions,
    alpha_interval,
    alpha_per_label,
    alpha_without_each,
    annotation_table,
    krippendorff_alpha,
)
from benchmarks.measuring import Timings, peak_mb, rounded, say

ANNOTATORS, EACH, LABELS = 200, 3, ("SUPPORTS", "REFUTES", "NOT ENOUGH INFO")
# The recipe that reference implementations were timed with: 100,000 units, two labels each.
UNITS, LABELS_EACH, TRUE_SHARE, SEED = 100_000, 2, 70, 12345
ROWS = {"small": 100_000, "full": 1_000_000}
SAMPLES, REPEAT = 10_000, 3


def columns(instances: int) -> tuple[np.ndarray, list[str], list[str]]:
    """Rows of three different annotators for each instance; four labels in five are the truth."""
    rng = np.random.default_rng(7)
    units = np.repeat(np.arange(instances), EACH)
    first = rng.integers(0, ANNOTATORS, size=(instances, 1))
    step = rng.integers(1, ANNOTATORS // EACH, size=(instances, 1))
    people = (first + step * np.arange(EACH)) % ANNOTATORS
    truth = np.repeat(rng.choice(len(LABELS), size=instances, p=[0.45, 0.3, 0.25]), EACH)
    given = np.where(rng.random(len(units)) < 0.8, truth, rng.integers(0, len(LABELS), len(units)))
    annotators = [f"annotator{number:03d}" for number in people.ravel().tolist()]
    return units, annotators, [LABELS[code] for code in given.tolist()]


def memory(*, instances: int) -> dict:
    """Step: what alpha with its interval takes, and beside it what its input and Python do."""
    before = peak_mb()
    table = annotation_table(*columns(instances))
    with_labels = peak_mb()
    krippendorff_alpha(table.counts)
    interval(table.counts)
    return {
        "process_before_mb": before,
        "with_the_labels_mb": with_labels,
        "peak_mb": peak_mb(),
    }


def recipe() -> dict:
    """Step: alpha with its parts, everybody left out in turn, interval and error rates."""
    say("agreement: a known recipe of 200,000 labels")
    before = peak_mb()
    table = annotation_table(*np.array(list(recipe_rows(UNITS))).T)
    built = peak_mb()
    steps = {
        "alpha_with_parts": lambda: parts(table.counts),
        "leave_one_out": lambda: alpha_without_each(table),
        "interval": lambda: interval(table.counts),
        "dawid_skene": lambda: dawid_skene(table),
    }
    return {
        "alpha": krippendorff_alpha(table.counts),
        **{name: timed(step) for name, step in steps.items()},
        "process_before_mb": before,
        "with_the_labels_mb": built,
        "peak_mb": peak_mb(),
    }


def parts(counts: np.ndarray):
    return krippendorff_alpha(counts), alpha_contributions(counts), alpha_per_label(counts)


def interval(counts: np.ndarray):
    return alpha_interval(counts, rng=np.random.default_rng(0), n_samples=SAMPLES)


def timed(call) -> dict:
    timings = Timings()
    for _ in range(REPEAT):
        timings.add(call)
    return timings.figures()


def recipe_rows(units: int) -> Iterator[tuple[int, int, int]]:
    """(unit, annotator, label) from Knuth's 64-bit congruential generator, its upper 31 bits."""
    draws = generator(SEED)
    for unit in range(units):
        truth, used = next(draws) % 3, set()
        for _ in range(LABELS_EACH):
            annotator = next(draws) % ANNOTATORS
            while annotator in used:
                annotator = (annotator + 1) % ANNOTATORS
            used.add(annotator)
            is_true = next(draws) % 100 < TRUE_SHARE
            yield unit, annotator, truth if is_true else next(draws) % 3


def generator(state: int) -> Iterator[int]:
    while True:
        state = (6364136223846793005 * state + 1442695040888963407) % 2**64
        yield state >> 33


def write_file(*, path: str, size: str) -> dict:
    """Step: a CSV file of so many labels, with names as people choose them."""
    with Path(path).open("w") as file:
        file.write("claim,worker,verdict\n")
        for unit, annotator, label in islice(recipe_rows(ROWS[size]), ROWS[size]):
            file.write(f"claim{unit},worker{annotator},{LABELS[label]}\n")
    return {}


def read_file(*, path: str, size: str) -> dict:
    """Step: the command on that file, once."""
    say(f"agreement: a file of {ROWS[size]:,} rows")
    before, timings = peak_mb(), Timings()
    arguments = ("agreement", "--labels", path, "--json")
    timings.add(lambda: call_command(*arguments, stdout=io.StringIO()))
    return {
        "rows": ROWS[size],
        "file_mb": round(Path(path).stat().st_size / 2**20, 1),
        "wall_s": rounded(timings.wall[0]),
        "cpu_s": rounded(timings.cpu[0]),
        "process_before_mb": before,
        "peak_mb": peak_mb(),
    }
