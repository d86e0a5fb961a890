"""Uploads: read, reported, imported by a job, and gone afterwards."""

import gzip
import os

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils import timezone

from accounts.models import Event
from corpus.importing import uploads
from corpus.jobs import UPLOADS_KEPT, import_upload_job, sweep_uploads
from corpus.models import Article, Import
from operations.jobs import cancel_job
from operations.models import Job
from operations.worker import Worker
from tests.corpus.importing import break_off, line_of
from tests.corpus.test_import_command import BROKEN
from tests.factories import (
    make_article,
    make_campaign,
    make_corpus,
    make_dictionary,
    make_member,
    make_user,
    paragraph_of,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def corpus():
    return make_corpus(name="News agency")


@pytest.fixture
def cyn_manages(corpus, sign_in):
    cyn = make_user(username="cyn")
    make_member(make_campaign(corpus=corpus), cyn, role="manager")
    return sign_in(cyn)


def file_of(*lines, name="articles.jsonl"):
    return SimpleUploadedFile(name, "".join(f"{line}\n" for line in lines).encode())


def upload(client, *files, **data):
    url = reverse("corpus:new-import", args=["agency"])
    return client.post(url, {"files": files, "format": "jsonl", "quote": '"', **data})


def work():
    """One job, run as the worker would."""
    assert Worker("here").run_next()
    return Job.objects.exclude(ended_at=None).order_by("-ended_at", "-pk").first()


def read(client, *files, **data):
    """An upload whose first pass has ended."""
    assert upload(client, *files, **data).status_code == 302
    work()
    return Import.objects.latest("pk")


def act(client, run, action, **data):
    url = reverse(f"corpus:{action}", args=["agency", run.pk])
    return client.post(url, data, follow=True).content.decode()


def page_of(client, run):
    return client.get(reverse("corpus:import", args=["agency", run.pk])).content.decode()


def files_of(run):
    return sorted(path.name for path in uploads.folder_of(run).glob("*"))


def test_an_upload_is_only_read_at_first(cyn_manages):
    run = read(cyn_manages, file_of(line_of("a1"), line_of("a2", "")))

    assert run.state == "read"
    assert not Article.objects.exists()
    assert files_of(run) == ["articles.jsonl"]
    page = page_of(cyn_manages, run)
    assert "<dt>New articles</dt><dd>2</dd>" in page
    assert "<dt>Without text</dt><dd>1</dd>" in page
    assert "Import these files?" in page


def test_a_report_names_bad_lines_and_what_would_change(cyn_manages, corpus):
    make_article(corpus, external_id="a1")
    run = read(cyn_manages, file_of(line_of("a1"), "no json", line_of("a2")))

    page = page_of(cyn_manages, run)

    assert "no JSON object" in page
    assert "Changed: <span" in page
    assert "choose “Leave bad lines out”" in page
    assert "--skip-bad" not in page


def test_an_upload_is_imported_by_a_job_and_its_files_go(cyn_manages):
    run = read(cyn_manages, file_of(line_of("a1")))

    assert "Import an upload" in act(cyn_manages, run, "start-import")
    job = work()

    run.refresh_from_db()
    assert (run.state, run.counts["articles_new"]) == ("complete", 1)
    assert (job.state, job.result["articles_new"]) == ("done", 1)
    assert job.result["url"] == reverse("corpus:import", args=["agency", run.pk])
    assert not uploads.folder_of(run).exists()
    assert Event.objects.get(verb="imported").actor.username == "cyn"


def test_bad_lines_keep_all_out_until_leave_is_given(cyn_manages):
    run = read(cyn_manages, file_of(line_of("a1"), "no json"))

    act(cyn_manages, run, "start-import")
    assert "Leave bad lines out" in work().error
    assert not Article.objects.exists()

    act(cyn_manages, run, "start-import", skip_bad="on")
    assert work().state == "done"
    assert Article.objects.count() == 1


def test_changes_of_cited_articles_need_leave(cyn_manages, corpus):
    article = make_article(corpus, external_id="a1")
    make_dictionary(corpus, paragraph_of(article), as_of=None)
    run = read(cyn_manages, file_of(line_of("a1", "Changed.")))
    assert "Of these, work rests on one" in page_of(cyn_manages, run)

    act(cyn_manages, run, "start-import")
    assert "Accept changes of cited articles" in work().error
    act(cyn_manages, run, "start-import", accept_changes="on")
    work()

    article.refresh_from_db()
    assert article.version == 2


@pytest.mark.parametrize("kind", BROKEN)
def test_a_broken_file_of_each_kind_gives_one_message(cyn_manages, kind):
    run = read(cyn_manages, SimpleUploadedFile("broken.jsonl", BROKEN[kind]))

    assert len(run.report["errors"]) == 1
    assert "nothing was stored" in page_of(cyn_manages, run)
    assert not Article.objects.exists()


def test_a_file_that_ends_early_cannot_be_imported(cyn_manages):
    run = read(cyn_manages, SimpleUploadedFile("a.jsonl.gz", BROKEN["cut gzip"]))

    assert reverse("corpus:start-import", args=["agency", run.pk]) not in page_of(cyn_manages, run)


def test_several_files_are_read_as_one(cyn_manages):
    files = [
        file_of(line_of("a1"), name="one.jsonl"),
        SimpleUploadedFile("two.jsonl.gz", gzip.compress(line_of("a2").encode())),
    ]

    run = read(cyn_manages, *files)

    assert run.files == ["one.jsonl", "two.jsonl.gz"]
    assert run.report["articles_new"] == 2


def test_two_files_of_one_name_are_refused(cyn_manages):
    response = upload(cyn_manages, file_of(line_of("a1")), file_of(line_of("a2")))

    assert "rename one" in response.content.decode()
    assert not Import.objects.exists()


def test_options_say_how_files_are_read(cyn_manages):
    lines = SimpleUploadedFile("a.txt", "g1|Title|14.5.2022|'One; two'\n".encode("cp1250"))

    run = read(
        cyn_manages,
        lines,
        format="csv",
        delimiter="|",
        quote="'",
        header="guid, title, day, text",
        mapping="id=guid\npublished_at=day",
        date_format="%d.%m.%Y",
        encoding="cp1250",
        time_zone="Europe/Prague",
    )

    assert run.report["errors"] == []
    assert run.report["articles_new"] == 1


@pytest.mark.parametrize(
    ("data", "told"),
    [
        ({"encoding": "rot13"}, "The encoding is"),
        ({"mapping": "id"}, "has no “=”"),
        ({"mapping": "body=text"}, "is no field of ours"),
        ({"time_zone": "Mars"}, "The time zone is"),
        ({"date_format": "%Y"}, "it needs a year, a month and a day"),
        ({"delimiter": "|", "quote": "|"}, "Select a valid choice"),
        ({"header": "id,id"}, "twice"),
    ],
)
def test_a_wrong_option_is_said_on_the_form(cyn_manages, data, told):
    response = upload(cyn_manages, file_of(line_of()), **data)

    assert response.status_code == 200
    assert told in response.content.decode()
    assert not Import.objects.exists()


def test_an_empty_upload_is_said_on_the_form(cyn_manages):
    assert "empty" in upload(cyn_manages, SimpleUploadedFile("a.jsonl", b"")).content.decode()
    assert "required" in upload(cyn_manages).content.decode()


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("../../etc/passwd", "passwd"),
        ("C:\\texts\\news.jsonl", "news.jsonl"),
        (".hidden", "hidden"),
        ("...", "file"),
        ("ž" * 300 + ".jsonl.gz", "ž" * 70 + ".jsonl.gz"),
    ],
)
def test_names_of_files_stay_in_their_folder(name, kept):
    assert uploads.safe_name(name) == kept


