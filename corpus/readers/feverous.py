"""The pages of FEVEROUS: sentences, tables with cells, and lists, under headings, in an order.

A page is {"title", "order": ["sentence_0", "table_0", …], "sentence_0": text, "section_0":
{"value", "level"}, "table_0": {"table": [[{"id", "value", "is_header", …}]], "caption"},
"list_0": {"list": [{"id", "value"}]}}; or {"id", "data": that object}, as its database has it.
Neighbouring sentences make a paragraph. Every element is a unit under its own name.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby

from corpus.readers import jsonl
from corpus.readers.fields import Row, checked_text
from corpus.readers.files import Lines
from corpus.readers.given import sentences_paragraph
from corpus.records import (
    CAPTION,
    CELL,
    HEADER_CELL,
    LIST,
    LIST_ITEM,
    TABLE,
    BadRecord,
    ParagraphRecord,
    ReadOptions,
    UnitRecord,
)
from corpus.texts import one_line

LINK = re.compile(r"\[\[(?:[^\[\]|]*\|)?([^\[\]|]*)\]\]")
CELL_NAME = re.compile(r"(?:header_)?cell_\d+_\d+_\d+")
LONGEST_NAME = 60


def read_rows(lines: Lines, file: str, options: ReadOptions) -> Iterator[Row | BadRecord]:
    """The pages of a file."""
    for row in jsonl.read_rows(lines, file, options):
        try:
            yield row if isinstance(row, BadRecord) else page(row)
        except ValueError as error:
            yield BadRecord(file, row.line, str(error))


def page(row: Row) -> Row:
    """The page as a row with its paragraphs; its name is both id and title."""
    values = dict(row.values)
    data = values.pop("data", values)
    if isinstance(data, str):
        data = jsonl.parsed(data)
    if not isinstance(data, Mapping) or not isinstance(data.get("order"), list):
        raise ValueError("there is no order; a page lists the names of its elements in `order`")
    title = data.get("title", values.get("id"))
    rest = {name: value for name, value in values.items() if name not in data}
    return Row(row.line, {"id": title, "title": title, **rest, "paragraphs": tuple(ranked(data))})


def ranked(data: Mapping) -> Iterator[ParagraphRecord]:
    """The paragraphs of a page, ranked from 1, each with the headings above it."""
    path: dict[int, str] = {}
    rank = 1
    names = [checked_text(name, "a name in order") for name in data["order"]]
    for kind, group in groupby(names, key=kind_of):
        for paragraph in paragraphs_of(kind, list(group), data, path):
            section = tuple(text for _, text in sorted(path.items()))
            yield ParagraphRecord(rank, paragraph.text, paragraph.kind, section, paragraph.units)
            rank += 1


def kind_of(name: str) -> str:
    return name.rpartition("_")[0]


def paragraphs_of(kind: str, names: list[str], data: Mapping, path: dict) -> Iterator:
    """The paragraphs of neighbouring elements of one kind; headings change the path instead."""
    if kind == "sentence":
        texts = ((name, plain(data.get(name), name)) for name in names)
        found = [sentences_paragraph(texts)]
    elif kind == "table":
        found = [table(data.get(name), name) for name in names]
    elif kind == "list":
        found = [listing(data.get(name), name) for name in names]
    else:
        found = []
        if kind == "section":
            for name in names:
                note_heading(data.get(name), name, path)
    yield from filter(None, found)


def note_heading(value: object, name: str, path: dict[int, str]) -> None:
    heading = member(value, name)
    stated = heading.get("level", 1)
    level = int(stated) if str(stated).isdecimal() else 1
    for deeper in [each for each in path if each >= level]:
        del path[deeper]
    path[level] = plain(heading.get("value"), name)


def table(value: object, name: str) -> ParagraphRecord | None:
    """A row a line, ' | ' between cells; a cell's headers are those above it and to its left."""
    stated = member(value, name)
    number = name.rpartition("_")[2]
    pieces = [[(f"table_caption_{number}", CAPTION, plain(stated.get("caption") or "", name))]]
    for row in listed(stated.get("table"), name):
        cells = [member(cell, name) for cell in listed(row, name)]
        pieces.append([(*cell_name(cell), plain(cell.get("value"), name)) for cell in cells])
    return laid_out(pieces, TABLE)


def cell_name(cell: Mapping) -> tuple[str, str]:
    kind = HEADER_CELL if cell.get("is_header") in (True, "true", "True", 1) else CELL
    name = checked_text(cell.get("id"), "a cell's id")
    if not CELL_NAME.fullmatch(name):
        raise ValueError(f"a cell is named {name[:60]!r}; its name ends in table, row and column")
    return name, kind


def listing(value: object, name: str) -> ParagraphRecord | None:
    items = [member(item, name) for item in listed(member(value, name).get("list"), name)]
    pieces = [
        [(checked_text(item.get("id"), "an item's id"), LIST_ITEM, plain(item.get("value"), name))]
        for item in items
    ]
    return laid_out(pieces, LIST)


def laid_out(rows: Iterable[list[tuple[str, str, str]]], kind: str) -> ParagraphRecord | None:
    """Rows of (name, kind, text) as one text with its filled parts as units."""
    lines: list[str] = []
    units: list[UnitRecord] = []
    start = 0
    for row in rows:
        if not any(text for _, _, text in row):
            continue
        place = start
        for name, unit_kind, text in row:
            if text:
                units.append(UnitRecord(safe(name), unit_kind, place, place + len(text), name))
            place += len(text) + 3
        lines.append(" | ".join(text for _, _, text in row))
        start += len(lines[-1]) + 1
    if not units:
        return None
    return ParagraphRecord(1, "\n".join(lines), kind, (), with_headers(units))


def with_headers(units: list[UnitRecord]) -> tuple[UnitRecord, ...]:
    """The units; each cell with the nearest header above it and to its left, by their numbers."""
    headers: dict[tuple[str, str], str] = {}
    found = []
    for unit in units:
        if unit.kind in (CELL, HEADER_CELL):
            _, row, column = unit.external_id.rsplit("_", 2)
            above = headers.get(("column", column)), headers.get(("row", row))
            names = tuple(name for name in above if name)
            if unit.kind == HEADER_CELL:
                headers["column", column] = headers["row", row] = unit.id
            unit = UnitRecord(unit.id, unit.kind, unit.start, unit.end, unit.external_id, names)
        found.append(unit)
    return tuple(found)


def safe(name: str) -> str:
    """A unit's id; raises ValueError for a name that is none."""
    if not re.fullmatch(r"[a-z]+(_[a-z]+)*(_\d+)+", name) or len(name) > LONGEST_NAME:
        raise ValueError(f"an element is named {name[:60]!r}; use names such as 'cell_0_1_2'")
    return name


def plain(value: object, name: str) -> str:
    """The text of an element, its links by what they show."""
    return one_line(LINK.sub(r"\1", checked_text(value, name)))


def member(value: object, name: str) -> Mapping:
    if not isinstance(value, Mapping):
        raise ValueError(f"{name} is no object; look at how the pages are described")
    return value


def listed(value: object, name: str) -> list:
    if not isinstance(value, list):
        raise ValueError(f"{name} holds no list; look at how the pages are described")
    return value
