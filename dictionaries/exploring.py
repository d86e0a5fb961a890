"""What a query would find and why, for people who choose the settings of a wave."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from time import perf_counter
from urllib.parse import urlencode

from corpus.models import Corpus, Paragraph
from dictionaries.analysis import analyser_for
from dictionaries.backends.base import (
    KEYWORD,
    Candidate,
    DictionaryResult,
    DictionarySettings,
    Entry,
)
from dictionaries.backends.keyword_hits import BOTH
from dictionaries.bridge import SETTING_NAMES
from dictionaries.services import retrieve
from dictionaries.typical import typical_words


@dataclass(frozen=True)
class Found:
    """An entry with its paragraph. is_shared: whether the settings it is held against find it."""

    entry: Entry
    paragraph: Paragraph
    is_shared: bool | None = None


@dataclass(frozen=True)
class ScoredHit:
    """A hit of one query. score: without the bonus that a paragraph with both names gets."""

    paragraph: Paragraph
    score: float
    has_both: bool
    is_chosen: bool


@dataclass(frozen=True)
class SearchedFor:
    """A query of the keyword part, its hits, and how many of them came into the dictionary."""

    query: str
    hits: list[ScoredHit]

    @property
    def chosen(self) -> int:
        return sum(hit.is_chosen for hit in self.hits)


@dataclass(frozen=True)
class Cluster:
    """A cluster of the nearest paragraphs, by number, and the words that set it apart."""

    number: int
    size: int
    words: list[str]
    nearest: float


@dataclass(frozen=True)
class PassedOver:
    """A paragraph that was left out because it copies the query's text."""

    paragraph: Paragraph
    is_exact: bool


@dataclass(frozen=True)
class Exploration:
    """The dictionary of a query, laid open."""

    query: dict
    settings: DictionarySettings
    result: DictionaryResult
    keyword: list[Found]
    semantic: list[Found]
    searched: list[SearchedFor]
    clusters: list[Cluster]
    copies: list[PassedOver]
    total_seconds: float

    @property
    def found(self) -> list[Found]:
        return [*self.keyword, *self.semantic]

    @property
    def milliseconds(self) -> list[tuple[str, float]]:
        return [(stage, seconds * 1000) for stage, seconds in self.result.seconds.items()]

    @property
    def total_milliseconds(self) -> float:
        return self.total_seconds * 1000

    @property
    def chosen_settings(self) -> dict:
        """The parameters that a wave keeps."""
        values = asdict(self.settings)
        return {name: values[name] for name in SETTING_NAMES}

    @property
    def as_query(self) -> str:
        """The parameters as the query of an address."""
        values = self.chosen_settings
        values["per_pair"] = "on" if values["per_pair"] else ""
        return urlencode(values)

    @property
    def shared_count(self) -> int:
        """How many paragraphs the settings that it is held against find as well."""
        return len({one.paragraph.pk for one in self.found if one.is_shared})

    @property
    def own_count(self) -> int:
        return len({one.paragraph.pk for one in self.found if not one.is_shared})


def explore(corpus: Corpus, query: dict, settings: DictionarySettings) -> Exploration:
    """Retrieve and store nothing. Raises IndexUnavailable."""
    started = perf_counter()
    result = retrieve(corpus=corpus, settings=settings, detail=True, **query)
    seconds = perf_counter() - started
    rows = paragraphs_of(result)
    found = [Found(e, rows[e.paragraph_id]) for e in result.entries if e.paragraph_id in rows]
    return Exploration(
        query=query,
        settings=settings,
        result=result,
        keyword=[one for one in found if one.entry.method == KEYWORD],
        semantic=[one for one in found if one.entry.method != KEYWORD],
        searched=list(searched_for(result, rows)),
        clusters=clusters_of(result.detail.candidates, query["language"] or corpus.language),
        copies=[
            PassedOver(rows[copy.paragraph_id], copy.exact)
            for copy in result.detail.copies
            if copy.paragraph_id in rows
        ],
        total_seconds=seconds,
    )


def paragraphs_of(result: DictionaryResult) -> dict[int, Paragraph]:
    """All paragraphs that are shown, with their articles, by id; the index may hold gone ones."""
    ids = {entry.paragraph_id for entry in result.entries}
    ids |= {hit.paragraph_id for one in result.detail.searched for hit in one.hits}
    ids |= {copy.paragraph_id for copy in result.detail.copies}
    return Paragraph.objects.select_related("article").in_bulk(ids)


def searched_for(result: DictionaryResult, rows: dict[int, Paragraph]) -> Iterator[SearchedFor]:
    chosen = {(e.query, e.paragraph_id) for e in result.entries if e.method == KEYWORD}
    for one in result.detail.searched:
        hits = [
            ScoredHit(
                paragraph=rows[hit.paragraph_id],
                score=hit.score - BOTH if hit.score >= BOTH else hit.score,
                has_both=hit.score >= BOTH,
                is_chosen=(one.query, hit.paragraph_id) in chosen,
            )
            for hit in one.hits
            if hit.paragraph_id in rows
        ]
        yield SearchedFor(one.query, hits)


def clusters_of(candidates: Sequence[Candidate], language: str) -> list[Cluster]:
    """The clusters by number, with their typical words."""
    texts = dict(
        Paragraph.objects.filter(pk__in=[one.paragraph_id for one in candidates]).values_list(
            "pk", "text"
        )
    )
    candidates = [one for one in candidates if one.paragraph_id in texts]
    sizes = Counter(one.cluster for one in candidates)
    words = typical_words(
        [texts[one.paragraph_id] for one in candidates],
        [one.cluster for one in candidates],
        analyser_for(language),
    )
    nearest = {one.cluster: one.score for one in reversed(candidates)}
    return [Cluster(n, size, words.get(n, []), nearest[n]) for n, size in sorted(sizes.items())]


def held_against(one: Exploration, other: Exploration) -> Exploration:
    """The first with a mark on each entry: whether the second finds its paragraph too."""
    shared = {found.paragraph.pk for found in other.found}

    def marked(entries: list[Found]) -> list[Found]:
        return [replace(each, is_shared=each.paragraph.pk in shared) for each in entries]

    return replace(one, keyword=marked(one.keyword), semantic=marked(one.semantic))
