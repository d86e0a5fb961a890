"""Whether lines of JSON make a table: what Arrow, and with it `load_dataset`, reads as it is. Pure.

A table has one type in each place, and an object the same keys in every line. Lists that mix
numbers and texts, as FEVER's items do, have no column; nor have objects whose keys are ids.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Set
from typing import Any

from corpus.texts import has_lone_surrogate

NONE = type(None)
LIST, OBJECT = "list", "object"
KINDS = {bool: "boolean", int: "number", float: "number", str: "text", list: LIST, dict: OBJECT}
ITEMS = "[]"  # what stands in a list


class Place:
    """What was seen so far in one place of the lines: its type, keys and what is within."""

    __slots__ = ("inner", "keys", "kind")

    def __init__(self) -> None:
        self.kind: str | None = None
        self.keys: Set[str] | None = None
        self.inner: defaultdict[str, Place] = defaultdict(Place)

    def takes(self, value: Any, *, is_closed: bool = False) -> bool:
        """Whether a value fits to those before, and is taken in. is_closed: nothing new fits."""
        if value is None:
            return True
        kind = KINDS[type(value)]
        if self.kind is None and not is_closed:
            self.kind = kind
        if self.kind != kind:
            return False
        if kind is LIST:
            return self.takes_items(value, is_closed)
        return kind is not OBJECT or self.takes_fields(value, is_closed)

    def takes_items(self, values: list, is_closed: bool) -> bool:
        """Long lists are of texts or of numbers, of which one is like the others."""
        kinds = {KINDS[each] for each in set(map(type, values)) - {NONE}}
        if len(kinds) == 1 and not kinds & {LIST, OBJECT}:
            values = [next(each for each in values if each is not None)]
        items = self.inner[ITEMS]
        return all(items.takes(value, is_closed=is_closed) for value in values)

    def takes_fields(self, fields: dict, is_closed: bool) -> bool:
        if self.keys is None:
            self.keys = fields.keys()
        inner = self.inner
        return self.keys == fields.keys() and all(
            inner[name].takes(held, is_closed=is_closed) for name, held in fields.items()
        )


def is_table(files: Iterable[Iterable[str]]) -> bool:
    """Whether the lines of these files have one shape, all together; not where there are none.

    Readers take the types from the first file that has lines: later ones may bring nothing new.
    """
    line_shape = Place()
    for lines in files:
        is_closed = line_shape.kind is not None
        for line in lines:
            value = json.loads(line)
            if "\\ud" in line and has_lone_surrogate(json.dumps(value, ensure_ascii=False)):
                return False
            if not line_shape.takes(value, is_closed=is_closed):
                return False
    return line_shape.kind is not None
