"""What every retrieval backend takes, gives and refuses; `backend_for` chooses one.

A backend keeps one index per corpus. Times are microseconds since 1970 in UTC; older than t means
available_at < t. Rows are the paragraphs that may be retrieved: titles, tabular and other
non-retrievable articles are left out by whoever passes the rows.
"""

import json
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Final, Literal, Protocol

from dictionaries.encoder_offers import MODELS as ENCODERS

KEYWORD: Final = "keyword"
SEMANTIC: Final = "semantic"
Method = Literal["keyword", "semantic"]
MODELS = ("auto", *ENCODERS)


class IndexUnavailable(Exception):
    """There is no whole, unharmed index to search; the text says why and what to do."""


class IndexNotBuilt(Exception):
    """A build ended for a reason that people can mend; the index before it is served as it was."""


class IndexBusy(IndexNotBuilt):
    """Another process is building this corpus' index."""


@dataclass(frozen=True, slots=True)
class IndexRow:
    """A paragraph to be retrieved; available_at is 0 in an undated corpus."""

    paragraph_id: int
    article_id: int
    public_id: str
    available_at: int
    text: str
    language: str = ""


@dataclass(frozen=True)
class IndexSettings:
    """A corpus' settings of its index: the language it is mostly in, and its embedding model."""

    language: str = ""
    model: str = "auto"

    def __post_init__(self):
        if self.model not in MODELS:
            raise ValueError(f"the model is {self.model!r}; use one of {', '.join(MODELS)}")


@dataclass(frozen=True)
class DictionaryQuery:
    """A text q, the moment for which it is searched, and the article that it comes from.

    as_of: None searches all, as in an undated corpus. entities: None has them found in the text.
    paragraph_id: the paragraph of the corpus that the text is from; its stored vector is the query
    where it has the same text, so that nothing is encoded. The result is the same without it.
    """

    text: str
    as_of: int | None
    left_out_article: int | None = None
    language: str = ""
    entities: tuple[str, ...] | None = None
    paragraph_id: int | None = None


@dataclass(frozen=True)
class SearchQuery:
    """What somebody searches a corpus for: the `limit` best paragraphs older than `before`.

    before: None searches all. language: of the text; the corpus' where it is empty.
    """

    text: str
    before: int | None
    limit: int
    left_out_article: int | None = None
    language: str = ""

    def __post_init__(self):
        if self.limit < 1:
            raise ValueError(f"limit is {self.limit}; use 1 or more")


@dataclass(frozen=True)
class SearchHit:
    """A paragraph that a search found; a score is comparable within its search only."""

    paragraph_id: int
    score: float


@dataclass(frozen=True)
class DictionarySettings:
    """The parameters of a dictionary; a wave stores them. Names as in the CTKFacts paper."""

    n_kw: int = 4
    n_pre: int = 1024
    n_sem: int = 4
    k: int = 2
    seed: int = 0
    max_entities: int = 12
    per_pair: bool = False
    own_names: tuple[str, ...] = ()
    copy_jaccard: float = 0.85
    copy_containment: float = 0.9

    def __post_init__(self):
        for name, least in (("n_kw", 0), ("n_sem", 0), ("n_pre", 1), ("k", 1), ("seed", 0)):
            if not getattr(self, name) >= least:
                raise ValueError(f"{name} is {getattr(self, name)}; use {least} or more")
        if self.max_entities < 0:
            raise ValueError(f"max_entities is {self.max_entities}; use 0 or more")
        if not self.n_pre >= self.n_sem:
            raise ValueError(f"n_pre is {self.n_pre}; use n_sem, which is {self.n_sem}, or more")

    def as_json(self) -> str:
        """The settings as one canonical line, for keys and manifests."""
        return json.dumps(asdict(self), sort_keys=True, ensure_ascii=False)


@dataclass(frozen=True)
class Entry:
    """A paragraph of a dictionary, once per method; rank starts at 1 within its method.

    query: the entity pair, entity or words, or the cluster, by which it was found.
    """

    paragraph_id: int
    method: Method
    rank: int
    score: float
    query: str


@dataclass(frozen=True)
class Searched:
    """A keyword query of a dictionary (a pair, an entity or words) and its best hits."""

    query: str
    hits: tuple[SearchHit, ...]


@dataclass(frozen=True)
class Candidate:
    """One of the n_pre nearest, with its cosine and its cluster, numbered from 1 as entries are."""

    paragraph_id: int
    score: float
    cluster: int


