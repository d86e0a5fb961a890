"""From claims to tokens, and which words deny."""

import re
import unicodedata

from annotation.negations import denies

WORD = re.compile(r"\w+(?:['’\-]\w+)*")


def published_tokens(text: str) -> list[str]:
    """The tokens of the CTKFacts paper's code: split at blanks, full stops stripped, case kept.

    A lone full stop leaves an empty token, which only bigrams see.
    """
    return [token.strip(".") for token in text.split()]


def word_tokens(text: str) -> list[str]:
    """Words in lower case, without punctuation: finds a cue at the start of a claim too."""
    return WORD.findall(unicodedata.normalize("NFC", text).casefold())


def is_negation(cue: str, language: str) -> bool:
    """Whether a word of the cue denies something, as far as `annotation.negations` knows."""
    return any(denies(word, language) for word in WORD.findall(cue.casefold()))
