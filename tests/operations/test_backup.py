import errno
import gzip
import hashlib
import json
import os
import shutil
from pathlib import Path

import pytest
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command
from django.db import connection

from accounts.events import record_event
from accounts.models import Event, User
from accounts.tokens import issue_token
from operations.backup import back_up, kept_models, restore
from operations.jobs import queue_job
from operations.models import Job, WorkerBeat
from tests.factories import PASSWORD, make_user
from tests.sites import postgres_or_skip, postgres_site, sqlite_site

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def filled(tmp_path, settings):
    """A few rows of each kind, and a file that cannot be rebuilt."""
    settings.DATA_DIR = tmp_path / "data"
    ada = make_user(username="ada", name="Ada Lovelace ★ \u2028")
    record_event(actor=ada, verb="opened wave", subject="wave:1", data={"é": [1, None], "a": 0.1})
    issue_token(user=ada, name="laptop", scopes=["read"], days=3)
    queue_job(kind="probe", key="1", arguments={"path": "a\nb"}, by=ada)
    WorkerBeat.objects.create(worker="w1")
    release = settings.DATA_DIR / "exports" / "one" / "train.jsonl"
    release.parent.mkdir(parents=True)
    release.write_text('{"id": 1}\n')
    return ada


def empty_database():
    for model in reversed(kept_models()):
        model._base_manager.all()._raw_delete(connection.alias)


def rows():
    return {
        model._meta.label: list(model._base_manager.order_by("pk").values())
        for model in kept_models()
    }


def test_a_restored_database_is_equal_row_by_row(filled, tmp_path):
    before = rows()
    back_up(tmp_path / "backup")
    empty_database()

    restore(tmp_path / "backup")

    assert rows() == before
    assert User.objects.get(username="ada").check_password(PASSWORD)


def test_a_backup_of_the_restored_is_equal_byte_by_byte(filled, tmp_path):
    first = back_up(tmp_path / "first")
    empty_database()
    restore(tmp_path / "first")

    assert back_up(tmp_path / "second") == first


def test_new_rows_come_after_the_restored_ones(filled, tmp_path):
    back_up(tmp_path / "backup")
    empty_database()
    restore(tmp_path / "backup")

    assert make_user(username="ben").pk > filled.pk


def test_files_that_cannot_be_rebuilt_come_back(filled, tmp_path, settings):
    back_up(tmp_path / "backup")
    empty_database()
    settings.DATA_DIR = tmp_path / "elsewhere"

    restore(tmp_path / "backup")

    assert (tmp_path / "elsewhere/exports/one/train.jsonl").read_text() == '{"id": 1}\n'


def test_files_that_are_being_written_stay_out(filled, tmp_path, settings):
    writing = settings.DATA_DIR / "exports" / ".one.partial-7"
    writing.mkdir()
    (writing / "train.jsonl").write_text("half")

    manifest = back_up(tmp_path / "backup")

    assert list(manifest["files"]) == ["exports/one/train.jsonl"]


def test_sessions_beats_and_caches_stay_out(filled, tmp_path):
    manifest = back_up(tmp_path / "backup")

    kept = {name.partition(".")[0] for name in manifest["tables"]}
    assert kept <= {
        "accounts",
        "operations",
        "corpus",
        "dictionaries",
        "annotation",
        "agreement",
        "datasets",
    }
    assert "operations.workerbeat" not in manifest["tables"]


def test_tables_come_after_those_that_they_point_to():
    order = kept_models()

    assert order.index(User) < order.index(Event)
    assert order.index(User) < order.index(Job)


def test_a_full_database_is_not_restored_into(filled, tmp_path):
    back_up(tmp_path / "backup")

    with pytest.raises(ValidationError, match="not empty"):
        restore(tmp_path / "backup")


def test_a_changed_backup_is_refused_whole(filled, tmp_path):
    back_up(tmp_path / "backup")
    empty_database()
    path = tmp_path / "backup" / "accounts.event.jsonl.gz"
    path.write_bytes(
        gzip.compress(gzip.decompress(path.read_bytes()).replace(b"wave:1", b"wave:2"))
    )

    with pytest.raises(ValidationError, match="changed since"):
        restore(tmp_path / "backup")
    assert not User.objects.exists()


def test_a_changed_file_is_refused(filled, tmp_path):
    back_up(tmp_path / "backup")
    empty_database()
    (tmp_path / "backup/files/exports/one/train.jsonl").write_text("other")

    with pytest.raises(ValidationError, match=r"train\.jsonl is missing or was changed"):
        restore(tmp_path / "backup")


def empty(path):
    path.write_bytes(b"")


def cut(path):
    path.write_bytes(path.read_bytes()[:-12])


def spoil(path):
    path.write_bytes(path.read_bytes()[:20] + b"\xff" * 20)


@pytest.mark.parametrize("damage", [Path.unlink, empty, cut, spoil])
def test_a_damaged_table_is_one_clear_line(filled, tmp_path, damage):
    back_up(tmp_path / "backup")
    empty_database()
    damage(tmp_path / "backup" / "accounts.event.jsonl.gz")

    with pytest.raises(CommandError, match=r"accounts\.event\.jsonl\.gz (is|was) .*\.$"):
        call_command("restore", str(tmp_path / "backup"))
    assert not User.objects.exists()


BROKEN = [
    "",
    "{",
    "[]",
    '{"format": 1}',
    '{"format": 1, "migrations": [], "tables": {"accounts.user": {"file": 3}}, "files": {}}',
]


