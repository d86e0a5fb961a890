"""Taking away what an import that died had stored, in small steps: nobody ever saw it."""

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import F
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from accounts.events import record_event
from corpus.importing.locks import sole_import, take_over
from corpus.importing.uploads import delete_upload
from corpus.models import Article, Import, Paragraph

CHUNK = 2000


def clean_up(*, run: Import, by=None) -> None:
    """Clean an import that did not end. Raises ValidationError where it is alive, or did end."""
    with sole_import(run.corpus):
        run.refresh_from_db()
        if run.state != Import.State.RUNNING:
            raise ValidationError(_("Only an import that did not end can be cleaned up."))
        clean(take_over(run), by=by)


def clean(run: Import, *, by=None) -> None:
    """Delete the rows of an import that this process holds; killed on the way, it goes on."""
    delete_in_steps(
        Paragraph.objects.filter(
            article__changes__import_run=run, version__gt=F("article__version")
        )
    )
    delete_in_steps(run.changes.all())
    delete_in_steps(Paragraph.objects.filter(article__added_by=run))
    run.articles.exclude(duplicate_of=None).update(
        duplicate_of=None, duplicate_kind=Article.DuplicateKind.NONE
    )
    delete_in_steps(run.articles.all())
    with transaction.atomic():
        cleaned = Import.objects.filter(pk=run.pk, owner=run.owner, state=Import.State.RUNNING)
        cleaned.update(state=Import.State.CLEANED, ended_at=Now())
        record_event(actor=by, verb="cleaned up", subject=run.corpus, data={"import": run.pk})
    delete_upload(run)


def delete_in_steps(rows) -> None:
    """Delete rows in transactions of their own, so that nobody waits long for a lock."""
    while ids := list(rows.order_by("pk").values_list("pk", flat=True)[:CHUNK]):
        rows.model.objects.filter(pk__in=ids).delete()
