"""What an index knows of each paragraph beside its terms and its vector; sorted by time.

Position 0 is the oldest row. At equal times positions fall with the public id, so that the larger
position wins every tie: newer first, then public id by code point.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator
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
}
SAME = ("paragraph", "article", "available_at", "content")
REPORT_EACH = 1_000


class RowTable:
    """The columns of an index' rows, in memory or mapped."""

    def __init__(self, columns: dict[str, np.ndarray]):
        self.columns = columns
        self._ids = columns["paragraph"][columns["by_paragraph"]]

    def __len__(self) -> int:
        return len(self.columns["paragraph"])

    @classmethod
    def load(cls, folder: Path) -> "RowTable":
        return cls({name: load_array(folder / f"{name}.npy") for name in COLUMNS})

    def save(self, folder: Path):
        folder.mkdir(parents=True, exist_ok=True)
        for name, values in self.columns.items():
            np.save(folder / f"{name}.npy", values)

    def equals(self, other: "RowTable") -> bool:
        return all(np.array_equal(self.columns[name], other.columns[name]) for name in SAME)

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
        places = np.searchsorted(self._ids, wanted)
        places[places == len(self)] = 0
        found = self.columns["by_paragraph"][places]
        return np.where(self._ids[places] == wanted, found, -1)

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
        ends, tokens = self.columns["token_ends"], self.columns["tokens"]
        starts = np.where(positions > 0, ends[positions - 1], 0) if len(self) else positions
        lengths = ends[positions] - starts
        pieces = [tokens[start : start + n] for start, n in zip(starts, lengths, strict=True)]
        theirs = np.concatenate(pieces) if pieces else np.empty(0, dtype=np.uint32)
        near = are_copies(mine.tokens, theirs, lengths, jaccard=jaccard, containment=containment)
        exact = self.columns["normal"][positions] == np.uint64(mine.normal)
        return np.where(exact, EXACT_COPY, np.where(near, NEAR_COPY, NO_COPY))


class Spool:
    """The rows' texts and languages on disk while an index is built, read by position."""

    def __init__(self, path: Path):
        self._path = path
        self._file = path.open("w+b")
        self.spans: list[tuple[int, int]] = []
        self.languages: list[str] = []
        self.order: np.ndarray = np.empty(0, dtype=np.int64)

    def add(self, text: str, language: str):
        start = self._file.tell()
        self._file.write(text.encode())
        self.spans.append((start, self._file.tell()))
        self.languages.append(language)

    def text(self, position: int) -> str:
        start, end = self.spans[self.order[position]]
        self._file.seek(start)
        return self._file.read(end - start).decode()

    def language(self, position: int) -> str:
        return self.languages[self.order[position]]

    def close(self):
        self._file.close()
        self._path.unlink(missing_ok=True)


def read_rows(
    rows: Iterable[IndexRow],
    folder: Path,
    progress: Progress,
    *,
    steps: int,
    old: RowTable | None = None,
) -> tuple[RowTable, Spool]:
    """Read all rows once; their texts go to a file of the folder.

    steps: how often each row will be worked on, for the total that progress is told.
    old: rows whose fingerprints are taken over where the text is the same.
    Raises ValueError where a paragraph comes twice.
    """
    spool = Spool(folder / "texts.spool")
    values: dict[str, list] = {name: [] for name in ("paragraph", "article", "available_at")}
    hashes, public_ids, tokens = [], [], []
    fingerprints = _Fingerprints(old)
    for row in _reported(rows, progress, steps):
        spool.add(row.text, row.language)
        for name, value in zip(
            values, (row.paragraph_id, row.article_id, row.available_at), strict=True
        ):
            values[name].append(value)
        content = text_hash(row.text)
        known = fingerprints.of(row, content)
        hashes.append((content, known.normal))
        tokens.append(known.tokens)
        public_ids.append(row.public_id)
    spool.order = time_order(values["available_at"], public_ids)
    return _table(values, hashes, tokens, spool.order), spool


class _Fingerprints:
    """Fingerprints of texts; those of an older table's unchanged rows are not made again."""

    def __init__(self, old: RowTable | None):
        self._columns = old.columns if old else {}
        ids = self._columns["paragraph"].tolist() if old else []
        self._positions = {paragraph: position for position, paragraph in enumerate(ids)}
        self._contents = self._columns["content"].tolist() if old else []

    def of(self, row: IndexRow, content: int) -> Fingerprint:
        position = self._positions.get(row.paragraph_id)
        if position is None or self._contents[position] != content:
            return fingerprint(row.text)
        ends = self._columns["token_ends"]
        tokens = self._columns["tokens"][ends[position - 1] if position else 0 : ends[position]]
        return Fingerprint(int(self._columns["normal"][position]), tokens)


def _reported(rows: Iterable[IndexRow], progress: Progress, steps: int) -> Iterator[IndexRow]:
    for count, row in enumerate(rows):
        if count % REPORT_EACH == 0:
            progress(0, count * steps)
        yield row


def time_order(available_at: list[int], public_ids: list[str]) -> np.ndarray:
    """Row numbers, oldest first; at equal times the largest public id first."""
    order = sorted(range(len(public_ids)), key=public_ids.__getitem__, reverse=True)
    return np.array(sorted(order, key=available_at.__getitem__), dtype=np.int64)


def _table(values: dict, hashes: list, tokens: list, order: np.ndarray) -> RowTable:
    columns = {name: np.array(column, dtype=np.int64)[order] for name, column in values.items()}
    both = np.array(hashes, dtype=np.uint64).reshape(-1, 2)[order]
    columns |= {"content": both[:, 0].copy(), "normal": both[:, 1].copy()}
    ordered = [tokens[row] for row in order]
    columns["token_ends"] = np.cumsum([len(t) for t in ordered], dtype=np.int64)
    columns["tokens"] = np.concatenate(ordered) if ordered else np.empty(0, dtype=np.uint32)
    columns["by_paragraph"] = np.argsort(columns["paragraph"], kind="stable")
    _refuse_repeats(columns["paragraph"][columns["by_paragraph"]])
    return RowTable(columns)


def _refuse_repeats(sorted_ids: np.ndarray):
    repeated = sorted_ids[1:][sorted_ids[1:] == sorted_ids[:-1]]
    if len(repeated):
        raise ValueError(f"paragraph {repeated[0]} comes twice; give each paragraph once")
