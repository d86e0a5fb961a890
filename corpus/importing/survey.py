"""The first pass over files: it reads everything, stores nothing, and reports."""

from collections.abc import Callable, Iterable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from django.utils.translation import gettext as _

from accounts.found import found
from corpus.importing.digests import SeenDigests
from corpus.importing.prepared import Batch, Prepared, sorted_batches
from corpus.importing.spool import Spool
from corpus.models import Article, Corpus, Import
from corpus.readers.dispatch import read_articles
from corpus.records import BadRecord, ReadOptions

MOST_ERRORS = 1000
MOST_NAMED = 100
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
PRINTED = ("files", *COUNTS[:6], "near_duplicates", *COUNTS[6:])


def survey_files(
    *,
    corpus: Corpus,
    paths: list[Path],
    options: ReadOptions,
    progress: Callable | None = None,
    spool: Spool | None = None,
) -> dict:
    """What an import of the files would do; memory does not grow with them.

    Counts, the first MOST_ERRORS bad lines, whether one of them ended the reading of its file,
    the first ids of changed articles, and how many of those are cited, with the first ids.
    """
    report = new_report(paths)
    records = read_articles(paths, replace(options, units=False))
    with closing(SeenDigests()) as seen:
        for batch in sorted_batches(corpus, records, is_cased=options.is_cased):
            add_batch(corpus, batch, report, seen)
            if spool is not None:
                spool.put(batch)
            if progress:
                progress(batch.read, 0, _("%(n)d records read") % {"n": batch.read})
    return report


def new_report(paths: list[Path]) -> dict:
    lists = {"errors": [], "changed": [], "cited": []}
    counts = dict.fromkeys(COUNTS, 0) | {"near_duplicates": None, "cited_articles": 0}
    return {"files": len(paths), **counts, **lists, "is_cut_short": False}


def add_batch(corpus: Corpus, batch: Batch, report: dict, seen: SeenDigests) -> None:
    add_errors(batch.bad, report)
    report["articles_new"] += len(batch.new)
    report["articles_same"] += batch.same
    report["articles_changed"] += len(batch.changed)
    add_some(report["changed"], [article.external_id for article in batch.changed])
    cited = cited_external_ids(batch.article_ids.values())
    report["cited_articles"] += len(cited)
    add_some(report["cited"], sorted(cited))
    add_texts(batch.written, report)
    report["duplicates"] += count_copies(corpus, batch.written, seen)


def add_errors(bad: list[BadRecord], report: dict) -> None:
    report["bad"] += len(bad)
    report["is_cut_short"] |= any(record.stops_file for record in bad)
    lines = [{"file": one.file, "line": one.line, "reason": one.reason} for one in bad]
    add_some(report["errors"], lines, most=MOST_ERRORS)


def add_some(listed: list, more: list, *, most: int = MOST_NAMED) -> None:
    listed += more[: most - len(listed)]


def add_texts(articles: Iterable[Prepared], counts: dict) -> None:
    """Add what articles consist of to the counts of a report or an import."""
    for article in articles:
        counts["paragraphs"] += len(article.record.paragraphs)
        counts["without_text"] += not article.record.paragraphs
        counts["tabular"] += article.is_tabular


def count_copies(corpus: Corpus, articles: list[Prepared], seen: SeenDigests) -> int:
    """How many of the articles repeat a text of these files or of another stored article."""
    with_text = [article for article in articles if article.content_hash]
    stored = stored_texts(corpus, {article.content_hash for article in with_text})
    return sum(
        seen.is_known(article.content_hash)
        or bool(stored.get(article.content_hash, set()) - {article.external_id})
        for article in with_text
    )


def stored_texts(corpus: Corpus, digests: set[str]) -> dict[str, set[str]]:
    """{content hash: external ids of the stored articles with that text}."""
    if corpus.pk is None:
        return {}
    rows = Article.objects.visible().filter(corpus=corpus, content_hash__in=digests)
    texts: dict[str, set[str]] = {}
    for digest, external_id in rows.values_list("content_hash", "external_id"):
        texts.setdefault(digest, set()).add(external_id)
    return texts


def cited_external_ids(article_ids: Iterable[int]) -> set[str]:
    """Which of the articles something rests on: each app above says so in its citations.py."""
    if not (ids := list(article_ids)):
        return set()
    cited: set[int] = set()
    for cited_articles in found("citations", "cited_articles"):
        cited |= set(cited_articles(ids))
    return set(Article.objects.filter(pk__in=cited).values_list("external_id", flat=True))


def reason_against(
    report: dict, *, skip_bad: bool, accept_changes: bool, is_upload: bool = False
) -> str:
    """Why files of this report are not imported, with what to do; '' where they may be.

    is_upload: whether a form is asked for leave, or the command.
    """
    if report["is_cut_short"]:
        return _(
            "A file could not be read to its end, so it cannot be said what would be left out; "
            "nothing was stored. Mend the file or leave it out: skipping bad lines is not enough."
        )
    if not any(report[name] for name in ("bad", *COUNTS[:3])):
        return _("The files hold no article; nothing was stored. Look at the format you chose.")
    if report["bad"] and not skip_bad:
        return _(
            "Lines that cannot be used: %(n)d; nothing was stored. Mend them, or choose %(leave)s."
        ) % {"n": report["bad"], "leave": _("“Leave bad lines out”") if is_upload else "--skip-bad"}
    if report["cited_articles"] and not accept_changes:
        accept = _("“Accept changes of cited articles”") if is_upload else "--accept-changes"
        return _(
            "Articles that work rests on and that would change: %(n)d; nothing was stored. Choose "
            "%(accept)s to give them a new version; what was cited stays as it is."
        ) % {"n": report["cited_articles"], "accept": accept}
    return ""


def public_counts(run: Import) -> dict:
    """What an import reports to people and programs, in this order."""
    return {name: run.counts.get(name) for name in PRINTED}
