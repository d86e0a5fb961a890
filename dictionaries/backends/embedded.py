"""The embedded backend: files under a data directory, mapped into memory; no service to run."""

import os
from collections.abc import Iterable
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from time import perf_counter

import numpy as np

from dictionaries.analysis import analyser_for, text_hash
from dictionaries.backends.base import (
    KEYWORD,
    SEMANTIC,
    BuildReport,
    DictionaryQuery,
    DictionaryResult,
    DictionarySettings,
    Entry,
    IndexCheck,
    IndexRow,
    IndexSettings,
    IndexUnavailable,
    Progress,
)
from dictionaries.backends.building import build_index
from dictionaries.backends.rows import RowTable
from dictionaries.backends.versions import (
    corpus_folder,
    current_version,
    hold_current,
    read_manifest,
    unavailable,
)
from dictionaries.encoders import USE, Encoder, UseEncoder, load_svd, use_version
from dictionaries.entities import QueryEntities, query_entities
from dictionaries.keyword import KeywordIndex, KeywordSearch
from dictionaries.selection import DECIMALS, Hit
from dictionaries.semantic import Nearest, SemanticIndex, choose_from_clusters, unit

SPARE = 16  # candidates beyond n_pre, so that copies can be dropped without a second search


class EmbeddedBackend:
    """Indexes in files under a data directory; open ones are kept until they are replaced."""

    def __init__(self, data_dir: Path):
        self._data_dir = Path(data_dir)
        self._open: dict[str, EmbeddedIndex] = {}
        self._lock = Lock()

    def build(
        self,
        corpus: str,
        rows: Iterable[IndexRow],
        settings: IndexSettings,
        *,
        progress: Progress | None = None,
        rebuild: bool = False,
    ) -> BuildReport:
        """See `building.build_index`."""
        return build_index(
            self._data_dir, corpus, rows, settings, progress=progress, rebuild=rebuild
        )

    def open(self, corpus: str) -> "EmbeddedIndex":
        """The current index of a corpus, verified when this process opens it first.

        Raises IndexUnavailable where it is missing, half or harmed.
        """
        folder = corpus_folder(self._data_dir, corpus)
        with self._lock:
            known = self._open.get(corpus)
            if known is None or known.version != current_version(folder):
                known = self._open[corpus] = EmbeddedIndex(folder)
            return known

    def check(self, corpus: str, rows: Iterable[IndexRow]) -> IndexCheck:
        """Hold the index against the rows it should have, reading all files through."""
        return check_index(self._data_dir, corpus, rows)


class EmbeddedIndex:
    """An open version of an index. It stays readable after a newer one is current, until closed."""

    def __init__(self, folder: Path, *, checksums: bool = True):
        self._folder = folder
        self.version, self._hold = hold_current(folder)
        try:
            self._load(folder / self.version, checksums=checksums)
        except BaseException:
            self.close()
            raise

    def _load(self, path: Path, *, checksums: bool):
        manifest = read_manifest(self._folder, self.version, checksums=checksums)
        self._path, self._about = path, manifest["encoder"]
        self._encoder: Encoder | None = None
        self.language = manifest["analyser"]["language"]
        self.paragraphs = manifest["paragraphs"]
        try:
            self.rows = RowTable.load(path / "rows")
            self.keyword = KeywordIndex(path / "keyword")
            self.semantic = SemanticIndex(path / "semantic")
        except (OSError, ValueError) as error:
            raise unavailable(self._folder, f"a part cannot be opened ({error})") from error
        counts = {len(self.rows), self.keyword.paragraphs, self.semantic.shape[0]}
        if counts != {self.paragraphs}:
            raise unavailable(self._folder, f"its parts have {sorted(counts)} paragraphs")

    def encoder(self) -> Encoder:
        """The encoder that made the index' vectors, loaded on first use.

        Raises IndexUnavailable where this installation has another version of it.
        """
        if self._encoder is None:
            self._encoder = self._load_encoder()
        return self._encoder

    def _load_encoder(self) -> Encoder:
        if self._about["name"] != USE:
            return load_svd(self._path / "encoder")
        if self._about["version"] != use_version():
            reason = f"its vectors come from {self._about['version']}, here is {use_version()}"
            raise unavailable(self._folder, reason)
        return UseEncoder()

    def retrieve(self, query: DictionaryQuery, settings: DictionarySettings) -> DictionaryResult:
        return retrieve(self, query, settings)

    def close(self):
        """Let the version be removed once it is not current."""
        if self._hold is not None:
            os.close(self._hold)
            self._hold = None

    def __del__(self):
        # When the process ends, modules go before their objects, and the system closes the file.
        if os is not None and getattr(self, "_hold", None) is not None:
            self.close()


def check_index(data_dir: Path, corpus: str, rows: Iterable[IndexRow]) -> IndexCheck:
    """Compare the current index with the rows it should have.

    Raises IndexUnavailable where there is none that can be read at all.
    """
    folder = corpus_folder(data_dir, corpus)
    index = EmbeddedIndex(folder, checksums=False)
    expected = {
        row.paragraph_id: (row.article_id, row.available_at, text_hash(row.text)) for row in rows
    }
    columns = index.rows.columns
    names = ("paragraph", "article", "available_at", "content")
    indexed = {row[0]: row[1:] for row in zip(*(columns[n].tolist() for n in names), strict=True)}
    both = expected.keys() & indexed.keys()
    return IndexCheck(
        paragraphs=len(expected),
        indexed=len(indexed),
        missing=tuple(sorted(expected.keys() - indexed.keys())),
        extra=tuple(sorted(indexed.keys() - expected.keys())),
        changed=tuple(sorted(key for key in both if expected[key] != indexed[key])),
        checksum_ok=_is_whole(folder, index.version),
    )


