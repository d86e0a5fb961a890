"""Evidence sets as lists of (paragraph, unit) pairs: their clean form, without a database."""

from collections.abc import Sequence

Part = tuple[int, str]
MOST_SETS = 20
MOST_ITEMS = 50


def merged_sets(sets: Sequence[Sequence[Part]]) -> list[list[Part]]:
    """The sets without empty ones, without repeated items, equal ones merged; order kept.

    sets: each a sequence of (paragraph id, unit id); unit '' is the whole paragraph.
    """
    kept: dict[frozenset[Part], list[Part]] = {}
    for items in sets:
        unique = list(dict.fromkeys(items))
        if unique:
            kept.setdefault(frozenset(unique), unique)
    return list(kept.values())


def containing_sets(sets: Sequence[Sequence[Part]]) -> list[tuple[int, int]]:
    """Pairs (larger, smaller), counted from 1: the larger set holds all of the smaller one.

    A set that contains another adds nothing: the smaller one suffices by itself.
    """
    parts = [frozenset(items) for items in sets]
    return [
        (larger + 1, smaller + 1)
        for larger, all_of in enumerate(parts)
        for smaller, some in enumerate(parts)
        if some and some < all_of
    ]
