"""How a dictionary is put together, whatever engine finds the paragraphs.

An engine is asked for one query and answers with eligible paragraphs only: older than the as-of
date, not of the left-out article. It names them by positions, of which the larger wins every tie
(newer, then public id).
"""

from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from time import perf_counter
from typing import Protocol

import numpy as np

from dictionaries.backends.base import (
    KEYWORD,
    SEMANTIC,
    Candidate,
    Copy,
    DictionaryDetail,
    DictionaryQuery,
    DictionaryResult,
    DictionarySettings,
    Entry,
    Searched,
    SearchHit,
)
from dictionaries.backends.keyword_hits import KeywordEngine, KeywordPart, keyword_part
from dictionaries.entities import QueryEntities, query_entities
from dictionaries.selection import DECIMALS, EXACT_COPY, NO_COPY, Hit
from dictionaries.semantic import Chosen, Nearest, choose_from_clusters

SPARE = 16  # candidates beyond n_pre, so that copies can be dropped without a second search
NOTHING = Nearest(np.empty(0, np.int64), np.empty(0), np.empty((0, 0), np.float32))


class Engine(KeywordEngine, Protocol):
    """One index, asked for one query."""

    version: str
    language: str  # the query's, else the corpus'

    def vector(self) -> np.ndarray:
        """The query's (d,) vector of length 1: a stored one, or encoded."""
        ...

    def nearest(self, vector: np.ndarray, k: int) -> Nearest:
        """The k nearest eligible paragraphs, nearest first; fewer only where there are no more."""
        ...

    def copies(self, positions: np.ndarray) -> np.ndarray:
        """Of each position NO_COPY, NEAR_COPY or EXACT_COPY, of the query's text."""
        ...

    def paragraph_ids(self, positions: np.ndarray) -> np.ndarray: ...

    def excluded(self) -> dict[str, int]:
        """The counts `newer` and `same_article` of a DictionaryResult."""
        ...


def assemble(
    engine: Engine, query: DictionaryQuery, settings: DictionarySettings, *, detail: bool = False
) -> DictionaryResult:
    """The dictionary of a query. The same index, query and settings give the same one."""
    clock, copies = Clock(), Copies(engine)
    with clock.stage("entities"):
        entities = entities_of(query, settings, engine.language)

    def keyword() -> KeywordPart:
        with clock.stage("keyword"):
            return keyword_part(
                engine,
                copies.usable,
                query.text,
                entities.names,
                n=settings.n_kw,
                per_pair=settings.per_pair,
            )

    # Both wait for the engine, or for memory: beside each other they take little more than one.
    with ThreadPoolExecutor(1) as beside:
        asked = beside.submit(keyword)
        candidates = _candidates(engine, settings, copies, clock)
    part = asked.result()
    with clock.stage("cluster"):
        chosen = choose_from_clusters(
            candidates.vectors, k=settings.k, n=settings.n_sem, seed=settings.seed
        )
    return DictionaryResult(
        entries=(
            *_keyword_entries(engine, part.hits),
            *_semantic_entries(engine, candidates, chosen),
        ),
        entities=entities.names,
        excluded=engine.excluded() | {"copies": len(copies.met), "entities": entities.left_out},
        seconds=clock.seconds,
        index_version=engine.version,
        clusters=chosen.sizes,
        detail=_detail(engine, query, entities, part, candidates, chosen, copies)
        if detail
        else None,
    )


class Clock:
    """Seconds by stage; the keyword stage and those up to clusters go on beside each other."""

    def __init__(self):
        self.seconds: dict[str, float] = {}

    @contextmanager
    def stage(self, name: str):
        started = perf_counter()
        yield
        self.seconds[name] = perf_counter() - started


class Copies:
    """The copies of a query's text among positions; remembers those that were met."""

    def __init__(self, engine: Engine):
        self._engine = engine
        self.met: dict[int, int] = {}  # position to kind

    def usable(self, positions: np.ndarray) -> np.ndarray:
        kinds = self._engine.copies(positions)
        are = kinds != NO_COPY
        self.met |= dict(zip(positions[are].tolist(), kinds[are].tolist(), strict=True))
        return ~are


def entities_of(
    query: DictionaryQuery, settings: DictionarySettings, language: str
) -> QueryEntities:
    """The entities that were given, or those found in the text; at most as many as set."""
    if query.entities is None:
        return query_entities(
            query.text, language, limit=settings.max_entities, own_names=settings.own_names
        )
    given = tuple(dict.fromkeys(query.entities))
    limit = settings.max_entities
    return QueryEntities(given[:limit], past_limit=given[limit:])


def _candidates(
    engine: Engine, settings: DictionarySettings, copies: Copies, clock: Clock
) -> Nearest:
    """The n_pre nearest eligible paragraphs, copies left out and replaced."""
    if not settings.n_sem:
        return NOTHING
    with clock.stage("encode"):
        vector = engine.vector()
    with clock.stage("search"):
        wanted = settings.n_pre + SPARE
        while True:
            found = engine.nearest(vector, wanted)
            keep = np.flatnonzero(copies.usable(found.positions))
            if len(keep) >= settings.n_pre or len(found.positions) < wanted:
                first = keep[: settings.n_pre]
                return Nearest(*(part[first] for part in found))
            wanted *= 2


def _keyword_entries(engine: Engine, hits: list[Hit]) -> list[Entry]:
    return [
        Entry(hit.paragraph_id, KEYWORD, rank, hit.score, by.query)
        for rank, (hit, by) in enumerate(zip(_shown(engine, hits), hits, strict=True), start=1)
    ]


def _semantic_entries(engine: Engine, candidates: Nearest, chosen: Chosen) -> list[Entry]:
    ids = engine.paragraph_ids(candidates.positions[chosen.indices])
    return [
        Entry(
            int(paragraph),
            SEMANTIC,
            rank,
            round(float(candidates.scores[i]), DECIMALS),
            f"cluster {chosen.labels[i] + 1}",
        )
        for rank, (i, paragraph) in enumerate(zip(chosen.indices, ids, strict=True), start=1)
    ]


def _shown(engine: Engine, hits: list[Hit]) -> tuple[SearchHit, ...]:
    ids = engine.paragraph_ids(np.array([hit.position for hit in hits], dtype=np.int64))
    scores = (round(hit.score, DECIMALS) for hit in hits)
    return tuple(SearchHit(int(p), s) for p, s in zip(ids, scores, strict=True))


def _detail(
    engine: Engine,
    query: DictionaryQuery,
    entities: QueryEntities,
    part: KeywordPart,
    candidates: Nearest,
    chosen: Chosen,
    copies: Copies,
) -> DictionaryDetail:
    ids = engine.paragraph_ids(candidates.positions)
    met = np.array(sorted(copies.met), dtype=np.int64)
    kinds = (copies.met[position] for position in met.tolist())
    passed = zip(engine.paragraph_ids(met).tolist(), kinds, strict=True)
    return DictionaryDetail(
        searched=tuple(Searched(one.name, _shown(engine, one.hits)) for one in part.asked),
        candidates=tuple(
            Candidate(int(paragraph), round(float(score), DECIMALS), int(label) + 1)
            for paragraph, score, label in zip(ids, candidates.scores, chosen.labels, strict=True)
        ),
        copies=tuple(
            Copy(paragraph, kind == EXACT_COPY, query.paragraph_id)
            for paragraph, kind in sorted(passed)
        ),
        own_names=entities.own_names,
        past_limit=entities.past_limit,
    )
