"""Evidence sets of several annotators, merged, and chosen from where a format has room for few."""

from collections.abc import Hashable, Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class MergedSet:
    """An evidence set as given by one annotator or more.

    items: what is cited, in the order of whoever gave it first; order: its place among the
    sets as they came in.
    """

    items: tuple[Hashable, ...]
    n_annotators: int
    order: int


def merge_sets(
    sets_by_annotator: Iterable[tuple[Hashable, Iterable[Iterable[Hashable]]]],
) -> tuple[MergedSet, ...]:
    """The sets of (annotator, sets), equal ones once, in the order in which they first came.

    Empty sets are left out.
    """
    first_items: dict[frozenset, tuple] = {}
    givers: dict[frozenset, set] = {}
    for annotator, sets in sets_by_annotator:
        for items in sets:
            items = tuple(dict.fromkeys(items))
            if items:
                first_items.setdefault(frozenset(items), items)
                givers.setdefault(frozenset(items), set()).add(annotator)
    return tuple(
        MergedSet(items, len(givers[key]), order)
        for order, (key, items) in enumerate(first_items.items())
    )


def without_supersets(sets: tuple[MergedSet, ...]) -> tuple[MergedSet, ...]:
    """The sets that contain no other one."""
    contents = [frozenset(each.items) for each in sets]
    return tuple(
        each
        for each, content in zip(sets, contents, strict=True)
        if not any(other < content for other in contents)
    )


def choose_sets(
    sets: Iterable[MergedSet], *, at_most: int | None = None, disjoint: bool = False
) -> tuple[list[MergedSet], list[MergedSet]]:
    """(kept, left out) for a format that wants few sets, or sets that share nothing.

    Those with most annotators are kept first, then the smallest, then the earliest; both lists
    are in the sets' own order.
    """
    kept: list[MergedSet] = []
    rest: list[MergedSet] = []
    used: set = set()
    for each in sorted(sets, key=lambda each: (-each.n_annotators, len(each.items), each.order)):
        full = at_most is not None and len(kept) >= at_most
        clashes = disjoint and not used.isdisjoint(each.items)
        (rest if full or clashes else kept).append(each)
        if not (full or clashes):
            used.update(each.items)
    return sorted(kept, key=lambda each: each.order), sorted(rest, key=lambda each: each.order)
