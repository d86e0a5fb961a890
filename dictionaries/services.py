"""Indexes are built and checked, dictionaries prepared and filled."""

from collections.abc import Callable, Iterator
from dataclasses import asdict
from datetime import datetime
from hashlib import sha256

from django.db import transaction
from django.db.models import QuerySet

from accounts.models import User
from corpus.models import Article, Corpus, Paragraph
from dictionaries.backends.base import (
    BuildReport,
    DictionaryQuery,
    DictionaryResult,
    DictionarySettings,
    IndexCheck,
    IndexRow,
    IndexUnavailable,
)
from dictionaries.bridge import (
    backend,
    dictionary_settings,
    index_rows,
    index_settings,
    microseconds,
)
from dictionaries.models import Dictionary, DictionaryEntry
from operations.jobs import queue_job
from operations.models import Job
from operations.snapshots import snapshot

DICTIONARY_JOB = "build-dictionary"


def build_corpus_index(
    *, corpus: Corpus, rebuild: bool = False, progress: Callable | None = None
) -> BuildReport:
    """Build the index of a corpus from one moment of the database, then make it current.

    Raises IndexBusy where another process is building it. What is unchanged is not encoded anew.
    progress: called as progress(done, total), but not while the rows are read.
    """
    corpus.refresh_from_db()
    rows = RowsOfOneMoment(corpus)

    def told(done: int, total: int) -> None:
        if progress and not rows.are_read:  # what it may write has no place in a snapshot
            progress(done, total)

    report = backend().build(
        corpus.slug, rows, index_settings(corpus), progress=told, rebuild=rebuild
    )
    built = {"index_version": report.version, "indexed_data_version": corpus.data_version}
    Corpus.objects.filter(pk=corpus.pk).update(**built)
    return report


class RowsOfOneMoment:
    """The rows that an index should hold, read in one snapshot of the database."""

    def __init__(self, corpus: Corpus):
        self.corpus = corpus
        self.are_read = False

    def __iter__(self) -> Iterator[IndexRow]:
        self.are_read = True
        try:
            with snapshot():
                yield from index_rows(self.corpus)
        finally:
            self.are_read = False


def check_corpus_index(corpus: Corpus) -> IndexCheck:
    """Hold the index of a corpus against its paragraphs. Raises IndexUnavailable."""
    return backend().check(corpus.slug, RowsOfOneMoment(corpus))


def retrieve(
    *,
    corpus: Corpus,
    text: str,
    language: str,
    as_of: datetime | None,
    left_out_article: Article | None,
    settings: DictionarySettings,
    paragraph_id: int | None = None,
    detail: bool = False,
) -> DictionaryResult:
    """What a dictionary of these values would hold, from the current index.

    paragraph_id: the paragraph that the text is from, whose stored vector is the query.
    """
    query = DictionaryQuery(
        text=text,
        as_of=None if corpus.undated else microseconds(as_of),
        left_out_article=left_out_article and left_out_article.pk,
        language=language,
        paragraph_id=paragraph_id,
    )
    return backend().open(corpus.slug).retrieve(query, settings, detail=detail)


def prepare_dictionary(
    *,
    corpus: Corpus,
    text: str,
    language: str,
    as_of: datetime | None,
    left_out_article: Article | None,
    settings: dict,
) -> Dictionary:
    """The dictionary of a query, to be filled where it is new; equal queries share one.

    Raises IndexUnavailable where there is no whole index.
    """
    if as_of is None and not corpus.undated:
        raise ValueError("a dictionary of a dated corpus needs the as-of date of its query")
    version = backend().open(corpus.slug).version
    known = dictionary_settings(corpus, settings)
    as_of = None if corpus.undated else as_of
    dictionary, _ = Dictionary.objects.get_or_create(
        corpus=corpus,
        key=key_of(text, language, as_of, left_out_article, known, version),
        defaults={
            "text": text,
            "language": language,
            "as_of": as_of,
            "left_out_article": left_out_article,
            "settings": asdict(known),
            "index_version": version,
        },
    )
    return dictionary


@transaction.atomic
def ask_for_dictionary(*, by: User | None = None, **query) -> Dictionary:
    """Prepare the dictionary of a query, and queue the job that fills it where none is ready.

    query: the arguments of prepare_dictionary, and its errors.
    """
    dictionary = prepare_dictionary(**query)
    if dictionary.state != Dictionary.State.READY:
        arguments = {"dictionary_id": dictionary.pk}
        queue_job(kind=DICTIONARY_JOB, key=job_key(dictionary), arguments=arguments, by=by)
    return dictionary


def jobs_of(dictionary: Dictionary) -> QuerySet[Job]:
    """The jobs that were to fill a dictionary, newest first."""
    return Job.objects.filter(kind=DICTIONARY_JOB, key=job_key(dictionary))


def job_key(dictionary: Dictionary) -> str:
    return f"{dictionary.corpus.slug} {dictionary.key}"


def key_of(text, language, as_of, left_out_article, settings: DictionarySettings, version) -> str:
    """SHA-256 over all that decides what a dictionary holds."""
    moment = as_of.isoformat() if as_of else "undated"
    article = left_out_article.external_id if left_out_article else ""
    parts = [text, language, moment, article, settings.as_json(), version]
    return sha256("\0".join(parts).encode("utf-8")).hexdigest()


def build_dictionary(dictionary: Dictionary) -> Dictionary:
    """Fill a pending dictionary; a ready one stays as it is.

    Raises IndexUnavailable where the index moved on since it was prepared: prepare it anew.
    """
    if dictionary.state == Dictionary.State.READY:
        return dictionary
    values = dictionary.settings | {"own_names": tuple(dictionary.settings["own_names"])}
    result = retrieve(
        corpus=dictionary.corpus,
        text=dictionary.text,
        language=dictionary.language,
        as_of=dictionary.as_of,
        left_out_article=dictionary.left_out_article,
        settings=DictionarySettings(**values),
    )
    if result.index_version != dictionary.index_version:
        reason = "The index of the corpus was rebuilt meanwhile; the dictionary is prepared anew."
        Dictionary.objects.filter(pk=dictionary.pk).exclude(state=Dictionary.State.READY).update(
            state=Dictionary.State.FAILED, error=reason
        )
        raise IndexUnavailable(reason)
    return fill(dictionary, result)


@transaction.atomic
def fill(dictionary: Dictionary, result: DictionaryResult) -> Dictionary:
    """Write entries and state in one transaction, once."""
    dictionary = Dictionary.objects.select_for_update().get(pk=dictionary.pk)
    if dictionary.state == Dictionary.State.READY:
        return dictionary
    times = dict(
        Paragraph.objects.filter(
            pk__in={entry.paragraph_id for entry in result.entries}
        ).values_list("pk", "available_at")
    )
    DictionaryEntry.objects.bulk_create(
        DictionaryEntry(
            dictionary=dictionary,
            paragraph_id=entry.paragraph_id,
            method=entry.method,
            rank=entry.rank,
            score=entry.score,
            query=entry.query[:500],
            available_at=times[entry.paragraph_id],
            as_of=dictionary.as_of,
        )
        for entry in result.entries
    )
    dictionary.state = Dictionary.State.READY
    dictionary.entities = list(result.entities)
    dictionary.excluded = result.excluded
    dictionary.seconds = result.seconds
    dictionary.error = ""
    dictionary.save()
    return dictionary
