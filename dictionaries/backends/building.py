"""Building an embedded index: rows, keyword part, vectors, manifest, swap.

What costs time is kept: encoded vectors go to disk chunk by chunk, so that a build that was killed
goes on where it was, and vectors of unchanged paragraphs come from the current version. Terms of
unchanged paragraphs do too, where paragraphs were only added.
"""

import hashlib
import json
import os
import shutil
from collections.abc import Iterable
from pathlib import Path
from time import perf_counter

import numpy as np

from dictionaries import analysis
from dictionaries.analysis import analyser_for
from dictionaries.arrays import says_full
from dictionaries.backends.base import (
    BuildReport,
    IndexNotBuilt,
    IndexRow,
    IndexSettings,
    IndexUnavailable,
    Progress,
)
from dictionaries.backends.rows import RowTable, Spool, read_rows
from dictionaries.backends.vectors import VectorStore
from dictionaries.backends.versions import (
    MANIFEST,
    build_lock,
    corpus_folder,
    current_version,
    listed_files,
    next_version,
    publish,
    read_manifest,
    remove_unread,
    write_manifest,
)
from dictionaries.encoders import (
    FIT_SAMPLE,
    USE,
    Encoder,
    UseEncoder,
    choose_encoder,
    fit_svd,
    load_svd,
    use_version,
)
from dictionaries.keyword import KeywordWriter
from dictionaries.semantic import SemanticIndex, unit

STEPS = 2  # each paragraph is analysed once and encoded once
CHUNK = 512  # vectors that a kill can lose
BATCH = 64  # texts between two reports of progress


class Old:
    """The current version, from which a build takes what has not changed."""

    def __init__(self, folder: Path):
        self.version = current_version(folder)
        self.path = folder / self.version
        self.manifest = read_manifest(folder, self.version)
        self.rows = RowTable.load(self.path / "rows")


def build_index(
    data_dir: Path,
    corpus: str,
    rows: Iterable[IndexRow],
    settings: IndexSettings,
    *,
    progress: Progress | None = None,
    rebuild: bool = False,
) -> BuildReport:
    """Build a corpus' index and make it current; nothing is done where nothing has changed.

    rebuild: also where nothing has changed, and without anything of the current version.
    Raises IndexBusy where another process is building, IndexNotBuilt where the disk is full. An
    error, a cancelling `progress` or a kill leaves the current version as it was.
    """
    folder = corpus_folder(data_dir, corpus)
    try:
        with build_lock(folder):
            build = Build(folder, settings, progress or _silent)
            return build.run(rows, None if rebuild else _old(folder))
    except (OSError, ValueError) as error:
        if not says_full(error):
            raise
        shutil.rmtree(folder / "building", ignore_errors=True)
        raise IndexNotBuilt(
            f"The disk is full: the index of {corpus} was not built, and the one before it is"
            f" served as it was. Make room under {data_dir} and build it again; what was encoded"
            " is kept."
        ) from None


def _silent(done: int, total: int):
    """Progress that nobody looks at."""


def _old(folder: Path) -> Old | None:
    try:
        return Old(folder)
    except (IndexUnavailable, OSError, ValueError):
        return None


