"""Search in a corpus: the best paragraphs older than a moment, a page at a time."""

from dataclasses import dataclass
from datetime import datetime

from corpus.models import Corpus, Paragraph
from dictionaries.backends.base import KEYWORD, Method, SearchQuery
from dictionaries.bridge import backend, microseconds

LONGEST_QUERY = 300
PER_PAGE = 10
MOST_HITS = 200  # a search is for reading: who wants everything has the exports


@dataclass(frozen=True)
class FoundParagraph:
    """A paragraph that a search found, with its place among all hits, from 1."""

    paragraph: Paragraph
    score: float
    rank: int


@dataclass(frozen=True)
class FoundPage:
    """Some neighbouring hits, best first, and whether there are more after them."""

    hits: list[FoundParagraph]
    has_more: bool


def search_corpus(
    *,
    corpus: Corpus,
    text: str,
    before: datetime | None,
    method: Method = KEYWORD,
    limit: int = PER_PAGE,
    offset: int = 0,
) -> FoundPage:
    """The hits after the first `offset`, at most `limit`, of the MOST_HITS best in all.

    before: only what is older is found; None searches all, in an undated corpus alone.
    Raises IndexUnavailable.
    """
    if before is None and not corpus.undated:
        raise ValueError("a search in a dated corpus needs the moment that it is older than")
    last = min(offset + limit, MOST_HITS)
    if offset >= last:
        return FoundPage([], has_more=False)
    before_microseconds = None if corpus.undated else microseconds(before)
    query = SearchQuery(text, before_microseconds, last + 1, language=corpus.language)
    hits = backend().open(corpus.slug).search(query, method)
    rows = Paragraph.objects.select_related("article").in_bulk(
        {hit.paragraph_id for hit in hits[offset:last]}
    )
    found = [
        FoundParagraph(rows[hit.paragraph_id], hit.score, rank)
        for rank, hit in enumerate(hits[offset:last], start=offset + 1)
        if hit.paragraph_id in rows
    ]
    return FoundPage(found, has_more=len(hits) > last and last < MOST_HITS)
