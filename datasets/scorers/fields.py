"""The fields that gold claims and predictions share."""

from collections.abc import Mapping
from typing import Any

from datasets.readers.problems import Unusable

SHOWN = 40


def id_of(values: Mapping[str, Any], field: str = "id") -> str | None:
    """The id as text, so that 7 in one file is "7" in another; None where there is none."""
    value = values.get(field)
    if value is None or value == "":
        return None
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise Unusable(f"the {field} is {shown(value)}; use a whole number or a text", field)
    return str(value)


def text_of(values: Mapping[str, Any], field: str) -> str:
    value = needed(values, field)
    if not isinstance(value, str):
        raise Unusable(f"{field} is {shown(value)}; use a text", field)
    return value


def list_of(values: Mapping[str, Any], field: str) -> list:
    value = needed(values, field)
    if not isinstance(value, list):
        raise Unusable(f"{field} is {shown(value)}; use a list", field)
    return value


def needed(values: Mapping[str, Any], field: str) -> Any:
    if field not in values:
        raise Unusable(f"there is no {field}")
    return values[field]


def groups_of(values: Mapping[str, Any], field: str = "evidence") -> list[list]:
    groups = list_of(values, field)
    for group in groups:
        if not isinstance(group, list):
            raise Unusable(f"an evidence group is {shown(group)}; use a list of items", field)
    return groups


def is_number(value: object) -> bool:
    """Whether a value is a whole number; True and False are none, though Python says so."""
    return isinstance(value, int) and not isinstance(value, bool)


def shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"
