"""Vectors of a build on their way: taken over, resumed, or encoded and kept chunk by chunk."""

import os
from itertools import count
from pathlib import Path

import numpy as np

from dictionaries.arrays import flush
from dictionaries.backends.rows import RowTable
from dictionaries.encoders import Encoder
from dictionaries.semantic import new_vectors, write_codes


class VectorStore:
    """The float16 vectors of a table's rows, in a file of the semantic part, and their chunks.

    A chunk holds paragraph ids, text hashes and vectors, and the encoder that made them, so that it
    is good for any later build with the same encoder, whatever rows were added meanwhile.
    """

    def __init__(self, folder: Path, semantic: Path, table: RowTable, encoder: Encoder):
        self._folder, self._semantic, self._table = folder, semantic, table
        self.encoder = encoder
        self.identity = {
            "name": encoder.name,
            "version": encoder.version,
            "dimensions": encoder.dimensions,
        }
        folder.mkdir(parents=True, exist_ok=True)
        self.vectors = new_vectors(semantic, len(table), encoder.dimensions)
        self._known = np.zeros(len(table), dtype=bool)
        self._numbers = count(self._last_number() + 1)

    def _last_number(self) -> int:
        return max((int(path.stem) for path in self._folder.glob("*.npz")), default=-1)

    def finish(self):
        """Write the codes of all vectors beside them."""
        flush(self.vectors)
        write_codes(self._semantic, self.vectors)

    def take(self, rows: RowTable, vectors: np.ndarray):
        """Take the vectors of rows with the same paragraph and the same text."""
        self._take(rows.columns["paragraph"], rows.columns["content"], vectors)

    def resume(self):
        """Take what an unfinished build of the same encoder left; remove what cannot be used."""
        for path in sorted(self._folder.glob("*.npz")):
            try:
                with np.load(path, allow_pickle=False) as chunk:
                    if str(chunk["encoder"]) != str(self.identity):
                        raise ValueError("vectors of another encoder")
                    self._take(chunk["paragraph"], chunk["content"], chunk["vectors"])
            except (OSError, ValueError, KeyError):
                path.unlink(missing_ok=True)

    def _take(self, paragraphs: np.ndarray, contents: np.ndarray, vectors: np.ndarray):
        places = self._table.positions(paragraphs)
        same = places >= 0
        same[same] = self._table.columns["content"][places[same]] == contents[same]
        self.vectors[places[same]] = vectors[same]
        self._known[places[same]] = True

    def missing(self) -> np.ndarray:
        """The positions whose text is still to be encoded."""
        return np.flatnonzero(~self._known)

    def put(self, positions: np.ndarray, vectors: np.ndarray):
        """Keep vectors for good: the chunk's file appears whole or not at all."""
        halves = vectors.astype(np.float16)
        self.vectors[positions] = halves
        self._known[positions] = True
        aside = self._folder / "chunk.new"
        with aside.open("wb") as file:
            np.savez(
                file,
                encoder=np.array(str(self.identity)),
                paragraph=self._table.columns["paragraph"][positions],
                content=self._table.columns["content"][positions],
                vectors=halves,
            )
            file.flush()
            os.fsync(file.fileno())
        os.replace(aside, self._folder / f"{next(self._numbers):06d}.npz")
