"""Warnings about a claim while it is written. They never block: the writer decides."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from annotation.negations import denies

EMPTY = "empty"
PRONOUN = "pronoun"
QUESTION = "question"
SENTENCES = "sentences"
VAGUE = "vague"
HEDGE = "hedge"
EQUAL = "equal"
NEGATION = "negation"

# Words by language: what stands first and needs a context, what measures nothing, what hedges.
PRONOUNS = {
    "en": "he she it they this that these those his her hers its their theirs there here "
    "we i you our your my such",
    "cs": "on ona ono oni ony ten ta to ti ty tato tento toto tito tyto jeho její jejich ho "
    "mu jemu jí jim ji tam zde tady tehdy takový taková takové my já vy náš naše váš vaše ono",
}
VAGUE_WORDS = {
    "en": "some many several few various numerous multiple certain lots plenty most "
    "often sometimes recently soon frequently rarely usually",
    "cs": "některý některá některé někteří několik mnoho málo hodně spousta řada různý různé "
    "různí různá většina mnozí četný četné četní často někdy nedávno brzy zřídka obvykle občas",
}
VAGUE_PHRASES = {
    "en": ["a lot of", "a number of", "a couple of", "a bit", "a few"],
    "cs": ["celá řada", "velké množství", "pár lidí", "až příliš"],
}
HEDGES = {
    "en": "maybe perhaps probably possibly allegedly reportedly apparently seemingly might may "
    "could presumably supposedly likely approximately roughly",
    "cs": "možná snad asi pravděpodobně údajně zřejmě prý nejspíš patrně zhruba přibližně "
    "pravděpodobný možné eventuálně",
}
WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
BREAK = re.compile(r"(\w+)[)\"”“»]*([.!?…]+)[\"”“»]*\s+[\"“„«(]*(?=(\w))")
SHORT_FORMS = (
    "prof gen col capt sgt lieut sen gov rep rev hon inc ltd corp dept assn bros jan feb mar apr "
    "jun jul aug sep sept oct nov dec mon tue wed thu fri sat sun fig vol approx misc ing mgr doc "
    "judr mudr phdr rndr mvdr csc např tzv resp popř odst obr str tel min max mil mld"
)


@dataclass(frozen=True)
class Hint:
    """One warning: its kind, and the word that caused it, where one did."""

    kind: str
    word: str = ""


def check_claim(text: str, *, language: str = "en", others: Iterable[str] = ()) -> list[Hint]:
    """What to point out about a claim, in a fixed order; empty where nothing is to be said.

    others: the texts of other claims; two are equal that differ in case and marks only.
    """
    if not text.strip():
        return [Hint(EMPTY)]
    language = language.split("-")[0].lower()
    found = [
        first_pronoun(text, language),
        Hint(QUESTION) if is_question(text) else None,
        Hint(SENTENCES) if has_several_sentences(text) else None,
        vague_word(text, language),
        listed_word(text, HEDGES, language, HEDGE),
        Hint(EQUAL) if plain(text) in {plain(other) for other in others} else None,
    ]
    return [warning for warning in found if warning]


def plain(text: str) -> str:
    """The words and numbers of a text, by which two claims are compared."""
    return " ".join(re.findall(r"\w+", text.casefold()))


def words_of(text: str) -> list[str]:
    return [word.lower().replace("’", "'") for word in WORD.findall(text)]


def word_list(lists: dict[str, str], language: str) -> frozenset[str]:
    """The words for a language; none for one that has no list."""
    return frozenset(lists.get(language, "").split())


def first_pronoun(text: str, language: str) -> Hint | None:
    """Whether a claim begins with a word that needs a context to be understood."""
    words = words_of(text)
    first = words[0].split("'")[0] if words else ""
    return Hint(PRONOUN, first) if first in word_list(PRONOUNS, language) else None


def is_question(text: str) -> bool:
    return text.rstrip("\"”“»' ").endswith(("?", "؟", "？"))


def has_several_sentences(text: str) -> bool:
    """Whether a sentence ends before the end; short forms such as 'Dr.' end none."""
    return any(
        following.isupper() and (mark != "." or ends_a_sentence(word))
        for word, mark, following in BREAK.findall(text)
    )


def ends_a_sentence(word: str) -> bool:
    """Whether a full stop after `word` can end a sentence: not of an initial, 'St.' or '5.'."""
    return len(word) >= 3 and word.lower() not in SHORT_FORMS.split()


def listed_word(text, lists, language, kind) -> Hint | None:
    """The first listed word. Capitalised inside a claim it is a name, such as May or Will."""
    listed = word_list(lists, language)
    for position, word in enumerate(WORD.findall(text)):
        may_count = word.islower() or (position == 0 and word != "May")
        if may_count and word.lower() in listed:
            return Hint(kind, word.lower())
    return None


def vague_word(text: str, language: str) -> Hint | None:
    """A quantity that nobody could check."""
    joined = f" {' '.join(words_of(text))} "
    for phrase in VAGUE_PHRASES.get(language, []):
        if f" {phrase} " in joined:
            return Hint(VAGUE, phrase)
    return listed_word(text, VAGUE_WORDS, language, VAGUE)


def negation_word(text: str, *, language: str = "en") -> str:
    """The word that denies in a claim, '' where there is none: 'not', 'n't', 'není', 'ne-'.

    A negation that adds such a word gives its label away; another fact says the same better.
    """
    return next((word for word in words_of(text) if denies(word, language)), "")


def warn_negation(text: str, *, language: str = "en") -> list[Hint]:
    word = negation_word(text, language=language)
    return [Hint(NEGATION, word)] if word else []
