"""Which language claims are in, among those whose denying words are known."""

from collections.abc import Iterable

from agreement.cues.tokens import word_tokens

# Frequent words that the other language, and the neighbours of either, do not have.
ENGLISH = """
the of is was and are were has have by for with from that which not
"""
CZECH = """
byl byla bylo byly jsou není ve při která které již nebo než také
"""
FREQUENT = {"en": frozenset(ENGLISH.split()), "cs": frozenset(CZECH.split())}
LETTERS = {"en": "", "cs": "ěřů"}
# Of claims with a sign of a language: one in four at least, and thrice as many as of another.
LEAST_SHARE = 0.25
LEAST_RATIO = 3


def guessed_language(claims: Iterable[str]) -> str:
    """cs or en where claims show one of them clearly, else ''.

    A claim speaks for a language by a frequent word of it or by a letter that others lack.
    """
    votes = dict.fromkeys(FREQUENT, 0)
    n_claims = 0
    for claim in claims:
        words = set(word_tokens(claim))
        n_claims += 1
        for language in votes:
            votes[language] += speaks_for(language, words)
    (best, most), (_, other) = sorted(votes.items(), key=lambda vote: (-vote[1], vote[0]))
    is_clear = most >= LEAST_SHARE * n_claims and most >= LEAST_RATIO * other
    return best if most and is_clear else ""


def speaks_for(language: str, words: set[str]) -> bool:
    letters = set("".join(words))
    return not words.isdisjoint(FREQUENT[language]) or bool(letters & set(LETTERS[language]))
