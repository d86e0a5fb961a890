"""Drafts on the server: what was typed and ticked so far. The newer revision wins."""

from django.db import IntegrityError, transaction

from annotation.models import Assignment, Draft, Task
from annotation.ticks import record_ticks
from operations.database_time import database_now

LAYOUT = {"columns", "active", "asked"}


class NewerDraft(Exception):
    """The server holds something newer: a `draft` saved in another tab, so both are offered.

    Where it is the stored answer, or the end of the work, that draft is empty and of revision 0.
    """

    def __init__(self, draft: Draft):
        super().__init__(draft.revision)
        self.draft = draft


@transaction.atomic
def save_draft(*, assignment: Assignment, data: dict, revision: int) -> Draft:
    """Keep a draft, and of a labelling form what was ticked since the last one. See store_draft."""
    data = without_null(data)
    before = draft_of(assignment) if assignment.task == Task.T2 else None
    draft = store_draft(assignment, data, revision)
    if assignment.task == Task.T2:
        record_ticks(assignment=assignment, before=before.data if before else {}, after=data)
    return draft


def store_draft(assignment: Assignment, data: dict, revision: int) -> Draft:
    """Keep a draft that was typed upon `revision` (0: upon none); it becomes the next one.

    Raises NewerDraft where another was saved since; saving the same content again is no conflict.
    Drafts are also kept for work that ran out, under unfinished work, and for edits of answers.
    """
    check_may_draft(assignment)
    kept = Draft.objects.filter(assignment=assignment)
    changes = {"data": data, "revision": revision + 1, "saved_at": database_now()}
    if kept.filter(revision=revision).update(**changes):
        return kept.get()
    try:
        with transaction.atomic():
            check_not_stored_meanwhile(assignment, revision)
            return Draft.objects.create(assignment=assignment, **{**changes, "revision": 1})
    except IntegrityError:
        draft = kept.get()
    if draft.data == data:
        return draft
    raise NewerDraft(draft)


def without_null(data):
    """What was typed without NULL, which PostgreSQL keeps in no JSON; submitting refuses it."""
    if isinstance(data, dict):
        return {without_null(name): without_null(value) for name, value in data.items()}
    if isinstance(data, list):
        return [without_null(value) for value in data]
    return data.replace("\0", "") if isinstance(data, str) else data


def check_may_draft(assignment: Assignment) -> None:
    ended = {Assignment.Outcome.SKIPPED, Assignment.Outcome.REPORTED}
    if assignment.task != Task.T2:
        ended.add(Assignment.Outcome.SUBMITTED)
    if assignment.outcome in ended:
        raise NewerDraft(Draft(assignment=assignment, revision=0))


def check_not_stored_meanwhile(assignment: Assignment, revision: int) -> None:
    """Refuse what was sent before the answer was stored and arrives after it."""
    kept = Draft.objects.filter(assignment=assignment).exists()
    if revision and not kept and is_submitted(Assignment.objects.get(pk=assignment.pk)):
        raise NewerDraft(Draft(assignment=assignment, revision=0))


def is_submitted(assignment: Assignment) -> bool:
    return assignment.outcome == Assignment.Outcome.SUBMITTED


def draft_of(assignment: Assignment) -> Draft | None:
    return Draft.objects.filter(assignment=assignment).first()


def newer_draft(*, assignment: Assignment, data: dict, revision: int) -> Draft | None:
    """The draft that was saved since `revision`, where it says something else than `data`.

    The form that `data` comes from may have saved it itself, so a revision alone tells nothing.
    """
    draft = draft_of(assignment)
    if draft and draft.revision > revision and typed_in(draft.data) != typed_in(data):
        return draft
    return None


def typed_in(data: dict) -> dict:
    """What somebody typed and ticked: without empty fields, spacing, and how the form was drawn."""
    typed = {
        name: sorted(filter(None, (" ".join(value.split()) for value in values)))
        for name, values in without_null(data).items()
        if name not in LAYOUT
    }
    return {name: values for name, values in typed.items() if values}


def drop_draft(assignment: Assignment) -> None:
    Draft.objects.filter(assignment=assignment).delete()
