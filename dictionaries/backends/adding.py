"""What is new since a version of an index, and the small segment that it comes into."""

import errno
import os
import shutil
from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path

import numpy as np

from dictionaries.analysis import text_hash
from dictionaries.backends.base import IndexRow, Progress
from dictionaries.backends.rows import SAME, RowTable, Spool, joined

SEGMENTED_FROM = 20_000  # fewer rows are written anew in no time
LATE_SHARE = 1 / 8  # of the main segment, which is more than the small one costs a search
MOST_LATE = 200_000
BATCH = 5_000
CANNOT_LINK = (errno.EPERM, errno.EXDEV, errno.ENOTSUP, errno.EMLINK)


def only_added(
    rows: Iterable[IndexRow], old: Sequence[RowTable], progress: Progress, *, steps: int
) -> list[IndexRow] | None:
    """The rows that are new since the segments `old`, where they are all that has changed.

    None where an old row is gone or was changed, or where the new are too many for a small segment.
    Raises ValueError where a paragraph comes twice.
    """
    count = sum(len(table) for table in old)
    seen = [np.zeros(len(table), dtype=bool) for table in old]
    room = _room(old)
    new: list[IndexRow] = []
    left = iter(rows)
    for number, batch in enumerate(iter(lambda: list(islice(left, BATCH)), [])):
        progress(0, max(count, number * BATCH) * steps)
        unknown = _unknown(batch, old, seen)
        if unknown is None or len(new) + len(unknown) > room:
            return None
        new += unknown
    return new if all(part.all() for part in seen) else None


def _room(old: Sequence[RowTable]) -> int:
    """How many rows the small segment may still take."""
    main = old[0]
    if len(main) < SEGMENTED_FROM or not all(table.has_public_ids for table in old):
        return 0
    return min(int(len(main) * LATE_SHARE), MOST_LATE) - sum(len(table) for table in old[1:])


def _unknown(
    batch: Sequence[IndexRow], old: Sequence[RowTable], seen: list[np.ndarray]
) -> list[IndexRow] | None:
    """The rows of a batch that no segment has; marks the others; None where one was changed."""
    ids = np.array([row.paragraph_id for row in batch], dtype=np.int64)
    now = {
        "article": np.array([row.article_id for row in batch], dtype=np.int64),
        "available_at": np.array([row.available_at for row in batch], dtype=np.int64),
        "content": np.array([text_hash(row.text) for row in batch], dtype=np.uint64),
    }
    unknown = np.ones(len(batch), dtype=bool)
    for table, marks in zip(old, seen, strict=True):
        places = table.positions(ids)
        known = places >= 0
        if any((table.values(n, places[known]) != now[n][known]).any() for n in SAME):
            return None
        _refuse_repeats(ids[known], marks[places[known]])
        marks[places[known]] = True
        unknown &= ~known
    return [row for row, is_new in zip(batch, unknown, strict=True) if is_new]


def _refuse_repeats(ids: np.ndarray, seen_before: np.ndarray):
    if seen_before.any() or len(set(ids.tolist())) < len(ids):
        raise ValueError("a paragraph comes twice; give each paragraph once")


class LateRows:
    """The rows of the small segment: those it had, and new ones, whose texts are at hand."""

    def __init__(self, before: RowTable | None, new: RowTable, spool: Spool):
        self.table = joined(before, new) if before else new
        self._new_at = np.full(len(self.table), -1)
        self._new_at[self.table.positions(new.columns["paragraph"])] = np.arange(len(new))
        self._spool = spool

    def text(self, position: int) -> str:
        return self._spool.text(int(self._new_at[position]))


def link_folder(source: Path, target: Path):
    """The files of a part of an index under a second name: nothing is written into them again.

    What tantivy replaces (its lists of segments) is copied, as is all where nothing can be linked.
    """
    target.mkdir(parents=True)
    for path in source.iterdir():
        if path.suffix == ".lock":
            continue
        if path.name.endswith(".json") or not _linked(path, target / path.name):
            shutil.copy2(path, target / path.name)


def _linked(source: Path, target: Path) -> bool:
    try:
        os.link(source, target)
    except OSError as error:
        if error.errno in CANNOT_LINK:
            return False
        raise
    return True


def known_files(old: Path, files: dict, building: Path) -> dict:
    """Of the files that an older version's manifest lists, those that stand in a build as well."""
    return {name: about for name, about in files.items() if _is_same(old / name, building / name)}


def _is_same(one: Path, other: Path) -> bool:
    try:
        return os.path.samefile(one, other)
    except OSError:
        return False
