"""Lines that wait on the disk until it is known in which file they go, and in which order."""

from dataclasses import dataclass
from pathlib import Path

from datasets.localising.localise import split_record
from datasets.records import LabelledClaim
from datasets.splits import SplitRecord
from datasets.writers import csfever


@dataclass(frozen=True, slots=True)
class Place:
    """A claim's line in the file, with what splitting needs to know of it."""

    record: SplitRecord
    sets: int
    start: int
    size: int

    @property
    def order(self) -> tuple:
        """Numbers by size, then ids that are none by code point."""
        key = self.record.key
        return (0, key, "") if isinstance(key, int) else (1, 0, key)


class Waiting:
    """A file of lines that goes when it is left. places: in the order in which they came."""

    def __init__(self, path: Path):
        self.path = path
        self.places: list[Place] = []

    def __enter__(self):
        self.file = self.path.open("w+b")
        self.end = 0
        return self

    def __exit__(self, *_):
        self.file.close()
        self.path.unlink()

    def add(self, claim: LabelledClaim) -> None:
        text = "".join(f"{line}\n" for line in csfever.lines(claim, by="units")).encode()
        self.file.write(text)
        place = Place(split_record(claim), len(claim.evidence), self.end, len(text))
        self.places.append(place)
        self.end += len(text)

    def in_order(self) -> list[Place]:
        return sorted(self.places, key=lambda place: place.order)

    def line_of(self, place: Place) -> bytes:
        self.file.seek(place.start)
        return self.file.read(place.size)
