"""DrQA's document scorer, exact, for reproduction: hashed unigrams and bigrams, TF-IDF, no length.

The keyword part of dictionaries is BM25 (`keyword.py`). CTKFacts was made with this scorer, which
is kept so that the two can be compared on corpora of up to about 100,000 paragraphs: it reads all
texts anew and keeps their n-grams in memory. Stop words are the project's lists, not DrQA's.

Source: Chen, Fisch, Weston and Bordes, "Reading Wikipedia to answer open-domain questions" (ACL
2017), section 3.1, and the script of that paper's authors.
"""

from collections.abc import Iterable
from typing import NamedTuple
from unicodedata import normalize

import numpy as np
import regex
from scipy.sparse import csc_array
from sklearn.utils import murmurhash3_32

from dictionaries.selection import nearest_first

BUCKETS = 2**24
LONGEST_NGRAM = 2
MOST_PARAGRAPHS = 100_000
TOKEN = regex.compile(r"[\p{L}\p{N}\p{M}]+|[^\p{Z}\p{C}]")  # with \p{M}, else NFD splits "čtvrť"
PUNCTUATION = regex.compile(r"\p{P}+")


class Counts(NamedTuple):
    """How often a text has the n-grams of each bucket; buckets rise."""

    buckets: np.ndarray
    counts: np.ndarray


def ngrams(text: str, stop_words: frozenset[str] = frozenset()) -> list[str]:
    """The unigrams and bigrams of a text, decomposed (NFD) and in lower case.

    One that holds a stop word (of a decomposed list) or punctuation is dropped, and none is made
    across the gap.
    """
    tokens = [token.lower() for token in TOKEN.findall(normalize("NFD", text))]
    dropped = [token in stop_words or bool(PUNCTUATION.fullmatch(token)) for token in tokens]
    return [
        " ".join(tokens[start:end])
        for start in range(len(tokens))
        for end in range(start + 1, min(start + LONGEST_NGRAM, len(tokens)) + 1)
        if not any(dropped[start:end])
    ]


def bucket(ngram: str) -> int:
    """The bucket of an n-gram: unsigned 32-bit murmur3 of its UTF-8, modulo 2^24."""
    return murmurhash3_32(ngram, positive=True) % BUCKETS


def inverse_frequency(documents: int, frequencies: np.ndarray) -> np.ndarray:
    """max(0, ln((N - n + 0.5) / (n + 0.5))): 0 for what half of the documents hold, or more.

    documents: N. frequencies: n, the number of documents that hold each n-gram.
    """
    return np.maximum(0, np.log((documents - frequencies + 0.5) / (frequencies + 0.5)))


class DrqaScorer:
    """The texts of a corpus, to be scored; a text is named by its place."""

    def __init__(self, texts: Iterable[str], stop_words: Iterable[str] = ()):
        self._stop_words = frozenset(normalize("NFD", word) for word in stop_words)
        counted = [self._counts(text) for text in texts]
        lengths = [len(one.buckets) for one in counted]
        self._buckets, columns = np.unique(
            np.concatenate([*(one.buckets for one in counted), np.empty(0, dtype=np.int64)]),
            return_inverse=True,
        )
        rows = np.repeat(np.arange(len(counted)), lengths)
        frequencies = np.bincount(columns, minlength=len(self._buckets))
        self._idf = inverse_frequency(len(counted), frequencies)
        weights = np.log1p(np.concatenate([*(one.counts for one in counted), np.empty(0)]))
        shape = (len(counted), len(self._buckets))
        self._weights = csc_array((weights, (rows, columns)), shape=shape)

    def __len__(self) -> int:
        return self._weights.shape[0]

    def _counts(self, text: str) -> Counts:
        hashed = [bucket(ngram) for ngram in ngrams(text, self._stop_words)]
        return Counts(*np.unique(np.array(hashed, dtype=np.int64), return_counts=True))

    def scores(self, query: str) -> np.ndarray:
        """(n,) each text's sum of ln(1 + tf in query) * ln(1 + tf in text) * idf^2, 0 or more."""
        asked = self._counts(query)
        columns = np.searchsorted(self._buckets, asked.buckets)
        known = np.flatnonzero(columns < len(self._buckets))
        known = known[self._buckets[columns[known]] == asked.buckets[known]]
        columns = columns[known]
        weights = np.log1p(asked.counts[known]) * self._idf[columns] ** 2
        return self._weights[:, columns] @ weights

    def best(self, query: str, n: int, *, eligible: np.ndarray) -> list[tuple[int, float]]:
        """The n best places and their scores, of those eligible that share an n-gram.

        eligible: (n_texts,) booleans. Equal scores: the larger place first.
        """
        scores = self.scores(query)
        places = np.flatnonzero(eligible & (scores > 0))
        order = nearest_first(places, scores[places])[:n]
        return [(int(place), float(scores[place])) for place in places[order]]
