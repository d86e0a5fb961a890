"""The knowledge scope K: all that an annotator may rely on. Computed anew, never copied."""

from collections import defaultdict
from dataclasses import dataclass, replace
from datetime import datetime

import numpy as np
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Count, Q
from django.utils.translation import gettext as _

from annotation.models import Assignment, Claim, Instance, OpenedArticle, Operation, Task
from corpus.models import Article, Paragraph
from dictionaries.models import DictionaryEntry

Key = tuple[int, int]  # article, version
VERSION = ("article", "version")


@dataclass(frozen=True)
class Badge:
    """Why a paragraph is in a dictionary: by keyword or semantic search, for which query.

    of: 'source' for d(source), 'claim' for d(claim).
    """

    method: str
    query: str
    of: str

    def __str__(self):
        return self.query


@dataclass
class ScopeArticle:
    """An article of K, in one version, with those of its paragraphs that belong to K.

    Each paragraph carries `is_source` and `badges` beside its columns.
    hidden_count: how many more paragraphs can be opened.
    """

    article: Article
    version: int
    title: str
    published_at: datetime | None
    is_day: bool
    is_source: bool
    is_opened: bool
    is_found: bool  # by search: it came into K by being opened
    paragraphs: list[Paragraph]
    hidden_count: int

    @property
    def key(self) -> str:
        """Its name on pages: of a changed article two versions may be in K."""
        return f"{self.article.pk}@{self.version}"

    @property
    def badges(self) -> list[Badge]:
        """The badges of its paragraphs, each once."""
        return list(dict.fromkeys(b for row in self.paragraphs for b in row.badges))


@dataclass(frozen=True)
class Scope:
    """The articles of K: the source's first, then the others in the assignment's order."""

    articles: list[ScopeArticle]

    @property
    def paragraphs(self) -> dict[int, Paragraph]:
        return {row.pk: row for article in self.articles for row in article.paragraphs}

    def article(self, article_id: int, version: int | None = None) -> ScopeArticle | None:
        """The article of this id, in its newest version in K unless another is named."""
        found = [row for row in self.articles if row.article.pk == article_id]
        found = [row for row in found if version in (None, row.version)]
        return max(found, key=lambda row: row.version, default=None)


def knowledge_scope(assignment: Assignment) -> Scope:
    """K of an assignment, in a constant number of queries.

    It follows from the source, the ids of the dictionaries, the articles opened and the seed.
    """
    cited = base_paragraphs(assignment)
    opened = {(row.article_id, row.version): None for row in assignment.opened.all()}
    found = [key for key in opened if key not in cited]
    for key, paragraph in opened_paragraphs(set(opened)):
        cited[key].setdefault(paragraph.pk, noted(paragraph))
    facts = article_facts(cited)
    source = source_of(assignment)
    first = source and (source.article_id, source.version)
    articles = [
        scope_article(
            key,
            cited[key],
            facts[key],
            is_source=key == first,
            is_opened=key in opened,
            is_found=key in found,
        )
        for key in in_order(cited, first=first, found=found, seed=assignment.shuffle_seed)
    ]
    if not may_open(assignment):
        articles = [replace(article, hidden_count=0) for article in articles]
    return Scope(articles)


def source_of(assignment: Assignment) -> Paragraph | None:
    """The paragraph that the claim, or the writer's work, comes from."""
    if assignment.task == Task.T1A:
        return assignment.preselection.paragraph
    claim = claim_of(assignment)
    return claim and claim.source


def claim_of(assignment: Assignment) -> Claim | None:
    if assignment.task == Task.T1B:
        return assignment.claim
    return assignment.item.instance.claim if assignment.task == Task.T2 else None


def base_paragraphs(assignment: Assignment) -> dict[Key, dict[int, Paragraph]]:
    """The paragraphs of K without what was opened, by article and version."""
    rows: dict[Key, dict[int, Paragraph]] = defaultdict(dict)
    instance = assignment.item.instance if assignment.task == Task.T2 else None
    if instance is not None and instance.scope_kind != Instance.ScopeKind.WHOLE:
        for paragraph in narrow_paragraphs(instance):
            rows[key_of(paragraph)][paragraph.pk] = noted(paragraph)
        return rows
    if source := source_of(assignment):
        rows[key_of(source)][source.pk] = noted(source, is_source=True)
    for paragraph, badge in dictionary_paragraphs(assignment):
        row = rows[key_of(paragraph)].setdefault(paragraph.pk, noted(paragraph))
        row.badges.append(badge)
    return rows


