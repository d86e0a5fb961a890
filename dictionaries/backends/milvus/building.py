"""Building an index in Milvus: files beside it, a collection of its own, then the swap.

A version has a collection that only it uses, so that readers of the one before it are not
disturbed; it is dropped with the version's folder. Encoded vectors are kept in files, from which
a build that was killed, and every later one, takes those of unchanged texts.
"""

import shutil
from collections.abc import Iterable
from pathlib import Path
from time import perf_counter

import numpy as np
from pymilvus import MilvusClient

from dictionaries import analysis
from dictionaries.analysis import analyser_for
from dictionaries.arrays import flush, load_array, says_full
from dictionaries.backends.base import (
    BuildReport,
    IndexNotBuilt,
    IndexRow,
    IndexSettings,
    IndexUnavailable,
    Progress,
)
from dictionaries.backends.encoding import Tasks
from dictionaries.backends.milvus.collection import (
    Collection,
    EngineError,
    Row,
    drop_others,
)
from dictionaries.backends.milvus.encoding import encoder_to_build
from dictionaries.backends.milvus.spool import TermSpool
from dictionaries.backends.milvus.terms import Statistics
from dictionaries.backends.reports import content_hash, report_of
from dictionaries.backends.rows import SAME, RowTable, Spool, read_rows
from dictionaries.backends.vectors import VectorStore
from dictionaries.backends.versions import (
    MANIFEST,
    build_lock,
    corpus_folder,
    current_version,
    next_version,
    publish,
    read_manifest,
    remove_unread,
    write_manifest,
)
from dictionaries.encoders import Encoder, choose_encoder

ANALYSED = 2  # so that encoding, for which others may be asked to help, begins at the half
STEPS = ANALYSED + 2  # each paragraph is analysed, encoded and inserted
BATCH = 64  # texts between two reports of progress
INSERTED = 500  # rows a call: a message to Milvus has at most 64 MB


def collection_name(prefix: str, version: str) -> str:
    return f"{prefix}{version.replace('-', '_')}"


class Old:
    """The current version, from which a build takes what has not changed."""

    def __init__(self, folder: Path):
        self.path = folder / current_version(folder)
        self.manifest = read_manifest(folder, self.path.name)
        self.rows = RowTable.load(self.path / "rows")


def build_index(
    client: MilvusClient,
    data_dir: Path,
    prefix: str,
    corpus: str,
    rows: Iterable[IndexRow],
    settings: IndexSettings,
    *,
    progress: Progress | None = None,
    rebuild: bool = False,
) -> BuildReport:
    """As `embedded.building.build_index`. prefix: of the names of this corpus' collections.

    Raises IndexNotBuilt where Milvus does not do its part, or the disk is full; the version before
    it is served then.
    """
    folder = corpus_folder(data_dir, corpus)
    try:
        with build_lock(folder):
            build = Build(client, folder, prefix, settings, progress or (lambda done, total: None))
            return build.run(rows, None if rebuild else _old(folder))
    except (EngineError, OSError) as error:
        if isinstance(error, OSError) and not says_full(error):
            raise
        reason = "The disk is full" if isinstance(error, OSError) else str(error)
        raise IndexNotBuilt(
            f"{reason}. The index of {corpus} was not built; what was encoded is kept."
        ) from error


def _old(folder: Path) -> Old | None:
    try:
        return Old(folder)
    except (IndexUnavailable, OSError, ValueError):
        return None


