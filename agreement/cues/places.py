"""Where a cue stands in the text of a claim, cut into tokens as its figures were."""

import re
from collections.abc import Callable, Iterator
from itertools import pairwise

from agreement.cues.tokens import WORD

CHUNK = re.compile(r"\S+")
Token = tuple[str, int, int]


def published_places(text: str) -> Iterator[Token]:
    """(token, start, end) of each of `published_tokens`."""
    for match in CHUNK.finditer(text):
        token = match.group().strip(".")
        start = match.start() + match.group().find(token)
        yield token, start, start + len(token)


def word_places(text: str) -> Iterator[Token]:
    """(token, start, end) of each of `word_tokens`, of a text that is NFC already."""
    for match in WORD.finditer(text):
        yield match.group().casefold(), *match.span()


PLACES: dict[str, Callable[[str], Iterator[Token]]] = {
    "published": published_places,
    "words": word_places,
}


def cue_places(text: str, cue: str, *, kind: str, tokens: str) -> list[tuple[int, int]]:
    """(start, end) of each place where a cue stands, first to last; places may overlap.

    kind: unigrams or bigrams; tokens: a name of PLACES. An empty token is a bigram's part only.
    """
    found = list(PLACES[tokens](text))
    if kind == "unigrams":
        return [(start, end) for token, start, end in found if token and token == cue]
    return [
        (start, end)
        for (first, start, _), (second, _, end) in pairwise(found)
        if f"{first} {second}" == cue
    ]


def marked_parts(text: str, places: list[tuple[int, int]]) -> list[tuple[str, bool]]:
    """The text in parts, each with whether it lies in one of the places, overlaps joined."""
    parts, done = [], 0
    for start, end in places:
        if end <= done:
            continue
        if start > done:
            parts.append((text[done:start], False))
        parts.append((text[max(start, done) : end], True))
        done = end
    return [part for part in [*parts, (text[done:], False)] if part[0]]
