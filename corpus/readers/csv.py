"""CSV and TSV: a header or given names, any delimiter and quote, line ends inside quotes."""

import csv
from collections.abc import Iterator
from pathlib import PurePath
from typing import Any

from corpus.readers.fields import Fields, Row
from corpus.readers.files import LONE_CR, Lines, UnreadableFile, UnreadableLine
from corpus.records import MAX_FIELD, BadRecord, ReadOptions

REASONS = {
    "field larger": "a field is larger than 10 MB, or its closing quote is missing; the rest of "
    "the file was not read",
    "unexpected end": "a quote is opened here and never closed; the rest of the file was not read",
    "new-line character": LONE_CR,
    "expected after": "a quote ends before its field does; double every quote inside a field",
}
STOPPING = ("field larger", "unexpected end")


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
        line, cells = record
        number += 1
        if len(cells) != len(header):
            yield BadRecord(file, line, count_reason(len(cells), len(header), options.quote))
            continue
        values = dict(zip(header, cells, strict=True))
        yield Row(line, {**values, "id": f"{prefix}-{number}"} if prefix else values)


def numbered_records(
    lines: Lines, file: str, options: ReadOptions
) -> Iterator[tuple[int, list[str]] | BadRecord]:
    """The cells of every record, with the line that it begins in."""
    reader = csv.reader(Physical(lines), **dialect(file, options))
    # the module's one limit, for all readers of the process; characters, not bytes
    csv.field_size_limit(MAX_FIELD)
    while True:
        first = lines.number + 1
        try:
            cells = next(reader)
        except StopIteration:
            return
        except UnreadableLine as error:
            yield BadRecord(file, error.line, str(error))
            continue
        except csv.Error as error:
            if any(mark in str(error) for mark in STOPPING):
                raise UnreadableFile(reason_of(error), first) from None
            yield BadRecord(file, first, reason_of(error))
            continue
        if any(map(str.strip, cells)):
            yield first, cells


class Physical:
    """Lines with their ends, as the csv module wants them; it goes on after a bad one."""

    def __init__(self, lines: Lines):
        self.lines = lines

    def __iter__(self):
        return self

    def __next__(self) -> str:
        return next(self.lines) + "\n"


def dialect(file: str, options: ReadOptions) -> dict[str, Any]:
    is_tsv = any(suffix in {".tsv", ".tab"} for suffix in PurePath(file.lower()).suffixes)
    return {
        "delimiter": options.delimiter or ("\t" if is_tsv else ","),
        "quotechar": options.quote or None,
        "quoting": csv.QUOTE_MINIMAL if options.quote else csv.QUOTE_NONE,
        "strict": True,
    }


def header_of(records: Iterator[tuple[int, list[str]] | BadRecord]) -> list[str]:
    first = next(records, None)
    if first is None:
        raise UnreadableFile("the file is empty; its first line must name the columns")
    if isinstance(first, BadRecord):
        raise UnreadableFile(first.reason, first.line)
    line, cells = first
    names = [cell.strip() for cell in cells]
    twice = [name for name in names if name and names.count(name) > 1]
    if twice:
        raise UnreadableFile(f"two columns are named {twice[0][:60]!r}; rename one", line)
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
