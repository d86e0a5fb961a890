"""CSV and TSV: a header or given names, any delimiter and quote, line ends inside quotes."""

import csv
from collections.abc import Iterator
from pathlib import PurePath
from typing import Any, NamedTuple

from corpus.readers.fields import Fields, Row
from corpus.readers.files import LONE_CR, Lines, UnreadableFile, UnreadableLine, around
from corpus.records import MAX_FIELD, BadRecord, ReadOptions

LONE = "new-line character"
REASONS = {
    "field larger": "a field is larger than 10 MB, or its closing quote is missing; the rest of "
    "the file was not read",
    "unexpected end": "a quote is opened here and never closed; the rest of the file was not read",
    LONE: LONE_CR,
    "expected after": "a quote ends before its field does; double every quote inside a field",
}
STOPPING = ("field larger", "unexpected end")


class Record(NamedTuple):
    """The cells of one record; line: where it begins; text: its lines as they stand.

    marks: what divides it (`dialect`).
    """

    line: int
    cells: list[str]
    text: str
    marks: dict[str, Any]


def read_rows(lines: Lines, file: str, options: ReadOptions) -> Iterator[Row | BadRecord]:
    """The records of a file; blank lines are passed over.

    Where neither header nor mapping has an id, the id is the file's name and the record's number.
    """
    records = numbered_records(lines, file, options)
    header = list(options.header) or header_of(records)
    check_columns(header, options)
    prefix = "" if has_id(header, options) else PurePath(file).name.split(".")[0] or "record"
    number = 0
    for record in records:
        if isinstance(record, BadRecord):
            yield record
            continue
        line, cells = record.line, record.cells
        number += 1
        if len(cells) != len(header):
            yield BadRecord(file, line, count_reason(len(cells), len(header), options.quote))
            continue
        values = dict(zip(header, cells, strict=True))
        yield Row(line, {**values, "id": f"{prefix}-{number}"} if prefix else values)


def numbered_records(lines: Lines, file: str, options: ReadOptions) -> Iterator[Record | BadRecord]:
    """Every record, with the line that it begins in."""
    physical, marks = Physical(lines), dialect(file, options)
    reader = csv.reader(physical, **marks)
    # the module's one limit, for all readers of the process; characters, not bytes
    csv.field_size_limit(MAX_FIELD)
    while True:
        first = lines.number + 1
        physical.held.clear()
        try:
            cells = next(reader)
        except StopIteration:
            return
        except UnreadableLine as error:
            yield BadRecord(
                file, error.line, str(error), column=error.column, excerpt=error.excerpt
            )
            continue
        except csv.Error as error:
            broken = broken_off(error, physical.text, first, marks)
            if any(mark in str(error) for mark in STOPPING):
                raise broken from None
            yield BadRecord(
                file, broken.line, str(broken), column=broken.column, excerpt=broken.excerpt
            )
            continue
        if any(map(str.strip, cells)):
            yield Record(first, cells, physical.text, marks)


class Physical:
    """Lines with their ends, as the csv module wants them; it goes on after a bad one.

    held: the lines of the record that is being read.
    """

    def __init__(self, lines: Lines):
        self.lines = lines
        self.held: list[str] = []

    def __iter__(self):
        return self

    def __next__(self) -> str:
        line = next(self.lines)
        self.held.append(line)
        return line + "\n"

    @property
    def text(self) -> str:
        return "\n".join(self.held)


def broken_off(error: csv.Error, text: str, first: int, marks: dict[str, Any]) -> UnreadableFile:
    """Why a record cannot be read, and where. first: the number of its first line."""
    if LONE in str(error):
        at = max(text.find("\r"), 0)
    else:
        _starts, at = starts_in(text, marks)
    line, column, shown = place_of(at, text)
    excerpt = around(shown, column)
    return UnreadableFile(reason_of(error), first + line, column=column, excerpt=excerpt)


