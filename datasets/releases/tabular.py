"""Whether lines of JSON make a table: what Arrow, and with it `load_dataset`, reads as it is. Pure.

A table has one type in each place, and an object the same keys in every line. Lists that mix
numbers and texts, as FEVER's items do, have no column; nor have objects whose keys are ids.
"""

import json
from collections.abc import Iterable, Set
from typing import Any

from corpus.texts import has_lone_surrogate

NONE = type(None)
KINDS = {bool: "boolean", int: "number", float: "number", str: "text", list: "list", dict: "object"}


class NoTable(ValueError):
    """Lines that make no table; says where."""


class Shape:
    """The types of what was seen so far, by place: `/evidence/[]` is what stands in that list."""

    def __init__(self) -> None:
        self.kinds: dict[str, str] = {}
        self.keys: dict[str, Set[str]] = {}
        self.is_closed = False

    def see(self, value: Any, place: str = "") -> None:
        """Take in a value. Raises NoTable where it does not fit to those before."""
        if value is None:
            return
        kind = KINDS[type(value)]
        self.note(kind, place)
        if kind == "list":
            self.see_list(value, f"{place}/[]")
        elif kind == "object":
            if self.keys.setdefault(place, value.keys()) != value.keys():
                raise NoTable(f"{place or '/'} has other keys in other lines")
            for name, held in value.items():
                self.see(held, f"{place}/{name}")

    def see_list(self, values: list, place: str) -> None:
        """Long lists are of texts or of numbers, which is told at once."""
        kinds = {KINDS[each] for each in set(map(type, values)) - {NONE}}
        if len(kinds) == 1 and not kinds & {"list", "object"}:
            self.note(kinds.pop(), place)
            return
        for value in values:
            self.see(value, place)

    def note(self, kind: str, place: str) -> None:
        known = self.kinds.get(place)
        if known is None and self.is_closed:
            raise NoTable(f"{place} has values in later files only")
        if known not in (None, kind):
            raise NoTable(f"{place} is {known} and {kind}")
        self.kinds[place] = kind


def shape_of(files: Iterable[Iterable[str]]) -> Shape:
    """The shape of the lines of these files together. Raises NoTable where they make none.

    Readers take the types from the first file that has lines: later ones may bring nothing new.
    """
    shape = Shape()
    for lines in files:
        for line in lines:
            value = json.loads(line)
            if "\\ud" in line and has_lone_surrogate(json.dumps(value, ensure_ascii=False)):
                raise NoTable("half a character has no bytes")
            shape.see(value)
        shape.is_closed = bool(shape.kinds)
    return shape


def is_table(files: Iterable[Iterable[str]]) -> bool:
    """Whether these files have lines, and make one table."""
    try:
        return bool(shape_of(files).kinds)
    except NoTable:
        return False
