"""Vectors of words from their characters, fitted on a corpus; a text is the sum of its words.

A word's features are its n-grams of 3 to 5 characters, its edges marked; a feature weighs its count
times its inverse document frequency. Both the weights and the projection on the leading singular
vectors are linear, so each word has a vector, computed once: a text adds (1 + ln count) of each.
"""

import hashlib
import io
from collections import Counter
from functools import lru_cache
from pathlib import Path

import numpy as np
from scipy import sparse
from sklearn.utils.extmath import randomized_svd
from threadpoolctl import ThreadpoolController

from dictionaries.analysis import WORD

SIZES = (3, 4, 5)
FEATURES = 20_000
DIMENSIONS = 256
SMALL = 400  # up to so many texts the decomposition is exact
SEED = 0


def text_words(text: str) -> list[str]:
    return [word.casefold() for word in WORD.findall(text)]


@lru_cache(maxsize=200_000)
def features(word: str) -> tuple[str, ...]:
    """The n-grams of a word with its edges; of a very short word the whole."""
    edged = f" {word[:40]} "
    grams = [edged[i : i + n] for n in SIZES for i in range(len(edged) - n + 1)]
    return tuple(grams) or (edged,)


class NgramVectors:
    """A vector per n-gram; encodes texts."""

    def __init__(self, grams: list[str], vectors: np.ndarray):
        self._grams, self._vectors = grams, vectors
        self._index = {gram: row for row, gram in enumerate(grams)}
        self._word = lru_cache(maxsize=200_000)(self._word_vector)

    @property
    def dimensions(self) -> int:
        return self._vectors.shape[1]

    def encode(self, texts: list[str]) -> np.ndarray:
        """(n, d) float32 of length 1, or 0 where nothing of a text is known."""
        counts = [Counter(text_words(text)) for text in texts]
        words = {word: i for i, word in enumerate(sorted({w for c in counts for w in c}))}
        if not words:
            return np.zeros((len(texts), self.dimensions), dtype=np.float32)
        vectors = np.stack([self._word(word) for word in words])
        out = (_in_texts(counts, words) @ vectors).astype(np.float32)
        norms = np.linalg.norm(out, axis=1, keepdims=True)
        return out / np.where(norms > 0, norms, 1)

    def _word_vector(self, word: str) -> np.ndarray:
        rows = [self._index[gram] for gram in features(word) if gram in self._index]
        return self._vectors[rows].sum(axis=0, dtype=np.float32)

    def save(self, folder: Path) -> str:
        """Write to a folder without pickling; returns 16 digits of the file's SHA-256."""
        buffer = io.BytesIO()
        joined = np.frombuffer("\n".join(self._grams).encode(), dtype=np.uint8)
        np.savez(buffer, grams=joined, vectors=self._vectors)
        (folder / "ngrams.npz").write_bytes(buffer.getvalue())
        return hashlib.sha256(buffer.getvalue()).hexdigest()[:16]


def load_vectors(folder: Path) -> NgramVectors:
    with np.load(folder / "ngrams.npz", allow_pickle=False) as stored:
        text = stored["grams"].tobytes().decode()
        return NgramVectors(text.split("\n") if text else [], stored["vectors"])


def fit_vectors(texts: list[str]) -> NgramVectors:
    """Fit on texts; deterministic. Of no texts, vectors of one dimension that know nothing."""
    counts = [Counter(text_words(text)) for text in texts]
    grams, frequencies = _vocabulary(counts)
    if not grams:
        return NgramVectors([], np.zeros((0, 1), dtype=np.float32))
    idf = np.log((1 + len(texts)) / (1 + frequencies)) + 1
    weighted = _word_counts(counts, grams) @ sparse.diags_array(idf)
    norms = sparse.linalg.norm(weighted, axis=1)
    weighted = sparse.diags_array(1 / np.where(norms > 0, norms, 1)) @ weighted
    directions = _leading_directions(sparse.csr_array(weighted))
    return NgramVectors(grams, (idf[:, None] * directions.T).astype(np.float32))


def _vocabulary(counts: list[Counter]) -> tuple[list[str], np.ndarray]:
    """The n-grams in most texts, and in how many; those of a single text only if texts are few."""
    seen: Counter = Counter()
    for words in counts:
        seen.update({gram for word in words for gram in features(word)})
    least = 2 if len(counts) > 50 else 1
    kept = sorted((g for g in seen if seen[g] >= least), key=lambda g: (-seen[g], g))[:FEATURES]
    return kept, np.array([seen[gram] for gram in kept], dtype=np.float64)


def _word_counts(counts: list[Counter], grams: list[str]) -> sparse.csr_array:
    """(texts, n-grams): the sum over a text's words, each weighing 1 + ln of its count."""
    index = {gram: column for column, gram in enumerate(grams)}
    words = {word: row for row, word in enumerate(sorted({w for c in counts for w in c}))}
    in_words = _sparse(
        ((row, index[g], 1.0) for w, row in words.items() for g in features(w) if g in index),
        (len(words), len(grams)),
    )
    return _in_texts(counts, words) @ in_words


def _in_texts(counts: list[Counter], words: dict[str, int]) -> sparse.csr_array:
    """(texts, words): 1 + ln of how often a word stands in a text."""
    return _sparse(
        ((row, words[w], 1 + np.log(n)) for row, c in enumerate(counts) for w, n in c.items()),
        (len(counts), len(words)),
    )


def _sparse(cells, shape: tuple[int, int]) -> sparse.csr_array:
    rows, columns, values = (np.array(part) for part in zip(*cells, strict=True))
    return sparse.csr_array((values, (rows, columns)), shape=shape, dtype=np.float64)


def _leading_directions(matrix: sparse.csr_array) -> np.ndarray:
    """(d, n-grams): the right singular vectors of the largest singular values."""
    size = min(DIMENSIONS, *matrix.shape)
    if matrix.shape[0] <= SMALL:
        return np.linalg.svd(matrix.toarray(), full_matrices=False)[2][:size]
    with ThreadpoolController().limit(limits=1, user_api="blas"):  # several would only wait
        return randomized_svd(matrix, size, n_iter=3, random_state=SEED)[2]
