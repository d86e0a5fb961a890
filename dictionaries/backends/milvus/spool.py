"""The terms of all texts on disk, between counting them and inserting them."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from dictionaries.analysis import Term
from dictionaries.backends.milvus.collection import MOST_WORDS
from dictionaries.backends.milvus.terms import NOTHING, Statistics, counts_of, saturated


class TermSpool:
    """Pairs of a dimension and its count, text after text, in a file that `forget` removes."""

    def __init__(self, path: Path):
        self._path = path
        self._file = path.open("w+b")
        self._ends: list[tuple[int, int, int]] = []  # in the file, length in words, how many words

    def add(self, terms: Sequence[Term]):
        counts, words = counts_of(terms)
        # Words first: they are what conditions of Milvus can name.
        ordered = [*sorted(words), *sorted(counts.keys() - words)]
        pairs = np.array([ordered, [counts[one] for one in ordered]], dtype=np.uint32)
        self._file.write(pairs.T.tobytes())
        self._ends.append((self._file.tell() // 8, len(terms), len(words)))

    def _pairs(self) -> np.ndarray:
        self._file.flush()
        if not self._ends or not self._ends[-1][0]:
            return np.empty((0, 2), dtype=np.uint32)
        return np.memmap(self._path, dtype=np.uint32, mode="r").reshape(-1, 2)

    def statistics(self) -> Statistics:
        self._all = self._pairs()
        lengths = [length for _, length, _ in self._ends]
        return Statistics(
            *np.unique(self._all[:, 0], return_counts=True),
            paragraphs=len(lengths),
            mean_length=float(np.mean(lengths)) if lengths else 0.0,
        )

    def stored(self, position: int, mean_length: float) -> tuple[list[int], dict[int, float]]:
        """What Milvus gets of a text: its words, and its terms with their values."""
        end, length, words = self._ends[position]
        start = self._ends[position - 1][0] if position else 0
        dimensions, counts = self._all[start:end].T
        values = saturated(counts.astype(np.float64), length, mean_length)
        terms = dict(zip(dimensions.tolist(), values.tolist(), strict=True))
        return dimensions[: min(words, MOST_WORDS)].tolist(), terms or {NOTHING: 1.0}

    def forget(self):
        self._file.close()
        self._path.unlink(missing_ok=True)
