"""From pages of one language to pages of another: what is kept of a claim's evidence."""

from collections.abc import Iterable
from dataclasses import replace

from datasets.localising.claims import Item
from datasets.localising.titles import Titles, normalised

Sets = tuple[tuple[Item, ...], ...]


def by_abstracts(sets: Sets) -> Sets:
    """The sets by whole abstracts: each page once in a set, equal sets once.

    FEVER cites sentences; those of a page have no counterpart in another language's text.
    """
    return once(sets, lambda item: normalised(item.page))


def covered(sets: Sets, titles: Titles) -> tuple[Sets, list[str]]:
    """The sets whose every page has a title in the other language, and the titles that miss.

    A set that lost one of its pages would look sufficient and be none: it goes as a whole.
    """
    kept, missing = [], []
    for group in sets:
        found = [(item, titles.find(item.page)) for item in group]
        if lost := [item.page for item, title in found if title is None]:
            missing += [normalised(page) for page in lost]
        else:
            kept.append(tuple(replace(item, target=title or "") for item, title in found))
    return tuple(kept), missing


def merged(sets: Sets) -> Sets:
    """The sets once more without repeats: two pages may lead to one in the other language."""
    return once(sets, lambda item: normalised(item.target))


def once(sets: Iterable[tuple[Item, ...]], key) -> Sets:
    """Each item once in its set and each set once, by `key`; the first of equals stays."""
    found: dict[frozenset, tuple[Item, ...]] = {}
    for group in sets:
        items: dict[str, Item] = {}
        for item in group:
            items.setdefault(key(item), item)
        found.setdefault(frozenset(items), tuple(items.values()))
    return tuple(found.values())
