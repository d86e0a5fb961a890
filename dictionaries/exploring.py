"""What a query would find and why, for people who choose the settings of a wave."""

from collections import Counter
from dataclasses import dataclass
from itertools import combinations
from time import perf_counter

from corpus.models import Corpus, Paragraph
from dictionaries.backends.base import KEYWORD, DictionaryResult, DictionarySettings, Entry
from dictionaries.keyword import PAIR_SIGN
from dictionaries.services import retrieve


@dataclass(frozen=True)
class Found:
    """An entry with its paragraph."""

    entry: Entry
    paragraph: Paragraph


@dataclass(frozen=True)
class Exploration:
    """The dictionary of a query, laid open. pairs: each with how many entries it found."""

    query: dict
    result: DictionaryResult
    keyword: list[Found]
    semantic: list[Found]
    pairs: list[tuple[str, int]]
    total_seconds: float

    @property
    def milliseconds(self) -> list[tuple[str, float]]:
        return [(stage, seconds * 1000) for stage, seconds in self.result.seconds.items()]

    @property
    def total_milliseconds(self) -> float:
        return self.total_seconds * 1000


def explore(corpus: Corpus, query: dict, settings: DictionarySettings) -> Exploration:
    """Retrieve and store nothing. Raises IndexUnavailable."""
    started = perf_counter()
    result = retrieve(corpus=corpus, settings=settings, **query)
    seconds = perf_counter() - started
    found = with_paragraphs(result.entries)
    return Exploration(
        query=query,
        result=result,
        keyword=[one for one in found if one.entry.method == KEYWORD],
        semantic=[one for one in found if one.entry.method != KEYWORD],
        pairs=pairs_of(result),
        total_seconds=seconds,
    )


def with_paragraphs(entries: tuple[Entry, ...]) -> list[Found]:
    rows = Paragraph.objects.select_related("article").in_bulk({e.paragraph_id for e in entries})
    return [
        Found(entry, rows[entry.paragraph_id]) for entry in entries if entry.paragraph_id in rows
    ]


def pairs_of(result: DictionaryResult) -> list[tuple[str, int]]:
    """The pairs that were searched for, in order, with the number of entries that each gave."""
    found = Counter(entry.query for entry in result.entries if entry.method == KEYWORD)
    pairs = (PAIR_SIGN.join(pair) for pair in combinations(result.entities, 2))
    return [(pair, found[pair]) for pair in pairs]