class Build:
    """One run of building: its folder, its collection, its progress, and the steps in order."""

    def __init__(
        self,
        client: MilvusClient,
        folder: Path,
        prefix: str,
        settings: IndexSettings,
        progress: Progress,
    ):
        self._client, self._prefix = client, prefix
        self.folder, self.settings, self._progress = folder, settings, progress
        self.building, self.chunks = folder / "building", folder / "chunks"
        self._done = self._total = 0

    def run(self, rows: Iterable[IndexRow], old: Old | None) -> BuildReport:
        started = perf_counter()
        self._forget_parts()
        table, spool = read_rows(rows, self.building, self._progress, steps=STEPS)
        try:
            self._total = len(table) * STEPS
            encoder = self._encoder(table, spool, old)
            self._about = self._described(table, encoder)
            if old and self._is_same(old, table):
                shutil.rmtree(self.building)
                self._clean()
                return report_of(old.path, old.manifest, added=0, started=started)
            added = self._write(table, spool, encoder, old)
        finally:
            spool.close()
        path = self.folder / self._about["version"]
        manifest = write_manifest(self.building, self._about)
        publish(self.folder, self.building, path.name)
        self._clean()
        return report_of(path, manifest, added=added, started=started)

    def _forget_parts(self):
        """What an unfinished build left, but for a fitted encoder and encoded chunks."""
        for part in ("rows", "terms", "vectors"):
            shutil.rmtree(self.building / part, ignore_errors=True)
        self.building.mkdir(exist_ok=True)

    def _described(self, table: RowTable, encoder: Encoder) -> dict:
        return {
            "paragraphs": len(table),
            "analyser": {"version": analysis.VERSION, "language": self.settings.language},
            "encoder": {
                "name": encoder.name,
                "version": encoder.version,
                "dimensions": encoder.dimensions,
            },
        }

    def _is_same(self, old: Old, table: RowTable) -> bool:
        described = all(old.manifest[key] == value for key, value in self._about.items())
        columns = ((table.columns[name], old.rows.columns[name]) for name in SAME)
        if not described or not all(np.array_equal(*both) for both in columns):
            return False
        collection = self._collection(old.path.name)
        try:
            collection.load()
        except EngineError:
            return False
        return collection.count() == len(table)

    def _collection(self, version: str) -> Collection:
        dimensions = self._about["encoder"]["dimensions"]
        return Collection(self._client, collection_name(self._prefix, version), dimensions)

    def _write(self, table: RowTable, spool: Spool, encoder: Encoder, old: Old | None) -> int:
        table.save(self.building / "rows")
        terms = self._terms(table, spool)
        statistics = terms.statistics()
        statistics.save(self.building / "terms")
        store = VectorStore(self.chunks, self.building / "vectors", table, encoder)
        added = self._fill(store, spool, old)
        self._about["mean_length"] = statistics.mean_length
        self._about["version"] = next_version(self.folder, content_hash(table, self._about))
        self._insert(table, terms, statistics, store.vectors)
        flush(store.vectors)
        terms.forget()
        return added

    # what is encoded

    def _encoder(self, table: RowTable, spool: Spool, old: Old | None) -> Encoder:
        name = choose_encoder(self.settings.model, self.settings.language)
        stored = old.path / "encoder" if old else None
        return encoder_to_build(name, self.building / "encoder", stored, spool.text, len(table))

    def _fill(self, store: VectorStore, spool: Spool, old: Old | None) -> int:
        """Take the vectors that are known, encode the others; how many those were."""
        if old and old.manifest["encoder"] == store.identity:
            store.take(old.rows, load_array(old.path / "vectors" / "vectors.npy"))
        store.resume()
        missing = store.missing()
        self._tick(len(store.vectors) - len(missing))
        tasks = Tasks(self.chunks, store.encoder, store.identity)
        for positions, vectors in tasks.encoded(missing, spool.text, self._tick):
            store.put(positions, vectors)
        return len(missing)

    # what Milvus gets

    def _terms(self, table: RowTable, spool: Spool) -> TermSpool:
        terms = TermSpool(self.folder / "terms.spool")
        for position in range(len(table)):
            language = spool.language(position) or self.settings.language
            terms.add(analyser_for(language).terms(spool.text(position)))
            self._tick(ANALYSED)
        return terms

    def _insert(
        self, table: RowTable, terms: TermSpool, statistics: Statistics, vectors: np.ndarray
    ):
        collection = self._collection(self._about["version"])
        self._drop_unused()
        collection.create()
        for start in range(0, len(table), INSERTED):
            positions = range(start, min(start + INSERTED, len(table)))
            collection.insert(
                [self._row(table, terms, statistics, vectors, position) for position in positions]
            )
            self._tick(len(positions))
        collection.finish()
        if (found := collection.count()) != len(table):
            raise EngineError(f"Milvus took {found} of {len(table)} paragraphs")

    def _row(
        self,
        table: RowTable,
        terms: TermSpool,
        statistics: Statistics,
        vectors: np.ndarray,
        position: int,
    ) -> Row:
        words, values = terms.stored(position, statistics.mean_length)
        return Row(
            paragraph=int(table.columns["paragraph"][position]),
            article=int(table.columns["article"][position]),
            available_at=int(table.columns["available_at"][position]),
            vector=np.asarray(vectors[position], dtype=np.float32),
            words=words,
            terms=values,
        )

    def _clean(self):
        shutil.rmtree(self.chunks, ignore_errors=True)
        remove_unread(self.folder)
        self._drop_unused()

    def _drop_unused(self):
        """Collections of no version that is left: of removed ones, and of builds that ended."""
        versions = [path.name for path in self.folder.iterdir() if (path / MANIFEST).exists()]
        kept = {collection_name(self._prefix, version) for version in versions}
        drop_others(self._client, self._prefix, kept)

    def _tick(self, count: int = 1):
        before, self._done = self._done, self._done + count
        if before // BATCH != self._done // BATCH or self._done == self._total:
            self._progress(self._done, self._total)
