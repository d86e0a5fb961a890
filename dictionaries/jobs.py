"""What dictionaries do in the background."""

from datetime import timedelta

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from corpus.models import Corpus
from dictionaries.backends.base import IndexBusy
from dictionaries.services import build_corpus_index
from operations.jobs import queue_job


def build_index_job(progress, *, corpus_id, rebuild=False):
    """Build the index of a corpus; where the texts changed meanwhile, once more."""
    corpus = Corpus.objects.get(pk=corpus_id)

    def told(done, total):
        progress(
            done, total, _("%(done)d of %(total)d paragraphs") % {"done": done, "total": total}
        )

    try:
        report = build_corpus_index(corpus=corpus, rebuild=rebuild, progress=told)
    except IndexBusy as busy:
        raise ValidationError(str(busy)) from busy
    if Corpus.objects.get(pk=corpus_id).data_version != corpus.data_version:
        arguments = {"corpus_id": corpus_id}
        queue_job(
            kind="build-index",
            key=f"{corpus.slug} again",
            arguments=arguments,
            delay=timedelta(seconds=1),
        )
    return {
        "version": report.version,
        "paragraphs": report.paragraphs,
        "added": report.added,
        "seconds": round(report.seconds, 1),
        "bytes": report.bytes,
    }


HANDLERS = {"build-index": build_index_job}
TITLES = {"build-index": gettext_lazy("Build the index")}
