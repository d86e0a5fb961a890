"""The objects of a file: JSON Lines, one JSON array, or the rows of a table; gzip or xz or plain.

A line that holds none is a Problem, and reading goes on after it.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from annotation.spreadsheets import unmarked
from corpus.readers import csv
from corpus.readers.files import (
    CHUNK,
    Lines,
    UnreadableFile,
    UnreadableLine,
    around,
    open_packed,
)
from corpus.readers.jsonl import DECODER
from corpus.records import MAX_LINE, BadRecord, ReadOptions
from datasets.readers.problems import (
    Problem,
    Unusable,
    column_of,
    one_line,
    problem_at,
    unreadable,
)

TABLES = (".csv", ".tsv", ".tab")
LARGEST_OBJECT = MAX_LINE
TOO_LARGE = "an object of the array is larger than 50 MB; divide it"
BLANKS = " \t\r\n"


@dataclass(frozen=True, slots=True)
class Table:
    """How the cells of a table are divided, and what the columns are called."""

    header: list[str]
    marks: dict[str, Any]

    def place(self, name: str, text: str) -> tuple[int, int, str]:
        """Where a column begins in a row: lines before, column from 1, and the line's text."""
        starts, _end = csv.starts_in(text, self.marks)
        return csv.place_of(starts[self.header.index(name)], text)


@dataclass(frozen=True, slots=True)
class Raw:
    """One object of a file.

    text: the line, the part of the array or the lines of the table that it was read from.
    """

    line: int
    values: dict
    text: str = ""
    table: Table | None = field(default=None, compare=False)

    def problem(self, file: str, error: Unusable) -> Problem:
        """What is wrong with it, at the field's name, or at the cell with the name told."""
        if self.table is None:
            column = column_of(self.text, error.key)
            return problem_at(file, self.line, column, str(error), self.text)
        if error.key not in self.table.header:
            return problem_at(file, self.line, 1, str(error), self.text)
        before, column, text = self.table.place(error.key, self.text)
        reason = f"{error}, in the column {error.key!r}"
        return problem_at(file, self.line + before, column, reason, text)


def raw_records(path: Path, file: str) -> Iterator[Raw | Problem]:
    """Every object of a file, in order. file: how the file is called in problems."""
    try:
        with open_packed(path) as stream:
            yield from records_of(Lines(stream), path, file)
    except UnreadableFile as error:
        yield unreadable(file, error)


def records_of(lines: Lines, path: Path, file: str) -> Iterator[Raw | Problem]:
    if any(suffix.lower() in TABLES for suffix in path.suffixes[-2:]):
        yield from map(without_marks, rows(lines, file))
        return
    first = first_line(lines, file)
    if isinstance(first, str) and first.lstrip().startswith("["):
        try:
            yield from elements(Array(first, lines), file)
        except UnreadableLine as error:
            yield unreadable(file, error)
        return
    if first is not None:
        yield from object_in(first, lines.number, file)
    yield from objects(lines, file)


def without_marks(row: Raw | Problem) -> Raw | Problem:
    """A row of a table, whose cells stand behind apostrophes where they look like formulas."""
    if isinstance(row, Problem):
        return row
    return replace(row, values={name: unmarked(cell) for name, cell in row.values.items()})


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
        return unreadable(file, error)


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
            column, text = self.place()
            excerpt = around(text, column)
            raise UnreadableFile(TOO_LARGE, self.line, column=column, excerpt=excerpt)
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
        column, text = self.place()
        return problem_at(file, self.line, column, reason, text)

    def place(self) -> tuple[int, str]:
        """The column of what stands here, and its line."""
        _before, column, text = csv.place_of(self.at, self.text)
        return column, text


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
    options = ReadOptions(format="csv", quote=quote)
    records = csv.numbered_records(lines, file, options)
    table = Table(csv.header_of(records), csv.dialect(file, options))
    for record in records:
        if isinstance(record, BadRecord):
            excerpt = one_line(record.excerpt)
            yield Problem(file, record.line, record.column, record.reason, excerpt)
        elif len(record.cells) != len(table.header):
            reason = csv.count_reason(len(record.cells), len(table.header), quote)
            yield problem_at(file, record.line, 1, reason, record.text)
        else:
            named = zip(table.header, record.cells, strict=True)
            values = {name: cell for name, cell in named if cell}
            yield Raw(record.line, values, record.text, table)