def starts_in(text: str, marks: dict[str, Any]) -> tuple[list[int], int]:
    return cell_starts(text, marks["delimiter"], marks["quotechar"] or "")


def cell_starts(text: str, delimiter: str, quote: str) -> tuple[list[int], int]:
    """Where the cells of a record begin, and where its quotes break off: else its end."""
    starts = [0]
    while True:
        at = starts[-1]
        if quote and text.startswith(quote, at):
            end = behind_quotes(text, at, quote)
            if end < 0:
                return starts, at
            if end < len(text) and not text.startswith(delimiter, end):
                return starts, end - 1
        else:
            end = text.find(delimiter, at)
        if end < 0 or end >= len(text):
            return starts, len(text)
        starts.append(end + 1)


def behind_quotes(text: str, at: int, quote: str) -> int:
    """The place behind the quotes that open here, two of which stand for one; -1 without it."""
    while (at := text.find(quote, at + 1)) >= 0:
        if not text.startswith(quote, at + 1):
            return at + 1
        at += 1
    return -1


def place_of(at: int, text: str) -> tuple[int, int, str]:
    """How many lines stand before a place, its column counted from 1, and its line."""
    start = text.rfind("\n", 0, at) + 1
    return text.count("\n", 0, at), at - start + 1, text[start:].partition("\n")[0]


def dialect(file: str, options: ReadOptions) -> dict[str, Any]:
    is_tsv = any(suffix in {".tsv", ".tab"} for suffix in PurePath(file.lower()).suffixes)
    return {
        "delimiter": options.delimiter or ("\t" if is_tsv else ","),
        "quotechar": options.quote or None,
        "quoting": csv.QUOTE_MINIMAL if options.quote else csv.QUOTE_NONE,
        "strict": True,
    }


def header_of(records: Iterator[Record | BadRecord]) -> list[str]:
    first = next(records, None)
    if first is None:
        raise UnreadableFile("the file is empty; its first line must name the columns")
    if isinstance(first, BadRecord):
        raise UnreadableFile(first.reason, first.line, column=first.column, excerpt=first.excerpt)
    names = [cell.strip() for cell in first.cells]
    again = [n for n, name in enumerate(names) if name and name in names[:n]]
    if again:
        reason = f"two columns are named {names[again[0]][:60]!r}; rename one"
        starts, _end = starts_in(first.text, first.marks)
        line, column, shown = place_of(starts[again[0]], first.text)
        excerpt = around(shown, column)
        raise UnreadableFile(reason, first.line + line, column=column, excerpt=excerpt)
    return names


def check_columns(header: list[str], options: ReadOptions) -> None:
    """Refuse a file whose columns cannot make articles, before its first record."""
    found = Fields(dict.fromkeys(header, ""), options)
    needed = ["text"] if options.undated else ["text", "published_at"]
    needed += [name for name, theirs in options.mapping.items() if theirs]
    for name in dict.fromkeys(needed):
        if not found.has(name):
            raise UnreadableFile(column_reason(name, found, header), 1)


def column_reason(name: str, found: Fields, header: list[str]) -> str:
    theirs = " or ".join(map(repr, found.names(name)))
    shown = ", ".join(header[:20])[:300]
    hint = "; is the delimiter right?" if len(header) == 1 else ""
    return (
        f"no column {theirs} for {name}; the columns are {shown}{hint}; "
        f"say which with the mapping {name}=..."
    )


def has_id(header: list[str], options: ReadOptions) -> bool:
    found = Fields(dict.fromkeys(header, ""), options)
    return found.has("id") or (found.has("article") and found.has("rank"))


def count_reason(cells: int, columns: int, quote: str) -> str:
    remedy = "; check its quotes" if quote else ""
    return f"the record has {cells} fields where the header has {columns}{remedy}"


def reason_of(error: csv.Error) -> str:
    for mark, reason in REASONS.items():
        if mark in str(error):
            return reason
    return f"the record cannot be read: {error}"
