"""What dictionaries do in the background."""

from math import ceil

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db.models import F
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from corpus.followups import BUILD_JOB, queue_index_job
from corpus.models import Corpus
from dictionaries.backends.base import IndexNotBuilt, IndexUnavailable
from dictionaries.bridge import backend
from dictionaries.models import Dictionary
from dictionaries.pace import Pace
from dictionaries.services import (
    DICTIONARY_JOB,
    build_corpus_index,
    build_dictionary,
    check_corpus_index,
)
from operations.jobs import queue_job
from operations.models import Job

CHECK_JOB = "check-index"
ENCODE_JOB = "encode-index"
WORTH_HELP = 5_000  # paragraphs
PATIENCE = 30.0
ATTEMPTS = 5


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
    pace, helpers = Pace(), Helpers(corpus)

    def told(done, total):
        helpers.are_wanted(done, total)
        progress(done, total, message_of(pace.seconds_left(done, total)))

    try:
        return build_corpus_index(corpus=corpus, rebuild=rebuild, progress=told)
    except IndexNotBuilt as reason:
        raise ValidationError(str(reason)) from reason


def message_of(seconds_left):
    """What a build does, and how long it takes yet, where that can be said."""
    if seconds_left is None:
        return _("steps: each paragraph is read and encoded")
    minutes = ceil(seconds_left / 60)
    if minutes < 120:
        return ngettext(
            "steps: each paragraph is read and encoded; %(n)d minute left",
            "steps: each paragraph is read and encoded; %(n)d minutes left",
            minutes,
        ) % {"n": minutes}
    hours = ceil(minutes / 60)
    return ngettext(
        "steps: each paragraph is read and encoded; %(n)d hour left",
        "steps: each paragraph is read and encoded; %(n)d hours left",
        hours,
    ) % {"n": hours}


class Helpers:
    """Jobs that encode for a build: as many as ENCODING_HELPERS says, once there is much to do."""

    def __init__(self, corpus):
        self.corpus, self.are_queued = corpus, False

    def are_wanted(self, done, total):
        if self.are_queued or done * 2 < total or total - done < WORTH_HELP:
            return
        self.are_queued = True
        for number in range(settings.ENCODING_HELPERS):
            key, arguments = f"{self.corpus.slug} {number}", {"slug": self.corpus.slug}
            queue_job(kind=ENCODE_JOB, key=key, arguments=arguments)


def encode_job(progress, *, slug):
    """Encode for the build of an index that another worker does."""
    counts = []

    def told(count):
        counts.append(count)
        progress(sum(counts), 0, _("paragraphs encoded"))

    try:
        return {"encoded": backend().help(slug, patience=PATIENCE, tick=told)}
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
        if not Job.objects.resting().filter(kind=BUILD_JOB, key=corpus.slug).exists():
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
    ENCODE_JOB: encode_job,
    CHECK_JOB: check_index_job,
    DICTIONARY_JOB: build_dictionary_job,
}
TITLES = {
    BUILD_JOB: gettext_lazy("Build the index"),
    ENCODE_JOB: gettext_lazy("Help to encode the index"),
    CHECK_JOB: gettext_lazy("Check the index"),
    DICTIONARY_JOB: gettext_lazy("Build a dictionary"),
}
SWEEPS = [sweep_indexes]
