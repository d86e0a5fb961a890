"""The keyword part of a dictionary, whatever engine searches: which queries, and which hits.

An engine offers a search for a pair, an entity or the words of a text. It names paragraphs by
positions: of two positions the larger wins every tie (newer, then public id).
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

import numpy as np

from dictionaries.selection import Hit, best_first, best_of_each_in_turn, entity_pairs, pool

DECIMALS = 4  # of scores: engines sum in float32, in an order of their own
BOTH = 1000.0  # what a paragraph with all words of both entities gets more
PAIR_SIGN = " + "


class Search(NamedTuple):
    """One keyword query, ready to be asked.

    name: as entries show it. fetch: a limit to the scores and positions of that many best hits,
    highest score first, and fewer only where there are no more. bonus: added to each score.
    """

    name: str
    fetch: Callable[[int], tuple[Sequence[float], np.ndarray]]
    bonus: float = 0.0


class KeywordEngine(Protocol):
    """Searches among what is eligible for one query; None where nothing can be asked for."""

    def pair(self, first: str, second: str, *, both: bool) -> Search | None:
        """both: only what mentions all words of both, with BOTH as its bonus."""
        ...

    def entity(self, name: str) -> Search | None: ...

    def words(self, text: str) -> Search | None: ...


class Asked(NamedTuple):
    """A query that was asked, and its best hits."""

    name: str
    hits: list[Hit]


class KeywordPart(NamedTuple):
    """The chosen hits, best first, and all queries that were asked."""

    hits: list[Hit]
    asked: list[Asked]


def keyword_part(
    engine: KeywordEngine,
    usable: Callable[[np.ndarray], np.ndarray],
    text: str,
    entities: Sequence[str],
    *,
    n: int,
    per_pair: bool = False,
) -> KeywordPart:
    """The n best paragraphs for a text with these entities.

    Two entities or more: their pairs. Fewer: the single entity, then the text's rarest words.
    usable: of positions, which may be chosen; the others (copies) are passed over and replaced.
    """
    if n == 0:
        return KeywordPart([], [])
    if pairs := entity_pairs(entities):
        return _of_pairs(engine, usable, pairs, n, per_pair=per_pair)
    asked = [_ask(engine.entity(entity), usable, n, entity) for entity in entities]
    hits = [hit for one in asked for hit in one.hits]
    if search := engine.words(text):
        asked.append(_ask(search, usable, n + len(hits), search.name))
        hits += _new(asked[-1].hits, hits)
    return KeywordPart(hits[:n], asked)


def _of_pairs(
    engine: KeywordEngine, usable, pairs: list[tuple[str, str]], n: int, *, per_pair: bool
) -> KeywordPart:
    """Those that mention both, and only where they do not suffice all others as well."""
    select = best_of_each_in_turn if per_pair else pool

    def ask(both: bool) -> list[Asked]:
        return [
            _ask(engine.pair(*pair, both=both), usable, n, PAIR_SIGN.join(pair)) for pair in pairs
        ]

    asked = ask(both=True)
    enough = all(len(one.hits) >= n for one in asked)
    if not enough and (per_pair or len(pool([one.hits for one in asked], n)) < n):
        with_any = ask(both=False)
        asked = [
            Asked(one.name, [*one.hits, *_new(more.hits, one.hits)])
            for one, more in zip(asked, with_any, strict=True)
        ]
    return KeywordPart(select([one.hits for one in asked], n), asked)


def _ask(search: Search | None, usable, n: int, name: str) -> Asked:
    return Asked(name, best_hits(search, usable, n) if search else [])


def best_hits(search: Search, usable: Callable[[np.ndarray], np.ndarray], n: int) -> list[Hit]:
    """The n best usable hits of a search, found among all that are as good as the last of them."""
    limit = n + 8
    while True:
        scores, positions = search.fetch(limit)
        keep = usable(positions)
        hits = [
            Hit(int(position), round(float(score) + search.bonus, DECIMALS), search.name)
            for position, score, kept in zip(positions, scores, keep, strict=True)
            if kept
        ]
        if len(scores) < limit or _is_settled(hits, scores, n, search.bonus):
            return best_first(hits)[:n]
        limit *= 4


def _is_settled(hits: list[Hit], scores: Sequence[float], n: int, bonus: float) -> bool:
    """Whether the n-th usable hit is clearly better than the last that was fetched."""
    return len(hits) >= n and hits[n - 1].score - bonus > scores[-1] + 2 * 10**-DECIMALS


def _new(hits: list[Hit], known: list[Hit]) -> list[Hit]:
    positions = {hit.position for hit in known}
    return [hit for hit in hits if hit.position not in positions]
