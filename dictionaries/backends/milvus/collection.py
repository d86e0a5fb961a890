"""One collection of Milvus, and the few things that are asked of it.

What Milvus refuses, or cannot be reached for, is an EngineError with its reason.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit

import numpy as np
from pymilvus import DataType, MilvusClient
from pymilvus.exceptions import MilvusException

MOST_HITS = 16_384  # of one search, in Milvus
MOST_WORDS = 4_096  # of an array field
LEAST_DIMENSIONS = 2
SECONDS = 60.0  # to wait for an answer
SCAN = 5_000
# The server of Milvus Lite cuts off a client that pings it while it is busy, as pymilvus does.
FEW_PINGS = {"grpc.keepalive_time_ms": 3_600_000}
# It logs, in this process, what pymilvus asks for and then does without, and locks that are held.
LITE_LOGS = ("grpc._server", "milvus_lite")
# Errors are raised, and told by whoever catches them; pymilvus writes each into the log as well.
logging.getLogger("pymilvus").setLevel(logging.CRITICAL)


class EngineError(Exception):
    """Milvus cannot do what it was asked; the text is its reason."""


@contextmanager
def engine_errors():
    try:
        yield
    except MilvusException as error:
        raise EngineError(f"Milvus says: {error.message}") from error


def connect(url: str) -> MilvusClient:
    """A client of a server (http, https) or of a file that this process alone opens (file)."""
    parts = urlsplit(url)
    if parts.scheme == "file":
        return _open_file(Path(unquote(parts.path)))
    server = f"{parts.scheme}://{parts.hostname}:{parts.port or 19530}"
    user, password = unquote(parts.username or ""), unquote(parts.password or "")
    with engine_errors():
        return MilvusClient(server, user=user, password=password, timeout=SECONDS)


def _open_file(path: Path) -> MilvusClient:
    for name in LITE_LOGS:
        logging.getLogger(name).setLevel(logging.CRITICAL)
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        return MilvusClient(str(path), grpc_options=FEW_PINGS)
    except MilvusException as error:
        raise EngineError(
            f"Milvus Lite cannot open {path}: {error.message}. One process may have it at a time"
        ) from error


class Row(NamedTuple):
    """What Milvus keeps of a paragraph. words: dimensions; terms: dimension to value."""

    paragraph: int
    article: int
    available_at: int
    vector: np.ndarray
    words: list[int]
    terms: dict[int, float]


class Found(NamedTuple):
    """Paragraph ids of hits, as Milvus ranks them, its scores, and what was stored of each."""

    ids: list[int]
    scores: list[float]
    stored: Any


class Collection:
    """A collection by its name. dimensions: of its vectors."""

    def __init__(self, client: MilvusClient, name: str, dimensions: int):
        self._client, self.name, self._dimensions = client, name, dimensions

    @property
    def _width(self) -> int:
        return max(LEAST_DIMENSIONS, self._dimensions)

    def create(self):
        """Make it, empty, with exact indexes only; one of its name is dropped first."""
        self.drop()
        schema = self._client.create_schema(auto_id=False, enable_dynamic_field=False)
        schema.add_field("paragraph", DataType.INT64, is_primary=True)
        schema.add_field("article", DataType.INT64)
        schema.add_field("available_at", DataType.INT64)
        schema.add_field(
            "words", DataType.ARRAY, element_type=DataType.INT64, max_capacity=MOST_WORDS
        )
        schema.add_field("vector", DataType.FLOAT_VECTOR, dim=self._width)
        schema.add_field("terms", DataType.SPARSE_FLOAT_VECTOR)
        indexes = self._client.prepare_index_params()
        indexes.add_index("vector", index_type="FLAT", metric_type="IP")
        indexes.add_index("terms", index_type="SPARSE_INVERTED_INDEX", metric_type="IP")
        for field in ("article", "available_at"):
            indexes.add_index(field, index_type="INVERTED")
        with engine_errors():
            self._client.create_collection(
                self.name, schema=schema, index_params=indexes, consistency_level="Strong"
            )
        self._index_words()

    def _index_words(self):
        indexes = self._client.prepare_index_params()
        indexes.add_index("words", index_type="INVERTED")
        with suppress(MilvusException):  # Milvus Lite has none for arrays, and reads them instead
            self._client.create_index(self.name, indexes)

    def insert(self, rows: list[Row]):
        values = [row._asdict() | {"vector": self._padded(row.vector)} for row in rows]
        with engine_errors():
            self._client.insert(self.name, values)

    def _padded(self, vector: np.ndarray) -> np.ndarray:
        padded = np.zeros(self._width, dtype=np.float32)
        padded[: len(vector)] = vector
        return padded

    def finish(self):
        """Bring all that was inserted to disk, and into memory to be searched."""
        with engine_errors():
            self._client.flush(self.name)
            self._client.load_collection(self.name)

    def load(self):
        """Have it in memory; nothing is done where it is. Raises EngineError where it is gone."""
        with engine_errors():
            if not self._client.has_collection(self.name, timeout=SECONDS):
                raise EngineError(f"Milvus has no collection {self.name}")
            self._client.load_collection(self.name, timeout=SECONDS)

    def drop(self):
        with engine_errors():
            self._client.drop_collection(self.name)

    def count(self, scope: str = "") -> int:
        with engine_errors():
            found = self._client.query(
                self.name, filter=scope, output_fields=["count(*)"], timeout=SECONDS
            )
        return int(found[0]["count(*)"])

    def nearest(self, vector: np.ndarray, limit: int, scope: str) -> Found:
        """By inner product; stored is (limit, d)."""
        found = self._search("vector", self._padded(vector), limit, scope)
        vectors = np.array(found.stored, dtype=np.float32).reshape(-1, self._width)
        return found._replace(stored=vectors[:, : self._dimensions])

    def by_terms(self, weights: dict[int, float], limit: int, scope: str) -> Found:
        """By inner product with sparse vectors; stored has each hit's terms."""
        return self._search("terms", weights, limit, scope)

    def _search(self, field: str, query, limit: int, scope: str) -> Found:
        with engine_errors():
            (hits,) = self._client.search(
                self.name,
                [query],
                anns_field=field,
                limit=limit,
                filter=scope,
                output_fields=[field],
                search_params={"metric_type": "IP"},
                timeout=SECONDS,
            )
        return Found(
            [int(hit["paragraph"]) for hit in hits],
            [float(hit["distance"]) for hit in hits],
            [hit["entity"][field] for hit in hits],
        )

    def vector(self, paragraph: int) -> np.ndarray:
        """The stored (d,) vector of a paragraph. Raises EngineError where there is none."""
        with engine_errors():
            rows = self._client.query(
                self.name,
                filter=f"paragraph == {paragraph}",
                output_fields=["vector"],
                timeout=SECONDS,
            )
        if not rows:
            raise EngineError(f"Milvus has no paragraph {paragraph} in {self.name}")
        return np.array(rows[0]["vector"], dtype=np.float32)[: self._dimensions]

    def rows(self) -> Iterator[tuple[int, int, int]]:
        """Paragraph, article and time of all that it holds, in pieces; in no order."""
        fields = ["paragraph", "article", "available_at"]
        with engine_errors():
            pieces = self._client.query_iterator(
                self.name, batch_size=SCAN, filter="", output_fields=fields
            )
            while piece := pieces.next():
                for row in piece:
                    yield int(row["paragraph"]), int(row["article"]), int(row["available_at"])
            pieces.close()


def drop_others(client: MilvusClient, prefix: str, kept: set[str]):
    """Drop the collections whose name begins so, but for those that are kept."""
    with engine_errors():
        for name in client.list_collections():
            if name.startswith(prefix) and name not in kept:
                client.drop_collection(name)
