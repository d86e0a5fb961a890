"""Claims to split, in plain records and as published files have them."""

import gzip
import json

import numpy as np

from datasets.splits import SplitRecord
from tests.shared import shared_data

S, R, N = "SUPPORTS", "REFUTES", "NOT ENOUGH INFO"
THIRDS = {"train": 0.8, "dev": 0.1, "test": 0.1}
LONG = "The new railway bridge over the river will open for traffic in the spring of next year"


def record(key, text=None, label=S, **details):
    return SplitRecord(key, f"claim number {key}" if text is None else text, label, **details)


def many(n, per_article=5):
    """Claims of articles with so many claims each, labels in turn."""
    labels = [S, R, N]
    return [
        record(
            key, f"w{key} x{key} y{key}", labels[key % 3], source_article=f"a{key // per_article}"
        )
        for key in range(n)
    ]


def rng(seed=1):
    return np.random.default_rng(seed)


def read(*path):
    with gzip.open(shared_data(*path), "rt") as file:
        return [json.loads(line) for line in file]
