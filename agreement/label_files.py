"""Labels and claims from a plain file: CSV, TSV or JSONL, packed or not. Pure: no Django."""

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from sys import intern

from corpus.readers.csv import header_of, numbered_records
from corpus.readers.files import Lines, UnreadableFile, UnreadableLine, open_packed
from corpus.readers.jsonl import parsed
from corpus.records import MAX_FIELD, BadRecord, ReadOptions
from corpus.texts import has_lone_surrogate

SYNONYMS = {
    "unit": ("unit", "claim", "item", "question", "task", "instance"),
    "annotator": ("annotator", "user", "worker", "rater"),
    "label": ("label", "response", "answer", "verdict"),
}
SOURCE = {"source": ("source", "article", "document")}
CLAIM_COLUMNS = {"claim": ("claim",), "label": ("label",)}
DELIMITERS = ("\t", ",", ";")
# A column of whole numbers in which one is missing is written as 1.0 by programs with floats.
WHOLE_NUMBER = re.compile(r"(0|-?[1-9][0-9]*)\.0+")
# Texts that other programs write for "no value".
EMPTY = {"nan": None, "NaN": None, "": None}


class BadFile(ValueError):
    """Why a file cannot be used, as one line for who made it."""


def label_columns(
    path: Path,
    given: Mapping[str, str] | None = None,
    *,
    encoding: str = "",
    with_source: bool = False,
) -> dict[str, list]:
    """{unit, annotator, label}: the columns of a file of labels, in its order.

    given: what the file calls them, where that is not one of SYNONYMS. An empty label is None.
    with_source: the column `source` too, what a unit is resampled with; a unit without one is
    its own. It has to be the same in all rows of a unit.
    Raises BadFile, naming file and line.
    """
    given = given or {}
    check_given(given)
    synonyms = SYNONYMS | (SOURCE if with_source or "source" in given else {})
    columns: dict[str, list] = {name: [] for name in synonyms}
    sources: dict[str, str | None] = {}
    for line, values in rows_of(path, synonyms, given, encoding=encoding):
        for name in ("unit", "annotator"):
            if values[name] is None:
                raise BadFile(f"{path.name}, line {line}: the {name} is empty; fill it in.")
        check_source(path, line, values, sources)
        for name, value in values.items():
            columns[name].append(value)
    if with_source:
        pairs = zip(columns["unit"], columns["source"], strict=True)
        # A tuple is no text, so that no source has the name of a unit without one.
        columns["source"] = [source or (unit,) for unit, source in pairs]
    return columns


def check_given(given: Mapping[str, str]) -> None:
    known = (*SYNONYMS, *SOURCE)
    for name in given:
        if name not in known:
            raise BadFile(f"There is no column {name!r} to map; use {', '.join(known)}.")


def check_source(path, line, values, sources) -> None:
    """Refuse a unit whose rows name two sources; `sources` holds what was seen."""
    if "source" not in values:
        return
    unit, source = values["unit"], values["source"]
    if sources.setdefault(unit, source) != source:
        raise BadFile(
            f"{path.name}, line {line}: unit {unit!r} has the source {source!r} here and "
            f"{sources[unit]!r} before; give it one."
        )


def claim_columns(path: Path, *, encoding: str = "") -> dict[str, list]:
    """{claim, label, source}: the claims of a file; source is their text where it has none."""
    columns: dict[str, list] = {"claim": [], "label": [], "source": []}
    for line, values in rows_of(path, CLAIM_COLUMNS, {}, optional=("source",), encoding=encoding):
        if values["claim"] is None:
            raise BadFile(f"{path.name}, line {line}: the claim is empty; fill it in.")
        columns["claim"].append(values["claim"])
        columns["label"].append(values["label"])
        columns["source"].append(values["source"] or values["claim"])
    return columns


def rows_of(
    path, synonyms, given, *, optional: Sequence[str] = (), encoding: str = ""
) -> Iterator[tuple[int, dict]]:
    """(line, {column: text or None}) of each row of a file of either form."""
    try:
        with open_packed(path) as stream:
            lines = Lines(stream, encoding)
            first = next((line for line in lines if line.strip()), None)
            if first is None:
                raise BadFile(f"{path.name} is empty.")
            if first.strip() == "[" or first.lstrip().startswith("[{"):
                raise BadFile(f"{path.name} is one JSON list; write one object on each line.")
            reader = json_rows if first.lstrip().startswith("{") else csv_rows
            yield from reader(path, lines, first, synonyms, given, optional)
    except (UnreadableFile, UnreadableLine) as error:
        place = f"{path.name}, line {error.line}" if error.line else path.name
        raise BadFile(f"{place}: {error}.") from None