def test_an_upload_can_be_deleted(cyn_manages, django_capture_on_commit_callbacks):
    run = read(cyn_manages, file_of(line_of()))

    with django_capture_on_commit_callbacks(execute=True):
        act(cyn_manages, run, "discard-import")

    assert not Import.objects.exists()
    assert files_of(run) == []


def test_an_upload_that_is_being_read_is_not_deleted(cyn_manages):
    upload(cyn_manages, file_of(line_of()))
    run = Import.objects.get()

    assert "cancel its job first" in act(cyn_manages, run, "discard-import")
    assert Import.objects.exists()


def test_an_import_that_was_cancelled_goes_on_or_is_taken_away(cyn_manages, monkeypatch):
    monkeypatch.setattr("corpus.importing.prepared.MOST_RECORDS", 1)
    monkeypatch.setattr("operations.progress.SECONDS_BETWEEN_WRITES", 0)
    run = read(cyn_manages, file_of(*[line_of(f"a{n}", f"Text {n}.") for n in range(5)]))
    cancel_when_stored(monkeypatch, 2)
    act(cyn_manages, run, "start-import")
    assert work().state == "cancelled"

    page = page_of(cyn_manages, run)
    assert "This import stopped" in page
    assert not Article.objects.visible().exists()
    assert Article.objects.exists()

    monkeypatch.undo()
    act(cyn_manages, run, "start-import")
    assert work().state == "done"
    assert Article.objects.visible().count() == 5


