"""An import that dies, or is started by people of different languages, is stored once."""

import pytest
from django.db.models.signals import pre_save
from django.utils.translation import override

from annotation.models import Annotation, Claim, Wave
from datasets.importing.uploads import import_upload, start_import
from datasets.models import DatasetImport
from operations.jobs import claim_next_job, run_job
from operations.models import Job
from operations.progress import JobCancelled
from tests.datasets.importing import import_lines, line, make_dataset_import, make_target

pytestmark = pytest.mark.django_db


class Killed(BaseException):
    pass


@pytest.fixture
def campaign():
    return make_target()


@pytest.fixture
def run(campaign):
    """An upload that was read, and whose import waits."""
    run = make_dataset_import(campaign, line(7, "SUPPORTS", ["a_1"]))
    run_job(claim_next_job(worker="test"))
    run.refresh_from_db()
    start_import(run=run, by=None)
    return run


def test_a_worker_that_dies_before_the_row_is_complete_has_stored_nothing(run):
    def die(instance, **_):
        if instance.state == DatasetImport.State.COMPLETE:
            raise Killed

    pre_save.connect(die, sender=DatasetImport)
    try:
        with pytest.raises(Killed):
            import_upload(run=run, progress=lambda *_: None)
    finally:
        pre_save.disconnect(die, sender=DatasetImport)

    assert not Claim.objects.exists()
    assert not Wave.objects.exists()
    assert run.folder.exists()
    run_job(claim_next_job(worker="test"))
    run.refresh_from_db()
    assert (run.state, run.report["claims_new"]) == ("complete", 1)


def test_an_import_that_was_cancelled_stores_nothing(run):
    def cancelled_once_it_was_read(done, total, message=""):
        """As `Progress` does for a job of less than a second."""
        if total and done >= total:
            raise JobCancelled

    with pytest.raises(JobCancelled):
        import_upload(run=run, progress=cancelled_once_it_was_read)

    assert not Wave.objects.exists()
    assert run.folder.exists()


def test_a_worker_that_dies_after_it_has_stored_keeps_the_report(run):
    job = claim_next_job(worker="dead")
    run_job(job)
    Job.objects.filter(pk=job.pk).update(state="queued", ended_at=None, worker="")

    run_job(claim_next_job(worker="test"))

    run.refresh_from_db()
    assert (run.report["claims_new"], run.report["claims_same"]) == (1, 0)
    assert Annotation.objects.count() == 1


def test_the_same_file_in_another_language_of_the_pages_is_the_same_import(campaign, tmp_path):
    with override("en"):
        import_lines(tmp_path, campaign, line(7, "SUPPORTS", ["a_1"]))
    with override("cs"):
        again = import_lines(tmp_path, campaign, line(7, "SUPPORTS", ["a_1"]))

    assert [wave.name for wave in Wave.objects.all()] == ["Import of claims.jsonl"]
    assert (again["annotations"], again["annotations_same"]) == (0, 1)