@dataclass(frozen=True)
class Copy:
    """A paragraph passed over because it copies the query's text.

    exact: the same words; else a near copy. of: the paragraph that the text is from, if known.
    """

    paragraph_id: int
    exact: bool
    of: int | None = None


@dataclass(frozen=True)
class DictionaryDetail:
    """What a dictionary was chosen from, for people who look into it; no part of any key.

    searched: in the order of the queries. candidates: nearest first. copies: by paragraph id.
    own_names: agency names left out. past_limit: entities past max_entities.
    """

    searched: tuple[Searched, ...]
    candidates: tuple[Candidate, ...]
    copies: tuple[Copy, ...]
    own_names: tuple[str, ...]
    past_limit: tuple[str, ...]


@dataclass(frozen=True)
class DictionaryResult:
    """The dictionary of a query, keyword entries first, and how it came about.

    excluded: counts of `newer` (as new as or newer than the as-of date), `same_article` (older,
    of the left-out article), `copies` (exact and near copies met on the way) and `entities`
    (agency names, and names past the limit). seconds: by stage. detail: only if asked for.
    """

    entries: tuple[Entry, ...]
    entities: tuple[str, ...]
    excluded: dict[str, int]
    seconds: dict[str, float]
    index_version: str
    clusters: tuple[int, ...] = ()
    detail: DictionaryDetail | None = field(default=None, repr=False, compare=False)


@dataclass(frozen=True)
class BuildReport:
    """What a build did: all paragraphs, those encoded anew, and the size of the index."""

    version: str
    paragraphs: int
    added: int
    seconds: float
    bytes: int


@dataclass(frozen=True)
class IndexCheck:
    """An index held against the rows it should have."""

    paragraphs: int
    indexed: int
    missing: tuple[int, ...] = field(repr=False)
    extra: tuple[int, ...] = field(repr=False)
    changed: tuple[int, ...] = field(repr=False)
    checksum_ok: bool

    @property
    def ok(self) -> bool:
        return self.checksum_ok and not (self.missing or self.extra or self.changed)


Progress = Callable[[int, int], None]  # (done, total); may raise to cancel


class Index(Protocol):
    """An open index of one corpus. model: the encoder that made its vectors, by name."""

    version: str
    paragraphs: int
    model: str

    def retrieve(
        self, query: DictionaryQuery, settings: DictionarySettings, *, detail: bool = False
    ) -> DictionaryResult: ...

    def search(self, query: SearchQuery, method: Method = KEYWORD) -> list[SearchHit]:
        """The best paragraphs older than the query's date, best first; exact, within it.

        keyword: by the words of the text, together as a phrase higher. semantic: by cosine.
        Equal scores: newer first, then public id. Raises ValueError for another method.
        """
        ...


class Backend(Protocol):
    """A retrieval engine; all methods take the corpus' slug."""

    def build(
        self,
        corpus: str,
        rows: Iterable[IndexRow],
        settings: IndexSettings,
        *,
        progress: Progress | None = None,
        rebuild: bool = False,
    ) -> BuildReport: ...

    def open(self, corpus: str) -> Index:
        """The current index, at once: within a request. Raises IndexUnavailable."""
        ...

    def help(self, corpus: str, *, patience: float, tick: Callable[[int], None]) -> int:
        """Encode for whoever builds this index, on any machine; how many texts it were.

        Ends when nothing was to be done for `patience` seconds. tick: told each count of texts.
        Raises IndexNotBuilt where this installation has not the encoder of the build.
        """
        ...

    def warm(self) -> None:
        """Bring indexes that are new here into memory and verify them; for a thread of the web."""
        ...

    def check(self, corpus: str, rows: Iterable[IndexRow]) -> IndexCheck: ...


def backend_for(url: str, *, data_dir: Path) -> Backend:
    """The backend that a setting names; '' is the embedded one, with its files in `data_dir`.

    An address of a server (http, https) or of a file (file) is Milvus. Raises ValueError.
    """
    if url in {"", "embedded"}:
        from dictionaries.backends.embedded import EmbeddedBackend  # loads the numerical packages

        return EmbeddedBackend(data_dir)
    if url.startswith(("http://", "https://", "file:///")):
        try:
            from dictionaries.backends.milvus.backend import MilvusBackend
        except ModuleNotFoundError as error:
            raise ValueError(
                f"RETRIEVAL_URL names Milvus, but {error.name} is not installed;"
                " install requirements-milvus.txt"
            ) from None
        return MilvusBackend(url, data_dir)
    raise ValueError(f"RETRIEVAL_URL is {url!r}; leave it empty for the embedded index")
