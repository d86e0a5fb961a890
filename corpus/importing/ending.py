"""The last transaction of an import: everything that it brought is seen at once."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import groupby

from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Now

from accounts.events import record_event
from corpus.followups import changed_texts, mark_later
from corpus.importing.storing import hold
from corpus.importing.survey import public_counts
from corpus.models import Article, Import

CHUNK = 500
EXACT = Article.DuplicateKind.EXACT
COPIED = (
    "title",
    "language",
    "url",
    "section",
    "keywords",
    "record_hash",
    "content_hash",
    "is_tabular",
)


@transaction.atomic
def complete(run: Import) -> Import:
    """Show what was imported, all at once; near-duplicates are marked by a job."""
    hold(run)
    apply_changes(run)
    settle_copies(run)
    run.state = Import.State.COMPLETE
    run.counts |= {"files": len(run.files), "near_duplicates": None, "duplicates": copies_in(run)}
    run.save(update_fields=["state", "counts"])
    Import.objects.filter(pk=run.pk).update(ended_at=Now())
    run.changes.all().delete()
    if run.counts["articles_new"] or run.counts["articles_changed"]:
        changed_texts(run.corpus)
        mark_later(run.corpus, by=run.created_by)
    record_event(
        actor=run.created_by,
        verb="imported",
        subject=run.corpus,
        data={"import": run.pk, "counts": public_counts(run)},
    )
    return run


def apply_changes(run: Import) -> None:
    """Move all changed articles of an import to their new versions."""
    for changes in chunks(run.changes.select_related("article")):
        for change in changes:
            apply_change(change)
        Article.objects.bulk_update(
            [change.article for change in changes],
            [*COPIED, "version", "published_at", "available_at", "retrievable"],
            batch_size=100,
        )


def apply_change(change) -> None:
    """Give an article the values of its new version. What a manager left out stays left out."""
    article, values = change.article, change.values
    had_text = bool(article.content_hash)
    article.retrievable = values["retrievable"] and (article.retrievable or not had_text)
    for name in COPIED:
        setattr(article, name, values[name])
    article.published_at = moment_of(values["published_at"])
    article.available_at = moment_of(values["available_at"])
    article.version = change.version


def moment_of(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None


def chunks(rows) -> Iterator[list]:
    """The rows in the order of their keys; they may be changed between two chunks."""
    last = 0
    while chunk := list(rows.filter(pk__gt=last).order_by("pk")[:CHUNK]):
        yield chunk
        last = chunk[-1].pk


def settle_copies(run: Import) -> None:
    """Mark exact duplicates anew among articles that have, or had, the text of a changed one."""
    changed = run.changes.values("article")
    Article.objects.filter(pk__in=changed).update(duplicate_of=None, duplicate_kind="")
    orphans = Article.objects.filter(duplicate_of__in=changed)
    for articles in chunks(orphans):
        settle_texts(run, {article.content_hash for article in articles})
    for articles in chunks(Article.objects.filter(pk__in=changed)):
        settle_texts(run, {article.content_hash for article in articles})


def settle_texts(run: Import, digests: set[str]) -> None:
    """Of the articles that share a text, one stays: what was there unchanged, then the oldest."""
    rows = list(
        Article.objects.filter(corpus=run.corpus, content_hash__in=digests - {""})
        .filter(Q(added_by=run) | Q(added_by__state=Import.State.COMPLETE))
        .order_by("content_hash", "pk")
    )
    changed = set(
        run.changes.filter(article__in=[row.pk for row in rows]).values_list("article", flat=True)
    )
    for _digest, group in groupby(rows, key=lambda row: row.content_hash):
        settle_group(list(group), changed)
    Article.objects.bulk_update(rows, ["duplicate_of", "duplicate_kind"], batch_size=200)


def settle_group(articles: list[Article], changed: Iterable[int]) -> None:
    first = min(articles, key=lambda a: (a.pk in changed, a.duplicate_kind == EXACT, a.pk))
    for article in articles:
        if article is not first:
            article.duplicate_of, article.duplicate_kind = first, EXACT
        elif article.duplicate_kind == EXACT:
            article.duplicate_of, article.duplicate_kind = None, ""


def copies_in(run: Import) -> int:
    """How many of the articles that an import brought or changed repeat another's text."""
    touched = Q(added_by=run) | Q(pk__in=run.changes.values("article"))
    return Article.objects.filter(touched, corpus=run.corpus, duplicate_kind=EXACT).count()
