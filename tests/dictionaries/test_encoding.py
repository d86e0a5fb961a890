"""Texts encoded by several processes: each once, whoever dies."""

import os
import subprocess
import sys
import textwrap
import time
from pathlib import Path
from threading import Thread

import numpy as np
import pytest

from dictionaries.backends import encoding
from dictionaries.backends.base import IndexSettings
from dictionaries.backends.encoding import Tasks, help_encoding, take, work_on
from dictionaries.semantic import unit
from tests.dictionaries.builders import build, make_rows

ROOT = Path(__file__).resolve().parents[2]
TEXTS = [f"text {number}" for number in range(20)]


class Lengths:
    """A vector from the number in a text; notes who was asked for what."""

    name, version, dimensions = "lengths", "1", 2

    def __init__(self):
        self.seen = []

    def encode(self, texts):
        self.seen += texts
        return np.array([[1, int(text.split()[1])] for text in texts], dtype=np.float32)

    def fits(self, paragraphs):
        return True


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch):
    monkeypatch.setattr(encoding, "CHUNK", 4)
    monkeypatch.setattr(encoding, "BATCH", 3)
    monkeypatch.setattr(encoding, "AHEAD", 3)
    monkeypatch.setattr(encoding, "REST", 0.01)


def tasks_in(folder, encoder):
    identity = {"name": encoder.name, "version": encoder.version, "dimensions": 2}
    return Tasks(folder, encoder, identity)


def gathered(tasks, ticks, positions=range(20)):
    found = {}
    for part, vectors in tasks.encoded(np.array(positions), TEXTS.__getitem__, ticks.append):
        found |= dict(zip(part.tolist(), vectors, strict=True))
    return found


def assert_all_are_right(found):
    assert sorted(found) == list(range(20))
    for position, vector in found.items():
        assert vector == pytest.approx(unit(np.array([[1, position]]))[0])


def test_one_process_does_all_by_itself_and_tells_of_each_batch(tmp_path):
    ticks, encoder = [], Lengths()

    assert_all_are_right(gathered(tasks_in(tmp_path, encoder), ticks))

    assert encoder.seen == TEXTS
    assert ticks == [3, 1] * 5
    assert list(tmp_path.iterdir()) == []


def test_nothing_to_encode_leaves_nothing(tmp_path):
    assert gathered(tasks_in(tmp_path, Lengths()), [], positions=[]) == {}
    assert list(tmp_path.iterdir()) == []


def test_helpers_share_the_work(tmp_path, monkeypatch):
    """Two threads stand for two machines; what each of the three encoded adds up to all, once."""
    mine, others, ticks = Lengths(), Lengths(), []
    monkeypatch.setattr(encoding, "_encoder_of", lambda wanted, folder: others)
    slow = mine.encode
    mine.encode = lambda texts: (time.sleep(0.05), slow(texts))[1]
    helpers = [
        Thread(target=help_encoding, args=(tmp_path,), kwargs={"patience": 1.0}) for _ in range(2)
    ]
    tasks = tasks_in(tmp_path / "chunks", mine)
    for helper in helpers:
        helper.start()

    found = gathered(tasks, ticks)

    for helper in helpers:
        helper.join()
    assert_all_are_right(found)
    assert sorted(mine.seen + others.seen) == sorted(TEXTS)
    assert others.seen
    assert sum(ticks) == 20


def test_what_somebody_took_and_died_with_is_done_again(tmp_path, monkeypatch):
    monkeypatch.setattr(encoding, "DEAD_AFTER", -1.0)
    tasks = tasks_in(tmp_path, Lengths())
    put_up = tasks._put_up

    def put_up_and_lose(number, texts):
        put_up(number, texts)
        if number == 1:
            assert take(tasks.folder)

    tasks._put_up = put_up_and_lose
    assert_all_are_right(gathered(tasks, []))


def test_a_helper_of_an_earlier_build_cannot_answer_this_one(tmp_path):
    earlier = tasks_in(tmp_path, Lengths())
    earlier._put_up(0, ["text 99"])
    task = take(earlier.folder)
    later = tasks_in(tmp_path, Lengths())

    with pytest.raises(FileNotFoundError):
        work_on(task, Lengths(), lambda count: None)

    assert_all_are_right(gathered(later, []))


def test_a_helper_with_another_release_puts_its_task_up_again(tmp_path):
    build(tmp_path, make_rows(TEXTS))
    tasks = tasks_in(tmp_path / "chunks", Lengths())
    tasks._identity = {"name": "use", "version": "of another release", "dimensions": 512}
    tasks._put_up(0, ["text 1"])

    with pytest.raises(ValueError, match="the build uses of another release, here is fast-"):
        help_encoding(tmp_path, patience=1.0)

    assert [path.suffix for path in tasks.folder.iterdir()] == [".todo"]


def test_a_helper_without_work_leaves(tmp_path):
    assert help_encoding(tmp_path, patience=0.05) == 0


HELPER = """
    import sys
    from pathlib import Path
    from dictionaries.backends.encoding import help_encoding
    print("ready", flush=True)
    print(help_encoding(Path(sys.argv[1]), patience=30.0))
"""


@pytest.mark.processes
def test_a_process_helps_a_real_build_and_the_index_is_the_same(tmp_path, monkeypatch):
    rows = make_rows([f"Story {n} of the bridge in town {n % 7}" for n in range(300)])
    alone = build(tmp_path / "alone", rows)
    folder = tmp_path / "helped" / "indexes" / "news"
    command = [sys.executable, "-c", textwrap.dedent(HELPER), str(folder)]
    helper = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert helper.stdout.readline() == "ready\n"

    def slowly(done, total):
        time.sleep(0.02 if done > total // 2 else 0)

    helped = build(tmp_path / "helped", rows, progress=slowly)

    assert int(helper.communicate()[0]) > 0
    one, other = (np.asarray(b.open("news").semantic.vectors) for b in (alone, helped))
    assert np.array_equal(one, other)
    assert os.listdir(folder).count("chunks") == 0
    assert helped.build("news", rows, IndexSettings("en", "svd")).added == 0
