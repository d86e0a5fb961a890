"""DrQA's scorer over the paragraphs of an index, and how far BM25 agrees with it."""

from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from corpus.models import Corpus, Paragraph
from dictionaries.analysis import base_language
from dictionaries.backends.base import (
    KEYWORD,
    DictionaryQuery,
    DictionaryResult,
    DictionarySettings,
)
from dictionaries.backends.rows import read_rows
from dictionaries.bridge import backend, dictionary_settings, index_rows, microseconds
from dictionaries.drqa import MOST_PARAGRAPHS, DrqaScorer
from dictionaries.evaluation import overlap
from dictionaries.queries import query_of_paragraph
from dictionaries.selection import NO_COPY, Hit, entity_pairs, pool
from dictionaries.stop_words import stop_words


class DrqaCorpus:
    """The paragraphs that an index of a corpus holds, sorted by time, scored as DrQA does.

    Raises ValueError for a corpus that is too large to be kept in memory.
    """

    def __init__(self, corpus: Corpus):
        count = Paragraph.objects.indexed().filter(corpus=corpus).count()
        if count > MOST_PARAGRAPHS:
            raise ValueError(
                f"{corpus.slug} has {count} paragraphs; DrQA's scorer is for {MOST_PARAGRAPHS}"
            )
        with TemporaryDirectory() as folder:
            self.rows, spool = read_rows(
                index_rows(corpus), Path(folder), lambda done, total: None, steps=1
            )
            texts = (spool.text(place) for place in range(len(self.rows)))
            self.scorer = DrqaScorer(texts, stop_words(base_language(corpus.language)))
            spool.close()

    def search(self, text: str, n: int) -> list[int]:
        """The ids of the n best paragraphs for a text, best first."""
        everywhere = np.ones(len(self.rows), dtype=bool)
        return self._ids(place for place, _ in self.scorer.best(text, n, eligible=everywhere))

    def of_pairs(
        self, query: DictionaryQuery, entities: Sequence[str], settings: DictionarySettings
    ) -> list[int]:
        """The keyword part of a dictionary by this scorer: ids of the best of all pairs together.

        Under the same date, left-out article and rule for copies as the index has.
        """
        eligible, n = self._eligible(query, settings), settings.n_kw
        best = (
            self.scorer.best(" ".join(pair), n, eligible=eligible)
            for pair in entity_pairs(entities)
        )
        hits = [[Hit(place, score, "") for place, score in places] for places in best]
        return self._ids(hit.position for hit in pool(hits, n))

    def _eligible(self, query: DictionaryQuery, settings: DictionarySettings) -> np.ndarray:
        prefix = self.rows.prefix(query.as_of)
        kinds = self.rows.copies_of(
            query.text,
            np.arange(prefix),
            jaccard=settings.copy_jaccard,
            containment=settings.copy_containment,
        )
        eligible = np.zeros(len(self.rows), dtype=bool)
        eligible[:prefix] = kinds == NO_COPY
        eligible[self.rows.of_article(query.left_out_article, prefix)] = False
        return eligible

    def _ids(self, places) -> list[int]:
        return [int(self.rows.columns["paragraph"][place]) for place in places]


def compare_scorers(
    corpus: Corpus, *, sample: int, seed: int, progress: Callable[[int, int], None]
) -> dict:
    """How much of the keyword part of dictionaries DrQA's scorer would choose as well.

    For a seeded sample of the corpus' paragraphs as queries, those with two entities or more and
    something to be found: the mean overlap of both lists (four paragraphs each by default), and
    how often they agree on all and on the first. Raises IndexUnavailable, ValueError.
    """
    index, settings = backend().open(corpus.slug), dictionary_settings(corpus, {"n_sem": 0})
    drqa = DrqaCorpus(corpus)
    paragraphs = _sample(corpus, sample, seed)
    pairs = []
    for number, paragraph in enumerate(paragraphs, start=1):
        query = _query(corpus, paragraph)
        result = index.retrieve(query, settings)
        theirs = drqa.of_pairs(query, result.entities, settings)
        if len(result.entities) > 1 and (theirs or result.entries):
            pairs.append((_keyword(result), theirs))
        progress(number, len(paragraphs))
    return _agreement(pairs) | {"sampled": len(paragraphs), "n": settings.n_kw}


def _sample(corpus: Corpus, sample: int, seed: int) -> list[Paragraph]:
    rows = Paragraph.objects.indexed().filter(corpus=corpus).order_by("public_id")
    ids = np.array(rows.values_list("pk", flat=True), dtype=np.int64)
    chosen = np.random.default_rng(seed).permutation(ids)[:sample].tolist()
    return list(rows.filter(pk__in=chosen).select_related("article"))


def _query(corpus: Corpus, paragraph: Paragraph) -> DictionaryQuery:
    query = query_of_paragraph(paragraph)
    return DictionaryQuery(
        text=query["text"],
        as_of=None if corpus.undated else microseconds(query["as_of"]),
        left_out_article=paragraph.article_id,
        language=query["language"],
        paragraph_id=paragraph.pk,
    )


def _keyword(result: DictionaryResult) -> list[int]:
    return [entry.paragraph_id for entry in result.entries if entry.method == KEYWORD]


def _agreement(pairs: list[tuple[list[int], list[int]]]) -> dict:
    if not pairs:
        raise ValueError("no sampled paragraph has two entities and something to be found")
    return {
        "compared": len(pairs),
        "overlap": float(np.mean([overlap(ours, theirs) for ours, theirs in pairs])),
        "same": float(np.mean([set(ours) == set(theirs) for ours, theirs in pairs])),
        "same_first": float(np.mean([ours[:1] == theirs[:1] for ours, theirs in pairs])),
    }
