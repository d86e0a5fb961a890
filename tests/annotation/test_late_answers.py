"""Answers whose slot is gone, or whose wave has closed."""

import pytest

from annotation.giving import close_run_out
from tests.annotation.asking import ask, close
from tests.factories import (
    make_participant,
    make_work,
    run_out,
    submit,
)

pytestmark = pytest.mark.django_db


def lost_lease(wave):
    """An assignment that ran out and whose item, wanting one label, went to another person."""
    wave.plan, wave.labels_wanted = "exact", 1
    wave.save()
    (item,) = make_work(wave)
    lost = run_out(ask(make_participant(wave, "ben"), wave))
    other = ask(make_participant(wave, "dan"), wave)
    assert other.item == item
    lost.refresh_from_db()
    return lost, other


def test_an_answer_whose_slot_is_gone_is_kept_as_surplus(wave):
    lost, other = lost_lease(wave)

    annotation = submit(lost)
    submit(other)

    lost.refresh_from_db()
    lost.item.refresh_from_db()
    assert annotation.surplus
    assert (lost.outcome, lost.surplus) == ("submitted", True)
    assert (lost.item.taken, lost.item.state) == (1, "complete")


def test_an_answer_takes_its_slot_back_if_it_is_free(assignment):
    run_out(assignment)
    close_run_out(wave=assignment.wave)

    annotation = submit(assignment)

    assignment.item.refresh_from_db()
    assert not annotation.surplus
    assert assignment.item.taken == 1


def test_a_lease_that_ran_out_but_was_not_closed_keeps_its_slot(assignment):
    run_out(assignment)

    assert not submit(assignment).surplus


def test_surplus_answers_count_for_the_person(wave):
    lost, _other = lost_lease(wave)
    submit(lost)

    assert lost.user.assignments.counted().count() == 1


def test_an_edit_of_a_surplus_answer_stays_surplus(wave):
    lost, _other = lost_lease(wave)
    first = submit(lost)

    assert submit(lost, "SUPPORTS", drawn_from=first.pk).surplus


def test_an_answer_after_the_wave_closed_is_late_and_fills_no_slot(wave, assignment):
    close(wave)

    annotation = submit(assignment)

    assignment.item.refresh_from_db()
    assert annotation.late
    assert assignment.item.taken == 0
