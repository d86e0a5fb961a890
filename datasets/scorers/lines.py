"""Files of gold claims and of predictions: one object a line, plain, gzip or xz, read strictly."""

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple, NoReturn, TypeVar

from corpus.readers.files import (
    Lines,
    UnreadableFile,
    UnreadableLine,
    open_packed,
    refuse_lone_cr,
)
from corpus.readers.jsonl import parsed

T = TypeVar("T")
BEFORE, AROUND = 20, 70
CHARACTER = re.compile(r" at character (\d+)$")
TWICE = re.compile(r"^the key ['\"](.+)['\"] stands twice")
CONSTANT = re.compile(r"^(-?Infinity|NaN) is no JSON")


class BadInput(Exception):
    """What cannot be scored, and where, in one line."""


class WrongField(ValueError):
    """A field of an object that does not hold what it should."""

    def __init__(self, field: str, reason: str):
        super().__init__(reason)
        self.field = field


class Place(NamedTuple):
    """Where an object stands."""

    file: str
    line: int


def read_parsed(
    path: Path, parse: Callable[[Mapping[str, Any]], T | None]
) -> Iterator[tuple[Place, T]]:
    """What `parse` makes of each object of a file, with its place; None is passed over.

    Memory does not grow with the file. Raises BadInput with file, line, column and an excerpt for
    the first line that is no object, or whose fields `parse` refuses with a WrongField.
    """
    try:
        with open_packed(path) as stream:
            yield from parsed_lines(Lines(stream), path.name, parse)
    except UnreadableFile as error:
        where = f"{path.name}, line {error.line}" if error.line else str(path)
        raise BadInput(f"{where}: {error}.") from None


def parsed_lines(lines: Lines, file: str, parse: Callable) -> Iterator[tuple[Place, Any]]:
    while True:
        try:
            text = next(lines)
            refuse_lone_cr(text.strip(), lines.number)
        except StopIteration:
            return
        except UnreadableLine as error:
            raise BadInput(f"{file}, line {error.line}: {error}.") from None
        if not text.strip():
            continue
        try:
            value = parse(parsed(text))
        except ValueError as error:
            refuse(file, lines.number, text, error)
        if value is not None:
            yield Place(file, lines.number), value


def refuse(file: str, number: int, text: str, error: ValueError) -> NoReturn:
    reason, column = CHARACTER.sub("", str(error)), column_of(text, error)
    start = max(0, column - 1 - BEFORE)
    excerpt = " ".join(text[start : start + AROUND].split())
    raise BadInput(f"{file}, line {number}, column {column}: {reason}. Near: {excerpt}") from None


def column_of(text: str, error: ValueError) -> int:
    """Where in its line a mistake stands, from 1; 1 where it concerns the object as a whole."""
    reason = str(error)
    if isinstance(error, WrongField):
        return text.find(f'"{error.field}"') + 1 or 1
    if found := CHARACTER.search(reason):
        return int(found[1]) + len(text) - len(text.lstrip())
    if found := TWICE.search(reason):
        return text.rfind(f'"{found[1]}"') + 1 or 1
    if found := CONSTANT.search(reason):
        return text.find(found[1]) + 1
    return 1
