"""Imports in processes of their own: killed, started twice, and while others write."""

import json
import os
import signal

import pytest

from tests.corpus.importing import line_of
from tests.sites import wait_until

pytestmark = [pytest.mark.processes, pytest.mark.xdist_group("processes")]

IMPORTED = "SELECT state, records_done FROM corpus_import ORDER BY id"
# A slow machine's import: it stores each record on its own and rests after it.
SLOWLY = """
import sys, time
from pathlib import Path
from corpus.importing import prepared
from corpus.importing.runs import import_files
from corpus.models import Corpus
from corpus.records import ReadOptions

prepared.MOST_RECORDS = 1
corpus = Corpus.objects.filter(slug="news").first() or Corpus(slug="news", name="News")
import_files(
    corpus=corpus,
    paths=[Path(sys.argv[1])],
    options=ReadOptions(language="en"),
    accept_changes=True,
    progress=lambda done, total, message: total and time.sleep(0.2),
)
"""
SETUP = "import django; django.setup()\n"


def write(site, *lines, name="news.jsonl"):
    path = site.folder / name
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return str(path)


def articles(numbers, text="Text number {}."):
    return [line_of(f"a{n}", text.format(n)) for n in numbers]


def start_slowly(site, path, *, until=3):
    """An import that is in the middle of storing."""
    process = site.start("-c", SETUP + SLOWLY, path)
    wait_until(
        lambda: any(state == "running" and done >= until for state, done in site.query(IMPORTED)),
        what=f"{until} records are stored",
    )
    return process


def kill(process):
    os.kill(process.pid, signal.SIGKILL)
    process.wait()


def import_corpus(site, path, *options, check=True):
    done = site.manage(
        "import_corpus", "news", path, "--format", "jsonl", "--json", *options, check=check
    )
    return json.loads(done.stdout) if check else done


def visible(site):
    """Ids, versions and texts of what readers see."""
    return site.query(
        "SELECT a.external_id, p.version, p.text FROM corpus_paragraph p"
        " JOIN corpus_article a ON a.id = p.article_id AND a.version = p.version"
        " JOIN corpus_import i ON i.id = a.added_by_id AND i.state = 'complete'"
        " WHERE p.rank > 0 ORDER BY a.external_id"
    )


def counts(site):
    tables = ("corpus_article", "corpus_paragraph", "corpus_articlechange")
    return [site.query(f"SELECT count(*) FROM {table}")[0][0] for table in tables]


def test_a_killed_import_is_resumed_by_the_same_files(site):
    path = write(site, *articles(range(30)))
    kill(start_slowly(site, path))
    assert visible(site) == []

    printed = import_corpus(site, path)

    assert printed["articles_new"] == 30
    assert len(visible(site)) == 30
    assert counts(site) == [30, 60, 0]
    assert [state for state, _ in site.query(IMPORTED)] == ["complete"]
    assert site.manage("doctor").returncode == 0


def test_a_killed_import_of_changes_is_cleaned_up_by_other_files(site):
    import_corpus(site, write(site, *articles(range(10))))
    before = visible(site), counts(site)
    kill(start_slowly(site, write(site, *articles(range(30), "Changed {}."), name="new.jsonl")))
    assert visible(site) == before[0]
    assert counts(site) != before[1]

    import_corpus(site, write(site, line_of("b1"), name="other.jsonl"))

    states = [state for state, _ in site.query(IMPORTED)]
    assert states == ["complete", "cleaned", "complete"]
    assert [row for row in visible(site) if row[0] != "b1"] == before[0]
    assert counts(site) == [11, 22, 0]


def test_two_imports_at_once_are_refused(site):
    path = write(site, *articles(range(1000)))
    start_slowly(site, path)

    done = import_corpus(site, path, check=False)

    assert done.returncode == 1
    assert "Another import into news is running" in done.stderr
    assert "Traceback" not in done.stderr


def test_others_write_while_an_import_goes_on(site):
    start_slowly(site, write(site, *articles(range(1000))), until=1)
    write_event = "from accounts.events import record_event\n" + (
        "for n in range(50): record_event(actor=None, verb='labelled', subject='probe:1')\n"
        "print(50)"
    )

    assert site.python(write_event) == 50

    assert site.query("SELECT count(*) FROM accounts_event")[0][0] >= 50
    assert [state for state, _ in site.query(IMPORTED)] == ["running"]


def test_a_job_that_imports_survives_the_kill_of_its_worker(site):
    lines = [line_of(f"a{n}", f"Text {n}.") for n in range(3000)]
    path = write(site, *lines)
    upload = f"""
from pathlib import Path
from django.core.files import File
from corpus.importing.uploads import IMPORT_JOB, store_upload
from corpus.models import Corpus
from corpus.records import ReadOptions

corpus = Corpus.objects.create(slug="news", name="News")
with open({path!r}, "rb") as file:
    store_upload(
        corpus=corpus,
        files=[File(file, name="news.jsonl")],
        options=ReadOptions(),
        by=None,
        kind=IMPORT_JOB,
    )
"""
    site.python(upload)
    worker = site.start_manage("work", "--name", "first")
    wait_until(
        lambda: site.query(IMPORTED)[0][0] != "read" and site.query(IMPORTED)[0][1] > 0,
        what="the import stores",
    )
    kill(worker)
    site.query("UPDATE operations_job SET heartbeat_at = '2001-01-01 00:00:00+00:00'")

    site.start_manage("work", "--name", "second")

    wait_until(lambda: site.query(IMPORTED)[0][0] == "complete", what="the import is complete")
    assert len(visible(site)) == 3000
    assert not list((site.folder / "uploads").glob("import-*"))
