"""`make clean` takes away what the demo made, and nobody's work."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from operations.management.commands.serve import DEMO_MARK

MAKEFILE = Path(__file__).resolve().parent.parent / "Makefile"

pytestmark = pytest.mark.skipif(not shutil.which("make"), reason="needs make")


@pytest.fixture
def folder(tmp_path):
    """A copy of the project as far as `clean` knows it."""
    shutil.copy(MAKEFILE, tmp_path)
    (tmp_path / ".venv").mkdir()
    return tmp_path


def filled(folder, *names):
    (folder / "data").mkdir()
    for name in names:
        (folder / "data" / name).write_text("x")


def clean(folder):
    """As typed by hand: what a `make` around the tests was told, another VENV say, is not ours."""
    around = {"MAKEFLAGS", "MFLAGS", "MAKEOVERRIDES", "MAKELEVEL"}
    environment = {name: value for name, value in os.environ.items() if name not in around}
    return subprocess.run(
        ["make", "clean"], cwd=folder, capture_output=True, text=True, env=environment
    )


def test_the_data_of_an_installation_is_not_removed(folder):
    filled(folder, "claimwright.sqlite3", "secret_key")

    done = clean(folder)

    assert done.returncode != 0
    assert "not the demo's" in done.stdout
    assert (folder / "data" / "claimwright.sqlite3").exists()
    assert (folder / ".venv").exists()


@pytest.mark.parametrize(
    "names", [[DEMO_MARK, "claimwright.sqlite3", "secret_key"], ["secret_key"], []]
)
def test_what_the_demo_made_or_nobody_worked_in_is_removed(folder, names):
    filled(folder, *names)

    done = clean(folder)

    assert done.returncode == 0, done.stdout
    assert not (folder / "data").exists()
    assert not (folder / ".venv").exists()


def test_cleaning_twice_does_no_harm(folder):
    clean(folder)

    assert clean(folder).returncode == 0
