"""Array files of an index: made with all their room on disk, and mapped into memory to be read.

A file that is mapped and has holes kills its writer (SIGBUS) where the disk has no room for them:
so the room is taken before anything is mapped, and what is missing is an OSError.
"""

import errno
import os
import re
from pathlib import Path

import numpy as np

FULL = (errno.ENOSPC, errno.EDQUOT)
ZEROS = bytes(2**20)
SHORT_WRITE = re.compile(r"\d+ requested and \d+ written")  # by NumPy, to a full disk


def new_array(path: Path, shape: tuple[int, ...], dtype) -> np.ndarray:
    """An array file to be filled, mapped into memory; one without values cannot be mapped.

    A file of that name is left alone as it is: it may be another version's under a second name.
    Raises OSError (ENOSPC) where the disk has no room for all of it; no file is left then.
    """
    path.unlink(missing_ok=True)
    if 0 in shape:
        np.save(path, np.empty(shape, dtype=dtype))
        return np.empty(shape, dtype=dtype)
    header = {"descr": np.lib.format.dtype_to_descr(np.dtype(dtype)), "fortran_order": False}
    try:
        with path.open("w+b") as file:
            np.lib.format.write_array_header_1_0(file, {**header, "shape": shape})
            size = int(np.prod(shape, dtype=np.int64)) * np.dtype(dtype).itemsize
            _reserve(file, file.tell() + size)
    except OSError:
        path.unlink(missing_ok=True)
        raise
    return np.load(path, mmap_mode="r+", allow_pickle=False)


def _reserve(file, size: int):
    file.flush()
    if hasattr(os, "posix_fallocate"):
        os.posix_fallocate(file.fileno(), 0, size)
        return
    for start in range(file.tell(), size, len(ZEROS)):  # no such call there: write it all
        file.write(ZEROS[: size - start])


def flush(array: np.ndarray):
    """Write what was put into a mapped array to its file."""
    if isinstance(array, np.memmap):
        array.flush()


def load_array(path: Path) -> np.ndarray:
    """An array file, mapped into memory; an empty one is read.

    A plain array over the mapping: slices of a memmap cost ten times as much.
    """
    try:
        return np.load(path, mmap_mode="r", allow_pickle=False).view(np.ndarray)
    except ValueError as error:
        if "mmap" not in str(error):
            raise
        return np.load(path, allow_pickle=False)


def touch(array: np.ndarray):
    """Read one value of each page, so that none is fetched from the disk while somebody waits."""
    if array.size:
        flat = array.reshape(-1)
        flat[:: max(1, 4096 // array.itemsize)].max()


def says_full(error: Exception) -> bool:
    """Whether an error means that the disk is full; tantivy and NumPy say it in words only."""
    if isinstance(error, OSError) and error.errno is None:
        return SHORT_WRITE.search(str(error)) is not None
    if isinstance(error, OSError):
        return error.errno in FULL
    return isinstance(error, ValueError) and any(f"os error {code}" in str(error) for code in FULL)
