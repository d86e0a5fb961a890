"""The life of an index on disk: built aside, checked, swapped in at once, removed when unread.

    <data>/indexes/<corpus>/CURRENT      the version that readers open, replaced atomically
                           /build.lock   held by the one process that builds
                           /building/    an unfinished build; a later one goes on with it,
                           /chunks/      and with the vectors that it encoded
                           /<version>/   manifest.json, rows/, keyword/, semantic/, encoder/

A version's `manifest.json` names every file with its size and SHA-256. Readers hold a shared lock
on a version's `readers.lock`; a version that is not current and that nobody reads is removed.
"""

import fcntl
import hashlib
import json
import os
import re
import shutil
from contextlib import contextmanager
from pathlib import Path

from dictionaries import analysis
from dictionaries.backends.base import IndexBusy, IndexUnavailable

FORMAT = 1
ATTEMPTS = 5
CURRENT, MANIFEST, READERS = "CURRENT", "manifest.json", "readers.lock"
UNLISTED = {MANIFEST, READERS, ".managed.json", ".tantivy-meta.lock", ".tantivy-writer.lock"}


def corpus_folder(data_dir: Path, corpus: str) -> Path:
    """Where a corpus' index lives. Raises ValueError for a slug that is no folder's name."""
    if not re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9_.-]*", corpus):
        raise ValueError(f"the corpus is {corpus!r}; use letters, digits, '-' and '_'")
    return Path(data_dir) / "indexes" / corpus


def indexed_corpora(data_dir: Path) -> list[str]:
    """The corpora that have an index there."""
    return sorted(path.parent.name for path in Path(data_dir).glob(f"indexes/*/{CURRENT}"))


@contextmanager
def build_lock(folder: Path):
    """Hold the right to build. Raises IndexBusy where another process has it.

    The lock is the operating system's, so a killed builder leaves none.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "build.lock").open("a+") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.seek(0)
            owner = lock.read().strip() or "unknown"
            raise IndexBusy(
                f"the index of {folder.name} is being built by process {owner};"
                " wait until it is done"
            ) from None
        lock.truncate(0)
        lock.write(str(os.getpid()))
        lock.flush()
        yield


def current_version(folder: Path) -> str:
    """The version that readers open. Raises IndexUnavailable where there is none."""
    try:
        version = (folder / CURRENT).read_text(encoding="utf-8").strip()
    except FileNotFoundError:
        raise IndexUnavailable(
            f"The corpus {folder.name} has no index yet; build it with build_index {folder.name}."
        ) from None
    if not re.fullmatch(r"\d{6}-[0-9a-f]{12}", version) or not (folder / version).is_dir():
        raise unavailable(folder, f"its version {version!r} is missing")
    return version


def unavailable(folder: Path, reason: str) -> IndexUnavailable:
    return IndexUnavailable(
        f"The index of {folder.name} cannot be used: {reason};"
        f" build it again with build_index {folder.name} --rebuild."
    )


def refuse_other_rules(folder: Path, manifest: dict):
    """Raise IndexUnavailable for an index whose words were cut by other rules than a query's."""
    if manifest["analyser"]["version"] != analysis.VERSION:
        raise unavailable(folder, "its words were cut by the rules of another version")


def write_manifest(version: Path, about: dict, *, known: dict | None = None) -> dict:
    """Write down all files of a finished build, and what the build says about itself.

    known: sizes and hashes of files that are another version's under a second name, by name.
    """
    files = {}
    for path in listed_files(version):
        name = str(path.relative_to(version))
        files[name] = (known or {}).get(name) or {
            "bytes": path.stat().st_size,
            "sha256": sha256(path),
        }
    manifest = {"format": FORMAT, **about, "files": files}
    manifest["checksum"] = _checksum(manifest)
    write_durably(version / MANIFEST, json.dumps(manifest, indent=1, sort_keys=True))
    return manifest


