"""What an embedded index answers: the parts of a dictionary, and searches."""

from typing import TYPE_CHECKING, Any

import numpy as np

from dictionaries.analysis import text_hash
from dictionaries.backends.base import (
    KEYWORD,
    SEMANTIC,
    DictionaryQuery,
    DictionarySettings,
    SearchHit,
    SearchQuery,
)
from dictionaries.backends.keyword_hits import best_hits
from dictionaries.selection import DECIMALS
from dictionaries.semantic import Nearest

if TYPE_CHECKING:
    from dictionaries.backends.embedded import EmbeddedIndex


class EmbeddedQuery:
    """An embedded index, asked for one query; an `assembling.Engine`."""

    def __init__(
        self, index: "EmbeddedIndex", query: DictionaryQuery, settings: DictionarySettings
    ):
        self.version, self.language = index.version, query.language or index.language
        self._index, self._query, self._rows = index, query, index.rows
        self._limits = {
            "jaccard": settings.copy_jaccard,
            "containment": settings.copy_containment,
        }
        self._prefix = index.rows.prefix(query.as_of)
        self._blocked = index.rows.of_article(query.left_out_article, self._prefix)
        self._approximate: Any = None
        search = index.keyword_search(self.language, query.as_of, query.left_out_article)
        self.pair, self.entity, self.words = search.pair, search.entity, search.words

    def vector(self) -> np.ndarray:
        position = self._stored()
        if position is not None:
            return self._index.semantic.vector(position)
        return self._index.encode(self._query.text)

    def _stored(self) -> int | None:
        """Where the query's text stands in the index, if it is its paragraph or its article's."""
        known = self._rows.of_article(self._query.left_out_article, len(self._rows))
        if self._query.paragraph_id is not None:
            known = np.append(self._rows.positions([self._query.paragraph_id]), known)
            known = known[known >= 0]
        same = self._rows.values("content", known) == np.uint64(text_hash(self._query.text))
        return int(known[same][0]) if same.any() else None

    def nearest(self, vector: np.ndarray, k: int) -> Nearest:
        if self._approximate is None:
            self._approximate = self._index.semantic.scan(vector, self._prefix)
        return self._index.semantic.nearest(vector, self._approximate, self._blocked, k)

    def copies(self, positions: np.ndarray) -> np.ndarray:
        return self._rows.copies_of(self._query.text, positions, **self._limits)

    def paragraph_ids(self, positions: np.ndarray) -> np.ndarray:
        return self._rows.values("paragraph", positions)

    def excluded(self) -> dict[str, int]:
        newer = len(self._rows) - self._prefix
        return {"newer": newer, "same_article": len(self._blocked)}


def search_index(index: "EmbeddedIndex", query: SearchQuery, method: str) -> list[SearchHit]:
    """See `base.Index.search`."""
    if method == KEYWORD:
        hits = _keyword_search(index, query)
    elif method == SEMANTIC:
        hits = _semantic_search(index, query)
    else:
        raise ValueError(f"the method is {method!r}; use {KEYWORD} or {SEMANTIC}")
    ids = index.rows.values("paragraph", np.array([p for p, _ in hits], dtype=np.int64))
    scores = (round(float(score), DECIMALS) for _, score in hits)
    return [SearchHit(int(p), score) for p, score in zip(ids, scores, strict=True)]


def _keyword_search(index: "EmbeddedIndex", query: SearchQuery) -> list[tuple[int, float]]:
    language = query.language or index.language
    search = index.keyword_search(language, query.before, query.left_out_article)
    asked = search.entity(query.text)
    hits = best_hits(asked, lambda p: np.ones(len(p), dtype=bool), query.limit) if asked else []
    return [(hit.position, hit.score) for hit in hits]


def _semantic_search(index: "EmbeddedIndex", query: SearchQuery) -> list[tuple[int, float]]:
    vector = index.encode(query.text)
    prefix = index.rows.prefix(query.before)
    blocked = index.rows.of_article(query.left_out_article, prefix)
    approximate: Any = index.semantic.scan(vector, prefix)
    found = index.semantic.nearest(vector, approximate, blocked, query.limit)
    return list(zip(found.positions.tolist(), found.scores.tolist(), strict=True))
