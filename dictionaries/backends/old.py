"""The current version of an index, from which a build takes what has not changed."""

from pathlib import Path

from dictionaries.backends.rows import RowTable
from dictionaries.backends.segments import LATE, open_segments
from dictionaries.backends.versions import current_version, is_whole, read_manifest
from dictionaries.encoders import SvdEncoder, load_svd


class Old:
    """The current version, from which a build takes what has not changed."""

    def __init__(self, folder: Path):
        self._folder = folder
        self.version = current_version(folder)
        self.path = folder / self.version
        self.manifest = read_manifest(folder, self.version, checksums=False)
        self.has_late = bool(self.manifest.get("late"))
        self.rows, _ = open_segments(self.path, has_late=self.has_late)

    def segments(self) -> list[tuple[RowTable, Path]]:
        """The rows and the semantic part of each segment."""
        folders = [self.path, self.path / LATE] if self.has_late else [self.path]
        return [(RowTable.load(folder / "rows"), folder / "semantic") for folder in folders]

    def is_whole(self) -> bool:
        """Whether all files are what was written; reads them through."""
        return is_whole(self._folder, self.version)


def stored_encoder(folder: Path) -> SvdEncoder | None:
    """The fitted encoder of a folder; None where there is none, or a harmed one."""
    try:
        return load_svd(folder)
    except (OSError, ValueError, KeyError):
        return None
