"""Others go on working while the files of a dataset, or of a check, are copied."""

import pytest
from django.conf import settings

from accounts.models import Event
from datasets import checking, kept
from datasets.importing.options import ImportOptions
from datasets.importing.uploads import keep_upload, sweep_datasets
from datasets.models import DatasetImport
from operations.models import Job
from tests.factories import make_campaign
from tests.meanwhile import SlowFile, somebody_saves

pytestmark = pytest.mark.django_db(transaction=True)
OPTIONS = ImportOptions(format="ctkfacts", language="en")


def breaks():
    raise OSError("the disk is full")


def happens():
    somebody_saves()
    sweep_datasets()


def test_people_save_while_a_dataset_is_copied():
    run = keep_upload(
        campaign=make_campaign(),
        files=[SlowFile(b"{}\n", "claims.jsonl", happens)],
        options=OPTIONS,
        by=None,
    )

    assert Event.objects.filter(verb="labelled").exists()
    assert [path.read_bytes() for path in run.paths] == [b"{}\n"]
    assert DatasetImport.objects.get().job == Job.objects.get()


def test_people_save_while_the_files_of_a_job_are_copied(ada):
    files = [SlowFile(b"{}\n", "train.jsonl"), SlowFile(b"{}\n", "dev.jsonl")]

    job = checking.start_check(files=files, by=ada)

    assert Event.objects.filter(verb="labelled").count() == 2
    folder = kept.folder_of(job.kind, job.key)
    assert sorted(path.name for path in folder.iterdir()) == ["dev.jsonl", "train.jsonl"]


def test_a_dataset_whose_copying_breaks_off_leaves_nothing():
    before = set(settings.MEDIA_ROOT.glob("dataset-*"))

    with pytest.raises(OSError, match="full"):
        keep_upload(
            campaign=make_campaign(),
            files=[SlowFile(b"{}\n", "claims.jsonl", breaks)],
            options=OPTIONS,
            by=None,
        )

    assert not DatasetImport.objects.exists()
    assert set(settings.MEDIA_ROOT.glob("dataset-*")) == before
