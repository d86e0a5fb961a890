"""The semantic part of an index: exact nearest neighbours among vectors sorted by time.

"Older than t" is a prefix of the rows, so the date filter costs nothing and loses nothing. Vectors
are kept as float16 of length 1. int8 codes of them are compared with the query's code first. The
errors of both codes bound the true score; every row that can be among the nearest, by what those
that look nearest score from float16, is scored from float16 again, so the result is that of a full
scan.
"""

import os
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import simsimd
from sklearn.cluster import KMeans
from threadpoolctl import ThreadpoolController

from dictionaries.arrays import flush, load_array, new_array, touch
from dictionaries.selection import clusters_in_turn, nearest_first

SCANNERS = min(4, os.cpu_count() or 1)
ROUNDING = 1e-5  # what float32 sums, and rounding of scores before ties, may add to a bound
LONGEST = 1.001  # a vector of length 1 once its values are float16
SLACK = 2 * float(np.finfo(np.float32).eps)  # for each term of two float32 sums of products
FILES = ("vectors", "codes", "scales", "errors")


class Codes(NamedTuple):
    """int8 codes of vectors: vector = code * scale, up to a distance of at most the error."""

    codes: np.ndarray
    scales: np.ndarray
    errors: np.ndarray


class Nearest(NamedTuple):
    """Positions of candidates, nearest first, with their cosines and vectors."""

    positions: np.ndarray
    scores: np.ndarray
    vectors: np.ndarray


def unit(vectors: np.ndarray) -> np.ndarray:
    """(n, d) vectors as float32 of length 1; one without length stays 0."""
    vectors = np.asarray(vectors, dtype=np.float32)
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors / np.where(norms > 0, norms, 1)


def quantise(vectors: np.ndarray) -> Codes:
    """The codes of (n, d) float16 vectors, the largest value of a row at 127."""
    exact = vectors.astype(np.float32)
    largest = np.abs(exact).max(axis=1, initial=0)
    scales = np.where(largest > 0, largest / 127, 1).astype(np.float32)
    codes = np.round(exact / scales[:, None]).astype(np.int8)
    errors = np.linalg.norm(exact - codes * scales[:, None], axis=1)
    return Codes(codes, scales, errors.astype(np.float32))


def new_vectors(folder: Path, count: int, dimensions: int) -> np.ndarray:
    """A mapped (count, dimensions) float16 array in the folder, to be filled in order of time."""
    folder.mkdir(parents=True, exist_ok=True)
    return new_array(folder / "vectors.npy", (count, dimensions), np.float16)


def write_codes(folder: Path, vectors: np.ndarray):
    """Write the codes of (n, d) float16 vectors, sorted by time, block by block."""
    count, dimensions = vectors.shape
    shapes = {"codes": (count, dimensions), "scales": (count,), "errors": (count,)}
    kinds = {"codes": np.int8, "scales": np.float32, "errors": np.float32}
    files = [new_array(folder / f"{name}.npy", shapes[name], kinds[name]) for name in FILES[1:]]
    for start in range(0, count, 10_000):
        block = np.asarray(vectors[start : start + 10_000])
        for array, values in zip(files, quantise(block), strict=True):
            array[start : start + 10_000] = values
    for array in files:
        flush(array)


def write_vectors(folder: Path, vectors: np.ndarray):
    """Write (n, d) float16 vectors, sorted by time, and their codes."""
    written = new_vectors(folder, *vectors.shape)
    written[:] = vectors
    flush(written)
    write_codes(folder, vectors)


