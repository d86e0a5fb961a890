"""Skips and reports: what they free, and what they hold."""

import pytest
from django.core.exceptions import ValidationError

from annotation.answering import (
    report_claim,
    skip_work,
)
from annotation.drafts import save_draft
from annotation.models import Report
from annotation.readiness import make_item
from tests.annotation.asking import ask
from tests.factories import (
    make_participant,
    make_wave,
    make_work,
    submit,
)

pytestmark = pytest.mark.django_db


def test_a_skip_needs_a_reason_and_frees_the_slot(assignment):
    with pytest.raises(ValidationError, match="say why"):
        skip_work(assignment=assignment, reason=" ")

    skip_work(assignment=assignment, reason="too hard")

    assignment.refresh_from_db()
    assignment.item.refresh_from_db()
    assert (assignment.outcome, assignment.item.taken) == ("skipped", 0)


def test_a_skip_sent_twice_is_one_skip(assignment):
    skip_work(assignment=assignment, reason="too hard")
    skip_work(assignment=assignment, reason="too hard")

    assert assignment.user.assignments.count() == 1


def test_what_was_answered_cannot_be_skipped(assignment):
    submit(assignment)

    with pytest.raises(ValidationError, match="answered this already"):
        skip_work(assignment=assignment, reason="too hard")


def test_what_was_skipped_cannot_be_answered(assignment):
    skip_work(assignment=assignment, reason="too hard")

    with pytest.raises(ValidationError, match="skipped"):
        submit(assignment)


def test_the_third_different_persons_skip_holds_the_item(wave):
    (item,) = make_work(wave)
    for number in range(3):
        person = make_participant(wave, f"person{number}")
        skip_work(assignment=ask(person, wave), reason="too hard")

    item.refresh_from_db()
    assert item.state == "held"
    assert Report.objects.get(claim=item.instance.claim).is_three_skips


def test_two_skips_hold_nothing(wave):
    (item,) = make_work(wave)
    for number in range(2):
        person = make_participant(wave, f"person{number}")
        skip_work(assignment=ask(person, wave), reason="too hard")

    item.refresh_from_db()
    assert item.state == "open"


def test_a_report_holds_the_items_of_all_waves(wave, assignment):
    other = make_item(assignment.item.instance.claim, make_wave(wave.campaign, name="Again"))

    report_claim(assignment=assignment, reason="two sentences")

    other.refresh_from_db()
    assignment.refresh_from_db()
    assert (other.state, assignment.outcome) == ("held", "reported")
    assert assignment.item.instance.claim.reports.get().reason == "two sentences"


def test_answers_to_a_held_item_still_count(wave, assignment):
    other = ask(make_participant(wave, "dan"), wave)
    report_claim(assignment=assignment, reason="two sentences")

    annotation = submit(other)

    other.item.refresh_from_db()
    assert not annotation.surplus
    assert (other.item.taken, other.item.state) == (1, "held")


def test_a_draft_is_gone_once_the_answer_is_stored(assignment):
    save_draft(assignment=assignment, data={"label": ["SUPPORTS"]}, revision=0)

    submit(assignment)

    assignment.refresh_from_db()
    assert not hasattr(assignment, "draft")
