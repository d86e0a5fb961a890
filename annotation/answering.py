"""Answers: a label with its evidence, a skip, a report. Each in one transaction, none lost."""

from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from annotation.answer_checks import check_answer
from annotation.drafts import drop_draft
from annotation.evidence import Part, merged_sets
from annotation.giving import slot_is_free
from annotation.items import (
    is_withdrawn,
    lock_item,
    lock_items_of,
    lock_source,
    settle,
    settle_all,
    settle_source,
    skippers,
)
from annotation.models import (
    Annotation,
    Assignment,
    Claim,
    EvidenceItem,
    EvidenceSet,
    Operation,
    Preselection,
    Report,
    Task,
    WaveItem,
)
from annotation.scope import claim_of
from annotation.typed import typed_text
from corpus.texts import clean_text
from operations.database_time import database_now

OUTCOME = Assignment.Outcome
ANSWERABLE = {OUTCOME.OPEN, OUTCOME.EXPIRED, OUTCOME.SUBMITTED}
SKIPS_TO_HOLD = 3


@dataclass(frozen=True)
class Answer:
    """What a labelling form holds. submission: the id of the form as it was drawn.

    evidence_sets: each a list of (paragraph id, unit id); unit '' is the whole paragraph.
    drawn_from: the id of the live annotation that the form showed, when it edits one.
    """

    label: str
    submission: UUID
    evidence_sets: list[list[Part]] = field(default_factory=list)
    is_uncertain: bool = False
    is_relevant: bool = False
    condition: str = ""
    note: str = ""
    drawn_from: int | None = None


class AnsweredElsewhere(Exception):
    """Another form has answered this already: `existing`. The page shows both and asks."""

    def __init__(self, existing):
        super().__init__(str(existing))
        self.existing = existing


@transaction.atomic
def submit_annotation(*, assignment: Assignment, answer: Answer) -> Annotation:
    """Store the answer to an assignment; the same form sent twice is stored once.

    An answer to what was answered is an edit if it names the live row that it was drawn from.
    """
    item = lock_item(assignment.item_id)
    if done := Annotation.objects.filter(submission=answer.submission).first():
        return same_form(done, assignment, answer)
    assignment = locked(assignment)
    now = database_now()
    live = item.annotations.live().filter(user=assignment.user_id).first()
    if live is not None and live.pk != answer.drawn_from:
        raise AnsweredElsewhere(live)
    check_may_answer(assignment, live, now)
    answer = check_answer(answer, assignment)
    standing = standing_of(assignment, item, live, now)
    annotation = store_annotation(assignment, answer, supersedes=live, now=now, **standing)
    if live is None:
        finish(assignment, OUTCOME.SUBMITTED, now, surplus=standing["surplus"])
    drop_draft(assignment)
    settle(item)
    return annotation


def same_form(done: Annotation, assignment: Assignment, answer: Answer) -> Annotation:
    """The first result of a form that was sent again.

    The back button brings a form back with its id: what was changed on it since is no repetition.
    """
    if done.assignment_id != assignment.pk:
        raise ValidationError(_("This form was used already. Please open the claim once more."))
    if content_of(answer) == stored_content(done):
        return done
    live = done.item.annotations.live().filter(user=done.user_id).first()
    raise AnsweredElsewhere(live or done)


def content_of(answer: Answer) -> tuple:
    """What an answer says; the order of sets and of their items says nothing."""
    texts = [clean_text(answer.condition), clean_text(answer.note)]
    sets = {frozenset(items) for items in merged_sets(answer.evidence_sets)}
    return answer.label, answer.is_uncertain, answer.is_relevant, *texts, sets


def stored_content(annotation: Annotation) -> tuple:
    marks = [annotation.label, annotation.is_uncertain, annotation.is_relevant]
    sets = {
        frozenset((item.paragraph_id, item.unit) for item in each.items.all())
        for each in annotation.evidence_sets.prefetch_related("items")
    }
    return *marks, annotation.condition, annotation.note, sets


def locked(assignment: Assignment) -> Assignment:
    """The assignment's own row, locked after what it is about."""
    rows = Assignment.objects.select_for_update(of=("self",), no_key=True)
    return rows.select_related("wave", "user").get(pk=assignment.pk)


def check_may_answer(assignment: Assignment, live: Annotation | None, now: datetime) -> None:
    if assignment.task != Task.T2 or assignment.outcome not in ANSWERABLE:
        raise ValidationError(ended_message(assignment))
    if live is None and assignment.outcome == OUTCOME.SUBMITTED:
        raise ValidationError(_("Your answer was removed; it cannot be given once more."))
    if live is not None and not assignment.wave.is_open(now):
        raise ValidationError(_("The wave is closed, so answers can no longer be changed."))


def ended_message(assignment: Assignment) -> str:
    if assignment.outcome == OUTCOME.SKIPPED:
        return _("You skipped this before, so it went to somebody else.")
    if assignment.outcome == OUTCOME.REPORTED:
        return _("You reported this claim, so a curator is looking at it.")
    return _("This work cannot be answered any more.")


