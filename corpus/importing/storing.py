"""The second pass: small batches of rows that nobody sees until their import is complete."""

import json
import random
from collections.abc import Iterator

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from corpus.importing.prepared import Batch, Prepared
from corpus.importing.rows import insert_rows, moment
from corpus.importing.survey import add_texts
from corpus.models import Article, ArticleChange, Corpus, Import, Paragraph, public_id
from corpus.readers.identifiers import folded_hash

ARTICLE_COLUMNS = (
    "corpus_id",
    "added_by_id",
    "external_id",
    "folded_hash",
    "version",
    "random_key",
    "duplicate_of_id",
    "duplicate_kind",
    "title",
    "language",
    "published_at",
    "available_at",
    "url",
    "section",
    "keywords",
    "record_hash",
    "content_hash",
    "is_tabular",
    "retrievable",
)
TIMES = ("published_at", "available_at")
PARAGRAPH_COLUMNS = (
    "corpus_id",
    "article_id",
    "version",
    "rank",
    "public_id",
    "kind",
    "text",
    "units",
    "section_path",
    "published_at",
    "available_at",
)


@transaction.atomic
def store_batch(run: Import, batch: Batch) -> None:
    """Store one batch with its place in the files and its counts: all of it or nothing.

    Raises ValidationError where another process has taken the import over.
    """
    hold(run)
    store_new(run, batch)
    store_changed(run, batch)
    count(run.counts, batch)
    run.records_done = batch.read
    run.save(update_fields=["counts", "records_done"])


def hold(run: Import) -> None:
    """Lock the import's row and give a sign of life, if it still is this process' import."""
    mine = Import.objects.filter(pk=run.pk, owner=run.owner, state=Import.State.RUNNING)
    if not mine.update(heartbeat_at=Now()):
        raise ValidationError(_("Another process has taken this import over; it goes on there."))


def count(counts: dict, batch: Batch) -> None:
    counts["articles_new"] += len(batch.new)
    counts["articles_same"] += batch.same
    counts["articles_changed"] += len(batch.changed)
    counts["bad"] += len(batch.bad)
    add_texts(batch.written, counts)


def store_new(run: Import, batch: Batch) -> None:
    """Write new articles: first those whose text is new, then the copies of what is there."""
    articles = batch.new
    originals = stored_originals(run, articles)
    first: dict[str, str] = {}
    for article in articles:
        if article.content_hash and article.content_hash not in originals:
            first.setdefault(article.content_hash, article.external_id)
    copies = [article for article in articles if is_copy(article, originals, first)]
    copied = {article.external_id for article in copies}
    texts = [article for article in articles if article.external_id not in copied]
    ids = insert_articles(run, texts, {})
    originals |= {text.content_hash: ids[text.external_id] for text in texts if text.content_hash}
    ids |= insert_articles(run, copies, originals)
    insert_rows(
        Paragraph,
        PARAGRAPH_COLUMNS,
        (
            row
            for article in articles
            for row in paragraph_rows(run.corpus, ids[article.external_id], article, batch, 1)
        ),
    )


def is_copy(article: Prepared, originals: dict, first: dict) -> bool:
    digest = article.content_hash
    return digest in originals or first.get(digest, article.external_id) != article.external_id


def stored_originals(run: Import, articles: list[Prepared]) -> dict[str, int]:
    """{content hash: the first article with that text}, of complete imports and of this one."""
    digests = {article.content_hash for article in articles} - {""}
    rows = (
        Article.objects.filter(corpus=run.corpus, content_hash__in=digests)
        .exclude(duplicate_kind=Article.DuplicateKind.EXACT)
        .order_by("-pk")
    )
    seen = rows.filter(added_by=run) | rows.filter(added_by__state=Import.State.COMPLETE)
    return dict(seen.values_list("content_hash", "pk"))


def insert_articles(run: Import, articles: list[Prepared], originals: dict) -> dict[str, int]:
    """Write the rows of articles; {external id: primary key}."""
    if not articles:
        return {}
    rows = [article_row(run, article, originals) for article in articles]
    insert_rows(Article, ARTICLE_COLUMNS, rows)
    names = [article.external_id for article in articles]
    written = Article.objects.filter(corpus=run.corpus, external_id__in=names)
    return dict(written.values_list("external_id", "pk"))


def article_row(run: Import, article: Prepared, originals: dict[str, int]) -> tuple:
    original = originals.get(article.content_hash)
    values = values_of(run.corpus, article) | {
        "corpus_id": run.corpus_id,
        "added_by_id": run.pk,
        "external_id": article.external_id,
        "folded_hash": folded_hash(article.external_id),
        "version": 1,
        "random_key": random_key(run.corpus, article.external_id),
        "duplicate_of_id": original,
        "duplicate_kind": Article.DuplicateKind.EXACT.value if original else "",
    }
    for name in TIMES:
        values[name] = moment(values[name])
    values["keywords"] = json.dumps(values["keywords"])
    return tuple(values[name] for name in ARTICLE_COLUMNS)


def random_key(corpus: Corpus, external_id: str) -> float:
    """A place between 0 and 1 in the random order of the corpus: the same on every machine."""
    return random.Random(f"{corpus.slug}\0{external_id}").random()


def values_of(corpus: Corpus, article: Prepared) -> dict:
    """The columns of an article that a file states or that follow from its text."""
    record = article.record
    return {
        "title": record.title,
        "language": record.language or corpus.language,
        "published_at": None if corpus.undated else record.published_at,
        "available_at": None if corpus.undated else record.available_at,
        "url": record.url,
        "section": record.section,
        "keywords": list(record.keywords),
        "record_hash": article.record_hash,
        "content_hash": article.content_hash,
        "is_tabular": article.is_tabular,
        "retrievable": bool(record.paragraphs),
    }


def paragraph_rows(
    corpus: Corpus, article_id: int, article: Prepared, batch: Batch, version: int
) -> Iterator[tuple]:
    """The rows of an article's version, its title first."""
    record = article.record
    times = (None, None) if corpus.undated else (record.published_at, record.available_at)
    published_at, available_at = map(moment, times)
    units_of = batch.units[article.external_id]
    for paragraph, units in zip(article.paragraphs, units_of, strict=True):
        yield (
            corpus.pk,
            article_id,
            version,
            paragraph.rank,
            public_id(record.external_id, version, paragraph.rank),
            paragraph.kind,
            paragraph.text,
            units,
            json.dumps(paragraph.section_path) if paragraph.section_path else "[]",
            published_at,
            available_at,
        )


def store_changed(run: Import, batch: Batch) -> None:
    """Write new versions beside the old ones, and what the import's end makes of the articles."""
    articles, ids = batch.changed, batch.article_ids
    versions = dict(Article.objects.filter(pk__in=ids.values()).values_list("pk", "version"))
    changes, rows = [], []
    for article in articles:
        pk = ids[article.external_id]
        values = values_of(run.corpus, article)
        values |= {name: values[name] and values[name].isoformat() for name in TIMES}
        change = ArticleChange(
            import_run=run, article_id=pk, version=versions[pk] + 1, values=values
        )
        rows += paragraph_rows(run.corpus, pk, article, batch, change.version)
        changes.append(change)
    insert_rows(Paragraph, PARAGRAPH_COLUMNS, rows)
    ArticleChange.objects.bulk_create(changes)
