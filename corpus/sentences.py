"""Finding the sentences of a paragraph: rules over its marks, without a model, in any script."""

import re

from corpus.abbreviations import (
    ALWAYS,
    NUMBER,
    OFTEN,
    ORDINAL_LANGUAGES,
    STARTERS,
    STARTERS_AFTER_ACRONYM,
)
from corpus.records import SENTENCE, UnitRecord

# Latin marks need white space after them; CJK, Indic, Arabic, Ethiopic and Armenian ones do not.
# A match begins only where a run of marks begins: a leader of a million dots is read once. Any
# mark comes first in the pattern: a plain set there is looked for nine times as fast.
BOUNDARY = re.compile(
    r"""[.!?…。！？｡।॥؟۔።፧։](?:"""
    r"""(?<=[.!?…])(?<![.!?…][.!?…])(?P<more>[.!?…]*)"""
    r"""[^\S\n]?["'”’»›)\]]*\s+(?=(?P<next>\S{1,24}))"""
    r"""|(?<=[。！？｡।॥؟۔።፧։])(?<![。！？｡।॥؟۔።፧։][。！？｡।॥؟۔።፧։])"""
    r"""(?P<full>[。！？｡।॥؟۔።፧։]*)["'”’»›)\]」』）]*\s*(?=\S))"""
)
OPENING = "\"'“„‚«‹([¿¡-–—"
ROMAN = re.compile(r"[IVXLC]+")
WORD = re.compile(r"\w+")


def sentence_units(text: str, language: str = "") -> tuple[UnitRecord, ...]:
    """The sentences of a paragraph, in order, as units sentence_0, sentence_1, ...

    text: clean; every character but the white space between sentences lies in one sentence.
    language: a code such as 'cs', for the ordinals written with a full stop; '' for unknown.
    """
    return tuple(
        UnitRecord(f"sentence_{number}", SENTENCE, start, end)
        for number, (start, end) in enumerate(sentence_spans(text, language))
    )


def sentence_spans(text: str, language: str = "") -> list[tuple[int, int]]:
    """The (start, end) of every sentence, in code points."""
    ordinals = language[:2].lower() in ORDINAL_LANGUAGES
    spans, start = [], 0
    for match in BOUNDARY.finditer(text):
        if match["full"] is None and not ends_sentence(text, match, ordinals):
            continue
        end = match.end()
        spans.append((start, start + len(text[start:end].rstrip())))
        start = end
    if start < len(text):
        spans.append((start, len(text)))
    return spans


def ends_sentence(text: str, match: re.Match, ordinals: bool) -> bool:
    """Whether the mark that was found ends a sentence, by the words on both sides of it."""
    follows = match["next"].lstrip(OPENING)
    if follows[:1].islower():
        return False
    stop = match.start()
    if match["more"] or text[stop] != ".":
        return True
    word = last_word(text, stop)
    if word.isdigit():
        return not (ordinals and is_ordinal(word, follows))
    if ordinals and ROMAN.fullmatch(word):
        return False
    return not is_abbreviation(word, follows)


def is_ordinal(number: str, follows: str) -> bool:
    """Whether a number with a full stop counts what follows: '14. 5. 2019', '19. Evropské'."""
    return follows[:1].isdigit() or (len(number) <= 2 and not begins_sentence(follows))


def last_word(text: str, stop: int) -> str:
    """The word that ends at `stop`, without opening marks before it."""
    word = text[max(0, stop - 24) : stop].rsplit(None, 1)
    return word[-1].lstrip(OPENING) if word and not text[stop - 1].isspace() else ""


def is_abbreviation(word: str, follows: str) -> bool:
    """Whether a full stop after `word` goes on to `follows` within one sentence."""
    lowered = word.lower()
    if lowered in NUMBER and follows[:1].isdigit():
        return True
    if lowered in ALWAYS:
        return True
    if len(word) == 1 and word.isalpha():
        return word.isupper() or not begins_sentence(follows)
    if "." in word[:-1] and word[-1:].isalpha() and len(word.rsplit(".", 1)[-1]) <= 2:
        return not begins_sentence(follows, STARTERS_AFTER_ACRONYM)
    return lowered in OFTEN and not begins_sentence(follows)


def begins_sentence(follows: str, starters: frozenset[str] = STARTERS) -> bool:
    first = WORD.match(follows)
    return first is not None and first.group().lower() in starters
