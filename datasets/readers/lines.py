"""The objects of a file: JSON Lines, one JSON array, or the rows of a table; gzip or xz or plain.

A line that holds none is a Problem, and reading goes on after it.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from corpus.readers import csv
from corpus.readers.files import (
    CHUNK,
    Lines,
    UnknownEncoding,
    UnreadableFile,
    UnreadableLine,
    open_packed,
)
from corpus.readers.jsonl import DECODER
from corpus.records import MAX_LINE, BadRecord, ReadOptions
from datasets.readers.problems import Problem, Unusable, column_of, problem_at

TABLES = (".csv", ".tsv", ".tab")
# Nobody can state an encoding here, as they can where texts are imported.
OF_DATASETS = "save the file as UTF-8"
LARGEST_OBJECT = MAX_LINE
TOO_LARGE = "an object of the array is larger than 50 MB; divide it"
BLANKS = " \t\r\n"


@dataclass(frozen=True, slots=True)
class Raw:
    """One object of a file. text: the line, or the part of the array, that it was read from."""

    line: int
    values: dict
    text: str = ""

    def problem(self, file: str, error: Unusable) -> Problem:
        column = column_of(self.text, error.key)
        return problem_at(file, self.line, column, str(error), self.text)


def raw_records(path: Path, file: str) -> Iterator[Raw | Problem]:
    """Every object of a file, in order. file: how the file is called in problems."""
    try:
        with open_packed(path) as stream:
            yield from records_of(Lines(stream), path, file)
    except UnknownEncoding as error:
        yield Problem(file, error.line, 0, f"{error.what}; {OF_DATASETS}", stops_file=True)
    except UnreadableFile as error:
        yield Problem(file, error.line, 0, str(error), stops_file=True)


def records_of(lines: Lines, path: Path, file: str) -> Iterator[Raw | Problem]:
    if any(suffix.lower() in TABLES for suffix in path.suffixes[-2:]):
        yield from rows(lines, file)
        return
    first = first_line(lines, file)
    if isinstance(first, str) and first.lstrip().startswith("["):
        try:
            yield from elements(Array(first, lines), file)
        except UnreadableLine as error:
            yield Problem(file, error.line, 1, str(error))
        return
    if first is not None:
        yield from object_in(first, lines.number, file)
    yield from objects(lines, file)


def first_line(lines: Lines, file: str) -> str | Problem | None:
    """The first line that is not blank; None in an empty file."""
    while True:
        line = next_line(lines, file)
        if line is None or isinstance(line, Problem) or line.strip():
            return line


def next_line(lines: Lines, file: str) -> str | Problem | None:
    try:
        return next(lines, None)
    except UnreadableLine as error:
        return Problem(file, error.line, 1, str(error))


def objects(lines: Lines, file: str) -> Iterator[Raw | Problem]:
    """The object of each line; blank lines are passed over."""
    while (line := next_line(lines, file)) is not None:
        if isinstance(line, Problem) or line.strip():
            yield from object_in(line, lines.number, file)


def object_in(line: str | Problem, number: int, file: str) -> Iterator[Raw | Problem]:
    yield line if isinstance(line, Problem) else parsed(line, number, file)


def parsed(line: str, number: int, file: str) -> Raw | Problem:
    try:
        value = DECODER.decode(line)
    except (ValueError, RecursionError) as error:
        return broken(error, line, number, file)
    if not isinstance(value, dict):
        return problem_at(file, number, 1, "the line is JSON, but no object", line)
    return Raw(number, value, line)


def broken(error: Exception, text: str, number: int, file: str) -> Problem:
    """Where the JSON of a line, or of several lines from `number` on, breaks off."""
    if isinstance(error, RecursionError):
        return problem_at(file, number, 1, "the JSON is nested too deeply", text)
    if not isinstance(error, json.JSONDecodeError):
        return problem_at(file, number, 1, str(error), text)
    shown = text.split("\n")[error.lineno - 1]  # as JSON counts lines
    line = number + error.lineno - 1
    return problem_at(file, line, error.colno, f"no JSON: {error.msg.lower()}", shown)


class Array:
    """A file that is one JSON array, of which as many lines are held as the next value needs.

    text: these lines; at: how far they were read; line: the number of that place's line.
    """

    def __init__(self, first: str, lines: Lines):
        self.lines, self.text = lines, first
        self.at, self.line = first.index("[") + 1, lines.number

    def mark(self) -> str:
        """The next character that is not blank, from here on; '' at the file's end."""
        while True:
            self.go(after_blanks(self.text, self.at))
            if self.at < len(self.text) or not self.grow():
                return self.text[self.at : self.at + 1]

    def go(self, at: int) -> None:
        self.line += self.text.count("\n", self.at, at)
        self.at = at

    def value(self) -> tuple[object, str]:
        """The value that begins here, and its text. Raises what the decoder does."""
        while True:
            try:
                value, end = DECODER.raw_decode(self.text, self.at)
            except json.JSONDecodeError as error:
                if not self.is_at_end(error.pos) or not self.grow():
                    raise
                continue
            text = self.text[self.at : end]
            self.go(end)
            return value, text

    def is_at_end(self, at: int) -> bool:
        """Whether more lines could mend what fails there: no string or number goes over two."""
        return at > self.text.rfind("\n", 0, len(self.text.rstrip(BLANKS)))

    def grow(self) -> bool:
        """Take in as much again as is not read yet; False at the file's end."""
        left = len(self.text) - self.at
        if left > LARGEST_OBJECT:
            raise UnreadableFile(TOO_LARGE, self.line)
        more, size = [], 0
        while size < max(left, CHUNK) and (line := next(self.lines, None)) is not None:
            more.append(line)
            size += len(line) + 1
        if more:
            start = self.text.rfind("\n", 0, self.at) + 1
            self.text = "\n".join([self.text[start:], *more])
            self.at -= start
        return bool(more)

    def broken(self, error: Exception, file: str) -> Problem:
        if not isinstance(error, json.JSONDecodeError):
            return broken(error, "", self.line, file)
        first = self.line - self.text.count("\n", 0, self.at)
        return broken(error, self.text, first, file)

    def problem(self, reason: str, file: str) -> Problem:
        """A problem with what stands here."""
        start = self.text.rfind("\n", 0, self.at) + 1
        return problem_at(file, self.line, self.at - start + 1, reason, self.text[start:])


