from datetime import timedelta

import pytest
from django.conf import settings
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.db import IntegrityError, OperationalError, transaction
from django.db.models.functions import Now
from django.utils import timezone

from operations import jobs as job_module
from operations.jobs import (
    cancel_job,
    claim_job,
    claim_next_job,
    queue_job,
    release_jobs_of,
    run_again,
    run_job,
    sweep,
)
from operations.models import CacheEntry, Job, WorkerBeat
from operations.progress import JobCancelled
from operations.worker import Worker, run_due_jobs

pytestmark = pytest.mark.django_db


@pytest.fixture
def handle(monkeypatch):
    """Let a function handle jobs of kind 'probe'."""

    def with_handler(function):
        handlers = {"probe": function}
        monkeypatch.setattr(job_module, "HANDLERS", handlers, raising=False)

    return with_handler


def queue(**fields):
    return queue_job(kind="probe", key=fields.pop("key", "1"), **fields)


def run(job, worker="w1", **kwargs):
    run_job(claim_job(job.pk, worker=worker), **kwargs)
    job.refresh_from_db()
    return job


def test_a_job_runs_with_its_arguments_and_keeps_its_result(handle):
    handle(lambda progress, number: {"double": number * 2})

    job = run(queue(arguments={"number": 21}))

    assert (job.state, job.result, job.attempts) == ("done", {"double": 42}, 1)
    assert job.ended_at


def test_a_live_job_of_the_same_key_is_not_queued_twice():
    assert queue() == queue()
    assert queue(key="2") != queue()


def test_an_ended_job_may_be_queued_again(handle):
    handle(lambda progress: None)
    first = run(queue())

    assert queue() != first


def test_the_database_refuses_a_second_live_job_of_a_key():
    queue()

    with pytest.raises(IntegrityError), transaction.atomic():
        Job.objects.create(kind="probe", key="1")


def test_a_job_of_a_rolled_back_transaction_never_was():
    with transaction.atomic():
        queue()
        transaction.set_rollback(True)

    assert not Job.objects.exists()


def test_a_job_is_claimed_once():
    job = queue()

    assert claim_job(job.pk, worker="w1")
    assert claim_job(job.pk, worker="w2") is None


def test_the_oldest_due_job_comes_first():
    first, second = queue(), queue(key="2")

    assert [claim_next_job(worker="w1"), claim_next_job(worker="w1")] == [first, second]
    assert claim_next_job(worker="w1") is None


def test_a_delayed_job_is_not_due_before():
    job = queue(delay=timedelta(minutes=5))

    assert claim_next_job(worker="w1") is None
    Job.objects.update(run_after=Now() - timedelta(seconds=1))
    assert claim_next_job(worker="w1") == job


def test_a_mistake_of_the_user_fails_with_its_words(handle):
    def refuse(progress):
        raise ValidationError("Line 3 has no date.")

    handle(refuse)

    job = run(queue())

    assert (job.state, job.error) == ("failed", "Line 3 has no date.")


def test_a_bug_fails_at_once_and_is_not_tried_again(handle):
    handle(lambda progress: 1 / 0)

    job = run(queue())

    assert job.state == "failed"
    assert "ZeroDivisionError" in job.error


def test_a_transient_error_is_tried_three_times(handle):
    def database_away(progress):
        raise OperationalError("the server closed the connection")

    handle(database_away)
    job = queue()

    for _ in range(2):
        assert run(job).state == "queued"
        assert claim_job(job.pk, worker="w1") is None  # it waits a little
        Job.objects.update(run_after=None)
    run(job)

    assert job.state == "failed"
    assert job.error.startswith("Tried 3 times.")


def test_a_kind_that_nobody_handles_fails_and_says_so():
    job = run(queue())

    assert "No app handles jobs of kind 'probe'" in job.error


def test_progress_is_written_at_first_and_at_last(handle):
    def count(progress):
        for number in range(1, 101):
            progress(number, 100, f"step {number}")

    handle(count)

    job = run(queue())

    assert (job.done, job.total, job.percent, job.message) == (100, 100, 100, "step 100")


def test_a_waiting_job_is_cancelled_at_once():
    job = queue()

    cancel_job(job=job)

    job.refresh_from_db()
    assert job.state == "cancelled"
    assert claim_next_job(worker="w1") is None


def test_a_running_job_is_cancelled_at_its_next_step(handle):
    def cancelled_meanwhile(progress):
        progress(1, 10)
        cancel_job(job=Job.objects.get())
        progress.written_at = None
        progress(2, 10)
        raise AssertionError("it went on")

    handle(cancelled_meanwhile)

    assert run(queue()).state == "cancelled"


def test_a_stopping_worker_puts_its_job_back_without_counting_it(handle):
    handle(lambda progress: progress(1, 10))

    job = run(queue(), must_stop=lambda: True)

    assert (job.state, job.attempts, job.worker) == ("queued", 0, "")


def make_stale(job):
    Job.objects.filter(pk=job.pk).update(heartbeat_at=Now() - timedelta(seconds=61))


