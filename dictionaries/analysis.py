"""How a text becomes search terms, in any language, and what makes two texts copies.

A text is cut into words. Each word has one canonical term (lower case, lemma where the language
has one, Czech case endings removed) and further terms under which it is also found: the canonical
one without accents and the parts of a hyphenated word. Numbers and hyphens are kept.
"""

import hashlib
import zlib
from collections.abc import Callable
from functools import cache, lru_cache
from typing import NamedTuple
from unicodedata import combining, normalize

import numpy as np
import regex
from simplemma import lemmatize

from dictionaries.stop_words import stop_words

VERSION = "2"  # part of an index' identity: a change of any rule below is a new number

WORD = regex.compile(
    r"(?:\p{L}\.){2,}"
    r"|[\p{L}\p{N}][\p{L}\p{M}\p{N}]*"
    r"(?:(?:[-‐‑'’]|(?<=\p{N})[.,:/](?=\p{N}))[\p{L}\p{N}][\p{L}\p{M}\p{N}]*)*"
)
UNSPACED = regex.compile(
    r"[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}"
    r"\p{Script=Khmer}\p{Script=Myanmar}\p{M}]+"
)
FOLDABLE = regex.compile(
    r"[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hebrew}]"
)
DATELINE = regex.compile(
    r"\s*(?P<head>\p{Lu}[^\n!?]{2,90}?)\s+(?:--?|–|—)\s+(?=[\p{Lu}\p{N}\"„“‚‘'(<])"
)
PLACE_AND_DATE = regex.compile(  # VELKÉ MĚSTO (kraj) 18. ledna; SALVADOR, Feb 26
    r"\p{Lu}[\p{Lu}\p{M}.'’/-]{3,}(?:[ ,/]+\p{Lu}[\p{Lu}\p{M}.'’/-]+)*"
    r"(?:[ ]*\([^()]+\))?(?:[ ,]+(?:[\p{L}\p{M}]+\.?[ ])?\d{1,2}\.?(?:[ ]?[\p{L}\p{M}]+)?)?"
)
PLACE_IN_A_REGION = regex.compile(  # MISSISSAUGA, Ontario, March 5; BRANCHVILLE, N.J., Feb 26
    r"\p{Lu}[\p{Lu}\p{M}.'’/-]{2,}(?:[ ]\p{Lu}[\p{Lu}\p{M}.'’/-]+)*"
    r"(?:,[ ]?\p{Lu}[\p{L}\p{M}.'’-]*(?:[ ]\p{Lu}[\p{L}\p{M}.'’-]*)*){1,2}"
    r",[ ]?\p{Lu}\p{Ll}+\.?[ ]\d{1,2}"
)
LETTERS = str.maketrans(
    {"ł": "l", "Ł": "L", "ø": "o", "Ø": "O", "đ": "d", "Đ": "D", "ð": "d", "ħ": "h", "ı": "i"}
    | {"ß": "ss", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "þ": "th"}
)
DIGIT = regex.compile(r"\d")
QUOTES = str.maketrans({"’": "'", "‐": "-", "‑": "-"})
LONGEST_TERM = 100
CACHED_WORDS = 500_000

CZECH_ENDINGS = regex.compile(
    "(?:ového|ovému|ových|ovými|ovi|ého|ému|ího|ímu|ých|ými|ích|ími|ách|ech|ami|emi"
    "|ou|em|ím|ým|ám|ům|ův|[aeěiíouůyýáé])$"
)
CZECH_MOBILE = [("něk", "ňk"), ("děk", "ďk"), ("těk", "ťk"), ("ek", "k")]


class Term(NamedTuple):
    """The canonical term of a word, and the others under which the word is found too."""

    canonical: str
    others: tuple[str, ...]


class Word(NamedTuple):
    text: str
    start: int
    end: int


def base_language(code: str) -> str:
    """`cs` for `cs-CZ`, `cs_CZ` and `CS`; '' stays ''."""
    return regex.split(r"[-_]", code.strip().lower(), maxsplit=1)[0]


def words(text: str) -> list[Word]:
    """The words of a text in order, with their offsets in code points."""
    return [Word(match.group(), *match.span()) for match in WORD.finditer(text)]


def without_accents(text: str) -> str:
    """The text without the accents of Latin, Greek, Cyrillic, Arabic and Hebrew letters."""
    if text.isascii() or not FOLDABLE.search(text):
        return text
    decomposed = normalize("NFD", text.translate(LETTERS))
    return normalize("NFC", "".join(c for c in decomposed if not combining(c)))


def czech_stem(word: str) -> str:
    """A lower-case Czech word without its case ending, so that unknown names meet.

    Used after the lemma: `babiš` for Babiš, Babiše, Babišem; `topolánk` for Topolánek, Topolánka.
    """
    if ending := CZECH_ENDINGS.search(word, pos=3):  # the longest; three letters stay
        return word[: ending.start()]
    for ending, without in CZECH_MOBILE:
        if word.endswith(ending) and len(word) - len(ending) >= 2:
            return word[: -len(ending)] + without
    return word


