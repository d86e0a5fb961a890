"""Many people at once, in several processes; and the two interleavings that could go wrong."""

import json
import os
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path

import pytest
from django.db import connection, transaction

from annotation import doctor
from annotation.giving import ask_for_work, close_run_out
from annotation.items import lock_item
from annotation.models import Annotation
from annotation.no_work import NoWork
from tests.annotation.racing import Beside, wait_until_somebody_waits
from tests.factories import (
    make_campaign,
    make_corpus,
    make_participant,
    make_wave,
    make_work,
    run_out,
    submit,
)

pytestmark = pytest.mark.django_db(transaction=True)
PROJECT = Path(__file__).resolve().parents[2]
PROCESSES, PEOPLE, ITEMS = 2, 7, 20


@pytest.fixture
def wave():
    return make_wave(make_campaign(corpus=make_corpus()))


def database_url():
    """The test database, as another process reaches it."""
    settings = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{settings['NAME']}"
    host, port = settings["HOST"] or "127.0.0.1", settings["PORT"] or 5432
    return f"postgres://{settings['USER']}@{host}:{port}/{settings['NAME']}"


def started(wave, people):
    plan = {"wave": wave.pk, "people": [person.pk for person in people]}
    return subprocess.Popen(
        [sys.executable, "-m", "tests.annotation.race_worker", json.dumps(plan)],
        cwd=PROJECT,
        env={**os.environ, "DATABASE_URL": database_url()},
        stdout=subprocess.PIPE,
        text=True,
    )


def race(wave):
    """What all processes together report."""
    people = [make_participant(wave, f"person{number}") for number in range(PROCESSES * PEOPLE)]
    groups = [people[start::PROCESSES] for start in range(PROCESSES)]
    total = {"stored": [], "ran_out": [], "errors": []}
    for process in [started(wave, group) for group in groups]:
        output, _ = process.communicate(timeout=400)
        for name, values in json.loads(output).items():
            total[name] += values
    return total


@pytest.mark.processes
@pytest.mark.xdist_group("processes")
@pytest.mark.parametrize("plan", ["two_and_third", "exact", "two_and_three"])
def test_many_people_at_once_are_given_what_they_should(wave, plan):
    wave.plan = plan
    wave.save()
    items = make_work(wave, ITEMS)

    report = race(wave)

    assert report["errors"] == []
    rows = Annotation.objects.live()
    # No answer is lost, none is stored twice.
    assert {str(pk) for pk in rows.values_list("submission", flat=True)} == set(report["stored"])
    # Nobody has labelled an item twice.
    pairs = Counter(Annotation.objects.values_list("item", "user"))
    assert set(pairs.values()) == {1}
    # An answer is surplus only where its lease had run out.
    surplus = rows.filter(surplus=True).values_list("assignment", flat=True)
    assert set(surplus) <= set(report["ran_out"])
    # No item was out over its number, and each is done.
    for item in items:
        labels = list(rows.filter(item=item, surplus=False).values_list("label", flat=True))
        assert len(labels) == wanted_of(plan, labels)
    # Taken and states are what the rows make.
    assert [row for _name, _why, breaking in doctor.RULES for row in breaking()] == []


def wanted_of(plan, labels):
    """How many labels an item with these has to have in the end."""
    if plan == "two_and_third":
        return 3 if len(set(labels)) > 1 else 2
    if plan == "two_and_three":
        return 2 if set(labels) == {"NOT ENOUGH INFO"} and len(labels) == 2 else 5
    return 2


def lapsed(wave):
    """Ben's lease on the only item, which wants one label; it has run out."""
    wave.plan, wave.labels_wanted = "exact", 1
    wave.save()
    make_work(wave)
    return run_out(ask(make_participant(wave, "ben"), wave))


def ask(user, wave):
    return ask_for_work(user=user, wave=wave, task="T2")


def test_a_lease_is_not_closed_whose_owner_submits_at_that_moment(wave):
    assignment = lapsed(wave)

    with transaction.atomic():
        lock_item(assignment.item_id)
        closing = Beside(lambda: close_run_out(wave=wave))
        wait_until_somebody_waits()
        annotation = submit(assignment)

    assert closing.joined() == 0
    assignment.refresh_from_db()
    assignment.item.refresh_from_db()
    assert (assignment.outcome, annotation.surplus) == ("submitted", False)
    assert (assignment.item.taken, assignment.item.state) == (1, "complete")


def test_an_answer_is_surplus_whose_lease_was_closed_and_given_away_at_that_moment(wave):
    assignment = lapsed(wave)
    dan = make_participant(wave, "dan")

    with transaction.atomic():
        lock_item(assignment.item_id)
        submitting = Beside(lambda: submit(assignment))
        wait_until_somebody_waits()
        given = ask(dan, wave)

    annotation = submitting.joined()
    assignment.refresh_from_db()
    assert given.item == assignment.item
    assert (annotation.surplus, assignment.outcome) == (True, "submitted")
    assert assignment.item.assignments.filling().count() == 1


class SlowChoice:
    """Holds the statement that chooses and locks an item open after it has looked at the rows."""

    def __init__(self):
        self.has_looked = threading.Event()

    def __call__(self, execute, sql, params, many, context):
        if "SKIP LOCKED" in sql:
            # The statement's snapshot is taken when it begins; the row is locked after the sleep.
            sql = sql.replace(" WHERE (", " WHERE (pg_sleep(1.5) IS NOT NULL AND ", 1)
            self.has_looked.set()
        elif connection.vendor == "sqlite":
            self.has_looked.set()
        return execute(sql, params, many, context)


def test_what_was_answered_while_the_choice_was_made_is_not_given_again(wave):
    """On PostgreSQL the choice sees an older snapshot, in which the answer is not there yet."""
    make_work(wave)
    ben = make_participant(wave, "ben")
    lost = run_out(ask(ben, wave))
    close_run_out(wave=wave)
    slow = SlowChoice()

    def ask_slowly():
        with connection.execute_wrapper(slow):
            return ask(ben, wave)

    asking = Beside(ask_slowly)
    assert slow.has_looked.wait(timeout=30)
    time.sleep(0.3)
    submit(lost)
    asking.joined()

    lost.refresh_from_db()
    lost.item.refresh_from_db()
    assert Annotation.objects.live().get().user == ben
    assert (lost.outcome, lost.item.taken) == ("submitted", 1)
    assert [row for _name, _why, breaking in doctor.RULES for row in breaking()] == []


def test_the_last_slot_is_not_given_twice_by_an_older_snapshot(wave):
    wave.plan, wave.labels_wanted = "exact", 1
    wave.save()
    (item,) = make_work(wave)
    ben, dan = (make_participant(wave, name) for name in ["ben", "dan"])
    slow = SlowChoice()

    def ask_slowly():
        with connection.execute_wrapper(slow):
            return ask(ben, wave)

    asking = Beside(ask_slowly)
    assert slow.has_looked.wait(timeout=30)
    time.sleep(0.3)
    other = Beside(lambda: ask(dan, wave)).joined()

    results = [asking.joined(), other]
    assert sum(isinstance(result, NoWork) for result in results) == 1
    item.refresh_from_db()
    assert item.assignments.filling().count() == item.taken == 1


def test_two_tabs_of_a_person_get_the_same_assignment(wave):
    make_work(wave, 5)
    ben = make_participant(wave, "ben")

    tabs = [Beside(lambda: ask(ben, wave)) for _ in range(6)]

    assert len({tab.joined().pk for tab in tabs}) == 1
    assert ben.assignments.count() == 1
