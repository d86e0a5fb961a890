"""Agreement of many annotators: our figures beside nltk's alpha and a naive bootstrap.

The slow ways are run on a part and stretched to the whole, in proportion: kindly, since neither
grows more slowly than its input.
"""

import krippendorff
import numpy as np
from nltk.metrics.agreement import AnnotationTask

from agreement.measures import alpha_interval, annotation_table, krippendorff_alpha
from agreement.measures.report import report_of, unit_clusters
from benchmarks.measuring import Timings, median, rounded, say, spread
from benchmarks.sites import Sites

# instances, of which nltk gets so many; naive samples that are really drawn
SIZES = {"small": (20_000, 1_000, 5), "full": (100_000, 5_000, 10)}
ANNOTATORS, EACH, SAMPLES, REPEAT = 200, 3, 10_000, 5
LABELS = ["SUPPORTS", "REFUTES", "NOT ENOUGH INFO"]
PER_SOURCE = 5


def measure(sites: Sites, size: str) -> dict:
    with sites.site("sqlite") as site:
        return site.step("agreement", "run", size=size)


def run(*, size: str) -> dict:
    """Step: everything on the same seeded labels."""
    instances, part, samples = SIZES[size]
    say(f"agreement: {instances:,} instances, {ANNOTATORS} annotators")
    units, annotators, labels = columns(instances)
    ours = our_times(units, annotators, labels)
    slow = {
        "nltk_alpha_s": nltk_seconds(units, annotators, labels, part),
        "naive_bootstrap_s": naive_seconds(units, annotators, labels, samples),
    }
    return {
        "instances": instances,
        "annotators": ANNOTATORS,
        "annotations": len(units),
        "bootstrap_samples": SAMPLES,
        **ours,
        **{name: rounded(seconds) for name, seconds in slow.items()},
        **extrapolated(slow, ours, instances, part, samples),
    }


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


def our_times(units, annotators, labels) -> dict:
    """From columns to a table; from that to alpha with its interval, and to the whole report."""
    whole, table_only, alpha, interval, clustered = (Timings() for _ in range(5))
    for _ in range(REPEAT):
        table = table_only.add(lambda: annotation_table(units, annotators, labels))
        alpha.add(lambda table=table: krippendorff_alpha(table.counts))
        interval.add(
            lambda table=table: alpha_interval(table.counts, rng=seeded(), n_samples=SAMPLES)
        )
        whole.add(lambda table=table: report_of(table, rng=seeded(), n_samples=SAMPLES))
    sources = unit_clusters(table, units.tolist(), (units // PER_SOURCE).tolist())
    options = {"rng": seeded(), "n_samples": SAMPLES, "clusters": sources}
    clustered.add(lambda: alpha_interval(table.counts, **options))
    return {
        "table_ms": spread(table_only.wall),
        "alpha_ms": spread(alpha.wall),
        "interval_ms": spread(interval.wall),
        "interval_by_source_ms": spread(clustered.wall),
        "report_ms": spread(whole.wall),
        "all_s": rounded(median(table_only.wall) + median(whole.wall)),
        "all_cpu_s": rounded(median(table_only.cpu) + median(whole.cpu)),
    }


def seeded() -> np.random.Generator:
    return np.random.default_rng(0)


def nltk_seconds(units, annotators, labels, part: int) -> float:
    """nltk's alpha of the first instances."""
    say(f"  nltk's alpha of {part:,} instances")
    rows = list(zip(annotators, units.tolist(), labels, strict=True))[: part * EACH]
    timings = Timings()
    timings.add(lambda: AnnotationTask(data=rows).alpha())
    return timings.wall[0]


def naive_seconds(units, annotators, labels, samples: int) -> float:
    """Instances drawn with replacement, and alpha of each draw by the krippendorff package."""
    say(f"  a naive bootstrap of {samples} samples")
    counts, rng = annotation_table(units, annotators, labels).counts, seeded()
    timings = Timings()
    for _ in range(samples):
        timings.add(lambda: alpha_of_draw(counts, rng))
    return sum(timings.wall)


def alpha_of_draw(counts: np.ndarray, rng: np.random.Generator) -> float:
    drawn = counts[rng.integers(len(counts), size=len(counts))]
    return krippendorff.alpha(value_counts=drawn, level_of_measurement="nominal")


def extrapolated(slow: dict, ours: dict, instances: int, part: int, samples: int) -> dict:
    """The slow ways stretched to all instances and all samples, and how many times slower."""
    nltk_alpha = slow["nltk_alpha_s"] * instances / part
    naive = slow["naive_bootstrap_s"] * SAMPLES / samples
    mine = (ours["alpha_ms"]["median"] + ours["interval_ms"]["median"]) / 1000
    return {
        "extrapolated": {
            "nltk_alpha_s": rounded(nltk_alpha),
            "nltk_alpha_and_bootstrap_s": rounded(nltk_alpha * (SAMPLES + 1)),
            "naive_bootstrap_s": rounded(naive),
            "measured_on": f"{part} of {instances} instances; {samples} of {SAMPLES} samples",
        },
        "times_faster_than_nltk": rounded(nltk_alpha * (SAMPLES + 1) / mine),
        "times_faster_than_nltk_alpha_alone": rounded(
            nltk_alpha / (ours["table_ms"]["median"] + ours["alpha_ms"]["median"]) * 1000
        ),
        "times_faster_than_naive_bootstrap": rounded(naive / mine),
    }


def budgets(figures: dict) -> list[tuple]:
    return [
        ("table and whole report, s", figures["all_s"], "<", 1),
        ("times faster than nltk", figures["times_faster_than_nltk"], ">=", 50),
        (
            "times faster than a naive bootstrap",
            figures["times_faster_than_naive_bootstrap"],
            ">=",
            50,
        ),
    ]
