"""Drafts: the newer revision wins, and the other is offered."""

import pytest

from annotation.drafts import NewerDraft, draft_of, save_draft
from annotation.giving import ask_for_work, close_run_out
from annotation.models import Operation
from tests.factories import (
    make_campaign,
    make_corpus,
    make_participant,
    make_wave,
    make_work,
    run_out,
    submit,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def assignment():
    wave = make_wave(make_campaign(corpus=make_corpus()))
    make_work(wave)
    return ask_for_work(user=make_participant(wave, "ben"), wave=wave, task="T2")


def save(assignment, note, revision):
    return save_draft(assignment=assignment, data={"note": note}, revision=revision)


def test_each_save_upon_the_last_makes_the_next_revision(assignment):
    assert save(assignment, "a", 0).revision == 1
    assert save(assignment, "b", 1).revision == 2
    assert draft_of(assignment).data == {"note": "b"}


def test_a_save_upon_an_older_revision_is_offered_the_newer_draft(assignment):
    save(assignment, "a", 0)
    save(assignment, "b", 1)

    with pytest.raises(NewerDraft) as newer:
        save(assignment, "c", 1)

    assert newer.value.draft.data == draft_of(assignment).data == {"note": "b"}


def test_two_tabs_that_begin_at_once_do_not_overwrite_each_other(assignment):
    save(assignment, "a", 0)

    with pytest.raises(NewerDraft):
        save(assignment, "b", 0)


def test_saving_the_same_content_again_is_no_conflict(assignment):
    save(assignment, "a", 0)

    assert save(assignment, "a", 0).revision == 1


def test_a_draft_survives_the_end_of_its_lease(assignment):
    save(assignment, "a", 0)
    run_out(assignment)
    close_run_out(wave=assignment.wave)
    assignment.refresh_from_db()

    save(assignment, "b", 1)

    assert list(assignment.user.assignments.unfinished()) == [assignment]


def test_nothing_is_drafted_upon_skipped_work(assignment):
    assignment.outcome = "skipped"

    with pytest.raises(NewerDraft):
        save(assignment, "a", 0)


def test_an_edit_of_a_submitted_answer_can_be_drafted(assignment):
    submit(assignment)
    assignment.refresh_from_db()

    assert save(assignment, "a", 0).revision == 1


def test_a_draft_that_arrives_after_its_answer_was_stored_is_refused(assignment):
    save(assignment, "a", 0)
    submit(assignment)

    with pytest.raises(NewerDraft):
        save(assignment, "b", 1)


def test_a_forged_tick_with_a_null_is_kept_without_it(assignment):
    source = assignment.item.instance.claim.source
    ticked = {"set-1": [f"{source.pk}:\0"]}

    assert save_draft(assignment=assignment, data=ticked, revision=0).data == {
        "set-1": [f"{source.pk}:"]
    }
    assert not Operation.objects.exists()