@pytest.mark.parametrize("manifest", BROKEN)
def test_a_broken_manifest_is_one_clear_line(filled, tmp_path, manifest):
    back_up(tmp_path / "backup")
    empty_database()
    (tmp_path / "backup" / "manifest.json").write_text(manifest)

    with pytest.raises(CommandError, match="no whole backup"):
        call_command("restore", str(tmp_path / "backup"))
    assert not User.objects.exists()


def test_a_table_that_the_manifest_leaves_out_is_told(filled, tmp_path):
    path = tmp_path / "backup" / "manifest.json"
    manifest = back_up(tmp_path / "backup")
    del manifest["tables"]["accounts.event"]
    path.write_text(json.dumps(manifest))
    empty_database()

    with pytest.raises(CommandError, match=r"lacks accounts\.event"):
        call_command("restore", str(tmp_path / "backup"))


def test_a_file_that_cannot_be_written_leaves_no_row(filled, tmp_path, settings):
    back_up(tmp_path / "backup")
    empty_database()
    settings.DATA_DIR = tmp_path / "elsewhere"
    settings.DATA_DIR.write_text("a file stands in the way")

    with pytest.raises(CommandError, match="elsewhere"):
        call_command("restore", str(tmp_path / "backup"))
    assert not User.objects.exists()


def test_a_disk_that_is_full_halfway_keeps_no_file(filled, tmp_path, settings, monkeypatch):
    (settings.DATA_DIR / "exports/one/test.jsonl").write_text("{}")
    back_up(tmp_path / "backup")
    empty_database()
    settings.DATA_DIR = tmp_path / "elsewhere"
    monkeypatch.setattr("shutil.copyfile", until_the_disk_is_full(shutil.copyfile))

    with pytest.raises(CommandError, match=r"No space left on device; nothing was stored\.$"):
        call_command("restore", str(tmp_path / "backup"))
    assert [path for path in settings.DATA_DIR.rglob("*") if path.is_file()] == []
    assert not User.objects.exists()


def until_the_disk_is_full(copyfile):
    """A copyfile that ends within the second file."""
    copied = []

    def copy(source, target):
        copyfile(source, target)
        copied.append(target)
        if len(copied) == 2:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    return copy


def test_a_row_that_points_to_nothing_is_one_clear_line(filled, tmp_path, settings):
    manifest = back_up(tmp_path / "backup")
    empty_database()
    settings.DATA_DIR = tmp_path / "elsewhere"
    leave_out_rows(tmp_path / "backup", manifest, "accounts.user")

    with pytest.raises(CommandError, match=r"^[^\n]*foreign key[^\n]*; nothing was stored\.$"):
        call_command("restore", str(tmp_path / "backup"))
    assert not Event.objects.exists()
    assert not settings.DATA_DIR.exists()


def leave_out_rows(folder, manifest, name):
    """Empty a table of a backup, and state it as it is then."""
    table = manifest["tables"][name]
    columns = gzip.decompress((folder / table["file"]).read_bytes()).splitlines(keepends=True)[0]
    (folder / table["file"]).write_bytes(gzip.compress(columns))
    table |= {"rows": 0, "sha256": hashlib.sha256(columns).hexdigest()}
    (folder / "manifest.json").write_text(json.dumps(manifest))


def test_an_interrupted_backup_is_refused(filled, tmp_path):
    back_up(tmp_path / "backup")
    (tmp_path / "backup" / "manifest.json").unlink()
    empty_database()

    with pytest.raises(ValidationError, match="no whole backup"):
        restore(tmp_path / "backup")


def test_a_backup_of_other_code_is_refused(filled, tmp_path):
    back_up(tmp_path / "backup")
    path = tmp_path / "backup" / "manifest.json"
    manifest = json.loads(path.read_text())
    manifest["migrations"].append("accounts.0999_from_the_future")
    path.write_text(json.dumps(manifest))
    empty_database()

    with pytest.raises(ValidationError, match="0999_from_the_future"):
        restore(tmp_path / "backup")


def test_a_used_folder_is_not_written_over(filled, tmp_path):
    call_command("backup", str(tmp_path / "backup"))

    with pytest.raises(CommandError, match="not empty"):
        call_command("backup", str(tmp_path / "backup"))


def test_a_folder_that_is_a_file_is_told_in_one_line(filled, tmp_path):
    (tmp_path / "backup").write_text("a file stands in the way")

    with pytest.raises(CommandError, match="backup"):
        call_command("backup", str(tmp_path / "backup"))


def test_the_command_says_that_indexes_are_rebuilt(filled, tmp_path, capsys):
    call_command("backup", str(tmp_path / "backup"))

    printed = capsys.readouterr()
    assert "build_index" in printed.err
    assert "1 files" in printed.out


@pytest.mark.processes
@pytest.mark.xdist_group("processes")
@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
def test_a_backup_goes_from_any_database_to_any_other(filled, tmp_path, database):
    backup, again = tmp_path / "backup", tmp_path / "again"
    back_up(backup)
    folder = tmp_path / "other"
    folder.mkdir()
    other, drop = other_site(folder, database)
    try:
        other.manage("restore", str(backup))
        other.manage("backup", str(again))
    finally:
        drop()

    assert tables(again) == tables(backup)


def other_site(folder, database):
    if database == "sqlite":
        return sqlite_site(folder), lambda: None
    return postgres_site(folder, postgres_or_skip())


def tables(folder: Path):
    return json.loads((folder / "manifest.json").read_text())["tables"]
