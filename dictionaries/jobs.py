"""What dictionaries do in the background."""

from datetime import timedelta

from django.core.exceptions import ValidationError
from django.db.models import F
from django.db.models.functions import Now
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from corpus.followups import BUILD_JOB, queue_index_job
from corpus.models import Corpus
from dictionaries.backends.base import IndexNotBuilt, IndexUnavailable
from dictionaries.models import Dictionary
from dictionaries.services import (
    DICTIONARY_JOB,
    build_corpus_index,
    build_dictionary,
    check_corpus_index,
)
from operations.models import Job

CHECK_JOB = "check-index"
ATTEMPTS = 5
REST = timedelta(hours=1)


def build_index_job(progress, *, corpus_id, rebuild=False):
    """Build the index of a corpus; where the texts changed meanwhile, once more."""
    corpus = Corpus.objects.get(pk=corpus_id)
    for _attempt in range(ATTEMPTS):
        report = built(corpus, rebuild, progress)
        corpus.refresh_from_db()
        if not corpus.is_index_stale:
            break
        rebuild = False
    return {
        "version": report.version,
        "paragraphs": report.paragraphs,
        "added": report.added,
        "seconds": round(report.seconds, 1),
        "bytes": report.bytes,
    }


def built(corpus, rebuild, progress):
    def told(done, total):
        progress(done, total, _("steps: each paragraph is read and encoded"))

    try:
        return build_corpus_index(corpus=corpus, rebuild=rebuild, progress=told)
    except IndexNotBuilt as reason:
        raise ValidationError(str(reason)) from reason


def check_index_job(progress, *, corpus_id):
    """Hold the index of a corpus against its paragraphs."""
    try:
        return check_counts(check_corpus_index(Corpus.objects.get(pk=corpus_id)))
    except IndexUnavailable as unavailable:
        raise ValidationError(str(unavailable)) from unavailable


def check_counts(check):
    """What a check found, in numbers."""
    return {
        "paragraphs": check.paragraphs,
        "indexed": check.indexed,
        "missing": len(check.missing),
        "extra": len(check.extra),
        "changed": len(check.changed),
        "checksum_ok": check.checksum_ok,
    }


def sweep_indexes():
    """Queue the build of indexes that are out of date: what queued it may have been lost.

    One that failed or was cancelled lately is left to the people who look after it.
    """
    stale = Corpus.objects.exclude(index_version="").exclude(indexed_data_version=F("data_version"))
    for corpus in stale:
        ended = Job.objects.filter(kind=BUILD_JOB, key=corpus.slug, ended_at__gt=Now() - REST)
        if not ended.exclude(state=Job.State.DONE).exists():
            queue_index_job(corpus, kind=BUILD_JOB)


def build_dictionary_job(progress, *, dictionary_id):
    """Fill one dictionary that somebody asked for; a ready one stays as it is."""
    dictionary = Dictionary.objects.select_related("corpus", "left_out_article").get(
        pk=dictionary_id
    )
    try:
        dictionary = build_dictionary(dictionary)
    except IndexUnavailable as unavailable:
        raise ValidationError(str(unavailable)) from unavailable
    return {"key": dictionary.key, "entries": dictionary.entries.count()}


HANDLERS = {
    BUILD_JOB: build_index_job,
    CHECK_JOB: check_index_job,
    DICTIONARY_JOB: build_dictionary_job,
}
TITLES = {
    BUILD_JOB: gettext_lazy("Build the index"),
    CHECK_JOB: gettext_lazy("Check the index"),
    DICTIONARY_JOB: gettext_lazy("Build a dictionary"),
}
SWEEPS = [sweep_indexes]
