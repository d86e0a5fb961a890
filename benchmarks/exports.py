"""Exports: annotations per second, and memory at n and 4n annotations, beside a plain ORM loop.

The loop writes a line for each annotation with what the raw form has of the annotation itself. It
decides nothing, and leaves out dictionaries, pseudonyms, order, hashes and counts.
"""

import json
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.measuring import Timings, peak_mb, rounded, say
from benchmarks.sites import Site, Sites

SIZES = {"small": 12_000, "full": 250_000}
MORE, LABELS_EACH, PEOPLE = 4, 3, 60
FORMATS = ("raw", "fever")
AT_LEAST = 20_000


def measure(sites: Sites, size: str) -> dict:
    figures = {"annotations": SIZES[size]}
    for kind in sites.kinds:
        with sites.site(kind) as site:
            figures[kind] = on_site(site, kind, SIZES[size])
    return figures


def on_site(site: Site, kind: str, annotations: int) -> dict:
    for times in (1, MORE):
        say(f"exports: {kind}, {annotations * times:,} annotations")
        site.step("exports", "fill", slug=f"x{times}", annotations=annotations * times)
    figures = {name: in_format(site, name) for name in FORMATS}
    loop = site.step("exports", "plain_loop", slug=f"x{MORE}")
    raw = figures["raw"]["4n"]["annotations_per_cpu_second"]
    figures["plain_loop"] = loop | {
        "raw_speed_to_loop": rounded(raw / loop["annotations_per_cpu_second"])
    }
    return figures


def in_format(site: Site, name: str) -> dict:
    small, large = (
        site.step("exports", "export", slug=f"x{times}", format=name) for times in (1, MORE)
    )
    return {
        "n": small,
        "4n": large,
        "peak_growth_mb": round(large["peak_mb"] - small["peak_mb"], 1),
        "speed_4n_to_n": rounded(
            large["annotations_per_cpu_second"] / small["annotations_per_cpu_second"]
        ),
    }


def fill(*, slug: str, annotations: int) -> dict:
    """Step: claims with three labels each, verdicts with evidence, two dictionaries for each."""
    import numpy as np

    from benchmarks.campaigns import make_claims, make_items, make_world

    claims = annotations // LABELS_EACH
    world = make_world(slug=slug, claims=claims, people=PEOPLE, labels_wanted=LABELS_EACH)
    make_items(world, make_claims(world, claims), np.full(claims, LABELS_EACH))
    return {"claims": claims}


def export(*, slug: str, format: str) -> dict:
    """Step: one export, from the first query to the last byte on the disk."""
    from annotation.models import Campaign
    from datasets.exporting import export_to
    from datasets.options import ExportOptions

    campaign = Campaign.objects.select_related("corpus").get(slug=slug)
    timings, options, before = Timings(), ExportOptions(format=format), peak_mb()
    with TemporaryDirectory() as folder:
        target = Path(folder) / "export"
        timings.add(lambda: export_to(target, campaign=campaign, options=options))
        manifest = json.loads((target / "manifest.json").read_text())
    count = manifest["counts"]["annotations"]
    say(f"  {format}, {slug}: {count:,} annotations in {timings.wall[0]:.1f} s")
    return {
        "annotations": count,
        "lines": manifest["files"][0]["lines"],
        "seconds": rounded(timings.wall[0]),
        "annotations_per_second": round(count / timings.wall[0]),
        "annotations_per_cpu_second": round(count / timings.cpu[0]),
        "process_before_mb": before,
        "peak_mb": peak_mb(),
    }


def plain_loop(*, slug: str) -> dict:
    """Step: the labels and their evidence as the ORM gives them, row by row."""
    timings, before = Timings(), peak_mb()
    with TemporaryDirectory() as folder:
        count = timings.add(lambda: written_plainly(Path(folder) / "all.jsonl", slug))
    say(f"  plain loop, {slug}: {count:,} annotations in {timings.wall[0]:.1f} s")
    return {
        "annotations": count,
        "seconds": rounded(timings.wall[0]),
        "annotations_per_second": round(count / timings.wall[0]),
        "annotations_per_cpu_second": round(count / timings.cpu[0]),
        "process_before_mb": before,
        "peak_mb": peak_mb(),
    }


def written_plainly(path: Path, slug: str) -> int:
    from annotation.models import Annotation

    rows = Annotation.objects.filter(item__wave__campaign__slug=slug, ended_at=None)
    rows = rows.select_related("item__wave", "item__instance__claim__source", "user")
    rows = rows.prefetch_related("evidence_sets__items__paragraph").order_by("pk")
    count = 0
    with path.open("w", encoding="utf-8") as out:
        for row in rows.iterator(chunk_size=2000):
            out.write(json.dumps(plain_record(row), ensure_ascii=False) + "\n")
            count += 1
    return count


def plain_record(row) -> dict:
    claim = row.item.instance.claim
    return {
        "claim_id": claim.number,
        "claim": claim.text,
        "source": claim.source and claim.source.public_id,
        "annotator": row.user_id,
        "wave": row.item.wave.name,
        "kind": row.kind,
        "label": row.label,
        "evidence": [
            [item.paragraph.public_id for item in each.items.all()]
            for each in row.evidence_sets.all()
        ],
    }


def budgets(figures: dict) -> list[tuple]:
    rows = []
    for kind in ("sqlite", "postgresql"):
        exported = [name for name in FORMATS if kind in figures]
        for name, found in ((name, figures[kind][name]) for name in exported):
            speed = found["4n"]["annotations_per_second"]
            rows += [
                (f"annotations/s, {name}, {kind}", speed, ">=", AT_LEAST),
                (
                    f"peak memory at 4n above n, MB, {name}, {kind}",
                    found["peak_growth_mb"],
                    "<",
                    50,
                ),
            ]
    return rows
