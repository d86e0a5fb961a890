import threading

import pytest
from django.db import DatabaseError, connection, transaction

from operations.database_time import database_now
from operations.models import Job, WorkerBeat
from operations.snapshots import snapshot


def in_a_thread(function):
    """Run with a connection of its own, as another process would."""

    def run():
        try:
            function()
        finally:
            connection.close()

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()


def add_beat(name="other"):
    in_a_thread(lambda: WorkerBeat.objects.create(worker=name))


@pytest.mark.django_db(transaction=True)
def test_a_snapshot_does_not_see_what_is_written_meanwhile():
    with snapshot():
        add_beat()  # before anything was read here
        assert WorkerBeat.objects.count() == 0

    assert WorkerBeat.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_a_snapshot_keeps_nobody_from_writing():
    with snapshot():
        WorkerBeat.objects.count()
        add_beat("one")
        add_beat("two")

    assert WorkerBeat.objects.count() == 2


@pytest.mark.django_db(transaction=True)
def test_nothing_can_be_written_in_a_snapshot():
    with pytest.raises(DatabaseError), snapshot():
        WorkerBeat.objects.create(worker="mine")

    WorkerBeat.objects.create(worker="mine")


@pytest.mark.django_db(transaction=True)
def test_after_a_snapshot_the_connection_commits_by_itself_again():
    with pytest.raises(ZeroDivisionError), snapshot():
        _ = 1 / 0

    assert transaction.get_autocommit()
    WorkerBeat.objects.create(worker="mine")
    in_a_thread(lambda: WorkerBeat.objects.get(worker="mine"))


@pytest.mark.django_db(transaction=True)
def test_a_snapshot_within_a_snapshot_sees_the_same_moment():
    with snapshot():
        add_beat()
        with snapshot():
            assert WorkerBeat.objects.count() == 0
        assert WorkerBeat.objects.count() == 0


@pytest.mark.django_db(transaction=True)
def test_a_transaction_within_a_snapshot_reads_in_it():
    with snapshot():
        add_beat()
        with transaction.atomic():
            assert WorkerBeat.objects.count() == 0
        assert WorkerBeat.objects.count() == 0


@pytest.mark.django_db(transaction=True)
def test_long_results_are_streamed_in_a_snapshot():
    Job.objects.bulk_create(Job(kind="probe", key=str(number)) for number in range(3000))

    with snapshot():
        assert sum(1 for _ in Job.objects.order_by("pk").iterator(chunk_size=500)) == 3000


@pytest.mark.django_db
def test_inside_a_transaction_a_snapshot_changes_nothing():
    WorkerBeat.objects.create(worker="mine")

    with snapshot():
        assert WorkerBeat.objects.count() == 1
    WorkerBeat.objects.create(worker="mine too")


@pytest.mark.django_db(transaction=True)
def test_the_databases_clock_is_aware_and_moves():
    first, second = database_now(), database_now()

    assert first.utcoffset().total_seconds() == 0
    assert first <= second
