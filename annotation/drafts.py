"""Drafts on the server: what was typed and ticked so far. The newer revision wins."""

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from annotation.models import Assignment, Draft
from operations.database_time import database_now


class NewerDraft(Exception):
    """The server holds a newer draft, saved in another tab: `draft`. Both are offered."""

    def __init__(self, draft: Draft):
        super().__init__(draft.revision)
        self.draft = draft


def save_draft(*, assignment: Assignment, data: dict, revision: int) -> Draft:
    """Keep a draft that was typed upon `revision` (0: upon none); it becomes the next one.

    Raises NewerDraft where another was saved since; saving the same content again is no conflict.
    Drafts are also kept for work that ran out: it stays under unfinished work.
    """
    if assignment.outcome not in {Assignment.Outcome.OPEN, Assignment.Outcome.EXPIRED}:
        raise ValidationError(_("This work is done already; there is nothing left to draft."))
    now = database_now()
    kept = Draft.objects.filter(assignment=assignment)
    changes = {"data": data, "revision": revision + 1, "saved_at": now}
    if kept.filter(revision=revision).update(**changes):
        return kept.get()
    try:
        with transaction.atomic():
            return Draft.objects.create(assignment=assignment, **{**changes, "revision": 1})
    except IntegrityError:
        draft = kept.get()
    if draft.data == data:
        return draft
    raise NewerDraft(draft)


def draft_of(assignment: Assignment) -> Draft | None:
    return Draft.objects.filter(assignment=assignment).first()


def drop_draft(assignment: Assignment) -> None:
    Draft.objects.filter(assignment=assignment).delete()
