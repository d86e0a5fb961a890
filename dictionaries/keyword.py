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
from dictionaries.selection import (
    DECIMALS,
    Hit,
    best_first,
    best_of_each_in_turn,
    entity_pairs,
    pool,
)

BOTH = 1000.0
PLAIN_TERMS = 12  # a text without entities is searched by its rarest words
PAIR_SIGN = " + "
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
    """Keyword retrieval for one text: what is eligible, and how hits are named.

    before: only paragraphs older than this, or None. positions: ids to positions. usable: of
    positions, which may be chosen; the others (copies) are passed over and replaced.
    """

    def __init__(
        self,
        index: KeywordIndex,
        analyser: Analyser,
        *,
        before: int | None,
        left_out_article: int | None,
        positions: Callable[[list[int]], np.ndarray],
        usable: Callable[[np.ndarray], np.ndarray],
    ):
        self._index, self._analyser = index, analyser
        self._positions, self._usable = positions, usable
        self._scope = _scope(before, left_out_article)

    def retrieve(
        self, text: str, entities: Sequence[str], n: int, *, per_pair: bool = False
    ) -> list[Hit]:
        """The n best paragraphs for a text with these entities, best first.

        Two entities or more: their pairs. Fewer: the single entity, then the text's rarest words.
        """
        if n == 0:
            return []
        pairs = entity_pairs(entities)
        if pairs:
            return self._of_pairs(pairs, n, per_pair=per_pair)
        hits = [hit for entity in entities for hit in self._of_entity(entity, n)]
        seen = {hit.position for hit in hits}
        rest = [hit for hit in self._of_words(text, n + len(hits)) if hit.position not in seen]
        return [*hits, *rest][:n]

    def _of_pairs(self, pairs: list[tuple[str, str]], n: int, *, per_pair: bool) -> list[Hit]:
        """Those that mention both, and only where they do not suffice all others as well."""
        select = best_of_each_in_turn if per_pair else pool
        with_both = [self._of_pair(pair, n, both=True) for pair in pairs]
        if all(len(hits) >= n for hits in with_both) or (
            not per_pair and len(pool(with_both, n)) == n
        ):
            return select(with_both, n)
        with_any = [self._of_pair(pair, n, both=False) for pair in pairs]
        return select(
            [[*both, *_new(any_, both)] for both, any_ in zip(with_both, with_any, strict=True)], n
        )

    def _of_pair(self, pair: tuple[str, str], n: int, *, both: bool) -> list[Hit]:
        terms = [self._analyser.terms(entity) for entity in pair]
        if not all(terms):
            return []
        optional = [(Occur.Should, entity_query(entity)) for entity in terms]
        needed = [(Occur.Must, _constant(_word(term))) for entity in terms for term in entity]
        query = Query.boolean_query([*optional, *needed] if both else optional)
        return self._best(query, n, PAIR_SIGN.join(pair), bonus=BOTH if both else 0.0)

    def _of_entity(self, entity: str, n: int) -> list[Hit]:
        terms = self._analyser.terms(entity)
        return self._best(entity_query(terms), n, entity) if terms else []

    def _of_words(self, text: str, n: int) -> list[Hit]:
        words = self._rarest_words(text)
        if not words:
            return []
        query = Query.boolean_query([(Occur.Should, _word(term)) for _, term in words])
        return self._best(query, n, " ".join(word for word, _ in words))

    def _rarest_words(self, text: str) -> list[tuple[str, Term]]:
        """The text's words that the corpus has, the rarest few, in order of appearance."""
        terms = {term.canonical: term for term in self._analyser.terms(text)}
        counts = {canonical: self._index.rarity(canonical) for canonical in terms}
        known = sorted((c for c in terms if counts[c]), key=lambda c: (counts[c], c))
        chosen = set(known[:PLAIN_TERMS])
        surface = _surfaces(text, self._analyser)
        return [(surface.get(c, c), term) for c, term in terms.items() if c in chosen]

    def _best(self, query: Query, n: int, name: str, bonus: float = 0.0) -> list[Hit]:
        """The n best usable hits and all that are as good as the last of them."""
        limit = n + 8
        scoped = Query.boolean_query([(Occur.Must, query), *self._scope])
        while True:
            scores, ids = self._index.search(scoped, limit)
            positions = self._positions(ids)
            keep = self._usable(positions)
            hits = [
                Hit(int(position), score + bonus, name)
                for position, score, kept in zip(positions, scores, keep, strict=True)
                if kept
            ]
            if len(ids) < limit or _is_settled(hits, scores, n, bonus):
                return best_first(hits)[:n]
            limit *= 4


def _is_settled(hits: list[Hit], scores: list[float], n: int, bonus: float) -> bool:
    """Whether the n-th usable hit is clearly better than the last that was fetched."""
    return len(hits) >= n and hits[n - 1].score - bonus > scores[-1] + 2 * 10**-DECIMALS


def _new(hits: list[Hit], known: list[Hit]) -> list[Hit]:
    positions = {hit.position for hit in known}
    return [hit for hit in hits if hit.position not in positions]


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
