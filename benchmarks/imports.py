"""Imports of JSONL files: how fast, at what cost in a full corpus, and in how much memory."""

from pathlib import Path

from benchmarks.measuring import Timings, peak_mb, rounded, say
from benchmarks.sites import Site, Sites
from benchmarks.texts import write_articles

SIZES = {"small": 12_000, "full": 120_000}
MORE = 4
AT_LEAST = {"sqlite": 5_000, "postgresql": 10_000}


def measure(sites: Sites, size: str) -> dict:
    files = written_files(sites.folder, SIZES[size])
    figures = {"paragraphs": SIZES[size]}
    for kind in sites.kinds:
        say(f"imports: {kind}")
        with sites.site(kind) as site:
            figures[kind] = on_site(site, files)
    return figures


def written_files(folder: Path, paragraphs: int) -> dict[str, str]:
    """Three files of articles that share none: two of n paragraphs and one of 4n."""
    say(f"imports: writing files of {paragraphs:,} and {MORE * paragraphs:,} paragraphs")
    sizes = {"first": paragraphs, "many": MORE * paragraphs, "last": paragraphs}
    for seed, (name, count) in enumerate(sizes.items(), start=1):
        write_articles(folder / f"{name}.jsonl", count, seed=seed, prefix=name)
    return {name: str(folder / f"{name}.jsonl") for name in sizes}


def on_site(site: Site, files: dict[str, str]) -> dict:
    """n paragraphs into an empty corpus, 4n into another, then n more into that full one."""
    empty = site.step("imports", "run", file=files["first"], slug="small")
    many = site.step("imports", "run", file=files["many"], slug="large")
    full = site.step("imports", "run", file=files["last"], slug="large")
    return {
        "into_empty": empty,
        "four_times_as_much": many,
        "into_full": full,
        "full_to_empty": rounded(full["seconds"] / empty["seconds"]),
        "full_to_empty_cpu": rounded(full["cpu_s"] / empty["cpu_s"]),
        "peak_growth_mb": round(many["peak_mb"] - empty["peak_mb"], 1),
    }


def run(*, file: str, slug: str) -> dict:
    """Step: one import, from the first byte of the file to the last row."""
    from corpus.importing.runs import import_files
    from corpus.models import Corpus
    from corpus.records import ReadOptions

    corpus = Corpus.objects.filter(slug=slug).first() or Corpus(slug=slug, name=slug)
    timings = Timings()
    options = ReadOptions(format="jsonl", language="en")
    before = peak_mb()
    done = timings.add(lambda: import_files(corpus=corpus, paths=[Path(file)], options=options))
    count = done.counts["paragraphs"]
    say(f"  {slug}: {count:,} paragraphs in {timings.wall[0]:.1f} s")
    return {
        "paragraphs": count,
        "duplicates": done.counts["duplicates"],
        "tabular": done.counts["tabular"],
        "seconds": rounded(timings.wall[0]),
        "cpu_s": rounded(timings.cpu[0]),
        "paragraphs_per_second": round(count / timings.wall[0]),
        "paragraphs_per_cpu_second": round(count / timings.cpu[0]),
        "process_before_mb": before,
        "peak_mb": peak_mb(),
    }


def budgets(figures: dict) -> list[tuple]:
    rows = []
    for kind in [kind for kind in AT_LEAST if kind in figures]:
        found = figures[kind]
        speed = found["four_times_as_much"]["paragraphs_per_second"]
        rows += [
            (f"paragraphs/s, {kind}", speed, ">=", AT_LEAST[kind]),
            (f"time in a full corpus to an empty one, {kind}", found["full_to_empty"], "<", 1.5),
            (f"peak memory at 4n above n, MB, {kind}", found["peak_growth_mb"], "<", 50),
        ]
    return rows
