"""The rules by which hits become a dictionary; arrays and lists in, lists out.

A paragraph is named by its position in the index: positions grow with the time, and at equal times
fall with the public id, so that of two positions the larger wins every tie (newer, then id).
"""

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

DECIMALS = 6  # scores equal to so many decimals are equal: sums differ in the last bits
COPY_LEAST_TOKENS = 12  # of shorter texts only exact copies count: one word is another fact
NO_COPY, NEAR_COPY, EXACT_COPY = 0, 1, 2
COPY_SIZE_RATIO = 0.75  # a claim within a longer paragraph is no copy of it, but its evidence


class Hit(NamedTuple):
    """A paragraph found by one keyword query."""

    position: int
    score: float
    query: str


def entity_pairs(entities: Sequence[str]) -> list[tuple[str, str]]:
    """All pairs in order of appearance: first with second, first with third, ..."""
    return list(combinations(entities, 2))


def best_first(hits: Iterable[Hit]) -> list[Hit]:
    """Hits by score, highest first; equal scores by position, highest first.

    Equal scores of one paragraph keep the order of their queries.
    """
    return sorted(hits, key=lambda hit: (-round(hit.score, DECIMALS), -hit.position))


def pool(hits_by_query: Sequence[Sequence[Hit]], n: int) -> list[Hit]:
    """The n best hits of all queries together, each paragraph once with its best query."""
    return _distinct(best_first(hit for hits in hits_by_query for hit in hits), n)


def best_of_each_in_turn(hits_by_query: Sequence[Sequence[Hit]], n: int) -> list[Hit]:
    """Of each query in turn its best paragraph that is not chosen yet, until there are n."""
    queues = [iter(best_first(hits)) for hits in hits_by_query]
    chosen: dict[int, Hit] = {}
    while queues and len(chosen) < n:
        left = []
        for queue in queues:
            hit = next((hit for hit in queue if hit.position not in chosen), None)
            if hit is None or len(chosen) == n:
                continue
            chosen[hit.position] = hit
            left.append(queue)
        queues = left
    return list(chosen.values())


def _distinct(hits: Iterable[Hit], n: int) -> list[Hit]:
    chosen: dict[int, Hit] = {}
    for hit in hits:
        if len(chosen) == n:
            break
        chosen.setdefault(hit.position, hit)
    return list(chosen.values())


def nearest_first(positions: np.ndarray, scores: np.ndarray) -> np.ndarray:
    """The order of candidates: highest score first, equal scores by position, highest first.

    positions: (n,) ints. scores: (n,) cosines with the query. Returns (n,) indices into both.
    """
    return np.lexsort((-positions, -np.round(scores.astype(np.float64), DECIMALS)))


def clusters_in_turn(labels: np.ndarray, n: int) -> list[int]:
    """Indices of the chosen: in turn from each cluster its nearest, until there are n.

    labels: (m,) the cluster of each candidate, the candidates nearest first; so the first turn is
    that of the cluster with the nearest of all. A cluster with none left is passed over.
    Source: Ullrich et al., CsFEVER and CTKFacts (2023), on dictionaries.
    """
    order = list(dict.fromkeys(labels.tolist()))
    queues = {label: iter(np.flatnonzero(labels == label).tolist()) for label in order}
    chosen: list[int] = []
    while queues and len(chosen) < n:
        for label in list(queues):
            candidate = next(queues[label], None)
            if candidate is None:
                del queues[label]
            elif len(chosen) < n:
                chosen.append(candidate)
    return chosen


def are_copies(
    query: np.ndarray,
    tokens: np.ndarray,
    lengths: np.ndarray,
    *,
    jaccard: float,
    containment: float,
) -> np.ndarray:
    """Which texts are near copies of a query: nearly the same set of words, the same numbers.

    query: sorted distinct token hashes, odd for a word with a digit. tokens: those of all texts,
        one text after the other. lengths: (n,) how many are each text's.
    Near: both have 12 words or more, and either their Jaccard index is at least `jaccard` with
    equal numbers, or the smaller is at least three quarters of the larger and `containment` of it,
    with all its numbers, is in the larger. Returns (n,) booleans.
    """
    common, common_numbers = _sums(_are_in(tokens, query), tokens, lengths)
    _, numbers = _sums(np.ones(len(tokens), dtype=bool), tokens, lengths)
    mine, my_numbers = len(query), int((query & 1).sum())
    smaller, larger = np.minimum(lengths, mine), np.maximum(lengths, mine)
    fewer_numbers = np.where(lengths <= mine, numbers, my_numbers)
    alike = common >= jaccard * (lengths + mine - common)
    alike &= (common_numbers == numbers) & (numbers == my_numbers)
    within = (common >= containment * smaller) & (smaller >= COPY_SIZE_RATIO * larger)
    within &= common_numbers == fewer_numbers
    return (alike | within) & (smaller >= COPY_LEAST_TOKENS)


def _are_in(tokens: np.ndarray, query: np.ndarray) -> np.ndarray:
    """Which tokens are in the sorted query; np.isin would sort the tokens, too, which are many."""
    if not len(query):
        return np.zeros(len(tokens), dtype=bool)
    places = np.minimum(np.searchsorted(query, tokens), len(query) - 1)
    return query[places] == tokens


def _sums(
    chosen: np.ndarray, tokens: np.ndarray, lengths: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Per text, how many tokens are chosen, and how many of those have a digit."""
    text = np.repeat(np.arange(len(lengths)), lengths)
    count = np.bincount(text[chosen], minlength=len(lengths))
    numbers = np.bincount(text[chosen & ((tokens & 1) == 1)], minlength=len(lengths))
    return count, numbers
