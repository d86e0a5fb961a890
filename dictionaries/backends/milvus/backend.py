"""The backend on Milvus: a server for several machines, or a file for one process."""

import os
import secrets
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from threading import Lock
from zlib import crc32

from pymilvus import MilvusClient

from dictionaries.backends.base import (
    BuildReport,
    IndexCheck,
    IndexNotBuilt,
    IndexRow,
    IndexSettings,
    IndexUnavailable,
    Progress,
)
from dictionaries.backends.encoding import help_corpus
from dictionaries.backends.milvus.building import build_index
from dictionaries.backends.milvus.collection import EngineError, connect
from dictionaries.backends.milvus.index import MilvusIndex, check_index, engine_trouble
from dictionaries.backends.versions import corpus_folder, current_version, indexed_corpora

FOLDER = "milvus"  # of the data directory: files of other backends are left alone


class MilvusBackend:
    """Indexes in Milvus, with the files that belong to them under a data directory.

    url: http://, https:// with a server, or file:// with an absolute path that ends in .db.
    """

    def __init__(self, url: str, data_dir: Path):
        self._url, self._data_dir = url, Path(data_dir) / FOLDER
        self._clients: dict[int, MilvusClient] = {}  # by process: connections do not fork
        self._open: dict[str, MilvusIndex] = {}
        self._warm: set[tuple[str, str]] = set()
        self._lock = Lock()

    def _client(self) -> MilvusClient:
        with self._lock:
            if os.getpid() not in self._clients:
                self._clients = {os.getpid(): connect(self._url)}
                self._open = {}
            return self._clients[os.getpid()]

    def _prefix(self, corpus: str) -> str:
        """What the names of a corpus' collections begin with, here and nowhere else."""
        return f"claimwright_{_installation(self._data_dir)}_{crc32(corpus.encode()):08x}_"

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
        corpus_folder(self._data_dir, corpus)  # refuses a wrong slug before anything is made
        try:
            client = self._client()
        except EngineError as error:
            raise IndexNotBuilt(f"{error}. The index of {corpus} was not built.") from error
        return build_index(
            client,
            self._data_dir,
            self._prefix(corpus),
            corpus,
            rows,
            settings,
            progress=progress,
            rebuild=rebuild,
        )

    def help(self, corpus: str, *, patience: float, tick: Callable[[int], None]) -> int:
        """See `dictionaries.backends.encoding.help_corpus`; Milvus has no part in it."""
        return help_corpus(self._data_dir, corpus, patience=patience, tick=tick)

    def open(self, corpus: str) -> MilvusIndex:
        """The current index of a corpus. Raises IndexUnavailable where it cannot be searched."""
        folder = corpus_folder(self._data_dir, corpus)
        version = current_version(folder)
        with engine_trouble(folder):
            client = self._client()
        with self._lock:
            known = self._open.get(corpus)
            if known is None or known.version != version:
                known = self._open[corpus] = MilvusIndex(folder, client, self._prefix(corpus))
            return known

    def warm(self):
        """Have Milvus load the collections that are new to this process; read their files."""
        for corpus in indexed_corpora(self._data_dir):
            try:
                index = self.open(corpus)
                if (corpus, index.version) not in self._warm:
                    index.warm()
                    self._warm.add((corpus, index.version))
            except IndexUnavailable:
                continue  # told to whoever opens it

    def check(self, corpus: str, rows: Iterable[IndexRow]) -> IndexCheck:
        """Hold the index, in its files and in Milvus, against the rows it should have."""
        folder = corpus_folder(self._data_dir, corpus)
        current_version(folder)
        with engine_trouble(folder):
            index = MilvusIndex(folder, self._client(), self._prefix(corpus), whole=False)
            try:
                return check_index(folder, index, rows)
            finally:
                index.close()


def _installation(folder: Path) -> str:
    """A name that the first process here made: several installations may share one server."""
    path = folder / "installation"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        aside = folder / f"installation.{os.getpid()}"
        aside.write_text(secrets.token_hex(4), encoding="utf-8")
        with suppress(FileExistsError):
            os.link(aside, path)
        aside.unlink()
    return path.read_text(encoding="utf-8")
