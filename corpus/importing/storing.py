"""The second pass: small batches of rows that nobody sees until their import is complete."""

import random
from dataclasses import asdict
from datetime import datetime

from django.db import transaction

from corpus.duplicates import content_hash, record_hash
from corpus.importing.survey import kind_of_change, stored_hashes
from corpus.models import Article, ArticleChange, Corpus, Import, Paragraph, public_id
from corpus.records import ArticleRecord, ParagraphRecord
from corpus.tables import is_tabular

TIMES = ("published_at", "available_at")


@transaction.atomic
def store_batch(run: Import, records: list[ArticleRecord], read: int) -> None:
    """Store one batch with its place in the files and its counts: all of it or nothing.

    read: how many records of the files, bad ones included, are done with this batch.
    """
    known = stored_hashes(run.corpus, records)
    kinds = [kind_of_change(record, known) for record in records]
    new = [record for record, kind in zip(records, kinds, strict=True) if kind == "new"]
    changed = [record for record, kind in zip(records, kinds, strict=True) if kind == "changed"]
    store_new(run, new)
    store_changed(run, changed, known)
    count(run.counts, kinds, new + changed)
    run.records_done = read
    run.save(update_fields=["counts", "records_done", "heartbeat_at"])


def count(counts: dict, kinds: list[str], written: list[ArticleRecord]) -> None:
    for kind in kinds:
        counts[f"articles_{kind}"] += 1
    counts["paragraphs"] += sum(len(record.paragraphs) for record in written)
    counts["without_text"] += sum(not record.paragraphs for record in written)
    counts["tabular"] += sum(is_tabular(record.paragraphs) for record in written)


def store_new(run: Import, records: list[ArticleRecord]) -> None:
    """Write new articles: first those whose text is new, then the copies of what is there."""
    originals = stored_texts(run, records)
    first: dict[str, str] = {}
    for record in records:
        digest = content_hash(record.paragraphs)
        if digest and digest not in originals:
            first.setdefault(digest, record.external_id)
    copies = [record for record in records if is_copy(record, originals, first)]
    written = create_articles(run, [r for r in records if r not in copies], {})
    originals |= {article.content_hash: article.pk for article in written if article.content_hash}
    create_articles(run, copies, originals)
    run.counts["duplicates"] += len(copies)


def is_copy(record: ArticleRecord, originals: dict, first: dict) -> bool:
    digest = content_hash(record.paragraphs)
    return digest in originals or first.get(digest, record.external_id) != record.external_id


def stored_texts(run: Import, records: list[ArticleRecord]) -> dict[str, int]:
    """{content hash: the first article with that text}, of complete imports and of this one."""
    digests = {content_hash(record.paragraphs) for record in records} - {""}
    rows = (
        Article.objects.filter(corpus=run.corpus, content_hash__in=digests)
        .exclude(duplicate_kind=Article.DuplicateKind.EXACT)
        .order_by("-pk")
    )
    seen = rows.filter(added_by=run) | rows.filter(added_by__state=Import.State.COMPLETE)
    return dict(seen.values_list("content_hash", "pk"))


def create_articles(run, records, originals) -> list[Article]:
    articles = [new_article(run, record, originals) for record in records]
    Article.objects.bulk_create(articles)
    rows = [
        row
        for article, record in zip(articles, records, strict=True)
        for row in paragraphs_of(article, record, version=1)
    ]
    Paragraph.objects.bulk_create(rows, batch_size=1000)
    return articles


def new_article(run: Import, record: ArticleRecord, originals: dict[str, int]) -> Article:
    return Article(
        corpus=run.corpus,
        added_by=run,
        external_id=record.external_id,
        random_key=random_key(run.corpus, record.external_id),
        **values_of(run.corpus, record, originals),
    )


def random_key(corpus: Corpus, external_id: str) -> float:
    """A place between 0 and 1 in the random order of the corpus: the same on every machine."""
    return random.Random(f"{corpus.slug}\0{external_id}").random()


def values_of(corpus: Corpus, record: ArticleRecord, originals: dict[str, int]) -> dict:
    """The columns of an article that a file states or that follow from its text."""
    digest = content_hash(record.paragraphs)
    original = originals.get(digest)
    return {
        "title": record.title,
        "language": record.language or corpus.language,
        "published_at": None if corpus.undated else record.published_at,
        "available_at": None if corpus.undated else record.available_at,
        "url": record.url,
        "section": record.section,
        "keywords": list(record.keywords),
        "record_hash": record_hash(record),
        "content_hash": digest,
        "duplicate_of_id": original,
        "duplicate_kind": Article.DuplicateKind.EXACT if original else "",
        "is_tabular": is_tabular(record.paragraphs),
        "retrievable": bool(record.paragraphs),
    }


def paragraphs_of(article: Article, record: ArticleRecord, *, version: int, times=None):
    """The rows of an article's version, its title first. times: where not the article's own."""
    published_at, available_at = times or (article.published_at, article.available_at)
    title = [ParagraphRecord(0, record.title, "title")] if record.title else []
    for paragraph in [*title, *record.paragraphs]:
        yield Paragraph(
            corpus_id=article.corpus_id,
            article=article,
            version=version,
            rank=paragraph.rank,
            public_id=public_id(article.external_id, version, paragraph.rank),
            kind=paragraph.kind,
            text=paragraph.text,
            units=[asdict(unit) for unit in paragraph.units],
            section_path=list(paragraph.section_path),
            published_at=published_at,
            available_at=available_at,
        )


def store_changed(run: Import, records: list[ArticleRecord], known: dict) -> None:
    """Write new versions beside the old ones, and what the import's end makes of the articles."""
    articles = Article.objects.in_bulk([known[record.external_id][0] for record in records])
    originals = stored_texts(run, records)
    changes, rows = [], []
    for record in records:
        article = articles[known[record.external_id][0]]
        others = {digest: pk for digest, pk in originals.items() if pk != article.pk}
        values = values_of(run.corpus, record, others)
        version = article.version + 1
        times = tuple(values[name] for name in TIMES)
        rows += paragraphs_of(article, record, version=version, times=times)
        run.counts["duplicates"] += values["duplicate_of_id"] is not None
        values |= {
            name: moment and moment.isoformat() for name, moment in zip(TIMES, times, strict=True)
        }
        changes.append(
            ArticleChange(import_run=run, article=article, version=version, values=values)
        )
    Paragraph.objects.bulk_create(rows, batch_size=1000)
    ArticleChange.objects.bulk_create(changes)


def apply_changes(run: Import) -> None:
    """Move all changed articles of an import to their new versions, at once."""
    for change in run.changes.select_related("article").iterator(chunk_size=500):
        article = change.article
        values = change.values | {name: moment_of(change.values[name]) for name in TIMES}
        for name, value in values.items():
            setattr(article, name, value)
        article.version = change.version
        article.save(update_fields=[*(n.removesuffix("_id") for n in values), "version"])


def moment_of(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None