class SemanticIndex:
    """Vectors opened for reading, sorted by time."""

    def __init__(self, folder: Path):
        arrays = [load_array(folder / f"{name}.npy") for name in FILES]
        self.vectors, self._codes = arrays[0], Codes(*arrays[1:])

    @property
    def shape(self) -> tuple[int, ...]:
        return self.vectors.shape

    def vector(self, position: int) -> np.ndarray:
        """A stored (d,) vector, as float32."""
        return self.vectors[position].astype(np.float32)

    def warm(self):
        """Bring what a search reads into memory: all but the vectors, of which it reads a few."""
        for array in self._codes:
            touch(array)

    def scan(self, query: np.ndarray, prefix: int) -> np.ndarray:
        """Approximate cosines of the first `prefix` rows with a (d,) query of length 1."""
        if not prefix:
            return np.empty(0, dtype=np.float32)
        coded, known = quantise(query[None]), self._codes
        step = -(-prefix // SCANNERS)

        def products(start: int) -> np.ndarray:
            codes = known.codes[start : min(start + step, prefix)]
            one_row = simsimd.cdist(coded.codes, codes, metric="dot", out_dtype="float32")
            return np.asarray(one_row)[0]

        # simsimd's own threads spin while one waits for the other: a fifth more processor time.
        with ThreadPoolExecutor(SCANNERS) as scanners:
            found = np.concatenate(list(scanners.map(products, range(0, prefix, step))))
        return found * (coded.scales * known.scales[:prefix])

    def nearest(
        self, query: np.ndarray, approximate: np.ndarray, blocked: np.ndarray, k: int
    ) -> Nearest:
        """The k nearest rows that are not blocked, or all if they are fewer; exact.

        query: (d,) of length 1. approximate: (prefix,) what `scan` gave. blocked: positions.
        """
        prefix = len(approximate)
        k = min(k, prefix - len(np.unique(blocked)))
        if k <= 0:
            return self._scored(query, np.empty(0, dtype=np.int64), 0)
        eligible = approximate.copy()
        eligible[blocked] = -np.inf
        # The k-th best is no worse than the worst of any k: of those that look best it is close.
        first = np.flatnonzero(eligible >= _largest(eligible, k))
        least = _largest(_products(self._rows(first), query), k) - len(query) * SLACK
        possible = eligible + self._reach(query, prefix) >= least - ROUNDING
        return self._scored(query, np.flatnonzero(possible), k)

    def _rows(self, positions: np.ndarray) -> np.ndarray:
        return self.vectors[positions].astype(np.float32)

    def _reach(self, query: np.ndarray, prefix: int) -> np.ndarray:
        """How far approximate cosines may be from true ones.

        With codes q' and v', q v - q' v' = q (v - v') + (q - q') v'.
        """
        of_rows, of_query = self._codes.errors[:prefix], quantise(query[None]).errors
        return of_rows + of_query * (LONGEST + of_rows)

    def _scored(self, query: np.ndarray, positions: np.ndarray, k: int) -> Nearest:
        vectors = self._rows(positions)
        if len(positions) > k:
            rough = _products(vectors, query)
            leading = rough >= _largest(rough, k) - len(query) * SLACK
            positions, vectors = positions[leading], vectors[leading]
        # Row by row and in float64: equal vectors have equal scores, wherever they stand.
        scores = _products(vectors.astype(np.float64), query.astype(np.float64))
        order = nearest_first(positions, scores)[:k]
        return Nearest(positions[order], scores[order], vectors[order])


def _products(vectors: np.ndarray, query: np.ndarray) -> np.ndarray:
    return np.einsum("ij,j->i", vectors, query)


def _largest(values: np.ndarray, k: int) -> float:
    """The k-th largest of at least k values."""
    return np.partition(values, len(values) - k)[len(values) - k]


class Chosen(NamedTuple):
    """Indices of the chosen candidates, each candidate's cluster, and the clusters' sizes."""

    indices: list[int]
    labels: np.ndarray
    sizes: tuple[int, ...]


def choose_from_clusters(vectors: np.ndarray, *, k: int, n: int, seed: int) -> Chosen:
    """Cluster (m, d) candidates, nearest first, and choose n of them in turn.

    Clusters are numbered in the order of their turns, from 0.
    """
    found = cluster_labels(vectors, k=k, seed=seed)
    order = {label: number for number, label in enumerate(dict.fromkeys(found.tolist()))}
    labels = np.array([order[label] for label in found.tolist()], dtype=np.int64)
    sizes = tuple(np.bincount(labels).tolist()) if len(labels) else ()
    return Chosen(clusters_in_turn(labels, n), labels, sizes)


def cluster_labels(vectors: np.ndarray, *, k: int, seed: int) -> np.ndarray:
    """The k-means cluster of each of (m, d) vectors; fewer clusters than k if m is smaller.

    On one thread, since the order of sums would else depend on the machine's load.
    """
    distinct = len({row.tobytes() for row in vectors})
    clusters = min(k, distinct)
    if clusters <= 1:
        return np.zeros(len(vectors), dtype=np.int64)
    with _threads().limit(limits=1):
        return KMeans(clusters, n_init=1, random_state=seed).fit_predict(vectors)


@cache
def _threads() -> ThreadpoolController:
    return ThreadpoolController()  # looking up the libraries takes longer than the clustering
