"""What an index knows of each paragraph beside its terms and its vector; sorted by time.

Position 0 is the oldest row. At equal times positions fall with the public id, so that the larger
position wins every tie: newer first, then public id by code point.
"""

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np

from dictionaries.analysis import Fingerprint, fingerprint, text_hash
from dictionaries.arrays import load_array, touch
from dictionaries.backends.base import IndexRow, Progress
from dictionaries.selection import EXACT_COPY, NEAR_COPY, NO_COPY, are_copies

COLUMNS = {
    "paragraph": np.int64,
    "article": np.int64,
    "available_at": np.int64,
    "content": np.uint64,  # a hash of the text as it is
    "normal": np.uint64,  # a hash of its words: exact copies share it
    "token_ends": np.int64,
    "tokens": np.uint32,
    "by_paragraph": np.int64,  # positions in the order of paragraph ids
    "public_ends": np.int64,
    "public": np.uint8,  # the public ids, as UTF-8, whose order is that of code points
}
LATER = {"public_ends", "public"}  # indexes that were built before have none
ENDS = {"tokens": "token_ends", "public": "public_ends"}  # of what has no fixed length
SAME = ("article", "available_at", "content")
REPORT_EACH = 1_000


class RowTable:
    """The columns of an index' rows, in memory or mapped."""

    def __init__(self, columns: dict[str, np.ndarray]):
        self.columns = columns

    def __len__(self) -> int:
        return len(self.columns["paragraph"])

    @classmethod
    def load(cls, folder: Path) -> "RowTable":
        names = [n for n in COLUMNS if n not in LATER or (folder / f"{n}.npy").exists()]
        return cls({name: load_array(folder / f"{name}.npy") for name in names})

    def save(self, folder: Path):
        folder.mkdir(parents=True, exist_ok=True)
        for name, values in self.columns.items():
            np.save(folder / f"{name}.npy", values)

    def values(self, name: str, positions: np.ndarray | None = None) -> np.ndarray:
        """A column at some positions, or all of it."""
        return self.columns[name] if positions is None else self.columns[name][positions]

    @property
    def has_public_ids(self) -> bool:
        return self.columns.keys() >= LATER

    def public_id(self, position: int) -> bytes:
        return self._piece("public", position).tobytes()

    def tokens(self, position: int) -> np.ndarray:
        return self._piece("tokens", position)

    def _piece(self, name: str, position: int) -> np.ndarray:
        ends = self.columns[ENDS[name]]
        return self.columns[name][ends[position - 1] if position else 0 : ends[position]]

    def _tokens_of(self, positions: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The tokens of some rows, one row after the other, and how many are each row's."""
        ends = self.columns["token_ends"]
        starts = np.where(positions > 0, ends[positions - 1], 0) if len(self) else positions
        lengths = ends[positions] - starts
        shift = starts - (np.cumsum(lengths) - lengths)
        places = np.arange(lengths.sum()) + np.repeat(shift, lengths)
        return self.columns["tokens"][places], lengths

    def warm(self):
        """Bring the columns into memory; of the tokens a search reads a few."""
        for name, column in self.columns.items():
            if name != "tokens":
                touch(column)

    def prefix(self, as_of: int | None) -> int:
        """How many rows are strictly older than a moment; all if there is none."""
        return len(self) if as_of is None else bisect_left(self.columns["available_at"], as_of)

    def positions(self, paragraph_ids: list[int] | np.ndarray) -> np.ndarray:
        """The positions of paragraphs; -1 for one that is not in the index."""
        wanted = np.asarray(paragraph_ids, dtype=np.int64)
        if not len(self):
            return np.full(len(wanted), -1)
        ids, order = self.columns["paragraph"], self.columns["by_paragraph"]
        places = np.searchsorted(ids, wanted, sorter=order)
        places[places == len(self)] = 0
        found = order[places]
        return np.where(ids[found] == wanted, found, -1)

    def of_article(self, article: int | None, prefix: int) -> np.ndarray:
        """The positions below a prefix whose paragraph belongs to an article."""
        if article is None:
            return np.empty(0, dtype=np.int64)
        return np.flatnonzero(self.columns["article"][:prefix] == article)

    def copies_of(
        self, text: str, positions: np.ndarray, *, jaccard: float, containment: float
    ) -> np.ndarray:
        """Of each position NO_COPY, NEAR_COPY or EXACT_COPY, of a text."""
        mine = fingerprint(text)
        theirs, lengths = self._tokens_of(positions)
        near = are_copies(mine.tokens, theirs, lengths, jaccard=jaccard, containment=containment)
        exact = self.columns["normal"][positions] == np.uint64(mine.normal)
        return np.where(exact, EXACT_COPY, np.where(near, NEAR_COPY, NO_COPY))


class Spool:
    """The rows' texts and languages on disk while an index is built, read by position."""

    def __init__(self, path: Path):
        self._path = path
        self._file = path.open("w+b")
        self._ends = array("q", [0])
        self._languages: list[str] = []
        self.order: np.ndarray = np.empty(0, dtype=np.int64)

    def add(self, text: str, language: str):
        self._ends.append(self._ends[-1] + self._file.write(text.encode()))
        self._languages.append(language)

    def text(self, position: int) -> str:
        row = self.order[position]
        start, end = self._ends[row], self._ends[row + 1]
        self._file.seek(start)
        return self._file.read(end - start).decode()

    def language(self, position: int) -> str:
        return self._languages[self.order[position]]

    def close(self):
        self._file.close()
        self._path.unlink(missing_ok=True)


def read_rows(
    rows: Iterable[IndexRow],
    folder: Path,
    progress: Progress,
    *,
    steps: int,
    old: Sequence[RowTable] = (),
) -> tuple[RowTable, Spool]:
    """Read all rows once; their texts go to a file of the folder.

    steps: how often each row will be worked on, for the total that progress is told.
    old: rows whose fingerprints are taken over where the text is the same.
    Raises ValueError where a paragraph comes twice.
    """
    spool = Spool(folder / "texts.spool")
    made = _Columns()
    for row in _reported(rows, progress, steps):
        spool.add(row.text, row.language)
        content = text_hash(row.text)
        made.add(row, content, _known(old, row, content) or fingerprint(row.text))
    spool.order = time_order(made.values["available_at"], made.public_ids)
    return made.table(spool.order), spool


def _known(tables: Sequence[RowTable], row: IndexRow, content: int) -> Fingerprint | None:
    """The fingerprint of an unchanged row of an older table."""
    for table in tables:
        position = int(table.positions([row.paragraph_id])[0])
        if position >= 0 and int(table.columns["content"][position]) == content:
            return Fingerprint(int(table.columns["normal"][position]), table.tokens(position))
    return None


def _reported(rows: Iterable[IndexRow], progress: Progress, steps: int) -> Iterator[IndexRow]:
    for count, row in enumerate(rows):
        if count % REPORT_EACH == 0:
            progress(0, count * steps)
        yield row


def time_order(available_at: Sequence[int], public_ids: Sequence[bytes]) -> np.ndarray:
    """Row numbers, oldest first; at equal times the largest public id first."""
    order = sorted(range(len(public_ids)), key=public_ids.__getitem__, reverse=True)
    return np.array(sorted(order, key=available_at.__getitem__), dtype=np.int64)


class _Columns:
    """The columns of a table that is being read, in the order of arrival."""

    def __init__(self):
        self.values = {name: array("q") for name in ("paragraph", "article", "available_at")}
        self._hashes = {name: array("Q") for name in ("content", "normal")}
        self._tokens, self._token_ends = array("I"), array("q")
        self.public_ids: list[bytes] = []

    def add(self, row: IndexRow, content: int, known: Fingerprint):
        self.values["paragraph"].append(row.paragraph_id)
        self.values["article"].append(row.article_id)
        self.values["available_at"].append(row.available_at)
        self._hashes["content"].append(content)
        self._hashes["normal"].append(known.normal)
        self._tokens.frombytes(np.ascontiguousarray(known.tokens, dtype=np.uint32).tobytes())
        self._token_ends.append(len(self._tokens))
        self.public_ids.append(row.public_id.encode())

    def table(self, order: np.ndarray) -> RowTable:
        """The table of these rows in an order of time. Raises ValueError for a repeated one."""
        columns = {
            name: np.array(values, dtype=COLUMNS[name])[order]
            for name, values in (self.values | self._hashes).items()
        }
        tokens = np.array(self._tokens, dtype=np.uint32)
        token_ends = np.array(self._token_ends, dtype=np.int64)
        columns["tokens"], columns["token_ends"] = reordered(tokens, token_ends, order)
        public = b"".join(self.public_ids[row] for row in order)
        lengths = [len(self.public_ids[row]) for row in order]
        columns["public"] = np.frombuffer(public, dtype=np.uint8)
        columns["public_ends"] = np.cumsum(lengths, dtype=np.int64)
        return _finished(columns)


def reordered(
    values: np.ndarray, ends: np.ndarray, order: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Pieces of values, one after the other, in another order; and where each ends then."""
    lengths = np.diff(ends, prepend=0)[order]
    new_ends = np.cumsum(lengths, dtype=np.int64)
    shift = (ends[order] - lengths) - (new_ends - lengths)
    return values[np.arange(lengths.sum()) + np.repeat(shift, lengths)], new_ends


def joined(one: RowTable, other: RowTable) -> RowTable:
    """A table of the rows of both, in the order of time."""
    both = {
        name: np.concatenate([one.columns[name], other.columns[name]])
        for name in COLUMNS
        if not name.endswith("_ends")
    }
    names = [table.public_id(row) for table in (one, other) for row in range(len(table))]
    order = time_order(both["available_at"].tolist(), names)
    columns = {name: both[name][order] for name in ("paragraph", "article", "available_at")}
    columns |= {name: both[name][order] for name in ("content", "normal")}
    for name, end_name in ENDS.items():
        later = other.columns[end_name] + len(one.columns[name])
        ends = np.concatenate([one.columns[end_name], later])
        columns[name], columns[end_name] = reordered(both[name], ends, order)
    return _finished(columns)


def _finished(columns: dict[str, np.ndarray]) -> RowTable:
    columns["by_paragraph"] = np.argsort(columns["paragraph"], kind="stable")
    ids = columns["paragraph"][columns["by_paragraph"]]
    repeated = ids[1:][ids[1:] == ids[:-1]]
    if len(repeated):
        raise ValueError(f"paragraph {repeated[0]} comes twice; give each paragraph once")
    return RowTable(columns)
