"""Progress told from beside a snapshot, in which the connection itself can only read."""

import threading
import time

import pytest
from django.db import transaction

from datasets.telling import told_beside
from operations.jobs import claim_next_job, queue_job, run_job
from operations.models import Job
from operations.progress import JobCancelled
from operations.snapshots import snapshot
from tests.datasets.builders import labelled, make_export
from tests.factories import make_campaign, make_corpus, make_wave

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _often(monkeypatch):
    monkeypatch.setattr("datasets.telling.SECONDS", 0.001)


def make_job():
    return Job.objects.create(kind="export", key="1")


def test_it_is_written_while_the_snapshot_lasts():
    job, written = make_job(), threading.Event()

    def progress(done, total, message):
        Job.objects.filter(pk=job.pk).update(done=done)
        if done:
            written.set()

    with told_beside(progress) as tell, snapshot():
        tell(5, 10)
        was_written = written.wait(20)

    job.refresh_from_db()
    assert was_written
    assert job.done == 5


def test_a_cancelled_job_hears_of_it():
    def progress(*_):
        raise JobCancelled

    with told_beside(progress) as tell, pytest.raises(JobCancelled):
        tell_for_long(tell)


def tell_for_long(tell):
    for done in range(20_000):
        tell(done, 20_000)
        time.sleep(0.001)


def test_within_a_transaction_the_plain_progress_is_used():
    def progress(*_):
        pass

    with transaction.atomic(), told_beside(progress) as tell:
        assert tell is progress


def test_a_job_makes_an_export_outside_of_any_transaction():
    wave = make_wave(make_campaign(corpus=make_corpus()))
    labelled(wave, "SUPPORTS")
    export = make_export(wave.campaign)
    first = export.files
    for path in export.folder.iterdir():
        path.unlink()
    queue_job(kind="export", key="again", arguments={"export_id": export.pk})

    run_job(claim_next_job(worker="test"))

    export.refresh_from_db()
    assert Job.objects.get(key="again").state == Job.State.DONE
    assert export.files == first
    assert (export.folder / "all.jsonl").exists()
