"""The embedded backend: files under a data directory, mapped into memory; no service to run."""

from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from threading import Lock

import numpy as np

from dictionaries.analysis import analyser_for, text_hash
from dictionaries.backends.asking import EmbeddedQuery, search_index
from dictionaries.backends.assembling import assemble
from dictionaries.backends.base import (
    KEYWORD,
    BuildReport,
    DictionaryQuery,
    DictionaryResult,
    DictionarySettings,
    IndexCheck,
    IndexRow,
    IndexSettings,
    IndexUnavailable,
    Method,
    Progress,
    SearchHit,
    SearchQuery,
)
from dictionaries.backends.building import build_index
from dictionaries.backends.encoding import help_corpus
from dictionaries.backends.segments import open_segments
from dictionaries.backends.versions import (
    HeldVersion,
    corpus_folder,
    current_version,
    indexed_corpora,
    is_whole,
    read_manifest,
    refuse_other_rules,
    unavailable,
)
from dictionaries.encoders import SVD, Encoder, EncoderMissing, load_svd, named_encoder
from dictionaries.keyword import KeywordIndex, KeywordSearch
from dictionaries.semantic import unit


class EmbeddedBackend:
    """Indexes in files under a data directory; open ones are kept until they are replaced."""

    def __init__(self, data_dir: Path):
        self._data_dir = Path(data_dir)
        self._open: dict[str, EmbeddedIndex] = {}
        self._warm: set[tuple[str, str]] = set()
        self._harmed: dict[tuple[str, str], str] = {}
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

    def help(self, corpus: str, *, patience: float, tick: Callable[[int], None]) -> int:
        """See `encoding.help_corpus`."""
        return help_corpus(self._data_dir, corpus, patience=patience, tick=tick)

    def open(self, corpus: str) -> "EmbeddedIndex":
        """The current index of a corpus, at once: names and sizes of its files are looked at.

        That their content is what was written is verified by `check` and by `warm`. Raises
        IndexUnavailable where it is missing, half, or known to be harmed.
        """
        folder = corpus_folder(self._data_dir, corpus)
        with self._lock:
            known = self._open.get(corpus)
            if known is None or known.version != current_version(folder):
                known = self._open[corpus] = EmbeddedIndex(folder)
            if harm := self._harmed.get((corpus, known.version)):
                raise IndexUnavailable(harm)
            return known

    def warm(self):
        """Verify every index that is new to this process, and bring it into memory.

        It takes as long as reading all files, so it is for a thread beside those that answer. One
        that is harmed is refused from then on; one that cannot be opened is left to `open`.
        """
        for corpus in indexed_corpora(self._data_dir):
            try:
                index = self.open(corpus)
            except IndexUnavailable:
                continue
            if (corpus, index.version) not in self._warm:
                self._warm_up(corpus, index)

    def _warm_up(self, corpus: str, index: "EmbeddedIndex"):
        key = (corpus, index.version)
        try:
            index.verify()
        except IndexUnavailable as harm:
            self._harmed[key] = str(harm)
        else:
            with suppress(IndexUnavailable):  # a model that cannot be loaded now harms no file
                index.warm()
        self._warm.add(key)

    def check(self, corpus: str, rows: Iterable[IndexRow]) -> IndexCheck:
        """Hold the index against the rows it should have, reading all files through."""
        return check_index(self._data_dir, corpus, rows)


class EmbeddedIndex(HeldVersion):
    """An open version of an index. It stays readable after a newer one is current, until closed."""

    def __init__(self, folder: Path):
        super().__init__(folder)
        try:
            self._load(folder / self.version)
        except BaseException:
            self.close()
            raise

    def _load(self, path: Path):
        manifest = read_manifest(self._folder, self.version, checksums=False)
        self._path, self._about = path, manifest["encoder"]
        self._encoder: Encoder | None = None
        refuse_other_rules(self._folder, manifest)
        self.language = manifest["analyser"]["language"]
        self.paragraphs, self.model = manifest["paragraphs"], self._about["name"]
        try:
            self.rows, self.semantic = open_segments(path, has_late=bool(manifest.get("late")))
            self.keyword = KeywordIndex(path / "keyword")
        except (OSError, ValueError) as error:
            raise unavailable(self._folder, f"a part cannot be opened ({error})") from error
        counts = {len(self.rows), self.keyword.paragraphs, self.semantic.shape[0]}
        if counts != {self.paragraphs}:
            raise unavailable(self._folder, f"its parts have {sorted(counts)} paragraphs")

    def verify(self):
        """Read all files through. Raises IndexUnavailable for one that is not what was written."""
        read_manifest(self._folder, self.version)

    def warm(self):
        """Load what a first dictionary would wait for: columns, codes, and the models."""
        self.rows.warm()
        self.semantic.warm()
        self.retrieve(DictionaryQuery("Warm Words Inc", None), DictionarySettings())

    def encoder(self) -> Encoder:
        """The encoder that made the index' vectors, loaded on first use.

        Raises IndexUnavailable where this installation has another version of it.
        """
        if self._encoder is None:
            self._encoder = self._load_encoder()
        return self._encoder

    def _load_encoder(self) -> Encoder:
        if self._about["name"] == SVD:
            return load_svd(self._path / "encoder")
        try:
            encoder = named_encoder(self._about["name"])
        except EncoderMissing as missing:
            raise IndexUnavailable(
                f"The index of {self._folder.name} cannot be used: {missing}"
            ) from None
        if encoder.version != self._about["version"]:
            reason = f"its vectors come from {self._about['version']}, here is {encoder.version}"
            raise unavailable(self._folder, reason)
        return encoder

    def encode(self, text: str) -> np.ndarray:
        """The (d,) vector of a text, rounded as stored ones are: the same text, the same vector."""
        vector = unit(self.encoder().encode([text]))[0]
        return vector.astype(np.float16).astype(np.float32)

    def keyword_search(
        self, language: str, before: int | None, left_out_article: int | None
    ) -> KeywordSearch:
        return KeywordSearch(
            self.keyword,
            analyser_for(language),
            before=before,
            left_out_article=left_out_article,
            positions=self.rows.positions,
        )

    def retrieve(
        self, query: DictionaryQuery, settings: DictionarySettings, *, detail: bool = False
    ) -> DictionaryResult:
        return assemble(EmbeddedQuery(self, query, settings), query, settings, detail=detail)

    def search(self, query: SearchQuery, method: Method = KEYWORD) -> list[SearchHit]:
        return search_index(self, query, method)


def check_index(data_dir: Path, corpus: str, rows: Iterable[IndexRow]) -> IndexCheck:
    """Compare the current index with the rows it should have.

    Raises IndexUnavailable where there is none that can be read at all.
    """
    folder = corpus_folder(data_dir, corpus)
    index = EmbeddedIndex(folder)
    expected = {
        row.paragraph_id: (row.article_id, row.available_at, text_hash(row.text)) for row in rows
    }
    names = ("paragraph", "article", "available_at", "content")
    columns = (index.rows.values(name).tolist() for name in names)
    indexed = {row[0]: row[1:] for row in zip(*columns, strict=True)}
    both = expected.keys() & indexed.keys()
    return IndexCheck(
        paragraphs=len(expected),
        indexed=len(indexed),
        missing=tuple(sorted(expected.keys() - indexed.keys())),
        extra=tuple(sorted(indexed.keys() - expected.keys())),
        changed=tuple(sorted(key for key in both if expected[key] != indexed[key])),
        checksum_ok=is_whole(folder, index.version),
    )
