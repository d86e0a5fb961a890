"""The platform's own search, asked for the claims of a release.

Of each claim nothing newer than its source is searched, as its annotators saw nothing newer: the
source's own time is within the limit, since annotators read the source and its article.
"""

from collections.abc import Iterable, Mapping, Sequence

from corpus.models import Corpus, Paragraph
from datasets.records import LabelledClaim
from datasets.results.claims import Known, pieces
from dictionaries.backends.base import Index, SearchQuery
from dictionaries.bridge import backend, microseconds
from dictionaries.evaluating import DEPTH, ranked

WAYS = ("keyword", "semantic", "combined")


class Search:
    """Rankings of public ids for each way and claim, best first; texts of the first of each.

    Raises IndexUnavailable where there is no whole index. The index that was current at first is
    asked to the end.
    """

    def __init__(self, corpus: Corpus, known: Mapping[str, Known]):
        self.corpus, self._known = corpus, known
        self.index: Index = backend().open(corpus.slug)
        self.rankings: dict[str, dict[int, list[str]]] = {way: {} for way in WAYS}
        self.texts: dict[str, str] = {}

    def ask(self, claim: LabelledClaim, *, read: int = 0) -> None:
        """Search for a claim by every way; keep the texts of the first `read` paragraphs."""
        limit = self.limit_of(claim)
        found = ranked(
            self.index, SearchQuery(claim.text, limit, DEPTH, language=self.corpus.language)
        )
        names = names_of({paragraph for ids in found.values() for paragraph in ids})
        for way, ids in found.items():
            self.rankings[way][claim.number] = [names[one] for one in ids if one in names]
        if read:
            first = {name for way in WAYS for name in self.rankings[way][claim.number][:read]}
            self.keep_texts(first - self.texts.keys())

    def keep_texts(self, names: Iterable[str]) -> None:
        rows = Paragraph.objects.filter(corpus=self.corpus, public_id__in=list(names))
        self.texts |= dict(rows.values_list("public_id", "text"))

    def limit_of(self, claim: LabelledClaim) -> int | None:
        """Microseconds that all which is searched is older than; None where no time is known."""
        source = claim.source and self._known.get(claim.source.paragraph)
        if self.corpus.undated or not source or source.available_at is None:
            return None
        return microseconds(source.available_at) + 1

    def facts(self, claims: Sequence[LabelledClaim]) -> dict[str, int]:
        """What limits the figures of these claims.

        without_date: claims searched for in texts of any date; not_indexed: evidence that the
        index does not hold (titles, earlier versions, what the corpus lacks); out_of_reach:
        claims of which no evidence set is whole within the index and the date.
        """
        wanted = {cited.paragraph for claim in claims for one in claim.evidence for cited in one}
        times = self.indexed_times(wanted)
        return {
            "without_date": sum(self.lacks_date(claim) for claim in claims),
            "not_indexed": len(wanted - times.keys()),
            "out_of_reach": sum(not self.is_in_reach(claim, times) for claim in claims),
        }

    def lacks_date(self, claim: LabelledClaim) -> bool:
        return not self.corpus.undated and self.limit_of(claim) is None

    def is_in_reach(self, claim: LabelledClaim, times: Mapping[str, int | None]) -> bool:
        limit = self.limit_of(claim)
        return any(
            all(
                cited.paragraph in times and (limit is None or times[cited.paragraph] < limit)
                for cited in one
            )
            for one in claim.evidence
        )

    def indexed_times(self, names: Iterable[str]) -> dict[str, int | None]:
        """{public id: when it was there} of what the index should hold."""
        rows = Paragraph.objects.indexed().filter(corpus=self.corpus)
        return {
            name: microseconds(available_at)
            for piece in pieces(names)
            for name, available_at in rows.filter(public_id__in=piece).values_list(
                "public_id", "available_at"
            )
        }


def names_of(ids: Iterable[int]) -> dict[int, str]:
    return dict(Paragraph.objects.filter(pk__in=list(ids)).values_list("pk", "public_id"))
