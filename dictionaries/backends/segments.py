"""Two segments of an index read as one: the main one, and a small one of rows that came later.

Both are sorted by time, and positions are those in the order of all rows together: a late article
with an old date stands where it would stand had everything been built at once.
"""

from bisect import bisect_left
from pathlib import Path
from typing import NamedTuple

import numpy as np

from dictionaries.arrays import load_array
from dictionaries.backends.rows import RowTable
from dictionaries.selection import nearest_first
from dictionaries.semantic import Nearest, SemanticIndex

LATE, PLACES = "late", "places.npy"  # the folder of the small segment, and its rows' places


def places_of(late: RowTable, main: RowTable) -> np.ndarray:
    """For each late row, how many rows of the main segment stand before it."""
    times = main.columns["available_at"]
    begins = np.searchsorted(times, late.columns["available_at"], side="left").tolist()
    ends = np.searchsorted(times, late.columns["available_at"], side="right").tolist()

    def place(row: int) -> int:
        name = late.public_id(row)
        same_time = range(begins[row], ends[row])  # the largest public id first
        return begins[row] + bisect_left(
            same_time, True, key=lambda other: main.public_id(other) < name
        )

    return np.array([place(row) for row in range(len(late))], dtype=np.int64)


class Split(NamedTuple):
    """Which of some positions are late, and their positions within each segment."""

    late: np.ndarray
    in_main: np.ndarray
    in_late: np.ndarray


class Order:
    """Positions among all rows, from those within each segment, and back.

    places: (late rows,) see `places_of`; they never fall.
    """

    def __init__(self, places: np.ndarray):
        self._places = places
        self._late = places + np.arange(len(places))

    def of_main(self, positions: np.ndarray) -> np.ndarray:
        return positions + np.searchsorted(self._places, positions, side="right")

    def of_late(self, positions: np.ndarray) -> np.ndarray:
        return self._late[positions]

    def split(self, positions: np.ndarray) -> Split:
        before = np.searchsorted(self._late, positions, side="left")
        late = np.isin(positions, self._late)
        return Split(late, (positions - before)[~late], before[late])

    def prefixes(self, prefix: int) -> tuple[int, int]:
        """How many rows of the main and of the late segment are among the first ones."""
        late = bisect_left(self._late, prefix)
        return prefix - late, late


class JoinedRows:
    """The rows of both segments, read as a RowTable is."""

    def __init__(self, main: RowTable, late: RowTable, order: Order):
        self._main, self._late, self._order = main, late, order

    def __len__(self) -> int:
        return len(self._main) + len(self._late)

    def warm(self):
        self._main.warm()
        self._late.warm()

    def values(self, name: str, positions: np.ndarray | None = None) -> np.ndarray:
        """A column at some positions; without positions all of it, the main segment first."""
        if positions is None:
            return np.concatenate([self._main.values(name), self._late.values(name)])
        split = self._order.split(positions)
        out = np.empty(len(positions), dtype=self._main.values(name).dtype)
        out[~split.late] = self._main.values(name, split.in_main)
        out[split.late] = self._late.values(name, split.in_late)
        return out

    def prefix(self, as_of: int | None) -> int:
        return self._main.prefix(as_of) + self._late.prefix(as_of)

    def positions(self, paragraph_ids: list[int] | np.ndarray) -> np.ndarray:
        main, late = self._main.positions(paragraph_ids), self._late.positions(paragraph_ids)
        found = np.where(main >= 0, self._order.of_main(main), -1)
        found[late >= 0] = self._order.of_late(late[late >= 0])
        return found

    def of_article(self, article: int | None, prefix: int) -> np.ndarray:
        main, late = self._order.prefixes(prefix)
        in_main = self._order.of_main(self._main.of_article(article, main))
        in_late = self._order.of_late(self._late.of_article(article, late))
        return np.sort(np.concatenate([in_main, in_late]))

    def copies_of(self, text: str, positions: np.ndarray, **limits) -> np.ndarray:
        split = self._order.split(positions)
        kinds = np.empty(len(positions), dtype=np.int64)
        kinds[~split.late] = self._main.copies_of(text, split.in_main, **limits)
        kinds[split.late] = self._late.copies_of(text, split.in_late, **limits)
        return kinds


class JoinedVectors:
    """The vectors of both segments, searched as a SemanticIndex is."""

    def __init__(self, main: SemanticIndex, late: SemanticIndex, order: Order):
        self._main, self._late, self._order = main, late, order

    @property
    def shape(self) -> tuple[int, ...]:
        return self._main.shape[0] + self._late.shape[0], self._main.shape[1]

    def warm(self):
        self._main.warm()
        self._late.warm()

    def vector(self, position: int) -> np.ndarray:
        split = self._order.split(np.array([position]))
        if split.late[0]:
            return self._late.vector(int(split.in_late[0]))
        return self._main.vector(int(split.in_main[0]))

    def scan(self, query: np.ndarray, prefix: int) -> tuple[np.ndarray, np.ndarray]:
        main, late = self._order.prefixes(prefix)
        return self._main.scan(query, main), self._late.scan(query, late)

    def nearest(
        self,
        query: np.ndarray,
        approximate: tuple[np.ndarray, np.ndarray],
        blocked: np.ndarray,
        k: int,
    ) -> Nearest:
        """The k nearest of all are among the k nearest of each segment, and both are exact."""
        split = self._order.split(blocked)
        main = self._main.nearest(query, approximate[0], split.in_main, k)
        late = self._late.nearest(query, approximate[1], split.in_late, k)
        positions = np.concatenate(
            [self._order.of_main(main.positions), self._order.of_late(late.positions)]
        )
        scores = np.concatenate([main.scores, late.scores])
        best = nearest_first(positions, scores)[:k]
        vectors = np.concatenate([main.vectors, late.vectors])
        return Nearest(positions[best], scores[best], vectors[best])


def open_segments(
    path: Path, *, has_late: bool
) -> tuple[RowTable | JoinedRows, SemanticIndex | JoinedVectors]:
    """The rows and the vectors of a version, its segments joined. Raises OSError, ValueError."""
    rows, vectors = RowTable.load(path / "rows"), SemanticIndex(path / "semantic")
    if not has_late:
        return rows, vectors
    late, order = RowTable.load(path / LATE / "rows"), Order(load_array(path / LATE / PLACES))
    late_vectors = SemanticIndex(path / LATE / "semantic")
    return JoinedRows(rows, late, order), JoinedVectors(vectors, late_vectors, order)
