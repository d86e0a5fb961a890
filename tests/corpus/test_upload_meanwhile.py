"""What others do while files are uploaded: they save, and the sweep tidies up."""

import os
import time

import pytest
from django.conf import settings
from django.db.models.signals import post_save

from accounts.models import Event
from corpus.importing import uploads
from corpus.jobs import sweep_uploads
from corpus.models import Import
from corpus.records import ReadOptions
from operations.models import Job
from tests.factories import make_corpus
from tests.meanwhile import SlowFile, beside

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _own_uploads(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path


def upload(*files):
    return uploads.store_upload(
        corpus=make_corpus(), files=files, options=ReadOptions(), by=None, skip_bad=True
    )


def make_old(path):
    long_ago = time.time() - 2 * uploads.LEFT_AFTER
    os.utime(path, (long_ago, long_ago))


def test_people_save_while_files_are_copied():
    run = upload(SlowFile(b"{}\n", "a.jsonl"), SlowFile(b"{}\n", "b.jsonl"))

    assert Event.objects.filter(verb="labelled").count() == 2
    assert [path.read_bytes() for path in uploads.paths_of(run)] == [b"{}\n", b"{}\n"]


def test_the_sweep_leaves_files_that_are_being_copied():
    files = [SlowFile(b"{}\n", name, happens=sweep_uploads) for name in ("a.jsonl", "b.jsonl")]

    run = upload(*files)

    assert [path.name for path in uploads.paths_of(run)] == ["a.jsonl", "b.jsonl"]


def test_the_sweep_leaves_files_whose_row_is_not_committed_yet():
    def sweep(**_):
        beside(sweep_uploads)

    post_save.connect(sweep, sender=Job)
    try:
        run = upload(SlowFile(b"{}\n", "a.jsonl"))
    finally:
        post_save.disconnect(sweep, sender=Job)

    assert uploads.paths_of(run)[0].read_bytes() == b"{}\n"


def test_an_upload_that_breaks_off_leaves_nothing():
    def breaks():
        raise OSError("the disk is full")

    with pytest.raises(OSError, match="full"):
        upload(SlowFile(b"{}\n", "a.jsonl"), SlowFile(b"{}\n", "b.jsonl", happens=breaks))

    assert not Import.objects.exists()
    assert not list(settings.MEDIA_ROOT.glob(".new-*"))


def test_the_sweep_deletes_what_a_killed_upload_left():
    left, new = (settings.MEDIA_ROOT / f".new-{name}" for name in ("left", "new"))
    for path in (left, new):
        uploads.write_files(path, {"a.jsonl": SlowFile(b"{}\n", "a.jsonl")})
    make_old(left)

    sweep_uploads()

    assert (left.exists(), new.exists()) == (False, True)


def test_files_of_an_import_that_was_rolled_back_do_not_reach_the_next_of_its_number():
    corpus = make_corpus(name="Other")
    run = uploads.store_upload(
        corpus=corpus, files=[SlowFile(b"1\n", "a.jsonl")], options=ReadOptions(), by=None
    )
    folder = uploads.folder_of(run)
    following = settings.MEDIA_ROOT / f"import-{run.pk + 1}"
    folder.rename(following)

    again = uploads.store_upload(
        corpus=corpus, files=[SlowFile(b"2\n", "b.jsonl")], options=ReadOptions(), by=None
    )

    assert uploads.folder_of(again) == following
    assert [path.name for path in following.iterdir()] == ["b.jsonl"]
