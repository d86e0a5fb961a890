"""Search in the corpus while a claim is labelled, where the wave allows it; all is written down."""

from dataclasses import dataclass, field
from itertools import groupby

from django.core import signing
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from annotation.models import Assignment, OpenedArticle, Operation, Task
from annotation.scope import claim_of, may_open
from annotation.ticks import LONGEST_VALUE
from corpus.models import Article, Paragraph
from dictionaries.backends.base import Method
from dictionaries.searching import FoundParagraph, search_corpus

MOST_HITS = 10
SALT = "an article that a search found"


@dataclass(frozen=True)
class FoundArticle:
    """An article with what a search found in it. ticket: lets this assignment open it."""

    article: Article
    version: int
    paragraphs: list[Paragraph]
    ticket: str

    @property
    def key(self) -> str:
        """Its name on pages, as in the scope."""
        return f"{self.article.pk}@{self.version}"

    @property
    def first(self) -> Paragraph:
        return self.paragraphs[0]


@dataclass(frozen=True)
class Search:
    """What is looked for; `articles`, once that is done, in the order of their best hits.

    searched: what was asked before, where these words were only typed.
    """

    text: str = ""
    method: str = "keyword"
    articles: list[FoundArticle] = field(default_factory=list)
    problem: str = ""
    is_done: bool = False
    searched: str = ""

    @property
    def asked(self) -> str:
        """What was asked, by which a form that comes back tells whether it asks anew."""
        return f"{self.method} {self.text}"


def typed_search(fields: dict) -> Search:
    """The words in the search of a form ({name: [values]}), which are not searched for now."""
    names = ("search-text", "search-method", "searched")
    text, method, searched = (str((fields.get(name) or [""])[0]) for name in names)
    return Search(text, method or Search.method, searched=searched)


def may_search(assignment: Assignment) -> bool:
    """Whether the page offers a search: what is found has to be older than a known moment."""
    if assignment.task != Task.T2 or not assignment.wave.allows_search:
        return False
    corpus = assignment.wave.campaign.corpus
    dated = corpus is not None and (corpus.undated or claim_of(assignment).as_of is not None)
    return dated and may_open(assignment)


def search_for(*, assignment: Assignment, text: str, method: Method) -> Search:
    """Search what is older than the claim's as-of date, and write down that it was searched.

    Raises IndexUnavailable.
    """
    hits = search_corpus(
        corpus=assignment.wave.campaign.corpus,
        text=text,
        before=claim_of(assignment).as_of,
        method=method,
        limit=MOST_HITS,
    ).hits
    Operation.objects.create(
        assignment=assignment,
        kind=Operation.Kind.SEARCH,
        value=f"{method} {len(hits)}: {text}"[:LONGEST_VALUE],
    )
    return Search(text, method, found_articles(assignment, hits), is_done=True)


def found_articles(assignment: Assignment, hits: list[FoundParagraph]) -> list[FoundArticle]:
    """The hits by article, in the order of the best hit of each."""
    best = {}
    for hit in hits:
        best.setdefault(version_of(hit.paragraph), hit.rank)
    ranked = sorted(hits, key=lambda hit: (best[version_of(hit.paragraph)], hit.rank))
    found = []
    for (article, version), group in groupby(ranked, key=lambda hit: version_of(hit.paragraph)):
        rows = [hit.paragraph for hit in group]
        ticket = signing.dumps([assignment.pk, article, version], salt=SALT)
        found.append(FoundArticle(rows[0].article, version, rows, ticket))
    return found


def version_of(paragraph: Paragraph) -> tuple[int, int]:
    return paragraph.article_id, paragraph.version


def found_by(*, assignment: Assignment, ticket: str) -> Paragraph:
    """The first paragraph of the article that a search of this assignment found.

    Raises ValidationError where it was not found in this assignment, or is not older.
    """
    refusal = ValidationError(_("This article is not among those that your search found."))
    try:
        number, article, version = signing.loads(ticket, salt=SALT)
    except (signing.BadSignature, ValueError):
        raise refusal from None
    if number != assignment.pk or not may_search(assignment):
        raise refusal
    rows = Paragraph.objects.filter(article=article, version=version)
    as_of = claim_of(assignment).as_of
    is_dated = not assignment.wave.campaign.corpus.undated
    first = rows.select_related("article").first()
    if first is None or (is_dated and rows.exclude(available_at__lt=as_of).exists()):
        raise refusal
    return first


@transaction.atomic
def open_found(*, assignment: Assignment, found: Paragraph) -> OpenedArticle:
    """Let an annotator see all of an article that `found_by` named: its paragraphs join K."""
    opened, is_new = OpenedArticle.objects.get_or_create(
        assignment=assignment, article=found.article, version=found.version
    )
    if is_new:
        Operation.objects.create(
            assignment=assignment, kind=Operation.Kind.OPEN, value=found.article.external_id
        )
    return opened
