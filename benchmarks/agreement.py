"""Agreement of many annotators: our figures beside nltk, statsmodels and a naive bootstrap.

The slow ways are run on a part and stretched to the whole, in proportion: kindly, since none
grows more slowly than its input.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

import krippendorff
import numpy as np
from nltk.metrics.agreement import AnnotationTask
from statsmodels.stats.inter_rater import fleiss_kappa as their_fleiss

from agreement.measures import alpha_interval, annotation_table, krippendorff_alpha
from agreement.measures.report import report_of, unit_clusters
from benchmarks.agreement_more import ANNOTATORS, EACH, columns
from benchmarks.measuring import Timings, median, rounded, say, spread
from benchmarks.sites import Sites

# instances, of which nltk gets so many; naive samples that are really drawn
SIZES = {"small": (20_000, 1_000, 5), "full": (100_000, 5_000, 10)}
SAMPLES, REPEAT = 10_000, 5
PER_SOURCE = 5


def measure(sites: Sites, size: str) -> dict:
    with sites.site("sqlite") as site, TemporaryDirectory() as folder:
        file = {"path": str(Path(folder) / "labels.csv"), "size": size}
        site.step("agreement_more", "write_file", **file)
        return site.step("agreement", "run", size=size) | {
            "memory": site.step("agreement_more", "memory", instances=SIZES[size][0]),
            "recipe": site.step("agreement_more", "recipe"),
            "file": site.step("agreement_more", "read_file", **file),
            "pages": {kind: pages(sites, kind, SIZES[size][0]) for kind in sites.kinds},
        }


def pages(sites: Sites, kind: str, instances: int) -> dict:
    """Pages of a full campaign beside those of an empty one, once the job stored their figures."""
    say(f"agreement: pages of {instances:,} instances, {kind}")
    figures = ("agreement", "cues")
    with sites.site(kind) as site:
        for slug, claims in (("full", instances), ("empty", 0)):
            site.step("agreement_pages", "fill", slug=slug, claims=claims)
        jobs = {
            slug: {name: site.step("agreement_pages", "job", slug=slug, kind=name)
                   for name in figures}
            for slug in ("full", "empty")
        }  # fmt: skip
        return {"jobs": jobs["full"], **site.step("agreement_pages", "pages")}


def run(*, size: str) -> dict:
    """Step: everything on the same seeded labels."""
    instances, part, samples = SIZES[size]
    say(f"agreement: {instances:,} instances, {ANNOTATORS} annotators")
    units, annotators, labels = columns(instances)
    ours = our_times(units, annotators, labels)
    slow = {
        "nltk_alpha_s": nltk_seconds(units, annotators, labels, part),
        "statsmodels_bootstrap_s": naive_seconds(
            "statsmodels' kappa", their_fleiss, units, annotators, labels, samples
        ),
        "naive_bootstrap_s": naive_seconds(
            "the krippendorff package", their_alpha, units, annotators, labels, samples
        ),
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


def naive_seconds(name, measure, units, annotators, labels, samples: int) -> float:
    """Instances drawn with replacement, and the measure of each draw, one by one."""
    say(f"  a naive bootstrap of {samples} samples with {name}")
    counts, rng = annotation_table(units, annotators, labels).counts, seeded()
    timings = Timings()
    for _ in range(samples):
        timings.add(lambda: measure(counts[rng.integers(len(counts), size=len(counts))]))
    return sum(timings.wall)


def their_alpha(counts: np.ndarray) -> float:
    return krippendorff.alpha(value_counts=counts, level_of_measurement="nominal")


def extrapolated(slow: dict, ours: dict, instances: int, part: int, samples: int) -> dict:
    """The slow ways stretched to all instances and all samples, and how many times slower."""
    nltk_alpha = slow["nltk_alpha_s"] * instances / part
    naive = slow["naive_bootstrap_s"] * SAMPLES / samples
    statsmodels = slow["statsmodels_bootstrap_s"] * SAMPLES / samples
    mine = (ours["alpha_ms"]["median"] + ours["interval_ms"]["median"]) / 1000
    return {
        "extrapolated": {
            "nltk_alpha_s": rounded(nltk_alpha),
            "nltk_alpha_and_bootstrap_s": rounded(nltk_alpha * (SAMPLES + 1)),
            "naive_bootstrap_s": rounded(naive),
            "statsmodels_bootstrap_s": rounded(statsmodels),
            "measured_on": f"{part} of {instances} instances; {samples} of {SAMPLES} samples",
        },
        "times_faster_than_nltk": rounded(nltk_alpha * (SAMPLES + 1) / mine),
        "times_faster_than_nltk_alpha_alone": rounded(
            nltk_alpha / (ours["table_ms"]["median"] + ours["alpha_ms"]["median"]) * 1000
        ),
        "times_faster_than_naive_bootstrap": rounded(naive / mine),
        "times_faster_than_statsmodels": rounded(statsmodels / mine),
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
        ("times faster than statsmodels", figures["times_faster_than_statsmodels"], ">=", 50),
        ("memory of alpha with 10,000 samples, MB", figures["memory"]["peak_mb"], "<", 300),
        *(row for kind, found in figures["pages"].items() for row in of_pages(kind, found)),
    ]


def of_pages(kind: str, found: dict) -> list[tuple]:
    """The dashboard asks for the hardest claims and which of them are hidden, and no more.

    What else it takes is drawing: an empty one has neither charts nor a row for each person.
    """
    page = found["pages"]["dashboard"]
    more = page["full"]["queries"] - page["empty"]["queries"]
    return [
        (f"queries of a dashboard more than of an empty one, {kind}", more, "<", 3),
        (f"dashboard to an empty one, processor time, {kind}", page["cpu_full_to_empty"], "<", 3),
    ]
