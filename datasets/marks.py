"""A paragraph cut into what is cited and what is not, as a page shows it. Pure: no Django."""

from collections.abc import Iterable, Mapping, Sequence
from operator import itemgetter
from typing import Any, NamedTuple


class Segment(NamedTuple):
    """A piece of a paragraph. sets: numbers of the evidence sets that cite it, in order."""

    text: str
    sets: tuple[int, ...] = ()


def marked(
    text: str, units: Sequence[Mapping[str, Any]], cited: Iterable[tuple[str, int]]
) -> tuple[Segment, ...]:
    """The segments of a paragraph, in order; joined, they are its text.

    units: id, start and end of each; cited: (unit, number of the set), '' for the whole.
    A unit that the paragraph does not have marks nothing.
    """
    numbers: dict[str, list[int]] = {}
    for name, number in cited:
        numbers.setdefault(name, []).append(number)
    if whole := numbers.pop("", []):
        return (Segment(text, tuple(sorted(set(whole).union(*numbers.values())))),)
    segments: list[Segment] = []
    place = 0
    for unit in sorted(units, key=itemgetter("start")):
        if unit["id"] in numbers and unit["start"] >= place:
            segments.append(Segment(text[place : unit["start"]]))
            sets = tuple(sorted(set(numbers[unit["id"]])))
            segments.append(Segment(text[unit["start"] : unit["end"]], sets))
            place = unit["end"]
    segments.append(Segment(text[place:]))
    return tuple(segment for segment in segments if segment.text)
