"""What the corpus does in the background."""

from django.utils.translation import gettext_lazy as _

from corpus.models import Corpus, Import
from corpus.near_copies import mark_near_duplicates
from operations.jobs import queue_job


def near_duplicates_job(progress, *, corpus_id, import_id=None):
    """Mark near-duplicates, note their number with the import, and let the index follow."""
    corpus = Corpus.objects.get(pk=corpus_id)
    marked = mark_near_duplicates(corpus=corpus, progress=progress)
    if run := Import.objects.filter(pk=import_id).first():
        run.counts |= {"near_duplicates": marked}
        run.save(update_fields=["counts"])
    queue_job(kind="build-index", key=corpus.slug, arguments={"corpus_id": corpus.pk})
    return {"near_duplicates": marked}


HANDLERS = {"mark-near-duplicates": near_duplicates_job}
TITLES = {"mark-near-duplicates": _("Mark near-duplicates")}