def noted(paragraph: Paragraph, *, is_source: bool = False) -> Paragraph:
    """The paragraph, with a place to note why it is in K."""
    paragraph.is_source = is_source
    paragraph.badges = []
    return paragraph


def key_of(paragraph: Paragraph) -> Key:
    return (paragraph.article_id, paragraph.version)


def narrow_paragraphs(instance: Instance):
    """The scope of an instance that is judged against one article or one passage."""
    if instance.scope_kind == Instance.ScopeKind.PASSAGE:
        return Paragraph.objects.filter(pk=instance.passage_id)
    return Paragraph.objects.filter(article=instance.article_id, version=instance.article_version)


def dictionary_paragraphs(assignment: Assignment):
    """Each entry of the two dictionaries as (paragraph, badge)."""
    names = {assignment.claim_dictionary_id: "claim", assignment.source_dictionary_id: "source"}
    entries = (
        DictionaryEntry.objects.filter(dictionary__in=[pk for pk in names if pk is not None])
        .select_related("paragraph")
        .order_by("dictionary", "method", "rank")
    )
    for entry in entries:
        badge = Badge(method=entry.method, query=entry.query, of=names[entry.dictionary_id])
        yield entry.paragraph, badge


def opened_paragraphs(opened: set[Key]):
    if not opened:
        return
    wanted = Q()
    for article, version in sorted(opened):
        wanted |= Q(article=article, version=version)
    for paragraph in Paragraph.objects.filter(wanted).order_by("pk"):
        yield key_of(paragraph), paragraph


def article_facts(keys) -> dict[Key, tuple[Article, str, int]]:
    """For each article and version: the article, its title then, how many paragraphs it has."""
    ids = {article for article, _ in keys}
    articles = Article.objects.in_bulk(ids)
    rows = Paragraph.objects.filter(article__in=ids)
    titles = {(a, v): t for a, v, t in rows.filter(rank=0).values_list(*VERSION, "text")}
    counted = rows.filter(rank__gt=0).values("article", "version").annotate(size=Count("pk"))
    sizes = {(row["article"], row["version"]): row["size"] for row in counted.order_by()}
    return {
        key: (articles[key[0]], titles.get(key, articles[key[0]].title), sizes.get(key, 0))
        for key in keys
    }


def scope_article(key, rows, facts, *, is_source, is_opened, is_found) -> ScopeArticle:
    article, title, size = facts
    paragraphs = sorted(rows.values(), key=lambda row: row.rank)
    dated = paragraphs[0] if paragraphs else article
    return ScopeArticle(
        article=article,
        version=key[1],
        title=title or article.external_id,
        published_at=dated.published_at,
        is_day=dated.is_day,
        is_source=is_source,
        is_opened=is_opened,
        is_found=is_found,
        paragraphs=paragraphs,
        hidden_count=size - sum(row.rank > 0 for row in paragraphs),
    )


def in_order(keys, *, first: Key | None, found: list[Key], seed: int) -> list[Key]:
    """The source's article, then the others shuffled by the assignment's seed.

    Opening an article moves none: it was in K before, or search found it, and it comes last.
    """
    others = sorted(key for key in keys if key != first and key not in found)
    shuffled = [others[i] for i in np.random.default_rng(seed).permutation(len(others))]
    return ([first] if first in keys else []) + shuffled + [key for key in found if key in keys]


@transaction.atomic
def open_article(
    *, assignment: Assignment, article: Article, version: int | None = None
) -> OpenedArticle:
    """Let an annotator see all of an article of K: its paragraphs join K."""
    known = knowledge_scope(assignment).article(article.pk, version)
    if known is None:
        raise ValidationError(_("This article is not among those you can open here."))
    if not may_open(assignment):
        raise ValidationError(_("Here you judge by what is shown; nothing more can be opened."))
    opened, is_new = OpenedArticle.objects.get_or_create(
        assignment=assignment, article=known.article, version=known.version
    )
    if is_new:
        Operation.objects.create(
            assignment=assignment, kind=Operation.Kind.OPEN, value=known.article.external_id
        )
    return opened


def may_open(assignment: Assignment) -> bool:
    """Whether the scope grows by opening: not where one article or passage is the scope."""
    whole = Instance.ScopeKind.WHOLE
    return assignment.task != Task.T2 or assignment.item.instance.scope_kind == whole
