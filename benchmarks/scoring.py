"""Scoring: 20,000 predictions from two files to all figures, beside a plain loop over lists.

The plain loop reads with `json.loads`, trusts every line, matches by position and keeps no result
of a claim: what a script written for one evening does. Its figures have to be the same.
"""

import json
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from benchmarks.measuring import Timings, median, peak_mb, rounded, say
from benchmarks.sites import Sites

SIZES = {"small": 20_000, "full": 20_000}
REPEAT, MAX_EVIDENCE = 3, 5
LABELS = ("SUPPORTS", "REFUTES", "NOT ENOUGH INFO")
FIGURES = ("strict_score", "label_accuracy", "precision", "recall", "f1")
UNDER_SECONDS = 5


def measure(sites: Sites, size: str) -> dict:
    with sites.site("sqlite") as site:
        return site.step("scoring", "run", claims=SIZES[size])


def run(*, claims: int) -> dict:
    """Step: the same two files scored by both, in turns."""
    from datasets.scorers import score_files

    say(f"scoring: {claims:,} predictions")
    ours, plain = Timings(), Timings()
    with TemporaryDirectory() as folder:
        gold, told = write_files(Path(folder), claims)
        for _ in range(REPEAT):
            loop = plain.add(lambda: plain_loop(gold, told))
            report = ours.add(lambda: score_files("fever", gold, told))
    found = [report.scores.figures[name] for name in FIGURES]
    return {
        "claims": claims,
        "score_s": rounded(median(ours.wall)),
        "score_cpu_s": rounded(median(ours.cpu)),
        "plain_loop_s": rounded(median(plain.wall)),
        "plain_loop_cpu_s": rounded(median(plain.cpu)),
        "times_the_plain_loop": rounded(median(ours.cpu) / median(plain.cpu)),
        "figures_that_differ": sum(not np.isclose(a, b) for a, b in zip(found, loop, strict=True)),
        "peak_mb": peak_mb(),
    }


def write_files(folder: Path, claims: int) -> tuple[Path, Path]:
    """Claims with one to three groups of one or two sentences; two labels in three are met."""
    rng = np.random.default_rng(5)
    gold, told = folder / "gold.jsonl", folder / "predictions.jsonl"
    with gold.open("w") as given, told.open("w") as answers:
        for number in range(claims):
            label, guess = rng.choice(LABELS), rng.choice(LABELS)
            groups = [sentences(rng, 2) for _ in range(rng.integers(1, 4))]
            right = rng.random() < 2 / 3
            pieces = sentences(rng, 6) + (groups[0] if right else [])
            given.write(json.dumps(gold_line(number, str(label), groups)) + "\n")
            answers.write(
                json.dumps(
                    {
                        "id": number,
                        "predicted_label": str(label if right else guess),
                        "predicted_evidence": pieces[::-1],
                    }
                )
                + "\n"
            )
    return gold, told


def sentences(rng: np.random.Generator, most: int) -> list[list]:
    pages, lines = rng.integers(0, 40, most), rng.integers(0, 20, most)
    pairs = zip(pages.tolist(), lines.tolist(), strict=True)
    return [[f"Page_{page}", line] for page, line in pairs][: rng.integers(1, most + 1)]


def gold_line(number: int, label: str, groups: list) -> dict:
    if label == LABELS[2]:
        evidence: list = [[[number, None, None, None]]]
    else:
        evidence = [[[number, number, *item] for item in group] for group in groups]
    return {"id": number, "label": label, "claim": f"Claim {number}.", "evidence": evidence}


def plain_loop(gold: Path, told: Path) -> list[float]:
    """Strict score, accuracy, precision, recall and F1 by loops over lists."""
    strict = right = precision = recall = counted = total = 0
    with gold.open() as given, told.open() as answers:
        for claim, answer in zip(map(json.loads, given), map(json.loads, answers), strict=True):
            total += 1
            same = claim["label"] == answer["predicted_label"]
            right += same
            if claim["label"] == LABELS[2]:
                strict += same
                continue
            first = answer["predicted_evidence"][:MAX_EVIDENCE]
            groups = [[item[2:] for item in group] for group in claim["evidence"]]
            whole = any(all(item in first for item in group) for group in groups)
            union = [item for group in groups for item in group]
            hits = sum(item in union for item in first)
            counted += 1
            precision += hits / len(first) if first else 1
            recall += whole
            strict += same and whole
    p, r = precision / counted, recall / counted
    return [strict / total, right / total, p, r, 2 * p * r / (p + r)]


def budgets(figures: dict) -> list[tuple]:
    return [
        ("20,000 predictions, s", figures["score_s"], "<", UNDER_SECONDS),
        ("figures that differ from a plain loop", figures["figures_that_differ"], "=", 0),
    ]
