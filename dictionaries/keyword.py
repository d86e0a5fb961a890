"""The keyword part of an index: tantivy, which keeps terms, ids and times, and no text.

A paragraph's words stand in `body`, one canonical term per word, so that phrases have positions;
further forms of its words (without accents, parts of hyphenated words) stand in `extra`.

The query of an entity adds, by BM25 with k1 = 1.2 and b = 0.75 (tantivy's, fixed): each of its
words, in `body` or `extra`, whichever scores higher; and, of several words, their phrase. The
query of a pair adds both entities; a paragraph in which all words of both are found gets BOTH
more, so that those that mention both come first. Longer names score higher. Inverse document
frequencies are those of the whole corpus, as of no date.
"""

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import tantivy
from tantivy import FieldType, Occur, Query

from dictionaries.analysis import WORD, Analyser, Term, without_accents
from dictionaries.backends.keyword_hits import BOTH, Search
from dictionaries.backends.keyword_hits import PAIR_SIGN as PAIR_SIGN

PLAIN_TERMS = 12  # a text without entities is searched by its rarest words
WRITER_BYTES = 128_000_000


def _schema() -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("body", tokenizer_name="whitespace")
    builder.add_text_field("extra", tokenizer_name="whitespace", index_option="freq")
    builder.add_integer_field("paragraph", fast=True)
    builder.add_integer_field("article", indexed=True)
    builder.add_integer_field("available_at", fast=True)
    return builder.build()


SCHEMA = _schema()


class KeywordWriter:
    """Adds paragraphs to a folder's keyword index; nothing is there before `finish`."""

    def __init__(self, folder: Path):
        folder.mkdir(parents=True, exist_ok=True)
        self._index = tantivy.Index(SCHEMA, path=str(folder))
        self._writer = self._index.writer(WRITER_BYTES, 1)  # one thread: the same segments again

    def add(self, terms: Sequence[Term], *, paragraph: int, article: int, available_at: int):
        document = tantivy.Document()
        document.add_text("body", " ".join(term.canonical for term in terms))
        document.add_text("extra", " ".join(form for term in terms for form in term.others))
        document.add_integer("paragraph", paragraph)
        document.add_integer("article", article)
        document.add_integer("available_at", available_at)
        self._writer.add_document(document)

    def finish(self):
        self._writer.commit()
        self._writer.wait_merging_threads()


class KeywordIndex:
    """A keyword index opened for reading."""

    def __init__(self, folder: Path):
        self._index = tantivy.Index.open(str(folder))
        self._searcher = self._index.searcher()

    @property
    def paragraphs(self) -> int:
        return self._searcher.num_docs

    def rarity(self, term: str) -> int:
        """In how many paragraphs a canonical term stands."""
        return self._searcher.doc_freq("body", term)

    def search(self, query: Query, limit: int) -> tuple[list[float], list[int]]:
        """Scores and paragraph ids of the best hits."""
        hits = self._searcher.search(query, limit, count=False).hits
        ids = self._searcher.fast_field_values("paragraph", [address for _, address in hits])
        return [score for score, _ in hits], [int(value or 0) for value in ids]


class KeywordSearch:
    """Keyword searches among what is eligible for one query.

    before: only paragraphs older than this, or None. positions: ids to positions.
    """

    def __init__(
        self,
        index: KeywordIndex,
        analyser: Analyser,
        *,
        before: int | None,
        left_out_article: int | None,
        positions: Callable[[list[int]], np.ndarray],
    ):
        self._index, self._analyser, self._positions = index, analyser, positions
        self._scope = _scope(before, left_out_article)

    def pair(self, first: str, second: str, *, both: bool) -> Search | None:
        """Both entities; where `both`, only what has all words of both, with its bonus."""
        terms = [self._analyser.terms(entity) for entity in (first, second)]
        if not all(terms):
            return None
        optional = [(Occur.Should, entity_query(entity)) for entity in terms]
        needed = [(Occur.Must, _constant(_word(term))) for entity in terms for term in entity]
        query = Query.boolean_query([*optional, *needed] if both else optional)
        return self._search(query, PAIR_SIGN.join((first, second)), BOTH if both else 0.0)

    def entity(self, name: str) -> Search | None:
        """The words of a name or of any short text, and together as a phrase."""
        terms = self._analyser.terms(name)
        return self._search(entity_query(terms), name) if terms else None

    def words(self, text: str) -> Search | None:
        """The text's words that are rarest in the corpus."""
        words = self._rarest_words(text)
        query = Query.boolean_query([(Occur.Should, _word(term)) for _, term in words])
        return self._search(query, " ".join(word for word, _ in words)) if words else None

    def _rarest_words(self, text: str) -> list[tuple[str, Term]]:
        """The text's words that the corpus has, the rarest few, in order of appearance."""
        terms = {term.canonical: term for term in self._analyser.terms(text)}
        counts = {canonical: self._index.rarity(canonical) for canonical in terms}
        known = sorted((c for c in terms if counts[c]), key=lambda c: (counts[c], c))
        chosen = set(known[:PLAIN_TERMS])
        surface = _surfaces(text, self._analyser)
        return [(surface.get(c, c), term) for c, term in terms.items() if c in chosen]

    def _search(self, query: Query, name: str, bonus: float = 0.0) -> Search:
        scoped = Query.boolean_query([(Occur.Must, query), *self._scope])

        def fetch(limit: int) -> tuple[list[float], np.ndarray]:
            scores, ids = self._index.search(scoped, limit)
            return scores, self._positions(ids)

        return Search(name, fetch, bonus)


def _surfaces(text: str, analyser: Analyser) -> dict[str, str]:
    """How the canonical terms of a text are written in it."""
    found: dict[str, str] = {}
    for word in WORD.findall(text):
        for term in analyser.terms(word):
            found.setdefault(term.canonical, word)
    return found


def _scope(before: int | None, left_out_article: int | None) -> list[tuple[Occur, Query]]:
    scope = []
    if before is not None:
        dated = Query.range_query(
            SCHEMA, "available_at", FieldType.Integer, None, before, include_upper=False
        )
        scope.append((Occur.Must, _constant(dated)))
    if left_out_article is not None:
        scope.append((Occur.MustNot, Query.term_query(SCHEMA, "article", left_out_article)))
    return scope


def entity_query(terms: Sequence[Term]) -> Query:
    """An entity's words, each on its own, and together as a phrase."""
    parts = [(Occur.Should, _word(term)) for term in terms]
    if len(terms) > 1:
        phrase = Query.phrase_query(SCHEMA, "body", [term.canonical for term in terms])
        parts.append((Occur.Should, phrase))
    return Query.boolean_query(parts)


def _word(term: Term) -> Query:
    """A word in its canonical form, or without accents, whichever scores higher."""
    folded = without_accents(term.canonical)
    places = [("body", term.canonical), ("extra", folded)]
    if folded != term.canonical:
        places.append(("body", folded))
    return Query.disjunction_max_query(
        [Query.term_query(SCHEMA, field, value) for field, value in places]
    )


def _constant(query: Query) -> Query:
    return Query.const_score_query(query, 0.0)
