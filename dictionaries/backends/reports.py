"""What a finished build says of itself, whichever backend made it."""

import hashlib
import json
from pathlib import Path
from time import perf_counter

import numpy as np

from dictionaries.backends.base import BuildReport
from dictionaries.backends.rows import RowTable
from dictionaries.backends.versions import MANIFEST, listed_files


def content_hash(table: RowTable, about: dict) -> str:
    """The same for the same rows, cut and encoded in the same way."""
    digest = hashlib.sha256(json.dumps(about, sort_keys=True).encode())
    for name in sorted(table.columns):
        digest.update(np.ascontiguousarray(table.columns[name]).data)
    return digest.hexdigest()


def report_of(path: Path, manifest: dict, *, added: int, started: float) -> BuildReport:
    """added: paragraphs; started: by `perf_counter`. Its bytes are those of the files alone."""
    size = sum(file.stat().st_size for file in [*listed_files(path), path / MANIFEST])
    return BuildReport(
        version=manifest["version"],
        paragraphs=manifest["paragraphs"],
        added=added,
        seconds=perf_counter() - started,
        bytes=size,
    )