def elements(array: Array, file: str) -> Iterator[Raw | Problem]:
    """The objects of an array; what breaks it ends the reading."""
    while array.mark() != "]":
        line = array.line
        try:
            value, text = array.value()
        except (ValueError, RecursionError) as error:
            yield array.broken(error, file)
            return
        if isinstance(value, dict):
            yield Raw(line, value, text)
        else:
            yield problem_at(file, line, 1, "the array holds what is no object", text)
        mark = array.mark()
        if mark not in (",", "]"):
            yield array.problem("the array is not closed", file)
            return
        array.go(array.at + (mark == ","))
    array.go(array.at + 1)
    if array.mark():
        yield array.problem("something stands behind the array", file)


def after_blanks(text: str, at: int) -> int:
    while text[at : at + 1] and text[at] in BLANKS:
        at += 1
    return at


def rows(lines: Lines, file: str, quote: str = '"') -> Iterator[Raw | Problem]:
    """The rows of a table under the names of its first line; empty cells are left out.

    quote: '' for cells that are taken as they stand.
    """
    records = csv.numbered_records(lines, file, ReadOptions(format="csv", quote=quote))
    header = csv.header_of(records)
    for record in records:
        if isinstance(record, BadRecord):
            yield Problem(file, record.line, 0, record.reason)
            continue
        line, cells = record
        if len(cells) != len(header):
            reason = csv.count_reason(len(cells), len(header), quote)
            yield problem_at(file, line, 1, reason, " ".join(cells))
            continue
        named = zip(header, cells, strict=True)
        yield Raw(line, {name: cell for name, cell in named if cell}, " ".join(cells))
