"""A lease: half an hour, slid by beats, run out, closed and renewed."""

from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.answering import report_claim
from annotation.giving import beat, close_run_out
from annotation.models import Assignment
from tests.annotation.asking import ask, reason
from tests.factories import (
    make_participant,
    make_work,
    run_out,
)

pytestmark = pytest.mark.django_db


def test_a_beat_slides_the_lease(wave, annotator):
    make_work(wave)
    assignment = ask(annotator, wave)
    given = timezone.now() - timedelta(minutes=28)
    Assignment.objects.update(given_at=given, leased_until=timezone.now() + timedelta(minutes=2))

    until = beat(assignment=assignment, seconds=60)

    assignment.refresh_from_db()
    assert until == assignment.leased_until > timezone.now() + timedelta(minutes=29)
    assert assignment.active_seconds == 60


def test_forged_beats_count_no_more_time_than_passed(wave, annotator):
    make_work(wave)
    assignment = ask(annotator, wave)
    Assignment.objects.update(given_at=timezone.now() - timedelta(seconds=30.5))

    for _ in range(20):
        beat(assignment=assignment, seconds=99999)

    assignment.refresh_from_db()
    passed = (timezone.now() - assignment.given_at).total_seconds()
    assert 30 <= assignment.active_seconds <= passed + 1


def test_a_lease_slides_no_longer_than_four_hours(wave, annotator):
    make_work(wave)
    assignment = ask(annotator, wave)
    given = timezone.now() - timedelta(hours=3, minutes=45)
    Assignment.objects.update(given_at=given, leased_until=timezone.now())

    until = beat(assignment=assignment, seconds=60)

    assert until == given + timedelta(hours=4)


def test_a_beat_tells_that_the_lease_is_gone(wave, annotator):
    make_work(wave)
    assignment = run_out(ask(annotator, wave))
    close_run_out(wave=wave)

    assert beat(assignment=assignment, seconds=60) is None


def test_a_lease_that_ran_out_is_closed_by_anybodys_request(wave):
    (item,) = make_work(wave)
    wave.plan, wave.labels_wanted = "exact", 1
    wave.save()
    wave.items.update(wanted=1)
    lost = run_out(ask(make_participant(wave, "ben"), wave))

    given = ask(make_participant(wave, "dan"), wave)

    lost.refresh_from_db()
    assert (lost.outcome, given.item) == ("expired", item)


def test_at_most_twenty_run_out_leases_are_closed_at_once(wave):
    make_work(wave, 25)
    for number in range(25):
        ask(make_participant(wave, f"person{number}"), wave)
    Assignment.objects.update(leased_until=timezone.now() - timedelta(minutes=1))

    assert close_run_out(wave=wave) == 20
    assert close_run_out(wave=wave) == 5


def test_ones_own_run_out_lease_is_renewed_by_asking(wave, annotator):
    make_work(wave)
    assignment = run_out(ask(annotator, wave))

    again = ask(annotator, wave)

    assert again == assignment
    assert again.leased_until > timezone.now()


def test_a_run_out_lease_is_not_renewed_while_its_claim_is_held(wave, annotator):
    (item,) = make_work(wave)
    assignment = run_out(ask(annotator, wave))
    report_claim(assignment=ask(make_participant(wave, "dan"), wave), reason="no fact")

    assert reason(annotator, wave) == "done"
    assignment.refresh_from_db()
    assert (assignment.outcome, assignment.item) == ("expired", item)


def test_what_ran_out_may_be_given_to_the_same_person_again(wave, annotator):
    make_work(wave)
    lost = run_out(ask(annotator, wave))
    close_run_out(wave=wave)

    again = ask(annotator, wave)

    assert again == lost
    assert (again.outcome, again.ended_at) == ("", None)
