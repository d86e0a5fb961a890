"""What the command line says of a database that cannot serve it."""

import pytest

from tests.test_settings import process

NOBODY_THERE = {
    "DATABASE_URL": "postgres://nobody@127.0.0.1:9/nothing",
    "SECRET_KEY": "a-long-random-text-for-the-test-of-databases-01234567890123",
}


@pytest.mark.processes
@pytest.mark.parametrize(
    ("command", "said"),
    [
        (["doctor"], "The database lacks tables of this version: run `manage.py migrate` first."),
        (["agreement", "--campaign", "spring"], "run `manage.py migrate` first."),
        (["restore", "backup"], "The database has no tables yet: run `manage.py migrate` first."),
    ],
)
def test_an_empty_database_is_told_in_one_line(tmp_path, command, said):
    (tmp_path / "backup").mkdir()
    (tmp_path / "backup" / "manifest.json").write_text(
        '{"format": 1, "migrations": ["a.0001"], "tables": {}, "files": {}}'
    )
    arguments = [str(tmp_path / "backup") if one == "backup" else one for one in command]

    done = process(tmp_path, "manage.py", *arguments)

    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].endswith(said)
    assert "Traceback" not in done.stderr


@pytest.mark.processes
def test_a_server_that_does_not_answer_is_told_in_one_line(tmp_path):
    done = process(tmp_path, "manage.py", "migrate", **NOBODY_THERE)

    assert done.returncode == 1
    assert done.stderr.startswith("The database cannot be used: connection to server at")
    assert "Traceback" not in done.stderr
