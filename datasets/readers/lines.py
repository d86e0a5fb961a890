"""The objects of a file: JSON Lines, one JSON array, or the rows of a table; gzip or xz or plain.

A line that holds none is a Problem, and reading goes on after it.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from corpus.readers import csv
from corpus.readers.files import (
    Lines,
    UnknownEncoding,
    UnreadableFile,
    UnreadableLine,
    open_packed,
)
from corpus.readers.jsonl import DECODER
from corpus.records import BadRecord, ReadOptions
from datasets.readers.problems import Problem, Unusable, column_of, problem_at

TABLES = (".csv", ".tsv", ".tab")
# Nobody can state an encoding here, as they can where texts are imported.
OF_DATASETS = "save the file as UTF-8"
LARGEST_ARRAY = 500_000_000
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
        yield from elements(first, lines, file)
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


def elements(first: str, lines: Lines, file: str) -> Iterator[Raw | Problem]:
    """The objects of a file that is one JSON array; what breaks it ends the reading."""
    start = lines.number
    text, size = [first], len(first)
    while (line := next_line(lines, file)) is not None:
        if isinstance(line, Problem):
            yield line
            return
        text.append(line)
        size += len(line) + 1
        if size > LARGEST_ARRAY:
            raise UnreadableFile("the array is larger than 500 MB; write one object a line", start)
    yield from elements_of("\n".join(text), start, file)


def elements_of(text: str, number: int, file: str) -> Iterator[Raw | Problem]:
    start, at = number, text.index("[") + 1
    number += text.count("\n", 0, at)
    counted = at
    while True:
        at = after_blanks(text, at)
        if text[at : at + 1] == "]":
            return
        number, counted = number + text.count("\n", counted, at), at
        try:
            value, end = DECODER.raw_decode(text, at)
        except (ValueError, RecursionError) as error:
            # JSON counts its lines from the start of the text, which blank ones may precede.
            if isinstance(error, json.JSONDecodeError):
                yield broken(error, text, start, file)
            else:
                yield broken(error, "", number, file)
            return
        part = text[at:end]
        if isinstance(value, dict):
            yield Raw(number, value, part)
        else:
            yield problem_at(file, number, 1, "the array holds what is no object", part)
        at = after_blanks(text, end)
        if text[at : at + 1] == ",":
            at += 1
        elif text[at : at + 1] != "]":
            line = text.count("\n", counted, at) + number
            yield problem_at(file, line, 1, "the array is not closed", text[at : at + 200])
            return


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
