"""Queries that are sent first and read later."""

import pytest
from django.db import DatabaseError, connection

from operations.asking import asking
from operations.models import Job
from operations.snapshots import snapshot
from tests.operations.test_snapshots import in_a_thread

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def jobs():
    return [Job.objects.create(kind="probe", key=f"{number}") for number in range(3)]


def keys(**chosen):
    return Job.objects.filter(**chosen).order_by("pk").values_list("pk", "key")


def test_answers_come_by_query_in_order(jobs):
    with asking() as ask:
        answers = ask(keys(), keys(key="1"), keys(key="none"))

    assert answers() == [[(job.pk, job.key) for job in jobs], [(jobs[1].pk, "1")], []]


def test_other_queries_may_come_between(jobs):
    with asking() as ask:
        first = ask(keys(key="0"))
        assert Job.objects.count() == 3
        second = ask(keys(key="2"))

        assert [rows for [rows] in (first(), second())] == [
            [(jobs[0].pk, "0")],
            [(jobs[2].pk, "2")],
        ]


def test_they_are_answered_within_the_callers_snapshot(jobs):
    with snapshot(), asking() as ask:
        in_a_thread(lambda: Job.objects.create(kind="probe", key="meanwhile"))
        answers = ask(keys())

        assert answers() == [[(job.pk, job.key) for job in jobs]]
    assert connection.get_autocommit()
    assert Job.objects.create(kind="probe", key="later").pk


def test_what_goes_wrong_is_raised_where_the_rows_are_wanted(jobs):
    broken = keys().extra(where=["no_such_column = 1"])
    with asking() as ask:
        answers = ask(broken)

        with pytest.raises(DatabaseError):
            answers()
    assert Job.objects.count() == 3