def read_manifest(folder: Path, version: str, *, checksums: bool = True) -> dict:
    """The manifest of a version whose files are all there and whole.

    checksums: also read every file through; without, only names and sizes are looked at.
    Raises IndexUnavailable, saying what is wrong.
    """
    try:
        manifest = json.loads((folder / version / MANIFEST).read_text(encoding="utf-8"))
        whole = manifest["checksum"] == _checksum(manifest) and manifest["format"] == FORMAT
    except (OSError, ValueError, KeyError, TypeError):
        raise unavailable(folder, "its manifest cannot be read") from None
    if not whole:
        raise unavailable(folder, "its manifest was changed or is of another release")
    for name, expected in manifest["files"].items():
        if problem := _problem(folder / version / name, expected, checksums=checksums):
            raise unavailable(folder, f"{name} {problem}")
    return manifest


def is_whole(folder: Path, version: str) -> bool:
    """Whether all files of a version are what was written; reads them through."""
    try:
        read_manifest(folder, version)
    except IndexUnavailable:
        return False
    return True


def _problem(path: Path, expected: dict, *, checksums: bool) -> str:
    try:
        size = path.stat().st_size
        if size != expected["bytes"]:
            return f"has {size} bytes instead of {expected['bytes']}"
        if checksums and sha256(path) != expected["sha256"]:
            return "is damaged (its checksum differs)"
    except OSError:
        return "is missing"
    return ""


def _checksum(manifest: dict) -> str:
    rest = {key: value for key, value in manifest.items() if key != "checksum"}
    return hashlib.sha256(json.dumps(rest, sort_keys=True).encode()).hexdigest()


def listed_files(version: Path) -> list[Path]:
    paths = (path for path in version.rglob("*") if path.is_file())
    return sorted(path for path in paths if path.name not in UNLISTED)


def sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def write_durably(path: Path, text: str):
    """Replace a file by one with this text, at once and for good."""
    aside = path.with_name(path.name + ".new")
    with aside.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    os.replace(aside, path)


def next_version(folder: Path, content: str) -> str:
    """A name that no version had: a number that grows, and 12 digits of the content's hash."""
    numbers = [int(path.name[:6]) for path in _versions(folder)]
    return f"{max(numbers, default=0) + 1:06d}-{content[:12]}"


def publish(folder: Path, building: Path, version: str):
    """Make a finished build the current version; readers see the old one or the new one."""
    for path in listed_files(building):
        _sync(path)  # what was linked is clean, which the system sees at once
    os.rename(building, folder / version)
    _sync(folder)
    write_durably(folder / CURRENT, version + "\n")
    _sync(folder)


def _sync(path: Path):
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def remove_unread(folder: Path):
    """Remove all versions but the current one that no reader holds. Call under the build lock."""
    current = current_version(folder)
    for path in _versions(folder):
        if path.name != current and (lock := _reader_lock(path, fcntl.LOCK_EX)) is not None:
            shutil.rmtree(path, ignore_errors=True)
            os.close(lock)


def hold_current(folder: Path) -> tuple[str, int | None]:
    """The current version and a reader's hold on it, a descriptor to be closed after use.

    A version can be swapped away and removed between reading its name and holding it: then the
    next is tried. Raises IndexUnavailable where there is none.
    """
    for _ in range(ATTEMPTS):
        version = current_version(folder)
        descriptor = _reader_lock(folder / version, fcntl.LOCK_SH)
        if descriptor is not None and version == current_version(folder):
            return version, descriptor
        if descriptor is not None:
            os.close(descriptor)
    raise unavailable(folder, "its current version is being removed")


class HeldVersion:
    """An open version of an index, which stays readable after a newer one is current."""

    def __init__(self, folder: Path):
        self._folder = folder
        self.version, self._hold = hold_current(folder)

    def close(self):
        """Let the version be removed once it is not current."""
        if self._hold is not None:
            os.close(self._hold)
            self._hold = None

    def __del__(self):
        # When the process ends, modules go before their objects, and the system closes the file.
        if os is not None and getattr(self, "_hold", None) is not None:
            self.close()


def _reader_lock(version: Path, kind: int) -> int | None:
    try:
        descriptor = os.open(version / READERS, os.O_RDWR | os.O_CREAT, 0o644)
    except FileNotFoundError:
        return None
    try:
        fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        return None
    return descriptor


def _versions(folder: Path) -> list[Path]:
    return sorted(p for p in folder.iterdir() if re.fullmatch(r"\d{6}-[0-9a-f]{12}", p.name))
