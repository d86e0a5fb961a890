"""A disk without room: builds end with one message, and what was served stays as it was."""

import errno
import os
import subprocess
import sys

import numpy as np
import pytest

from dictionaries.arrays import load_array, new_array, says_full
from dictionaries.backends.base import (
    DictionaryQuery,
    DictionarySettings,
    IndexNotBuilt,
    IndexSettings,
)
from tests.dictionaries.builders import build, make_rows

TEXTS = [f"Story {n} of the {'bridge' if n % 2 else 'ferry'} in town {n % 7}" for n in range(40)]
MORE = [*TEXTS, *(f"Later story {n} of a tunnel under hill {n % 5}" for n in range(400))]
QUERY = DictionaryQuery("the bridge in town 3", None, None, "en")


def entries(backend):
    return backend.open("news").retrieve(QUERY, DictionarySettings()).entries


def no_room(*args):
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_an_array_has_all_its_room_before_it_is_filled(tmp_path):
    array = new_array(tmp_path / "a.npy", (1000, 8), np.float16)

    status = (tmp_path / "a.npy").stat()
    assert status.st_blocks * 512 >= 1000 * 8 * 2
    array[:] = 1
    array.flush()
    assert load_array(tmp_path / "a.npy").sum() == 8000


def test_an_array_without_room_leaves_no_file(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "posix_fallocate", no_room)

    with pytest.raises(OSError, match="No space left"):
        new_array(tmp_path / "a.npy", (1000, 8), np.float16)

    assert list(tmp_path.iterdir()) == []


def test_a_new_array_does_not_write_into_another_version_s_file(tmp_path):
    new_array(tmp_path / "old.npy", (3,), np.int8)[:] = 7
    os.link(tmp_path / "old.npy", tmp_path / "new.npy")

    new_array(tmp_path / "new.npy", (3,), np.int8)[:] = 1

    assert load_array(tmp_path / "old.npy").tolist() == [7, 7, 7]


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), True),
        (OSError(errno.EDQUOT, "Disk quota exceeded"), True),
        (OSError("131072 requested and 9184 written"), True),  # as NumPy says it
        (ValueError("An IO error occurred: 'No space left on device (os error 28)'"), True),
        (OSError(errno.EACCES, "Permission denied"), False),
        (ValueError("paragraph 3 comes twice; give each paragraph once"), False),
    ],
)
def test_a_full_disk_is_known_by_whoever_says_it(error, expected):
    assert says_full(error) is expected


def test_without_room_for_vectors_the_old_index_is_served_and_the_next_build_is_whole(
    tmp_path, monkeypatch
):
    backend = build(tmp_path, make_rows(TEXTS))
    before = entries(backend)
    monkeypatch.setattr(os, "posix_fallocate", no_room)

    with pytest.raises(IndexNotBuilt, match="disk is full: the index of news was not built"):
        backend.build("news", make_rows(MORE), IndexSettings("en", "svd"))

    assert entries(backend) == before
    assert not (tmp_path / "indexes" / "news" / "building").exists()
    monkeypatch.undo()
    backend.build("news", make_rows(MORE), IndexSettings("en", "svd"))
    assert backend.check("news", make_rows(MORE)).ok


@pytest.fixture
def tiny_disk(tmp_path):
    """A file system of four megabytes, where the tests may mount one."""
    place = tmp_path / "tiny"
    place.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", str(place)], capture_output=True
    )
    if mounted.returncode:
        pytest.skip("only a superuser can mount a small file system")
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)


FILLED = """
import shutil, sys
from pathlib import Path
from dictionaries.backends import building
from dictionaries.backends.base import IndexNotBuilt, IndexSettings, backend_for
from tests.dictionaries.builders import build, make_rows
from tests.dictionaries.test_index_disk import MORE, TEXTS, entries

place, moment, spare = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
backend = build(place, make_rows(TEXTS))
before = entries(backend)

def fill(*args):
    free = shutil.disk_usage(place).free
    (place / "ballast").write_bytes(bytes(max(0, free - spare)))

def then_fill(inner):
    return lambda *args: (inner(*args), fill())[0]

if moment == "rows":
    fill()
if moment == "vectors":  # terms are written, an encoder is fitted, vectors come next
    building.Build._encoder = then_fill(building.Build._encoder)
try:
    backend.build("news", make_rows(MORE * 3)[:1200], IndexSettings("en", "svd"))
except IndexNotBuilt as reason:
    print(reason)
assert backend_for("", data_dir=place).open("news").paragraphs == 40
assert entries(backend) == before
"""


@pytest.mark.processes
@pytest.mark.parametrize(
    ("moment", "spare"),
    [("rows", 4_096), ("rows", 300_000), ("vectors", 8_192), ("vectors", 300_000)],
)
def test_a_disk_that_fills_up_kills_no_builder(tiny_disk, moment, spare):
    command = [sys.executable, "-c", FILLED, str(tiny_disk), moment, str(spare)]

    done = subprocess.run(command, capture_output=True, text=True)

    assert done.returncode == 0, (done.returncode, done.stderr)
    assert "The disk is full: the index of news was not built" in done.stdout


MAPPED = """
import sys
from pathlib import Path
import numpy as np
from dictionaries.arrays import new_array
try:
    new_array(Path(sys.argv[1]) / "a.npy", (5_000_000,), np.int8)[:] = 1
except OSError as error:
    print(error.strerror)
"""


@pytest.mark.processes
def test_a_mapped_array_without_room_is_an_error_and_no_death(tiny_disk):
    """With a hole in its file, the process died of SIGBUS where it was filled."""
    done = subprocess.run(
        [sys.executable, "-c", MAPPED, str(tiny_disk)], capture_output=True, text=True
    )

    assert (done.returncode, done.stdout) == (0, "No space left on device\n")
    assert list(tiny_disk.iterdir()) == []