def json_rows(path, lines, first, synonyms, given, optional):
    names = None
    for text in chain([first], lines):
        if not text.strip():
            continue
        values = json_object(path, lines.number, text)
        names = names or names_of(path, synonyms, given, list(values))
        row = {}
        for name, theirs in names.items():
            row[name] = json_value(path, lines.number, theirs, values.get(theirs))
        yield lines.number, row | {name: plain(values.get(name)) for name in optional}


def json_object(path, line, text) -> dict:
    try:
        return parsed(text)
    except ValueError as error:
        raise BadFile(f"{path.name}, line {line}: {error}.") from None


def json_value(path, line, name, value) -> str | None:
    if isinstance(value, list | dict):
        raise BadFile(f"{path.name}, line {line}: {name} is a list; give a text or a number.")
    if isinstance(value, str) and has_lone_surrogate(value):
        raise BadFile(f"{path.name}, line {line}: {name} holds half of a surrogate pair.")
    return plain(value)


def plain(value) -> str | None:
    """A value as text; None for nothing."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)  # 1e+16 too
    if value is None or isinstance(value, list | dict):
        return None
    return cleaned(str(value))


def cleaned(text: str) -> str | None:
    """Without blanks around it, whole numbers alike whether 1 or 1.0; None for nothing."""
    text = text.strip()
    if "." in text and (whole := WHOLE_NUMBER.fullmatch(text)):
        text = whole[1]
    return EMPTY.get(text, intern(text))


def csv_rows(path, lines, first, synonyms, given, optional):
    name = path.name
    delimiter = delimiter_of(first)
    csv.field_size_limit(MAX_FIELD)
    rest = WithFirst(first, lines)
    records = numbered_records(rest, name, ReadOptions(format="csv", delimiter=delimiter))
    header = header_of(records)
    names = names_of(path, synonyms, given, header)
    places = {ours: header.index(theirs) for ours, theirs in names.items()}
    places |= {extra: header.index(extra) for extra in optional if extra in header}
    missing = dict.fromkeys(optional)
    for record in records:
        if isinstance(record, BadRecord):
            raise BadFile(f"{name}, line {record.line}: {record.reason}.")
        line, cells = record.line, record.cells
        if len(cells) != len(header):
            raise BadFile(
                f"{name}, line {line}: it has {len(cells)} fields where the header has "
                f"{len(header)}; check its quotes."
            )
        yield line, missing | {ours: cleaned(cells[place]) for ours, place in places.items()}


def delimiter_of(header: str) -> str:
    """The delimiter that cuts the header into most columns; a comma where none does."""
    return max(DELIMITERS, key=lambda mark: (header.count(mark), mark == ","))


class WithFirst:
    """Lines whose first one was looked at already."""

    def __init__(self, first, lines):
        self.first, self.lines = first, lines
        self.number = lines.number - 1

    def __next__(self):
        if self.first is not None:
            line, self.first = self.first, None
        else:
            line = next(self.lines)
        self.number = self.lines.number
        return line


def names_of(path, synonyms, given, header: list[str]) -> dict[str, str]:
    """{our name: the file's name} of each column that is needed."""
    return {
        name: name_of(path, name, words, given.get(name), header)
        for name, words in synonyms.items()
    }


def name_of(path, name, words, given, header) -> str:
    shown = ", ".join(header[:20])
    if given is not None:
        if given not in header:
            raise BadFile(f"{path.name} has no column {given!r}; its columns are {shown}.")
        return given
    if exact := [theirs for theirs in header if theirs.strip().casefold() == name]:
        return exact[0]
    found = [theirs for theirs in header if theirs.strip().casefold() in words]
    if len(found) == 1:
        return found[0]
    if found:
        both = " and ".join(map(repr, found))
        raise BadFile(
            f"{path.name}: {both} could each be the {name}; say which: --columns {name}=COLUMN."
        )
    is_mappable = words is (SYNONYMS | SOURCE).get(name)
    hint = f"; say which it is: --columns {name}=COLUMN" if is_mappable else ""
    raise BadFile(f"{path.name} has no column for the {name}; its columns are {shown}{hint}.")