def standing_of(assignment, item: WaveItem, live: Annotation | None, now: datetime) -> dict:
    """Whether an answer is surplus or late; an edit stands as the row that it supersedes.

    A lease that ran out takes its slot back if it is free; else the answer is kept as surplus:
    it counts for the person, and is outside labels and measures. So is a late one.
    """
    if live is not None:
        return {"surplus": live.surplus, "late": live.late}
    ran_out = assignment.outcome == OUTCOME.EXPIRED
    return {
        "surplus": is_withdrawn(item) or (ran_out and not slot_is_free(assignment, item)),
        "late": not assignment.wave.is_open(now),
    }


def store_annotation(assignment, answer: Answer, *, supersedes, now, **standing) -> Annotation:
    if supersedes is not None:
        supersedes.ended_at = now
        supersedes.ended_by = assignment.user
        supersedes.end_reason = Annotation.EndReason.SUPERSEDED
        supersedes.save(update_fields=["ended_at", "ended_by", "end_reason"])
    annotation = Annotation.objects.create(
        item_id=assignment.item_id,
        assignment=assignment,
        revision_id=assignment.revision_id,
        kind=Annotation.Kind.OWN if assignment.is_own else Annotation.Kind.CROSS,
        user_id=assignment.user_id,
        label=answer.label,
        is_uncertain=answer.is_uncertain,
        is_relevant=answer.is_relevant,
        condition=answer.condition,
        note=answer.note,
        submission=answer.submission,
        supersedes=supersedes,
        **standing,
    )
    store_evidence(annotation, merged_sets(answer.evidence_sets))
    Operation.objects.create(assignment=assignment, kind=Operation.Kind.SUBMIT)
    return annotation


def store_evidence(annotation: Annotation, sets: list[list[Part]]) -> None:
    rows = EvidenceSet.objects.bulk_create(
        EvidenceSet(annotation=annotation, number=number) for number, _items in enumerate(sets, 1)
    )
    EvidenceItem.objects.bulk_create(
        EvidenceItem(evidence_set=row, paragraph_id=paragraph, unit=unit)
        for row, items in zip(rows, sets, strict=True)
        for paragraph, unit in items
    )


def finish(assignment: Assignment, outcome: str, now: datetime, **values) -> None:
    """Write how an assignment ended."""
    values |= {"outcome": outcome, "ended_at": now}
    for name, value in values.items():
        setattr(assignment, name, value)
    assignment.save(update_fields=list(values))


@transaction.atomic
def skip_work(*, assignment: Assignment, reason: str) -> Assignment:
    """End an assignment without an answer. The third person's skip goes to the curators."""
    reason = checked_reason(reason)
    claim = claim_of(assignment)
    items = lock_items_of(claim) if claim else []
    source = lock_source(assignment.preselection_id) if assignment.preselection_id else None
    assignment = locked(assignment)
    if assignment.outcome == OUTCOME.SKIPPED:
        return assignment
    check_may_end(assignment)
    finish(assignment, OUTCOME.SKIPPED, database_now(), reason=reason)
    drop_draft(assignment)
    if assignment.task == Task.T2:
        hold_after_skips(claim)
    if source:
        hold_source_after_skips(source)
        settle_source(source)
    settle_all(items)
    return assignment


def checked_reason(reason: str) -> str:
    reason = typed_text(reason, field="reason", longest=1000)
    if not reason:
        raise ValidationError({"reason": _("Please say why, in a few words.")})
    return reason


def check_may_end(assignment: Assignment) -> None:
    if assignment.outcome == OUTCOME.SUBMITTED:
        raise ValidationError(_("You have answered this already; you can still change the answer."))
    if assignment.outcome not in {OUTCOME.OPEN, OUTCOME.EXPIRED}:
        raise ValidationError(ended_message(assignment))


def hold_after_skips(claim: Claim) -> None:
    """Report a locked claim that a third person skipped since it was last looked at."""
    last = claim.reports.filter(is_three_skips=True).exclude(decision="").last()
    skipped = Assignment.objects.filter(item__instance__claim=claim)
    people = skippers(skipped, since=last and last.decided_at)
    if people >= SKIPS_TO_HOLD and not claim.reports.open().exists():
        reason = _("Three people skipped this claim.")
        Report.objects.create(claim=claim, is_three_skips=True, reason=reason)


def hold_source_after_skips(source: Preselection) -> None:
    """Hold a locked source back at each third skip."""
    if skippers(source.assignments.all()) % SKIPS_TO_HOLD == 0:
        source.state = Preselection.State.HELD
        source.save(update_fields=["state"])


@transaction.atomic
def report_claim(*, assignment: Assignment, reason: str) -> Report:
    """Tell the curators what is wrong with a claim; it is given to nobody until they decide."""
    reason = checked_reason(reason)
    if (claim := claim_of(assignment)) is None:
        raise ValidationError(_("Only claims can be reported; you can skip this."))
    items = lock_items_of(claim)
    assignment = locked(assignment)
    if assignment.outcome == OUTCOME.REPORTED:
        return claim.reports.filter(reported_by=assignment.user_id).last()
    check_may_end(assignment)
    report = Report.objects.create(claim=claim, reported_by=assignment.user, reason=reason)
    finish(assignment, OUTCOME.REPORTED, database_now(), reason=reason)
    drop_draft(assignment)
    settle_all(items)
    return report
