"""Files of gold claims and of predictions, read as datasets are, but up to the first mistake."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from datasets.readers.lines import raw_records
from datasets.readers.problems import Problem, Unusable, printable
from datasets.untold import untold

T = TypeVar("T")
Tell = Callable[[str, int], None]
BETWEEN = 1000
LONGEST_REASON = 2000


class BadInput(Exception):
    """What cannot be scored, and where, in one line."""

    @property
    def reason(self) -> str:
        """The line as pages and answers can show it: ids may hold half characters, or be long."""
        return printable(str(self)[:LONGEST_REASON])


class Place(NamedTuple):
    """Where an object stands."""

    file: str
    line: int


def read_parsed(
    path: Path, parse: Callable[[Mapping[str, Any]], T | None], tell: Tell = untold
) -> Iterator[tuple[Place, T]]:
    """What `parse` makes of each object of a file, with its place; None is passed over.

    tell: called now and then with the file's name and the number of objects before.
    Raises BadInput with file, line, column and an excerpt for what is no object, or is one that
    `parse` refuses with Unusable: a score over the rest would be another one.
    """
    for number, raw in enumerate(raw_records(path, path.name)):
        if number % BETWEEN == 0:
            tell(path.name, number)
        if isinstance(raw, Problem):
            raise BadInput(str(raw))
        try:
            value = parse(raw.values)
        except Unusable as error:
            raise BadInput(str(raw.problem(path.name, error))) from None
        if value is not None:
            yield Place(path.name, raw.line), value