def test_a_stale_job_goes_back_to_the_queue():
    job = queue()
    claim_job(job.pk, worker="w1")
    make_stale(job)

    sweep()

    job.refresh_from_db()
    assert (job.state, job.attempts) == ("queued", 1)


def test_a_fresh_job_is_left_alone():
    job = queue()
    claim_job(job.pk, worker="w1")

    sweep()

    job.refresh_from_db()
    assert job.state == "running"


def test_a_job_that_killed_three_workers_fails_with_a_clear_error():
    job = queue()
    for _ in range(3):
        claim_job(job.pk, worker="w1")
        make_stale(job)
        sweep()

    job.refresh_from_db()
    assert job.state == "failed"
    assert "died 3 times" in job.error


def test_a_stale_job_that_was_to_be_cancelled_is():
    job = queue()
    claim_job(job.pk, worker="w1")
    cancel_job(job=job)
    make_stale(job)

    sweep()

    job.refresh_from_db()
    assert job.state == "cancelled"


def test_a_slow_worker_cannot_write_over_the_one_that_took_over(handle):
    def taken_over_meanwhile(progress):
        make_stale(progress.job)
        sweep()
        claim_job(progress.job.pk, worker="w2")
        return {"from": "the slow one"}

    handle(taken_over_meanwhile)

    job = run(queue())

    assert (job.state, job.worker, job.result) == ("running", "w2", {})


def test_a_slow_worker_is_stopped_at_its_next_step(handle):
    def taken_over_meanwhile(progress):
        Job.objects.update(worker="w2", attempts=2)
        with pytest.raises(JobCancelled):
            progress(1, 2)

    handle(taken_over_meanwhile)

    run(queue())


def test_the_jobs_of_a_worker_known_dead_do_not_wait_for_the_sweep():
    job = queue()
    claim_job(job.pk, worker="w1")

    release_jobs_of("w1")

    assert claim_next_job(worker="w2") == job


def test_every_apps_sweep_runs_though_one_breaks(monkeypatch):
    swept = []
    sweeps = [lambda: 1 / 0, lambda: swept.append("yes")]
    monkeypatch.setattr(job_module, "SWEEPS", sweeps, raising=False)

    sweep()

    assert swept == ["yes"]


def test_running_what_is_due_runs_also_what_that_queues(handle):
    def chain(progress, left):
        if left:
            queue_job(kind="probe", key=f"left {left}", arguments={"left": left - 1})

    handle(chain)
    queue(arguments={"left": 2})

    assert run_due_jobs() == 3


def test_old_beats_are_forgotten():
    WorkerBeat.objects.create(worker="old", at=Now() - timedelta(days=2))
    WorkerBeat.objects.create(worker="new")

    sweep()

    assert WorkerBeat.objects.get().worker == "new"


@pytest.mark.skipif(bool(settings.CELERY_BROKER_URL), reason="the cache is in Redis")
def test_many_counters_do_not_push_out_others():
    for number in range(400):
        cache.set(f"counter-{number}", number, timeout=3600)

    assert [cache.get(f"counter-{number}") for number in range(400)] == list(range(400))


@pytest.mark.skipif(bool(settings.CELERY_BROKER_URL), reason="the cache is in Redis")
def test_the_sweep_deletes_counters_that_have_expired():
    cache.set("old", 1, timeout=3600)
    CacheEntry.objects.update(expires=timezone.now() - timedelta(minutes=1))
    cache.set("new", 1, timeout=3600)

    sweep()

    assert CacheEntry.objects.count() == 1
    assert cache.get("new") == 1


def fails(*_, **__):
    raise ValidationError("Milvus does not answer.")


def test_a_failed_job_runs_again_as_if_it_were_new(handle):
    handle(fails)
    job = run(queue(arguments={"number": 21}))
    handle(lambda progress, number: {"double": number * 2})

    assert run_again(job=job)

    job = run(job)
    assert (job.state, job.result, job.error, job.attempts) == ("done", {"double": 42}, "", 1)


def test_a_failed_job_waits_while_another_of_its_key_is_live(handle):
    handle(fails)
    job = run(queue())
    queue()

    assert not run_again(job=job)

    assert sorted(Job.objects.values_list("state", flat=True)) == ["failed", "queued"]


@pytest.mark.parametrize("state", ["done", "cancelled"])
def test_only_failed_jobs_run_again(state):
    job = Job.objects.create(kind="probe", key="1", state=state, ended_at=Now())

    assert not run_again(job=job)


def test_long_upkeep_does_not_come_before_every_job(monkeypatch):
    now, calls = [1000.0], []
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    worker = Worker("w1")

    def takes_two_minutes():
        calls.append(now[0])
        now[0] += 120

    for _ in range(3):
        worker.every(60, takes_two_minutes)
        now[0] += 20

    assert calls == [1000.0]
    now[0] += 1
    worker.every(60, takes_two_minutes)
    assert calls == [1000.0, 1181.0]
