"""The lines of a release in the base format, read one by one."""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

UNDECIDED = "undecided"


def released_lines(folder: Path) -> Iterator[dict]:
    """The lines of all splits in a folder, each with its `split` (the file's stem)."""
    for path in sorted(folder.glob("*.jsonl")):
        with path.open(encoding="utf-8", newline="\n") as lines:
            for line in lines:
                yield json.loads(line) | {"split": path.stem}


def labels_by_split(folder: Path) -> dict[str, dict[str, int]]:
    """{split: {label: number of claims}}, splits and labels by name; empty splits, too."""
    counts: dict[str, Counter] = {path.stem: Counter() for path in sorted(folder.glob("*.jsonl"))}
    for line in released_lines(folder):
        counts[line["split"]][line["label"] or UNDECIDED] += 1
    return {split: dict(sorted(labels.items())) for split, labels in counts.items()}
