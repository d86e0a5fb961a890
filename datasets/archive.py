"""A folder's files as one zip, streamed: nothing is kept in memory or written to the disk."""

import zipfile
from collections.abc import Iterator
from pathlib import Path

BLOCK = 1 << 18
# A zip without times: the same files give the same archive.
NO_TIME = (1980, 1, 1, 0, 0, 0)


class Passing:
    """A stream that can only be written to, and gives away what was written."""

    def __init__(self):
        self.blocks = []

    def write(self, block) -> int:
        self.blocks.append(bytes(block))
        return len(block)

    def flush(self) -> None:
        pass

    def taken(self) -> bytes:
        written, self.blocks = b"".join(self.blocks), []
        return written


def zipped(paths: list[Path], folder: str, *, root: Path | None = None) -> Iterator[bytes]:
    """The bytes of a zip with these files in a folder of that name.

    root: a folder within which files keep their places; without it all lie side by side.
    """
    stream = Passing()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        for path in paths:
            name = path.relative_to(root).as_posix() if root else path.name
            info = zipfile.ZipInfo(f"{folder}/{name}", NO_TIME)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = 0o644 << 16
            with path.open("rb") as source, archive.open(info, "w", force_zip64=True) as target:
                while block := source.read(BLOCK):
                    target.write(block)
                    yield stream.taken()
    yield stream.taken()
