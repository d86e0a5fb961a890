"""Lines of a file, read only where they are asked for."""

from collections.abc import Sequence
from itertools import islice
from pathlib import Path

from datasets.kept import readable


class Results:
    """Objects of a file of JSON lines, as a paginator takes them: with a length, and by slices.

    places: of the lines in the file, ascending; names: for each what stands before its values;
    texts: a file with an object for each line, that of a place joins the one of the path.
    """

    def __init__(
        self,
        path: Path,
        places: Sequence[int],
        names: Sequence[dict] | None = None,
        texts: Path | None = None,
    ):
        self.path = path
        self.places = places
        self.names = names
        # Scores that were made before texts were kept have none.
        self.texts = texts if texts and texts.is_file() else None

    def __len__(self):
        return len(self.places)

    def __getitem__(self, part: slice) -> list[dict]:
        places = self.places[part]
        names = self.names[part] if self.names else [{}] * len(places)
        lines = lines_at(self.path, places)
        texts = lines_at(self.texts, places) if self.texts else {}
        return [
            name | readable(texts.get(place, "{}")) | readable(lines[place])
            for name, place in zip(names, places, strict=True)
        ]


def lines_at(path: Path, places: Sequence[int]) -> dict[int, str]:
    """Some lines of a file, by their places, from 0 on."""
    wanted = set(places)
    with path.open(encoding="utf-8", newline="\n") as lines:
        last = max(wanted, default=-1)
        numbered = enumerate(islice(lines, last + 1))
        return {place: line for place, line in numbered if place in wanted}
