"""Builders that meet each other, and builders that are killed."""

import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from dictionaries.backends.base import (
    IndexBusy,
    IndexSettings,
    backend_for,
)
from tests.dictionaries.builders import build, make_rows

ROOT = Path(__file__).resolve().parents[2]
TEXTS = [f"Story {n} of the {'bridge' if n % 2 else 'ferry'} in town {n % 7}" for n in range(40)]


def folder_of(data_dir):
    return data_dir / "indexes" / "news"


def test_two_builders_do_not_build_at_once(tmp_path):
    def build_again(done, total):
        with pytest.raises(IndexBusy, match=f"by process {os.getpid()}; wait"):
            build(tmp_path, make_rows(TEXTS))
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build(tmp_path, make_rows(TEXTS), progress=build_again)

    assert build(tmp_path, make_rows(TEXTS)).open("news").paragraphs == 40


BUILDER = """
    import os, signal, sys
    from pathlib import Path
    from dictionaries.backends import building, encoding
    from tests.dictionaries.builders import build, make_rows

    data_dir, moment = Path(sys.argv[1]), sys.argv[2]
    encoding.CHUNK = encoding.BATCH = building.BATCH = 16

    def die(*args, **named):
        os.kill(os.getpid(), signal.SIGKILL)

    def progress(done, total):
        if moment == "encode" and done > total * 3 // 4 or moment == "terms" and done > total // 4:
            die()

    if moment == "swap":
        building.publish = lambda folder, made, version: (os.rename(made, folder / version), die())
    if moment == "manifest":
        building.write_manifest = die
    build(data_dir, make_rows([f"Story {n} of the bridge" for n in range(200)]), progress=progress)
"""


def kill_a_builder(data_dir, moment):
    code = textwrap.dedent(BUILDER)
    done = subprocess.run([sys.executable, "-c", code, str(data_dir), moment], cwd=ROOT)
    assert done.returncode == -signal.SIGKILL


@pytest.mark.processes
@pytest.mark.parametrize(
    ("moment", "encoded"), [("terms", 200), ("encode", 112), ("manifest", 0), ("swap", 0)]
)
def test_a_killed_build_leaves_the_old_index_and_goes_on_where_it_was(tmp_path, moment, encoded):
    backend = build(tmp_path, make_rows(TEXTS))
    version = backend.open("news").version
    kill_a_builder(tmp_path, moment)

    assert backend_for("", data_dir=tmp_path).open("news").version == version
    rows = make_rows([f"Story {n} of the bridge" for n in range(200)])
    report = backend.build("news", rows, IndexSettings("en", "svd"))

    assert report.added <= encoded
    assert backend.check("news", rows).ok
    assert not (folder_of(tmp_path) / "chunks").exists()
