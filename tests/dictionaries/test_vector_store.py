"""Chunks of vectors that an unfinished build leaves to the next."""

from types import SimpleNamespace

import numpy as np

from dictionaries.backends.rows import RowTable
from dictionaries.backends.vectors import VectorStore

ROWS = np.arange(5)
TABLE = RowTable({"paragraph": ROWS, "content": ROWS.astype(np.uint64), "by_paragraph": ROWS})
ENCODER = SimpleNamespace(name="fixed", version="1", dimensions=2)


def opened(folder):
    store = VectorStore(folder / "chunks", folder / "semantic", TABLE, ENCODER)
    store.resume()
    return store


def encode(store, position):
    store.put(np.array([position]), np.ones((1, 2)))


def test_a_chunk_is_never_written_over_another(tmp_path):
    store = opened(tmp_path)
    for position in (0, 1, 2):
        encode(store, position)
    (tmp_path / "chunks" / "000001.npz").write_bytes(b"cut off")

    again = opened(tmp_path)
    assert again.missing().tolist() == [1, 3, 4]
    encode(again, 1)

    assert opened(tmp_path).missing().tolist() == [3, 4]
