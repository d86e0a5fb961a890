"""Known evidence looked for in a corpus, by each way of retrieval."""

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from corpus.models import Article, Corpus, Paragraph
from dictionaries.backends.base import KEYWORD, SEMANTIC, Index, SearchQuery
from dictionaries.bridge import backend, dictionary_settings
from dictionaries.evaluation import Judged, fused, summary
from dictionaries.known_evidence import KnownClaim
from dictionaries.queries import paragraph_named, query_of_paragraph, query_of_text
from dictionaries.reproducing import DrqaCorpus
from dictionaries.services import retrieve

DEPTH = 100  # how many paragraphs each search gives
WITH_SOURCE = "dictionary + source article"
WITHIN_REACH = "dictionary, evidence in reach"


def evaluate(
    corpus: Corpus,
    claims: Iterable[KnownClaim],
    *,
    limit: int | None,
    seed: int,
    drqa: bool,
    progress: Callable[[int, int], None],
) -> dict:
    """Means over the claims with evidence, or over a seeded sample of `limit` of them, by method.

    keyword, semantic: the claim's text is searched for in all paragraphs, of any date. combined:
    both by reciprocal rank fusion. dictionary: as built for the claim's source (its text, date and
    article), keyword part first; without a source for the claim's text, of any date. Claims whose
    source the corpus does not have (`without_source`) have no dictionary and count in none. In
    reach is evidence that a dictionary may hold: older than the source, of no paragraph of its
    article; it is judged by such sets alone, over the claims that have one. Evidence that the
    index does not hold (`unknown`) counts as not found. Raises IndexUnavailable, ValueError.
    """
    claims = list(claims)
    asked = _sample([claim for claim in claims if claim.evidence], limit, seed)
    names = Names(corpus, asked)
    methods = Methods(corpus, seed=seed, drqa=DrqaCorpus(corpus) if drqa else None)
    judged: dict[str, list[Judged]] = {}
    for number, claim in enumerate(asked, start=1):
        found = methods.of(claim)
        for method, ids in found.items():
            judged.setdefault(method, []).append(Judged(names.of(ids), claim.evidence))
        if within := names.within_reach(claim):
            of_reach = Judged(names.of(found["dictionary"]), within)
            judged.setdefault(WITHIN_REACH, []).append(of_reach)
        progress(number, len(asked))
    return {
        "claims": len(claims),
        "with_evidence": sum(1 for claim in claims if claim.evidence),
        "names": names.kind,
        "unknown": names.unknown,
        "without_source": methods.without_source,
        "seed": seed,
        "methods": {method: summary(of_claims) for method, of_claims in judged.items()},
    }


def _sample(claims: list[KnownClaim], limit: int | None, seed: int) -> list[KnownClaim]:
    if limit is None or limit >= len(claims):
        return claims
    chosen = np.random.default_rng(seed).permutation(len(claims))[:limit]
    return [claims[place] for place in np.sort(chosen)]


class Names:
    """What paragraphs are called in the evidence of claims: by themselves, or by their article.

    Raises ValueError where the corpus has none of the evidence.
    """

    def __init__(self, corpus: Corpus, claims: Sequence[KnownClaim]):
        wanted = {name for claim in claims for names in claim.evidence for name in names}
        indexed = Paragraph.objects.indexed().filter(corpus=corpus)
        articles = Article.objects.filter(corpus=corpus)
        self._corpus, self._by_paragraph = corpus, False
        for field, rows in (("public_id", indexed), ("external_id", articles)):
            known = _known(rows, field, wanted)
            if known:
                self._by_paragraph = field == "public_id"
                break
        if wanted and not known:
            raise ValueError(f"{corpus.slug} has none of its {len(wanted)} evidence names")
        self.kind = "paragraphs" if self._by_paragraph else "articles"
        self.unknown = len(wanted) - known

    def of(self, ids: Sequence[int]) -> tuple[str, ...]:
        """The names of paragraphs in their order, each once."""
        field = "public_id" if self._by_paragraph else "article__external_id"
        names = dict(Paragraph.objects.filter(pk__in=ids).values_list("pk", field))
        return tuple(dict.fromkeys(names[paragraph] for paragraph in ids))

    def within_reach(self, claim: KnownClaim) -> tuple[frozenset[str], ...]:
        """The evidence sets that the dictionary of a claim's source may hold whole."""
        source = claim.source and paragraph_named(self._corpus, claim.source)
        if not source or not self._by_paragraph:
            return ()
        wanted = frozenset().union(*claim.evidence)
        rows = Paragraph.objects.indexed().filter(corpus=self._corpus, public_id__in=wanted)
        rows = rows.exclude(article=source.article_id)
        if not self._corpus.undated:
            rows = rows.filter(available_at__lt=source.published_at)
        reachable = frozenset(rows.values_list("public_id", flat=True))
        return tuple(names for names in claim.evidence if names <= reachable)


def _known(rows, field: str, names: set[str]) -> int:
    """How many of the names are values of a field; asked for in pieces that SQL takes."""
    ordered = sorted(names)
    pieces = (ordered[start : start + 500] for start in range(0, len(ordered), 500))
    return sum(rows.filter(**{f"{field}__in": piece}).count() for piece in pieces)


def ranked(index: Index, query: SearchQuery) -> dict[str, list[int]]:
    """The ids of the paragraphs that each way of searching finds, best first."""
    keyword = [hit.paragraph_id for hit in index.search(query, KEYWORD)]
    semantic = [hit.paragraph_id for hit in index.search(query, SEMANTIC)]
    return {
        "keyword": keyword,
        "semantic": semantic,
        "combined": fused([keyword, semantic], query.limit),
    }


class Methods:
    """The ways of retrieval, asked for one claim after the other; dictionaries are kept."""

    def __init__(self, corpus: Corpus, *, seed: int, drqa: DrqaCorpus | None):
        self._corpus, self._drqa = corpus, drqa
        self._index: Index = backend().open(corpus.slug)
        self._settings = dictionary_settings(corpus, {"seed": seed})
        self._built: dict[str, dict[str, list[int]]] = {}
        self.without_source = 0

    def of(self, claim: KnownClaim) -> dict[str, list[int]]:
        """The ids of the paragraphs that each way finds for a claim, best first."""
        query = SearchQuery(claim.text, None, DEPTH, language=self._corpus.language)
        found = ranked(self._index, query)
        if self._drqa:
            found["drqa"] = self._drqa.search(claim.text, DEPTH)
        return found | self._dictionary(claim)

    def _dictionary(self, claim: KnownClaim) -> dict[str, list[int]]:
        if claim.source is None:
            return self._entries(query_of_text(self._corpus, claim.text, None))
        if claim.source not in self._built:
            self._built[claim.source] = self._of_source(claim.source)
        self.without_source += not self._built[claim.source]
        return self._built[claim.source]

    def _of_source(self, source: str) -> dict[str, list[int]]:
        paragraph = paragraph_named(self._corpus, source)
        if paragraph is None:
            return {}
        found = self._entries(query_of_paragraph(paragraph))
        own = Paragraph.objects.current().filter(article=paragraph.article_id).order_by("rank")
        rest = [*own.values_list("pk", flat=True), *found["dictionary"]]
        return found | {WITH_SOURCE: list(dict.fromkeys([paragraph.pk, *rest]))}

    def _entries(self, query: dict) -> dict[str, list[int]]:
        result = retrieve(corpus=self._corpus, settings=self._settings, **query)
        return {"dictionary": list(dict.fromkeys(e.paragraph_id for e in result.entries))}
