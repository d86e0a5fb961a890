"""The first pass over files: it reads everything, stores nothing, and reports."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path

from accounts.found import found
from corpus.duplicates import content_hash, record_hash
from corpus.importing.digests import SeenDigests
from corpus.models import Article, Corpus
from corpus.readers.dispatch import read_articles
from corpus.records import ArticleRecord, BadRecord, ReadOptions
from corpus.tables import is_tabular

BATCH = 500
MOST_ERRORS = 1000
COUNTS = (
    "articles_new",
    "articles_same",
    "articles_changed",
    "paragraphs",
    "without_text",
    "duplicates",
    "tabular",
    "bad",
)


def survey_files(
    *, corpus: Corpus, paths: list[Path], options: ReadOptions, progress: Callable | None = None
) -> dict:
    """What an import of the files would do: counts, the first MOST_ERRORS bad lines, and ids of
    changed articles that are cited. Memory does not grow with the files."""
    counts = dict.fromkeys(COUNTS, 0)
    report = {"files": len(paths), **counts, "errors": [], "cited": []}
    with closing(SeenDigests()) as seen:
        for done, batch in enumerate(batches(read_articles(paths, options)), start=1):
            survey_batch(corpus, batch, report, seen)
            if progress:
                progress(done * BATCH, 0, f"{done * BATCH} records read")
    return {**report, "near_duplicates": None}


def batches(records: Iterable, size: int = BATCH) -> Iterator[list]:
    stream = iter(records)
    while batch := list(islice(stream, size)):
        yield batch


def survey_batch(corpus: Corpus, batch: list, report: dict, seen: SeenDigests) -> None:
    bad = [record for record in batch if isinstance(record, BadRecord)]
    articles = [record for record in batch if isinstance(record, ArticleRecord)]
    report["bad"] += len(bad)
    room = MOST_ERRORS - len(report["errors"])
    report["errors"] += [error_line(record) for record in bad[:room]]
    known = stored_hashes(corpus, articles)
    changed = []
    for record in articles:
        kind = kind_of_change(record, known)
        report[f"articles_{kind}"] += 1
        if kind == "changed":
            changed.append(known[record.external_id][0])
        if kind != "same":
            count_article(corpus, record, report, seen)
    report["cited"] += sorted(cited_external_ids(changed))


def error_line(record: BadRecord) -> dict:
    return {"file": record.file, "line": record.line, "reason": record.reason}


def stored_hashes(corpus: Corpus, records: list[ArticleRecord]) -> dict[str, tuple[int, str]]:
    """{external id: (article id, record hash)} of those articles that are stored already."""
    if corpus.pk is None:  # a dry run of a corpus that is not there yet
        return {}
    ids = [record.external_id for record in records]
    rows = Article.objects.visible().filter(corpus=corpus, external_id__in=ids)
    return {row[0]: row[1:] for row in rows.values_list("external_id", "pk", "record_hash")}


def kind_of_change(record: ArticleRecord, known: dict) -> str:
    if record.external_id not in known:
        return "new"
    return "same" if known[record.external_id][1] == record_hash(record) else "changed"


def count_article(corpus, record, report, seen) -> None:
    report["paragraphs"] += len(record.paragraphs)
    report["without_text"] += not record.paragraphs
    report["tabular"] += is_tabular(record.paragraphs)
    digest = content_hash(record.paragraphs)
    if digest:
        is_copy = seen.is_known(digest) or is_stored(corpus, digest, but=record.external_id)
        report["duplicates"] += is_copy


def is_stored(corpus, digest, *, but) -> bool:
    if corpus.pk is None:
        return False
    copies = Article.objects.visible().filter(corpus=corpus, content_hash=digest)
    return copies.exclude(external_id=but).exists()


def cited_external_ids(article_ids: list[int]) -> set[str]:
    """Which of the articles something rests on: each app above says so in its citations.py."""
    cited = set()
    for cited_articles in found("citations", "cited_articles"):
        cited |= set(cited_articles(article_ids))
    return set(Article.objects.filter(pk__in=cited).values_list("external_id", flat=True))