def cancel_when_stored(monkeypatch, count):
    """Ask the running job to end once so many records are stored."""
    from corpus.importing import runs

    def store_batch(run, batch):
        store(run, batch)
        if batch.read == count:
            cancel_job(job=Job.objects.get(state="running"))

    store = runs.store_batch
    monkeypatch.setattr(runs, "store_batch", store_batch)


def test_a_cancelled_import_can_be_taken_away(cyn_manages, monkeypatch):
    monkeypatch.setattr("corpus.importing.prepared.MOST_RECORDS", 1)
    monkeypatch.setattr("operations.progress.SECONDS_BETWEEN_WRITES", 0)
    run = read(cyn_manages, file_of(*[line_of(f"a{n}", f"Text {n}.") for n in range(5)]))
    cancel_when_stored(monkeypatch, 2)
    act(cyn_manages, run, "start-import")
    work()

    act(cyn_manages, run, "clean-import")

    run.refresh_from_db()
    assert run.state == "cleaned"
    assert not Article.objects.exists()
    assert files_of(run) == []
    assert "This import has ended already" in act(cyn_manages, run, "start-import")


def test_the_sweep_deletes_uploads_that_nobody_imported(
    cyn_manages, django_capture_on_commit_callbacks
):
    old, new = read(cyn_manages, file_of(line_of())), read(cyn_manages, file_of(line_of()))
    Import.objects.filter(pk=old.pk).update(created_at=timezone.now() - UPLOADS_KEPT * 2)

    with django_capture_on_commit_callbacks(execute=True):
        sweep_uploads()

    assert list(Import.objects.all()) == [new]
    assert (files_of(old), files_of(new)) == ([], ["articles.jsonl"])


def test_the_sweep_deletes_files_that_an_ended_import_left(cyn_manages):
    run = read(cyn_manages, file_of(line_of()))
    Import.objects.update(state="complete")
    os.utime(uploads.folder_of(run), (0, 0))
    (settings.MEDIA_ROOT / "import-note.txt").write_text("not ours")

    sweep_uploads()

    assert files_of(run) == []
    assert (settings.MEDIA_ROOT / "import-note.txt").exists()


def test_a_worker_that_died_after_the_end_finds_it_done(cyn_manages):
    run = read(cyn_manages, file_of(line_of()))
    act(cyn_manages, run, "start-import")
    work()

    result = import_upload_job(lambda *told: None, import_id=run.pk)

    assert result == {"url": reverse("corpus:import", args=["agency", run.pk])}
    assert Article.objects.count() == 1


def test_files_that_another_import_had_begun_go_on_there(cyn_manages, corpus, tmp_path):
    run = read(cyn_manages, file_of(line_of("a1"), line_of("a2", "Other.")))
    begun = break_off(tmp_path, line_of("a1"), line_of("a2", "Other."), language="en")

    act(cyn_manages, run, "start-import")
    work()

    assert [(one.pk, one.state) for one in Import.objects.all()] == [(begun.pk, "complete")]
    assert files_of(run) == []
    assert Article.objects.visible().count() == 2
