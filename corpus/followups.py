"""What follows a change of texts, in the background: near-duplicates are marked, an index built."""

from datetime import timedelta

from django.db.models import F

from accounts.models import User
from corpus.models import Corpus
from operations.jobs import queue_job
from operations.models import Job

MARK_JOB = "mark-near-duplicates"
BUILD_JOB = "build-index"  # done by dictionaries, which know of corpora and not the reverse
INDEX_AFTER = timedelta(minutes=1)  # so that several changes make one build


def changed_texts(corpus: Corpus) -> None:
    """Note that what the index of a corpus should hold is not what it was."""
    Corpus.objects.filter(pk=corpus.pk).update(data_version=F("data_version") + 1)
    corpus.refresh_from_db(fields=["data_version"])


def mark_later(corpus: Corpus, *, by: User | None = None) -> Job:
    """Queue the search for near-duplicates; each state of the texts has a job of its own, so that
    one that is running already does not stand for what it did not see."""
    return queue_job(
        kind=MARK_JOB,
        key=f"{corpus.slug} {corpus.data_version}",
        arguments={"corpus_id": corpus.pk},
        by=by,
    )


def index_later(corpus: Corpus, *, by: User | None = None) -> None:
    """Note that the index is out of date; where there is one, queue its next build."""
    changed_texts(corpus)
    if corpus.index_version:
        queue_index_job(corpus, kind=BUILD_JOB, by=by, delay=INDEX_AFTER)


def queue_index_job(
    corpus: Corpus,
    *,
    kind: str,
    by: User | None = None,
    delay: timedelta | None = None,
    **arguments,
) -> Job:
    """Have the index of a corpus built or checked; a job under way already stands for it."""
    arguments = {"corpus_id": corpus.pk, **arguments}
    return queue_job(kind=kind, key=corpus.slug, arguments=arguments, by=by, delay=delay)
