"""A Milvus index, asked for one query: what `assembling` and searches need of an engine."""

from collections.abc import Sequence

import numpy as np

from dictionaries.analysis import WORD, Analyser, Term, analyser_for, text_hash
from dictionaries.backends.base import DictionaryQuery, DictionarySettings
from dictionaries.backends.keyword_hits import BOTH, PAIR_SIGN, Search
from dictionaries.backends.milvus.collection import MOST_HITS, EngineError
from dictionaries.backends.milvus.terms import needed
from dictionaries.keyword import PLAIN_TERMS
from dictionaries.selection import nearest_first
from dictionaries.semantic import ROUNDING, Nearest

SPARE = 16  # hits beyond those asked for, among which ties at the end are told


class MilvusQuery:
    """An `assembling.Engine` over a collection and the rows beside it.

    Milvus ranks in float32; what it finds is scored again from what it stores, so that equal
    paragraphs have equal scores. Every answer is held against the number of eligible paragraphs:
    one that is too short raises EngineError.
    """

    def __init__(self, index, query: DictionaryQuery, settings: DictionarySettings):
        self.version, self.language = index.version, query.language or index.language
        self._index, self._query, self._rows = index, query, index.rows
        self._collection, self._statistics = index.collection, index.statistics
        self._analyser: Analyser = analyser_for(self.language)
        self._limits = {
            "jaccard": settings.copy_jaccard,
            "containment": settings.copy_containment,
        }
        self._prefix = self._rows.prefix(query.as_of)
        self._blocked = self._rows.of_article(query.left_out_article, self._prefix)
        self._scope = scope_of(query)

    # the keyword part

    def pair(self, first: str, second: str, *, both: bool) -> Search | None:
        terms = [self._analyser.terms(entity) for entity in (first, second)]
        if not all(terms):
            return None
        weights = _sum([self._statistics.weights(entity) for entity in terms])
        scope = self._scope
        if both:
            scope = [*scope, f"array_contains_all(words, {needed([*terms[0], *terms[1]])})"]
        return self._search(weights, PAIR_SIGN.join((first, second)), scope, BOTH if both else 0.0)

    def entity(self, name: str) -> Search | None:
        terms = self._analyser.terms(name)
        return self._search(self._statistics.weights(terms), name, self._scope) if terms else None

    def words(self, text: str) -> Search | None:
        found = self._rarest_words(text)
        if not found:
            return None
        weights = _sum([self._statistics.weights([term]) for _, term in found])
        return self._search(weights, " ".join(word for word, _ in found), self._scope)

    def _rarest_words(self, text: str) -> list[tuple[str, Term]]:
        """The text's words that the corpus has, the rarest few, in order, as they are written."""
        written: dict[str, tuple[str, Term]] = {}
        for word in WORD.findall(text):
            for term in self._analyser.terms(word):
                written.setdefault(term.canonical, (word, term))
        counts = {name: self._statistics.canonical(name) for name in written}
        known = sorted((name for name in written if counts[name]), key=lambda c: (counts[c], c))
        chosen = set(known[:PLAIN_TERMS])
        return [found for name, found in written.items() if name in chosen]

    def _search(
        self, weights: dict[int, float], name: str, scope: list[str], bonus: float = 0.0
    ) -> Search | None:
        if not weights:
            return None

        def fetch(limit: int) -> tuple[Sequence[float], np.ndarray]:
            return self._by_terms(weights, min(limit, MOST_HITS), scope)

        return Search(name, fetch, bonus)

    def _by_terms(
        self, weights: dict[int, float], limit: int, scope: list[str]
    ) -> tuple[Sequence[float], np.ndarray]:
        found = self._collection.by_terms(weights, limit, " and ".join(scope))
        if len(found.ids) < limit:
            any_of = f"array_contains_any(words, {sorted(weights)})"
            eligible = self._collection.count(" and ".join([*scope, any_of]))
            _refuse_short(len(found.ids), min(limit, eligible))
        scores = np.array([_product(weights, terms) for terms in found.stored])
        order = np.argsort(-scores, kind="stable")
        return scores[order].tolist(), self._positions(found.ids)[order]

    # the semantic part

    def vector(self) -> np.ndarray:
        position = self._stored()
        if position is None:
            return self._index.encode(self._query.text)
        return self._collection.vector(int(self._rows.columns["paragraph"][position]))

    def _stored(self) -> int | None:
        """Where the query's text stands in the index, if it is its paragraph or its article's."""
        known = self._rows.of_article(self._query.left_out_article, len(self._rows))
        if self._query.paragraph_id is not None:
            known = np.append(self._rows.positions([self._query.paragraph_id]), known)
        known = known[known >= 0]
        same = self._rows.columns["content"][known] == np.uint64(text_hash(self._query.text))
        return int(known[same][0]) if same.any() else None

    def nearest(self, vector: np.ndarray, k: int) -> Nearest:
        eligible = self._prefix - len(self._blocked)
        wanted = min(k, eligible, MOST_HITS)
        asked = min(wanted + SPARE, eligible, MOST_HITS)
        while True:
            found, least = self._nearest(vector, asked)
            first = Nearest(*(part[:wanted] for part in found))
            settled = asked == min(eligible, MOST_HITS)
            if settled or first.scores[-1] > least + ROUNDING:
                return first
            asked = min(asked * 2, eligible, MOST_HITS)

    def _nearest(self, vector: np.ndarray, asked: int) -> tuple[Nearest, float]:
        """The nearest by their exact scores, and the least score by Milvus."""
        if not asked:
            empty = np.empty((0, len(vector)), np.float32)
            return Nearest(np.empty(0, np.int64), np.empty(0), empty), 0.0
        found = self._collection.nearest(vector, asked, " and ".join(self._scope))
        _refuse_short(len(found.ids), asked)
        positions = self._positions(found.ids)
        # Row by row and in float64: equal vectors have equal scores.
        scores = np.einsum("ij,j->i", found.stored.astype(np.float64), vector.astype(np.float64))
        order = nearest_first(positions, scores)
        return Nearest(positions[order], scores[order], found.stored[order]), min(found.scores)

    # what is known of positions

    def copies(self, positions: np.ndarray) -> np.ndarray:
        return self._rows.copies_of(self._query.text, positions, **self._limits)

    def paragraph_ids(self, positions: np.ndarray) -> np.ndarray:
        return self._rows.columns["paragraph"][positions]

    def excluded(self) -> dict[str, int]:
        newer = len(self._rows) - self._prefix
        return {"newer": newer, "same_article": len(self._blocked)}

    def _positions(self, ids: list[int]) -> np.ndarray:
        """Where hits stand; an answer with one that is not eligible is refused."""
        positions = self._rows.positions(ids)
        wrong = (positions < 0) | (positions >= self._prefix) | np.isin(positions, self._blocked)
        if wrong.any():
            raise EngineError(f"Milvus gave {int(wrong.sum())} hits that are not eligible")
        return positions


def scope_of(query: DictionaryQuery) -> list[str]:
    """What is eligible, as conditions of Milvus."""
    conditions = []
    if query.as_of is not None:
        conditions.append(f"available_at < {query.as_of}")
    if query.left_out_article is not None:
        conditions.append(f"article != {query.left_out_article}")
    return conditions


def _refuse_short(hits: int, expected: int):
    if hits != expected:
        raise EngineError(f"Milvus gave {hits} hits where {expected} are eligible")


def _sum(vectors: list[dict[int, float]]) -> dict[int, float]:
    total: dict[int, float] = {}
    for vector in vectors:
        for dimension, weight in vector.items():
            total[dimension] = total.get(dimension, 0.0) + weight
    return total


def _product(weights: dict[int, float], terms: dict[int, float]) -> float:
    """In the order of the query's dimensions: equal paragraphs have equal sums."""
    return sum(weight * terms.get(dimension, 0.0) for dimension, weight in weights.items())
