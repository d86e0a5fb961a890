"""Folders that are there whole or not at all, whoever dies on the way."""

import os
import signal
import subprocess
import sys
from contextlib import nullcontext

import pytest
from django.core.exceptions import ValidationError

from datasets.folders import new_folder


def test_a_folder_appears_only_when_all_is_written(tmp_path):
    with pytest.raises(IsADirectoryError), new_folder(tmp_path / "out") as path:
        path.write_text("a folder is no file")

    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("text", ["the same", "other"])
def test_a_folder_that_holds_the_same_in_its_folders_stays_as_it_is(tmp_path, text):
    for written in ("the same", text):
        told = nullcontext() if written == "the same" else pytest.raises(ValidationError)
        with told, new_folder(tmp_path / "out") as path:
            (path / "manifest.json").write_text("{}")
            (path / "qrels").mkdir()
            (path / "qrels/all.tsv").write_text(written)

    assert (tmp_path / "out/qrels/all.tsv").read_text() == "the same"


WRITER = """
import sys, time
from pathlib import Path
from datasets.folders import new_folder
with new_folder(Path(sys.argv[1])) as path:
    (path / "half.jsonl").write_text("{}")
    print("writing", flush=True)
    time.sleep(60)
"""


def start_writing(target):
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    command = [sys.executable, "-c", WRITER, str(target)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, cwd=root)
    assert process.stdout.readline() == b"writing\n"
    return process


def test_what_a_killed_export_left_is_not_the_folder_and_goes_with_the_next(tmp_path):
    process = start_writing(tmp_path / "out")
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    left = [path.name for path in tmp_path.iterdir()]

    with new_folder(tmp_path / "out") as path:
        (path / "whole.jsonl").write_text("{}")

    assert [name.startswith(".out.partial-") for name in left] == [True]
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["whole.jsonl"]


def test_what_another_export_is_writing_stays(tmp_path):
    process = start_writing(tmp_path / "out")
    try:
        with new_folder(tmp_path / "out") as path:
            (path / "whole.jsonl").write_text("{}")
        names = sorted(path.name for path in tmp_path.iterdir())
    finally:
        process.kill()
        process.wait()

    assert len(names) == 2
    assert names[0].startswith(".out.partial-")