class Build:
    """One run of building: its folder, its progress, and the steps in order."""

    def __init__(self, folder: Path, settings: IndexSettings, progress: Progress):
        self.folder, self.settings, self._progress = folder, settings, progress
        self.building, self.chunks = folder / "building", folder / "chunks"
        self._done = self._total = 0

    def run(self, rows: Iterable[IndexRow], old: Old | None) -> BuildReport:
        started = perf_counter()
        self.building.mkdir(exist_ok=True)
        table, spool = read_rows(
            rows, self.building, self._progress, steps=STEPS, old=self._fingerprints(old)
        )
        try:
            self._total = len(table) * STEPS
            if old and self._is_same(old, table):
                shutil.rmtree(self.building)
                self._clean()
                return _report(old.path, old.manifest, added=0, started=started)
            added = self._write(table, spool, old)
        finally:
            spool.close()
        manifest = self._finish(table)
        path = self.folder / manifest["version"]
        return _report(path, manifest, added=added, started=started)

    def _fingerprints(self, old: Old | None) -> RowTable | None:
        """The old rows, if their fingerprints were made by today's rules."""
        if old is None or old.manifest["analyser"]["version"] != analysis.VERSION:
            return None
        return old.rows

    def _is_same(self, old: Old, table: RowTable) -> bool:
        settings = self._same_analysis(old) and old.manifest["encoder"]["name"] == self._model()
        release = self._model() != USE or old.manifest["encoder"]["version"] == use_version()
        return settings and release and table.equals(old.rows)

    def _model(self) -> str:
        return choose_encoder(self.settings.model, self.settings.language)

    def _analyser(self) -> dict:
        return {"version": analysis.VERSION, "language": self.settings.language}

    def _write(self, table: RowTable, spool: Spool, old: Old | None) -> int:
        table.save(self.building / "rows")
        self._write_terms(table, spool, old)
        encoder = self._encoder(table, spool, old)
        added = self._write_vectors(table, spool, encoder, old)
        self._about = {
            "paragraphs": len(table),
            "analyser": self._analyser(),
            "encoder": {
                "name": encoder.name,
                "version": encoder.version,
                "dimensions": encoder.dimensions,
            },
        }
        return added

    def _finish(self, table: RowTable) -> dict:
        version = next_version(self.folder, _content_hash(table, self._about))
        manifest = write_manifest(self.building, {"version": version, **self._about})
        publish(self.folder, self.building, version)
        self._clean()
        return manifest

    def _clean(self):
        shutil.rmtree(self.chunks, ignore_errors=True)
        remove_unread(self.folder)

    def _tick(self, count: int = 1):
        before, self._done = self._done, self._done + count
        if before // BATCH != self._done // BATCH or self._done == self._total:
            self._progress(self._done, self._total)

    # the keyword part

    def _write_terms(self, table: RowTable, spool: Spool, old: Old | None):
        folder = self.building / "keyword"
        shutil.rmtree(folder, ignore_errors=True)
        positions = range(len(table))
        if old and (new := self._only_added(table, old)) is not None:
            _link_folder(old.path / "keyword", folder)
            positions = new.tolist()
        self._tick(len(table) - len(positions))
        writer = KeywordWriter(folder)
        for position in positions:
            self._add_terms(writer, table, spool, position)
            self._tick()
        writer.finish()

    def _only_added(self, table: RowTable, old: Old) -> np.ndarray | None:
        """The positions of new paragraphs; None where an old one is gone or was changed."""
        places = old.rows.positions(table.columns["paragraph"])
        known = places >= 0
        unchanged = all(
            np.array_equal(table.columns[name][known], old.rows.columns[name][places[known]])
            for name in ("article", "available_at", "content")
        )
        whole = unchanged and known.sum() == len(old.rows)
        return np.flatnonzero(~known) if whole and self._same_analysis(old) else None

    def _same_analysis(self, old: Old) -> bool:
        return old.manifest["analyser"] == self._analyser()

    def _add_terms(self, writer: KeywordWriter, table: RowTable, spool: Spool, position: int):
        language = spool.language(position) or self.settings.language
        writer.add(
            analyser_for(language).terms(spool.text(position)),
            paragraph=int(table.columns["paragraph"][position]),
            article=int(table.columns["article"][position]),
            available_at=int(table.columns["available_at"][position]),
        )

    # the semantic part

    def _encoder(self, table: RowTable, spool: Spool, old: Old | None) -> Encoder:
        """USE, or the fitted encoder of this unfinished build, or the current one's, or a new."""
        if self._model() == USE:
            shutil.rmtree(self.building / "encoder", ignore_errors=True)
            return UseEncoder()
        folder = self.building / "encoder"
        for source in (folder, old.path / "encoder" if old else folder):
            encoder = _stored_encoder(source)
            if encoder and encoder.fits(len(table)):
                if source != folder:
                    shutil.copytree(source, folder, dirs_exist_ok=True)
                return encoder
        shutil.rmtree(folder, ignore_errors=True)
        return fit_svd(_sample(spool, len(table)), folder, paragraphs=len(table))

    def _write_vectors(
        self, table: RowTable, spool: Spool, encoder: Encoder, old: Old | None
    ) -> int:
        """Write all vectors in the order of time; returns how many texts were encoded anew."""
        store = VectorStore(self.chunks, self.building / "semantic", table, encoder)
        if old and old.manifest["encoder"] == store.identity:
            store.take(old.rows, SemanticIndex(old.path / "semantic").vectors)
        store.resume()
        missing = store.missing()
        self._tick(len(table) - len(missing))
        for start in range(0, len(missing), CHUNK):
            positions = missing[start : start + CHUNK]
            store.put(positions, self._encode(spool, positions, encoder))
        store.finish()
        return len(missing)

    def _encode(self, spool: Spool, positions: np.ndarray, encoder: Encoder) -> np.ndarray:
        vectors = []
        for start in range(0, len(positions), BATCH):
            texts = [spool.text(position) for position in positions[start : start + BATCH]]
            vectors.append(unit(encoder.encode(texts)))
            self._tick(len(texts))
        return np.concatenate(vectors)


def _sample(spool: Spool, count: int) -> list[str]:
    """The texts that an encoder is fitted on: all, or a seeded sample of a large corpus."""
    positions = np.arange(count)
    if count > FIT_SAMPLE:
        positions = np.sort(np.random.default_rng(0).choice(count, FIT_SAMPLE, replace=False))
    return [spool.text(int(position)) for position in positions]


def _stored_encoder(folder: Path):
    try:
        return load_svd(folder)
    except (OSError, ValueError, KeyError):
        return None


def _link_folder(source: Path, target: Path):
    """The files of a keyword index under a second name: its segments are never changed."""
    target.mkdir(parents=True)
    for path in source.iterdir():
        if path.suffix == ".lock":
            continue
        if path.name.endswith(".json"):
            shutil.copy2(path, target / path.name)
        else:
            os.link(path, target / path.name)


def _content_hash(table: RowTable, about: dict) -> str:
    digest = hashlib.sha256(json.dumps(about, sort_keys=True).encode())
    for name in sorted(table.columns):
        digest.update(np.ascontiguousarray(table.columns[name]).data)
    return digest.hexdigest()


def _report(path: Path, manifest: dict, *, added: int, started: float) -> BuildReport:
    size = sum(file.stat().st_size for file in [*listed_files(path), path / MANIFEST])
    return BuildReport(
        version=manifest["version"],
        paragraphs=manifest["paragraphs"],
        added=added,
        seconds=perf_counter() - started,
        bytes=size,
    )