def _is_whole(folder: Path, version: str) -> bool:
    try:
        read_manifest(folder, version)
    except IndexUnavailable:
        return False
    return True


class _Clock:
    """Seconds by stage."""

    def __init__(self):
        self.seconds: dict[str, float] = {}

    @contextmanager
    def stage(self, name: str):
        started = perf_counter()
        yield
        self.seconds[name] = perf_counter() - started


class _Copies:
    """The copies of a text among positions; remembers those it met."""

    def __init__(self, rows: RowTable, text: str, settings: DictionarySettings):
        self._rows, self._text = rows, text
        self._limits = {
            "jaccard": settings.copy_jaccard,
            "containment": settings.copy_containment,
        }
        self.met: set[int] = set()

    def usable(self, positions: np.ndarray) -> np.ndarray:
        copies = self._rows.copies_of(self._text, positions, **self._limits)
        self.met |= set(positions[copies].tolist())
        return ~copies


def retrieve(
    index: EmbeddedIndex, query: DictionaryQuery, settings: DictionarySettings
) -> DictionaryResult:
    """The dictionary of a query. The same index, query and settings give the same one."""
    clock, language = _Clock(), query.language or index.language
    copies = _Copies(index.rows, query.text, settings)
    prefix = index.rows.prefix(query.as_of)
    with clock.stage("entities"):
        entities = _entities(query, settings, language)
    with clock.stage("keyword"):
        hits = _keyword_hits(index, query, settings, entities.names, copies, language)
    candidates = _candidates(index, query, settings, prefix, copies, clock)
    with clock.stage("cluster"):
        chosen = choose_from_clusters(
            candidates.vectors, k=settings.k, n=settings.n_sem, seed=settings.seed
        )
    ids = index.rows.columns["paragraph"]
    excluded = {
        "newer": len(index.rows) - prefix,
        "same_article": len(index.rows.of_article(query.left_out_article, prefix)),
        "copies": len(copies.met),
        "entities": entities.left_out,
    }
    return DictionaryResult(
        entries=(*_keyword_entries(hits, ids), *_semantic_entries(candidates, chosen, ids)),
        entities=entities.names,
        excluded=excluded,
        seconds=clock.seconds,
        index_version=index.version,
        clusters=chosen.sizes,
    )


def _entities(query: DictionaryQuery, settings: DictionarySettings, language: str) -> QueryEntities:
    if query.entities is None:
        return query_entities(
            query.text, language, limit=settings.max_entities, own_names=settings.own_names
        )
    given = tuple(dict.fromkeys(query.entities))
    kept = given[: settings.max_entities]
    return QueryEntities(kept, len(given) - len(kept))


def _keyword_hits(
    index: EmbeddedIndex,
    query: DictionaryQuery,
    settings: DictionarySettings,
    entities: tuple[str, ...],
    copies: _Copies,
    language: str,
) -> list[Hit]:
    search = KeywordSearch(
        index.keyword,
        analyser_for(language),
        before=query.as_of,
        left_out_article=query.left_out_article,
        positions=index.rows.positions,
        usable=copies.usable,
    )
    return search.retrieve(query.text, entities, settings.n_kw, per_pair=settings.per_pair)


def _candidates(
    index: EmbeddedIndex,
    query: DictionaryQuery,
    settings: DictionarySettings,
    prefix: int,
    copies: _Copies,
    clock: _Clock,
) -> Nearest:
    """The n_pre nearest eligible paragraphs, copies left out and replaced."""
    if not settings.n_sem:
        return Nearest(*(np.empty(0, dtype=np.int64),) * 3)
    with clock.stage("encode"):
        vector = unit(index.encoder().encode([query.text]))[0]
    with clock.stage("search"):
        approximate = index.semantic.scan(vector, prefix)
        blocked = index.rows.of_article(query.left_out_article, prefix)
        wanted = settings.n_pre + SPARE
        while True:
            found = index.semantic.nearest(vector, approximate, blocked, wanted)
            keep = np.flatnonzero(copies.usable(found.positions))
            if len(keep) >= settings.n_pre or len(found.positions) < wanted:
                first = keep[: settings.n_pre]
                return Nearest(*(part[first] for part in found))
            wanted *= 2


def _keyword_entries(hits: list[Hit], ids: np.ndarray) -> list[Entry]:
    return [
        Entry(int(ids[hit.position]), KEYWORD, rank, round(hit.score, DECIMALS), hit.query)
        for rank, hit in enumerate(hits, start=1)
    ]


def _semantic_entries(candidates: Nearest, chosen, ids: np.ndarray) -> list[Entry]:
    return [
        Entry(
            int(ids[candidates.positions[i]]),
            SEMANTIC,
            rank,
            round(float(candidates.scores[i]), DECIMALS),
            f"cluster {chosen.labels[i] + 1}",
        )
        for rank, i in enumerate(chosen.indices, start=1)
    ]
