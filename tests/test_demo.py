"""The demo as somebody tries it: started, told to end in the middle, started again."""

import re
import signal
import threading
from pathlib import Path
from types import SimpleNamespace

import httpx
import pytest

from config.demo.browser import Browser
from config.demo.people import SIGN_IN
from config.demo.world import ANNOTATORS
from tests import sites
from tests.sites import free_port, wait_until

pytestmark = [
    pytest.mark.processes,
    pytest.mark.xdist_group("processes"),
    pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="reads /proc"),
]

ACCOUNT = re.compile(r"^  (\w+) +(\S+)   (manager|curator|annotator)", re.MULTILINE)
SOURCES, LABELS_EACH = 1, 1
CLAIMS = "SELECT id, number, text, author_id, created_at FROM annotation_claim ORDER BY id"
LABELS = "SELECT id, label, user_id, created_at FROM annotation_annotation ORDER BY id"
PEOPLE = "SELECT id, username, password FROM accounts_user ORDER BY id"
CORPORA = "SELECT 1 FROM corpus_corpus WHERE slug = 'orlavsko' AND index_version <> ''"
ACCEPTED = "SELECT 1 FROM annotation_preselection WHERE state = 'accepted'"
INDEXES = "SELECT slug, index_version FROM corpus_corpus ORDER BY slug"
FINISHED = [CLAIMS, LABELS, PEOPLE, INDEXES]


def start_demo(site, port):
    sizes = [f"--sources={SOURCES}", f"--labels={LABELS_EACH}", "--processes=1"]
    return site.start_manage("demo", f"--port={port}", *sizes)


def printed_by(process, *, until):
    """What a process prints, up to the line in which `until` stands."""
    guard = threading.Timer(3 * sites.PATIENCE, process.kill)
    guard.start()
    lines = []
    for line in process.stdout:
        lines.append(line)
        if until in line:
            break
    guard.cancel()
    return "".join(lines)


def end(process, number):
    """Signal the demo alone, as `kill` does; its exit status."""
    process.send_signal(number)
    return process.wait(sites.PATIENCE)


def processes_of(site):
    """Process ids of all that still runs on this DATA_DIR, whoever its parent is now."""
    mark = f"DATA_DIR={site.folder}\0".encode()
    return [folder.name for folder in Path("/proc").glob("[0-9]*") if mark in environment(folder)]


def environment(folder):
    try:
        return (folder / "environ").read_bytes()
    except OSError:  # it has ended, or is another user's
        return b""


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    made = sites.sqlite_site(tmp_path_factory.mktemp("demo"))
    yield made
    made.stop()


@pytest.fixture(scope="module")
def interrupted(site):
    """The demo was told to end while people label: what it left behind."""
    process = start_demo(site, free_port())
    for step in (PEOPLE, CORPORA, ACCEPTED, CLAIMS, LABELS):  # each with its own patience
        wait_until(lambda step=step: site.query(step), what=f"there is an answer to {step}")
    status = end(process, signal.SIGTERM)
    return SimpleNamespace(
        status=status, running=processes_of(site), rows=[site.query(rows) for rows in FINISHED]
    )


@pytest.fixture(scope="module")
def demo(site, interrupted):
    """The demo begun again, which has done its work and serves."""
    port = free_port()
    process = start_demo(site, port)
    printed = printed_by(process, until="for you to try")
    passwords = {name: password for name, password, _ in ACCOUNT.findall(printed)}
    return SimpleNamespace(
        process=process, address=f"http://127.0.0.1:{port}", printed=printed, passwords=passwords
    )


def signed_in(demo, username):
    browser = Browser(demo.address)
    browser.sign_in(SIGN_IN, username, demo.passwords[username])
    return browser


def test_nothing_runs_on_when_the_demo_is_told_to_end_at_work(interrupted):
    assert interrupted.status == 0
    assert interrupted.running == []


def test_the_passwords_that_are_printed_open_the_site(demo):
    assert len(demo.passwords) == 9

    for username in demo.passwords:
        assert signed_in(demo, username).url == "/"


def test_each_annotator_but_the_writer_finds_the_own_label_on_the_site(demo, site):
    labels = site.query(
        f"SELECT username, label FROM ({LABELS}) AS a JOIN accounts_user ON a.user_id = "
        "accounts_user.id"
    )
    writers = site.query(f"SELECT DISTINCT author_id FROM ({CLAIMS}) AS a")
    username, label = labels[0]

    page = signed_in(demo, username).open("/my-work/")

    assert len(writers) == SOURCES
    assert len({name for name, _ in labels}) == len(ANNOTATORS) - SOURCES
    assert len(labels) == (len(ANNOTATORS) - SOURCES) * LABELS_EACH
    assert label.casefold()[:10] in page.find("main").text.casefold()


def test_both_corpora_have_an_index_and_the_claims_dictionaries(demo, site):
    indexes = dict(site.query(INDEXES))
    found = site.query("SELECT count(*) FROM dictionaries_dictionaryentry")

    assert indexes.keys() == {"norvell", "orlavsko"}
    assert all(indexes.values())
    assert found[0][0] > 0


def test_what_was_finished_stands_when_the_demo_goes_on(demo, site, interrupted):
    for statement, rows in zip(FINISHED, interrupted.rows, strict=True):
        assert rows
        assert site.query(statement)[: len(rows)] == rows


def test_nothing_runs_on_when_the_demo_is_told_to_end_while_it_serves(demo, site):
    assert end(demo.process, signal.SIGINT) == 0

    assert processes_of(site) == []
    with pytest.raises(httpx.ConnectError):
        httpx.get(demo.address)
