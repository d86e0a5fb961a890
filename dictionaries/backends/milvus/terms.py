"""BM25 as a sum of products: what a paragraph's sparse vector holds, and what a query's.

A paragraph has a value for each form of its words (canonical and without accents) and for each
pair of neighbouring canonical words: its BM25 part that needs no query, tf * (k1 + 1) /
(tf + k1 * (1 - b + b * length / mean length)). A query has inverse document frequencies there, so
the inner product is BM25 with k1 = 1.2 and b = 0.75 over the whole index, whatever segments the
engine keeps. A form is a dimension by its hash; one term in a hundred shares its dimension with
another where a corpus has forty million.

Source: Robertson and Zaragoza, "The probabilistic relevance framework: BM25 and beyond" (2009).
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

import numpy as np
from sklearn.utils import murmurhash3_32

from dictionaries.analysis import CACHED_WORDS, Term, without_accents
from dictionaries.arrays import load_array

K1, B = 1.2, 0.75
DIMENSIONS = 2**32 - 2  # Milvus takes indices below 2^32 - 1
NOTHING = 0  # the dimension of paragraphs without terms: no vector may be empty


@lru_cache(maxsize=CACHED_WORDS)
def dimension(term: str) -> int:
    """The dimension of a form, or of two canonical words with a blank between; never NOTHING."""
    return murmurhash3_32(term, positive=True) % DIMENSIONS + 1


def counts_of(terms: Sequence[Term]) -> tuple[Counter[int], set[int]]:
    """How often a text has each dimension, and which of these are words."""
    words = Counter(
        dimension(form) for term in terms for form in {term.canonical, *term.others} if form
    )
    phrases = Counter(
        dimension(f"{first.canonical} {second.canonical}") for first, second in pairwise(terms)
    )
    return words + phrases, set(words)


def saturated(counts: np.ndarray, length: int, mean_length: float) -> np.ndarray:
    """The part of BM25 that a text brings, float32. counts: (n,) of its dimensions.

    length, mean_length: in words.
    """
    norm = K1 * (1 - B + B * length / mean_length) if mean_length else K1
    return (counts * (K1 + 1) / (counts + norm)).astype(np.float32)


class Statistics:
    """In how many of an index' paragraphs each dimension is, and their mean length in words."""

    def __init__(
        self, dimensions: np.ndarray, counts: np.ndarray, *, paragraphs: int, mean_length: float
    ):
        self.dimensions, self.counts = dimensions, counts
        self.paragraphs, self.mean_length = paragraphs, mean_length

    def save(self, folder: Path):
        folder.mkdir(parents=True, exist_ok=True)
        np.save(folder / "dimensions.npy", self.dimensions)
        np.save(folder / "counts.npy", self.counts)

    @classmethod
    def load(cls, folder: Path, *, paragraphs: int, mean_length: float) -> "Statistics":
        arrays = [load_array(folder / f"{name}.npy") for name in ("dimensions", "counts")]
        return cls(*arrays, paragraphs=paragraphs, mean_length=mean_length)

    def frequency(self, wanted: int) -> int:
        """In how many paragraphs a dimension is."""
        place = int(np.searchsorted(self.dimensions, np.uint32(wanted)))
        known = place < len(self.dimensions) and int(self.dimensions[place]) == wanted
        return int(self.counts[place]) if known else 0

    def canonical(self, term: str) -> int:
        """In how many paragraphs a canonical term stands."""
        return self.frequency(dimension(term))

    def idf(self, wanted: int) -> float:
        """ln(1 + (N - n + 0.5) / (n + 0.5)), as tantivy has it; always above 0."""
        n = self.frequency(wanted)
        return float(np.log1p((self.paragraphs - n + 0.5) / (n + 0.5)))

    def weights(self, terms: Sequence[Term]) -> dict[int, float]:
        """The sparse vector of a query: each word on its own, and neighbours together.

        A word is worth its form without accents, and where a text has its accents as well, as much
        more as that form is rarer; neighbours as much as both words.
        """
        weights: defaultdict[int, float] = defaultdict(float)
        for term in terms:
            plain = dimension(without_accents(term.canonical))
            exact = dimension(term.canonical)
            weights[plain] += self.idf(plain)
            weights[exact] += max(0.0, self.idf(exact) - self.idf(plain))
        for first, second in pairwise(terms):
            both = self.idf(dimension(first.canonical)) + self.idf(dimension(second.canonical))
            weights[dimension(f"{first.canonical} {second.canonical}")] += both
        return {wanted: w for wanted, w in weights.items() if w and self.frequency(wanted)}


def needed(terms: Iterable[Term]) -> list[int]:
    """The dimensions of a text that has all words, with or without accents."""
    return sorted({dimension(without_accents(term.canonical)) for term in terms})
