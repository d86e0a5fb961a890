"""An open Milvus index: the files of a version, and its collection."""

from collections.abc import Iterable
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from pymilvus import MilvusClient

from dictionaries.analysis import text_hash
from dictionaries.backends.assembling import assemble
from dictionaries.backends.base import (
    KEYWORD,
    SEMANTIC,
    DictionaryQuery,
    DictionaryResult,
    DictionarySettings,
    IndexCheck,
    IndexRow,
    IndexUnavailable,
    Method,
    SearchHit,
    SearchQuery,
)
from dictionaries.backends.keyword_hits import best_hits
from dictionaries.backends.milvus.building import collection_name
from dictionaries.backends.milvus.collection import Collection, EngineError
from dictionaries.backends.milvus.encoding import encoder_to_ask
from dictionaries.backends.milvus.querying import MilvusQuery
from dictionaries.backends.milvus.terms import Statistics
from dictionaries.backends.rows import RowTable
from dictionaries.backends.versions import (
    HeldVersion,
    is_whole,
    read_manifest,
    refuse_other_rules,
)
from dictionaries.encoders import Encoder
from dictionaries.selection import DECIMALS
from dictionaries.semantic import unit


@contextmanager
def engine_trouble(folder: Path):
    """What Milvus refuses, as an index that cannot be used."""
    try:
        yield
    except EngineError as error:
        raise IndexUnavailable(
            f"The index of {folder.name} cannot be used: {error}. See that Milvus runs; if it"
            f" does, build the index again with build_index {folder.name} --rebuild."
        ) from error


class MilvusIndex(HeldVersion):
    """An open version. It stays readable after a newer one is current, until closed.

    whole: refuse a collection that has more or fewer paragraphs than the files beside it.
    """

    def __init__(self, folder: Path, client: MilvusClient, prefix: str, *, whole: bool = True):
        super().__init__(folder)
        try:
            self._load(folder / self.version, client, prefix)
            if whole:
                self._refuse_part()
        except BaseException:
            self.close()
            raise

    def _load(self, path: Path, client: MilvusClient, prefix: str):
        manifest = read_manifest(self._folder, self.version, checksums=False)
        self._path, self._about = path, manifest["encoder"]
        self._encoder: Encoder | None = None
        refuse_other_rules(self._folder, manifest)
        self.language = manifest["analyser"]["language"]
        self.paragraphs, self.model = manifest["paragraphs"], self._about["name"]
        self.rows = RowTable.load(path / "rows")
        self.statistics = Statistics.load(
            path / "terms", paragraphs=self.paragraphs, mean_length=manifest["mean_length"]
        )
        name = collection_name(prefix, self.version)
        self.collection = Collection(client, name, self._about["dimensions"])
        with engine_trouble(self._folder):
            self.collection.load()

    def _refuse_part(self):
        with engine_trouble(self._folder):
            if (found := self.collection.count()) != self.paragraphs:
                raise EngineError(f"Milvus has {found} of its {self.paragraphs} paragraphs")

    def warm(self):
        read_manifest(self._folder, self.version)
        self.rows.warm()

    def encoder(self) -> Encoder:
        """The encoder that made the index' vectors, loaded on first use.

        Raises IndexUnavailable where this installation has another version of it.
        """
        if self._encoder is None:
            self._encoder = encoder_to_ask(self._about, self._folder, self._path / "encoder")
        return self._encoder

    def encode(self, text: str) -> np.ndarray:
        """The (d,) vector of a text, rounded as stored ones are: the same text, the same vector."""
        vector = unit(self.encoder().encode([text]))[0]
        return vector.astype(np.float16).astype(np.float32)

    def retrieve(
        self, query: DictionaryQuery, settings: DictionarySettings, *, detail: bool = False
    ) -> DictionaryResult:
        with engine_trouble(self._folder):
            return assemble(MilvusQuery(self, query, settings), query, settings, detail=detail)

    def search(self, query: SearchQuery, method: Method = KEYWORD) -> list[SearchHit]:
        """See `base.Index.search`."""
        if method not in (KEYWORD, SEMANTIC):
            raise ValueError(f"the method is {method!r}; use {KEYWORD} or {SEMANTIC}")
        asked = DictionaryQuery(query.text, query.before, query.left_out_article, query.language)
        with engine_trouble(self._folder):
            engine = MilvusQuery(self, asked, DictionarySettings())
            hits = _by_words if method == KEYWORD else _by_meaning
            positions, scores = hits(engine, self, query)
        ids = engine.paragraph_ids(np.array(positions, dtype=np.int64)).tolist()
        scores = [round(float(score), DECIMALS) for score in scores]
        return [SearchHit(*hit) for hit in zip(ids, scores, strict=True)]


def _by_words(engine: MilvusQuery, index: MilvusIndex, query: SearchQuery) -> tuple[list, list]:
    asked = engine.entity(query.text)
    hits = best_hits(asked, lambda p: np.ones(len(p), dtype=bool), query.limit) if asked else []
    return [hit.position for hit in hits], [hit.score for hit in hits]


def _by_meaning(engine: MilvusQuery, index: MilvusIndex, query: SearchQuery) -> tuple[list, list]:
    found = engine.nearest(index.encode(query.text), query.limit)
    return found.positions.tolist(), found.scores.tolist()


def check_index(folder: Path, index: MilvusIndex, rows: Iterable[IndexRow]) -> IndexCheck:
    """A paragraph is missing where the files or Milvus lack it, extra where either has it."""
    expected = {
        row.paragraph_id: (row.article_id, row.available_at, text_hash(row.text)) for row in rows
    }
    names = ("paragraph", "article", "available_at", "content")
    columns = (index.rows.columns[name].tolist() for name in names)
    indexed = {row[0]: row[1:] for row in zip(*columns, strict=True)}
    stored = {paragraph: rest for paragraph, *rest in index.collection.rows()}
    in_both = indexed.keys() & stored.keys()
    common = expected.keys() & in_both
    return IndexCheck(
        paragraphs=len(expected),
        indexed=len(in_both),
        missing=tuple(sorted(expected.keys() - in_both)),
        extra=tuple(sorted((indexed.keys() | stored.keys()) - expected.keys())),
        changed=tuple(
            sorted(
                key
                for key in common
                if expected[key] != indexed[key] or list(expected[key][:2]) != stored[key]
            )
        ),
        checksum_ok=is_whole(folder, index.version),
    )
