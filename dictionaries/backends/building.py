"""Building an embedded index: rows, keyword part, vectors, manifest, swap.

What costs time is kept: encoded vectors go to disk chunk by chunk, so that a build that was killed
goes on where it was, and vectors of unchanged paragraphs come from the current version. Where
paragraphs were only added to a large index, they come into a small segment beside it (see
`segments`), and nothing of it is written again; the next build that is more joins the two.
"""

import shutil
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from time import perf_counter

import numpy as np

from dictionaries import analysis
from dictionaries.analysis import analyser_for
from dictionaries.arrays import says_full
from dictionaries.backends.adding import LateRows, known_files, link_folder, only_added
from dictionaries.backends.base import (
    BuildReport,
    IndexNotBuilt,
    IndexRow,
    IndexSettings,
    IndexUnavailable,
    Progress,
)
from dictionaries.backends.encoding import Tasks
from dictionaries.backends.old import Old, stored_encoder
from dictionaries.backends.reports import content_hash, report_of
from dictionaries.backends.rows import SAME, RowTable, Spool, read_rows
from dictionaries.backends.segments import LATE, PLACES, places_of
from dictionaries.backends.vectors import VectorStore
from dictionaries.backends.versions import (
    build_lock,
    corpus_folder,
    next_version,
    publish,
    remove_unread,
    write_manifest,
)
from dictionaries.encoders import (
    FIT_SAMPLE,
    SVD,
    Encoder,
    EncoderMissing,
    choose_encoder,
    fit_svd,
    named_encoder,
)
from dictionaries.keyword import KeywordWriter
from dictionaries.semantic import SemanticIndex

STEPS = 2  # each paragraph is analysed once and encoded once
BATCH = 64  # texts between two reports of progress


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
    with build_lock(folder):
        try:
            build = Build(folder, settings, progress or _silent)
            return build.run(rows, None if rebuild else _old(folder))
        except (OSError, ValueError) as error:
            if not says_full(error):
                raise
            shutil.rmtree(folder / "building", ignore_errors=True)
            raise IndexNotBuilt(
                f"The disk is full: the index of {corpus} was not built, and the one before it is"
                f" served as it was. Make room under {data_dir} and build it again; what was"
                " encoded is kept."
            ) from None


def _silent(done: int, total: int):
    """Progress that nobody looks at."""


def _old(folder: Path) -> Old | None:
    """The current version; None where there is none, or one of which nothing may be kept."""
    try:
        old = Old(folder)
    except (IndexUnavailable, OSError, ValueError):
        return None
    return old if old.is_whole() else None


