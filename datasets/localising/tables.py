"""Tables of titles and translations: JSON Lines, CSV, or TSV whose quotes are plain characters."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from corpus.readers.files import Lines, UnreadableFile, open_packed
from corpus.texts import has_lone_surrogate
from datasets.files import MOST_PROBLEMS, BadLine
from datasets.readers.lines import Raw, raw_records, rows
from datasets.readers.problems import Problem, Unusable, unreadable

TSV = {".tsv", ".tab"}
# The columns of either table, by all the names that they may have.
SOURCE, TARGET = ("source", "source_title"), ("target", "target_title")
ID, CLAIM = "id", ("claim", "translation")
TELL_EVERY = 1000
Tell = Callable[[str, int], None]


class Problems:
    """What cannot be used: all of it counted, the first ones kept."""

    def __init__(self) -> None:
        self.n = 0
        self.kept: list[Problem] = []

    def add(self, problem: Problem) -> None:
        self.n += 1
        if len(self.kept) < MOST_PROBLEMS:
            self.kept.append(problem)

    def check(self) -> None:
        """Raises BadLine, one line for each of the first problems, where there is any."""
        more = self.n - len(self.kept)
        if self.n:
            lines = [*map(str, self.kept), *([f"... and {more} more"] if more else [])]
            raise BadLine("\n".join(lines))


def table_rows(path: Path, problems: Problems, columns: Sequence[str], tell: Tell) -> Iterator[Raw]:
    """The rows of a table, in order; what is none goes to the problems, as a table without rows.

    columns: their names; a row without any of them is the last, since no other will have one.
    tell: called now and then with "rows" and how many there were.

    Titles begin with quotes now and then, and tables of them are written without quoting: the
    cells of a TSV are taken as they stand. A CSV is quoted as usual.
    """
    n = 0
    for n, raw in enumerate(rows_or_problems(path), start=1):
        if n % TELL_EVERY == 0:
            tell("rows", n)
        if isinstance(raw, Problem):
            problems.add(raw)
        elif raw.values and raw.values.keys().isdisjoint(columns):
            problems.add(raw.problem(path.name, Unusable(wrong_columns(raw.values, columns))))
            return
        else:
            yield raw
    if n == 0:
        problems.add(Problem(path.name, 0, 0, "the table has no rows"))


def wrong_columns(found: Mapping, columns: Sequence[str]) -> str:
    told, known = (", ".join(map(repr, names)) for names in (found, columns))
    are_others = not found.keys().isdisjoint((*SOURCE, *TARGET, ID, *CLAIM))
    hint = "; titles and translations seem to be exchanged" if are_others else ""
    return f"the columns are {told[:100]}; name them as {known}{hint}"


def rows_or_problems(path: Path) -> Iterator[Raw | Problem]:
    if TSV.isdisjoint(suffix.lower() for suffix in path.suffixes[-2:]):
        yield from raw_records(path, path.name)
        return
    try:
        with open_packed(path) as stream:
            yield from rows(Lines(stream), path.name, quote="")
    except UnreadableFile as error:
        yield unreadable(path.name, error)


def cell(values: Mapping, names: tuple[str, ...], what: str) -> str:
    """The text under the first of these names that is there, '' where there is none.

    Raises Unusable for what is no text, and for half a character.
    """
    name = next((name for name in names if values.get(name) is not None), "")
    value = values.get(name, "")
    if not isinstance(value, str):
        raise Unusable(f"{what} is {value!r:.60}; write it as text", name)
    if has_lone_surrogate(value):
        raise Unusable(f"{what} holds half of a surrogate pair", name)
    return value
