"""Indexes built by processes that are killed: readers have the old one, whole, or none."""

import json
import os
import signal
from pathlib import Path

import pytest

from tests.sites import wait_until

pytestmark = [pytest.mark.processes, pytest.mark.xdist_group("processes")]

SAMPLE = Path(__file__).resolve().parents[2] / "samples" / "orlavsko-cs.jsonl"
CZECH = ("--format", "jsonl", "--language", "cs", "--time-zone", "Europe/Prague")
# A slow machine's build, by the job: it reports every text, and rests after each.
SLOWLY = """
import django; django.setup()
import sys, time
from pathlib import Path
from corpus.models import Corpus
from dictionaries.backends import building
from dictionaries.services import build_corpus_index

building.BATCH = 1

def progress(done, total):
    Path(sys.argv[1]).write_text(str(done))
    time.sleep(0.1)

build_corpus_index(corpus=Corpus.objects.get(), rebuild=True, progress=progress)
"""


def start_slowly(site, *, until=5):
    """A build that is in the middle of its work."""
    trace = site.folder / "trace"
    trace.unlink(missing_ok=True)
    process = site.start("-c", SLOWLY, str(trace))
    wait_until(lambda: trace.exists() and int(trace.read_text() or 0) >= until, what="it builds")
    return process


def kill(process):
    os.kill(process.pid, signal.SIGKILL)
    process.wait()


def manage(site, *arguments):
    return json.loads(site.manage(*arguments, "--json").stdout)


def entries(site):
    arguments = ("build_dictionary", "news", "--text", "Most v Orlavě", "--as-of", "2030-01-01")
    return manage(site, *arguments)["entries"]


def version(site):
    return site.query("SELECT index_version, indexed_data_version FROM corpus_corpus")[0]


def test_a_killed_build_leaves_no_half_index(site):
    manage(site, "import_corpus", "news", str(SAMPLE), *CZECH)
    kill(start_slowly(site))
    assert version(site) == ("", None)
    asked = ("build_dictionary", "news", "--text", "Most", "--as-of", "2030-01-01")
    assert "has no index yet" in site.manage(*asked, check=False).stderr

    built = manage(site, "build_index", "news")

    assert built["paragraphs"] == manage(site, "check_index", "news")["indexed"] > 50
    assert entries(site)


def test_a_killed_rebuild_leaves_the_old_index_in_use(site):
    manage(site, "import_corpus", "news", str(SAMPLE), *CZECH)
    manage(site, "build_index", "news")
    before = version(site), entries(site)

    kill(start_slowly(site))

    assert (version(site), entries(site)) == before
    assert manage(site, "check_index", "news")["checksum_ok"] is True
