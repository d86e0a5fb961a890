"""Folders that are there whole or not at all, and files that know their lines and hashes."""

import errno
import fcntl
import filecmp
import os
import secrets
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

MANIFEST = "manifest.json"
# Seconds. A folder without a row is rubbish once whoever made it must have written the row.
GRACE = 3600


class LinesFile:
    """A file written line by line, hashed on the way.

    name: what a manifest calls it, where it lies in a folder within that of its export.
    """

    def __init__(self, path: Path, *, name: str = ""):
        self.path = path
        self.name = name or path.name
        self.lines = 0
        self.digest = sha256()
        self.file = path.open("wb", buffering=1 << 20)

    def write(self, line: bytes) -> None:
        self.digest.update(line)
        self.file.write(line)
        self.lines += 1

    def close(self) -> dict:
        """Everything on the disk; the file's entry in a manifest."""
        self.file.flush()
        os.fsync(self.file.fileno())
        self.file.close()
        return {"name": self.name, "lines": self.lines, "sha256": self.digest.hexdigest()}


def check_target(target: Path) -> None:
    """Refuse a folder with something else in it before any work is done."""
    if target.exists() and not target.is_dir():
        told = {"folder": target}
        raise ValidationError(_("%(folder)s is a file; name a folder that is new.") % told)
    if target.is_dir() and any(target.iterdir()) and not (target / MANIFEST).is_file():
        raise not_empty(target)


def not_empty(target: Path) -> ValidationError:
    told = {"folder": target}
    message = _("%(folder)s is not empty and holds something else; name a folder that is new.")
    return ValidationError(message % told)


@contextmanager
def new_folder(target: Path) -> Iterator[Path]:
    """A folder beside `target` to write into, which becomes `target` when all is done.

    What a killed process left beside it is cleared away by the next. A target that holds the
    very same files already stays as it is; another that is not empty is refused.
    """
    target = Path(os.path.abspath(target))
    check_target(target)
    target.parent.mkdir(parents=True, exist_ok=True)
    path, lock = make_partial(target)
    try:
        yield path
        install(path, target)
    finally:
        shutil.rmtree(path, ignore_errors=True)
        os.close(lock)


def make_partial(target: Path) -> tuple[Path, int]:
    """A new folder beside `target`, locked while this process lives; dead ones go."""
    parent = os.open(target.parent, os.O_RDONLY)
    try:
        fcntl.flock(parent, fcntl.LOCK_EX)
        clear_dead(target)
        path = target.parent / f"{partial_prefix(target)}{secrets.token_hex(4)}"
        path.mkdir()
        lock = os.open(path, os.O_RDONLY)
        fcntl.flock(lock, fcntl.LOCK_EX)
    finally:
        os.close(parent)
    return path, lock


def partial_prefix(target: Path) -> str:
    return f".{target.name}.partial-"


def clear_dead(target: Path) -> None:
    """Remove partial folders whose process is gone, and with it the lock."""
    prefix = partial_prefix(target)
    for path in target.parent.iterdir():
        if path.name.startswith(prefix) and path.is_dir() and is_nobodys(path):
            shutil.rmtree(path, ignore_errors=True)


def clear_partials(parent: Path) -> None:
    """Remove old partial folders of whatever target, whose process is gone."""
    for path in parent.glob(".*.partial-*"):
        if is_old(path) and is_nobodys(path):
            shutil.rmtree(path, ignore_errors=True)


def is_old(path: Path) -> bool:
    return path.is_dir() and time.time() - path.stat().st_mtime > GRACE


def is_nobodys(path: Path) -> bool:
    """Whether no living process writes into a folder: it would hold the folder's lock."""
    handle = os.open(path, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    finally:
        os.close(handle)
    return True


def install(path: Path, target: Path) -> None:
    for folder in [*(each for each in path.rglob("*") if each.is_dir()), path]:
        sync(folder)
    try:
        path.rename(target)  # takes the place of an empty folder, never of a full one
    except OSError as error:
        if error.errno not in (errno.ENOTEMPTY, errno.EEXIST):
            raise
        if not same_files(path, target):
            raise not_empty(target) from error
    sync(target.parent)


def sync(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def same_files(first: Path, second: Path) -> bool:
    """Whether two folders hold the same files at the same places, byte by byte, and no others."""
    names = names_in(first)
    if names != names_in(second):
        return False
    return filecmp.cmpfiles(first, second, names, shallow=False)[0] == names


def names_in(folder: Path) -> list[str]:
    """The files in a folder and in the folders within it, by their places."""
    found = (path for path in folder.rglob("*") if not path.is_dir())
    return sorted(str(path.relative_to(folder)) for path in found)