class Build:
    """One run of building: its folder, its progress, and the steps in order."""

    def __init__(self, folder: Path, settings: IndexSettings, progress: Progress):
        self.folder, self.settings, self._progress = folder, settings, progress
        self.building, self.chunks = folder / "building", folder / "chunks"
        self._done = self._total = 0

    def run(self, rows: Iterable[IndexRow], old: Old | None) -> BuildReport:
        """Add to the old version what is new, or write a version anew where more has changed."""
        started = perf_counter()
        self.building.mkdir(exist_ok=True)
        if old and iter(rows) is rows:
            rows = list(rows)  # they are read a second time where they were not only added to
        new = self._only_new(rows, old) if old else None
        if old and new == []:
            shutil.rmtree(self.building)
            self._clean()
            return report_of(old.path, old.manifest, added=0, started=started)
        if old and new and (encoder := self._kept_encoder(old)):
            added, manifest = self._add(new, old, encoder)
        else:
            added, manifest = self._rewrite(rows, old)
        return report_of(self.folder / manifest["version"], manifest, added=added, started=started)

    def _only_new(self, rows: Iterable[IndexRow], old: Old) -> list[IndexRow] | None:
        """The rows to be added to the old version; None where it has to be written anew."""
        encoder = self._kept_encoder(old)
        if encoder is None or not self._same_analysis(old):
            return None
        tables = [table for table, _ in old.segments()]
        new = only_added(rows, tables, self._progress, steps=STEPS)
        return new if not new or encoder.fits(len(old.rows) + len(new)) else None

    def _kept_encoder(self, old: Old) -> Encoder | None:
        """The encoder of the old version, if this build would use it as well."""
        about = old.manifest["encoder"]
        if about["name"] != self._model():
            return None
        if about["name"] == SVD:
            return stored_encoder(old.path / "encoder")
        encoder = self._named_encoder()
        return encoder if encoder.version == about["version"] else None

    def _named_encoder(self) -> Encoder:
        try:
            return named_encoder(self._model())
        except EncoderMissing as missing:
            raise IndexNotBuilt(f"The index was not built: {missing}") from None

    def _add(self, new: list[IndexRow], old: Old, encoder: Encoder) -> tuple[int, dict]:
        """A version with all files of the old one, and a small segment beside the main one."""
        segments = old.segments()
        shutil.rmtree(self.building)
        for part in ("rows", "keyword", "semantic", "encoder"):
            if (old.path / part).exists():
                link_folder(old.path / part, self.building / part)
        fresh, spool = read_rows(new, self.building, _silent, steps=STEPS)
        try:
            self._total = len(fresh) * STEPS
            self._add_all_terms(KeywordWriter(self.building / "keyword"), fresh, spool)
            late = LateRows(segments[1][0] if old.has_late else None, fresh, spool)
            late.table.save(self.building / LATE / "rows")
            np.save(self.building / LATE / PLACES, places_of(late.table, segments[0][0]))
            store = VectorStore(self.chunks, self.building / LATE / "semantic", late.table, encoder)
            added = self._fill(store, late.text, segments[1:])
        finally:
            spool.close()
        self._describe(len(old.rows) + len(new), encoder, late=len(late.table))
        known = known_files(old.path, old.manifest["files"], self.building)
        return added, self._finish(content_hash(late.table, self._about), known)

    def _rewrite(self, rows: Iterable[IndexRow], old: Old | None) -> tuple[int, dict]:
        """Write all parts anew, in one segment."""
        self._forget_parts()
        tables = [table for table, _ in self._fingerprints(old)]
        table, spool = read_rows(rows, self.building, self._progress, steps=STEPS, old=tables)
        try:
            self._total = len(table) * STEPS
            added = self._write(table, spool, old)
        finally:
            spool.close()
        return added, self._finish(content_hash(table, self._about))

    def _forget_parts(self):
        """What an unfinished build left, but for a fitted encoder; nothing is written into it."""
        for part in ("rows", "keyword", "semantic", LATE):
            shutil.rmtree(self.building / part, ignore_errors=True)

    def _fingerprints(self, old: Old | None) -> list:
        """The old segments, if their fingerprints were made by today's rules."""
        if old is None or old.manifest["analyser"]["version"] != analysis.VERSION:
            return []
        return old.segments()

    def _model(self) -> str:
        return choose_encoder(self.settings.model, self.settings.language)

    def _analyser(self) -> dict:
        return {"version": analysis.VERSION, "language": self.settings.language}

    def _write(self, table: RowTable, spool: Spool, old: Old | None) -> int:
        table.save(self.building / "rows")
        self._write_terms(table, spool, old)
        encoder = self._encoder(table, spool, old)
        store = VectorStore(self.chunks, self.building / "semantic", table, encoder)
        same = old and old.manifest["encoder"] == store.identity
        added = self._fill(store, spool.text, old.segments() if old and same else [])
        self._describe(len(table), encoder)
        return added

    def _describe(self, paragraphs: int, encoder: Encoder, *, late: int = 0):
        """late: how many of the paragraphs are in the small segment."""
        about = {"name": encoder.name, "version": encoder.version, "dimensions": encoder.dimensions}
        self._about = {
            "paragraphs": paragraphs,
            "late": late,
            "analyser": self._analyser(),
            "encoder": about,
        }

    def _finish(self, content: str, known: dict | None = None) -> dict:
        about = {"version": next_version(self.folder, content), **self._about}
        manifest = write_manifest(self.building, about, known=known)
        publish(self.folder, self.building, manifest["version"])
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
        positions = None
        if old and (positions := self._only_added(table, old)) is not None:
            link_folder(old.path / "keyword", folder)
            self._tick(len(table) - len(positions))
        self._add_all_terms(KeywordWriter(folder), table, spool, positions)

    def _add_all_terms(
        self,
        writer: KeywordWriter,
        table: RowTable,
        spool: Spool,
        positions: np.ndarray | None = None,
    ):
        for position in range(len(table)) if positions is None else positions.tolist():
            self._add_terms(writer, table, spool, position)
            self._tick()
        writer.finish()

    def _only_added(self, table: RowTable, old: Old) -> np.ndarray | None:
        """The positions of new paragraphs; None where an old one is gone or was changed."""
        places = old.rows.positions(table.columns["paragraph"])
        known = places >= 0
        unchanged = all(
            np.array_equal(table.columns[name][known], old.rows.values(name, places[known]))
            for name in SAME
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
        """A named one, or the one fitted by this unfinished build, or the current, or a new."""
        if self._model() != SVD:
            shutil.rmtree(self.building / "encoder", ignore_errors=True)
            return self._named_encoder()
        folder = self.building / "encoder"
        for source in (folder, old.path / "encoder" if old else folder):
            encoder = stored_encoder(source)
            if encoder and encoder.fits(len(table)):
                if source != folder:
                    shutil.copytree(source, folder, dirs_exist_ok=True)
                return encoder
        shutil.rmtree(folder, ignore_errors=True)
        return fit_svd(_sample(spool, len(table)), folder, paragraphs=len(table))

    def _fill(
        self,
        store: VectorStore,
        text: Callable[[int], str],
        segments: Sequence[tuple[RowTable, Path]],
    ) -> int:
        """Take the vectors that segments have, encode the others; how many those were."""
        for rows, folder in segments:
            store.take(rows, SemanticIndex(folder).vectors)
        store.resume()
        missing = store.missing()
        self._tick(self._total - self._done - len(missing))
        tasks = Tasks(self.chunks, store.encoder, store.identity)
        for positions, vectors in tasks.encoded(missing, text, self._tick):
            store.put(positions, vectors)
        store.finish()
        return len(missing)


def _sample(spool: Spool, count: int) -> list[str]:
    """The texts that an encoder is fitted on: all, or a seeded sample of a large corpus."""
    positions = np.arange(count)
    if count > FIT_SAMPLE:
        positions = np.sort(np.random.default_rng(0).choice(count, FIT_SAMPLE, replace=False))
    return [spool.text(int(position)) for position in positions]