def lemma(word: str, language: str) -> str:
    """The dictionary form of a word, with its case; the word itself where none is known."""
    if word.isupper() and len(word) > 3:
        word = word.capitalize()
    try:
        found = lemmatize(word, language)
    except ValueError:  # simplemma does not know the language
        return word
    is_name = language == "en" and word[:1].isupper() and not _is_inflected(word, found)
    return word if is_name else found


def _is_inflected(word: str, found: str) -> bool:
    """Whether a word is its lemma with an ending; the Fed is no form of `feed`."""
    return word.lower().startswith(found.lower()[:-1])


class _Terms(dict):
    """The terms of the words met so far; texts repeat their words."""

    def __init__(self, term: Callable[[str], Term | None]):
        super().__init__()
        self._term = term

    def __missing__(self, word: str) -> Term | None:
        if len(self) >= CACHED_WORDS:
            self.clear()
        term = self[word] = self._term(word)
        return term


class Analyser:
    """The terms of texts in one language; '' is a language about which nothing is known."""

    def __init__(self, language: str):
        self.language = base_language(language)
        self._stop_words = stop_words(self.language)
        self._known = _Terms(self._term)

    def terms(self, text: str) -> list[Term]:
        """A term per word of the text that is not a stop word, in order."""
        known = self._known
        return [term for word in self._spaced(text) if (term := known[word]) is not None]

    def _spaced(self, text: str) -> list[str]:
        found = WORD.findall(text)
        if text.isascii() or not UNSPACED.search(text):
            return found
        return [piece for word in found for piece in _bigrams(word)]

    def _term(self, word: str) -> Term | None:
        word = word.translate(QUOTES)
        if self.is_stop_word(word):
            return None
        canonical = self._canonical(word)
        parts = [self._canonical(part) for part in word.split("-")] if "-" in word else []
        others = {form for term in [canonical, *parts] for form in (term, without_accents(term))}
        return Term(canonical, tuple(sorted(others - {canonical, ""})))

    def is_stop_word(self, word: str) -> bool:
        """Whether a word is too common to search for; one in capitals (US, WHO, IT) never is."""
        return not (word.isupper() and len(word) > 1) and word.lower() in self._stop_words

    def _canonical(self, word: str) -> str:
        word = word.removesuffix("'s").removesuffix("'S").removesuffix("'")
        if DIGIT.search(word):
            return word.lower()[:LONGEST_TERM]
        if "." in word:  # an abbreviation: U.S. meets US
            return word.replace(".", "").lower()
        plain = lemma(word, self.language).lower()
        stem = czech_stem(plain) if self.language == "cs" else plain
        return stem.replace(" ", "_")[:LONGEST_TERM]


def _bigrams(word: str) -> list[str]:
    """Pairs of neighbouring characters where a script writes no spaces, else the word."""
    pieces, at = [], 0
    for run in UNSPACED.finditer(word):
        pieces += [word[at : run.start()]]
        pieces += [run.group()[i : i + 2] for i in range(max(1, len(run.group()) - 1))]
        at = run.end()
    return [piece for piece in [*pieces, word[at:]] if piece]


@cache
def analyser_for(language: str) -> Analyser:
    """The analyser of a language, made once per process."""
    return Analyser(language)


def dateline_end(text: str) -> int:
    """Where the text proper starts: after `PRAHA 18. ledna (ČTK) - `; 0 without a dateline."""
    match = DATELINE.match(text)
    return match.end() if match and _is_dateline(match["head"]) else 0


def _is_dateline(head: str) -> bool:
    names_an_agency = head.endswith(")") and len(head.split()) <= 8
    places = (PLACE_AND_DATE, PLACE_IN_A_REGION)
    return names_an_agency or any(place.fullmatch(head) for place in places)


def text_hash(text: str) -> int:
    """64 bits that name exactly this text."""
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big")


def plain_words(text: str) -> list[str]:
    """The words of a text in lower case, without dateline and punctuation."""
    proper = text[dateline_end(text) :]
    return [word.casefold() for word in WORD.findall(proper)]


class Fingerprint(NamedTuple):
    """What is kept of a text to tell copies: a hash of its words in order, and their set."""

    normal: int
    tokens: np.ndarray


def fingerprint(text: str) -> Fingerprint:
    """The fingerprint of a text, whatever its case, punctuation, spacing and dateline.

    tokens: sorted distinct uint32, one per distinct word; odd for a word with a digit.
    """
    plain = plain_words(text)
    tokens = {_token(word) for word in plain}
    return Fingerprint(text_hash(" ".join(plain)), np.array(sorted(tokens), dtype=np.uint32))


@lru_cache(maxsize=CACHED_WORDS)
def _token(word: str) -> int:
    code = zlib.crc32(word.encode())
    return code | 1 if DIGIT.search(word) else code & ~1
