"""Names and numbers by rules alone, for every language that writes names with capitals.

A name is a run of capitalised words. At the start of a sentence every word has a capital, so one
counts there only if something else says that it is a name.
"""

from typing import NamedTuple

import regex
from simplemma import is_known

from dictionaries.analysis import Word, analyser_for, lemma, words

NAME, NUMBER = "NAME", "CARDINAL"
CONNECTORS = frozenset({"de", "del", "della", "di", "von", "van", "der", "den", "bin", "ibn"})
CONNECTORS_OF = {
    "cs": {"nad", "pod"},
    "sk": {"nad", "pod"},
    "en": {"of"},
    "fr": {"du", "des"},
    "es": {"y", "el"},
    "it": {"da", "dei"},
    "pt": {"da", "do", "das", "dos"},
}
UNITS = frozenset({"Kč", "MWh", "GJ"})
JOINED = regex.compile(r"[ \u00a0]+|[ ]?[&][ ]?|\.[ ]")
SENTENCE_END = regex.compile(r"[.!?…:]|\n")
TITLES = frozenset(
    {"dr", "mr", "mrs", "ms", "prof", "st", "gen", "col", "sen", "rep", "gov"}
    | {"ing", "mgr", "judr", "mudr", "phdr", "bc", "sv"}
)
SLAVIC_ADJECTIVE = regex.compile(
    r".{2,}(?:(?:sk|ck|n)(?:á|é|ou|ý|ého|ému|ém|ým|ých|ými|í|ích|ím|ími|ej)|jen(?:é|ých|ým|ými))"
)
PLACE_ADJECTIVE = regex.compile(r".+[sc]k(?:á|é|ou|ý|ého|ému|ém|ým|ých|ými|ej)|Spojen.+")
SLAVIC_VERB = regex.compile(r".+(?:t|ti|ci|ct)")  # its dictionary form, and its others
SLAVIC_VERB_FORM = regex.compile(r".+(?:l|la|lo|li|ly|á|í|e)")
NOUNS_IN_CAPITALS = frozenset({"de", "lb"})
GERMAN_MODIFIER = regex.compile(r"\p{Ll}+(?:e|en|er|es|em)|das|zum|zur|im|am|vom|beim|kein|ein")
GERMAN_NOUN = regex.compile(r".+(?:ung|heit|keit|schaft|tion|tät|ungen|heiten|keiten|tionen)")
LONGEST_NAME = 6  # words that an adjective with a capital may pull in and a run may have


class Span(NamedTuple):
    start: int
    end: int
    label: str


def capital_spans(text: str, language: str) -> list[Span]:
    """Names and numbers of a text in order, as spans of code points that do not overlap."""
    found = words(text)
    initial = [_starts_sentence(text, found, at) for at in range(len(found))]
    inside = {word.text for word, first in zip(found, initial, strict=True) if not first}
    spans, at = [], 0
    while at < len(found):
        run = _run(text, found, at, language)
        if found[at].text[0].isdigit():
            spans.append(Span(found[at].start, found[at].end, NUMBER))
        elif run:
            known = Surroundings(initial[at], found[at - 1].text if at else "", inside, language)
            first = _first_of_name([word.text for word in run], known)
            spans += [Span(run[first].start, run[-1].end, NAME)] if first is not None else []
        at += max(len(run), 1)
    return spans


def _is_capital(word: str) -> bool:
    return word[0].isupper() and (len(word) > 1 or not word.isascii()) and word not in UNITS


def _starts_sentence(text: str, found: list[Word], at: int) -> bool:
    """Whether a word is the first of its sentence; `Dr. Novák` and `U.S. Treasury` go on."""
    if at == 0:
        return True
    before = found[at - 1]
    gap = text[before.end : found[at].start]
    if not SENTENCE_END.search(gap):
        return gap.strip() != "" and gap.strip()[-1] in '„“"‚«' and gap[-1] != " "
    abbreviated = before.text.casefold() in TITLES or len(before.text) == 1
    return not (abbreviated and gap.startswith("."))


def _run(text: str, found: list[Word], at: int, language: str) -> list[Word]:
    """The words from `at` on that belong to one capitalised name; none if it has no capital."""
    if not _is_capital(found[at].text):
        return []
    end = at + 1
    while end < len(found) and end - at < LONGEST_NAME and _joined(text, found, end):
        if _is_capital(found[end].text) or _is_initial(text, found[end]):
            end += 1
        elif _connects(found[end].text, language) and _continues(text, found, end + 1):
            end += 2
        else:
            break
    return found[at : end + _noun_after(text, found, end, language)]


def _connects(word: str, language: str) -> bool:
    return word in CONNECTORS or word in CONNECTORS_OF.get(language, ())


def _joined(text: str, found: list[Word], at: int) -> bool:
    """Whether only a blank, an ampersand or an abbreviation's full stop stands before a word."""
    gap = text[found[at - 1].end : found[at].start]
    if gap.startswith("."):
        before = found[at - 1].text.casefold()
        return JOINED.fullmatch(gap) is not None and (before in TITLES or len(before) == 1)
    return JOINED.fullmatch(gap) is not None


def _is_initial(text: str, word: Word) -> bool:
    """`W` in George W. Bush."""
    return len(word.text) == 1 and word.text.isupper() and text[word.end : word.end + 1] == "."


def _continues(text: str, found: list[Word], at: int) -> bool:
    return at < len(found) and _joined(text, found, at) and _is_capital(found[at].text)


def _noun_after(text: str, found: list[Word], end: int, language: str) -> int:
    """Czech and Slovak write `Česká národní banka` with one capital: the words up to its noun."""
    if language not in {"cs", "sk"} or not SLAVIC_ADJECTIVE.fullmatch(found[end - 1].text):
        return 0
    for place in range(end, min(end + 3, len(found))):
        word = found[place].text
        if not _joined(text, found, place) or not _may_follow(word, language):
            return 0
        if not SLAVIC_ADJECTIVE.fullmatch(word):
            return place + 1 - end
    return 0


def _may_follow(word: str, language: str) -> bool:
    """Whether a word can be the noun of a name, or an adjective before it: no verb, no `se`."""
    if not (word.isalpha() and word.islower()) or analyser_for(language).is_stop_word(word):
        return False
    base = lemma(word, language)
    verb = SLAVIC_VERB.fullmatch(base) and SLAVIC_VERB_FORM.fullmatch(word)
    return base == word or not verb


class Surroundings(NamedTuple):
    """What the text says about a run of capitalised words."""

    starts_sentence: bool
    before: str
    inside: set[str]  # the words seen elsewhere than at the start of a sentence
    language: str


def _first_of_name(run: list[str], known: Surroundings) -> int | None:
    """The index in a run of the word where its name starts; None where there is no name."""
    lone = len(run) == 1 or not _is_capital(run[1])  # a noun with a small letter was pulled in
    start = int(known.starts_sentence and _is_common(run[0], known, lone=lone))
    rest = [word for word in run[start:] if not _connects(word, known.language)]
    analyser = analyser_for(known.language)
    if not rest or not _is_capital(run[start]) or all(map(analyser.is_stop_word, rest)):
        return None
    if known.language in NOUNS_IN_CAPITALS and len(rest) == 1:
        return start if _is_german_name(rest[0], run[0] if start else known.before) else None
    return start


def _is_common(word: str, known: Surroundings, *, lone: bool) -> bool:
    """Whether the first word of a sentence has its capital from its place alone.

    It has not where it is seen with a capital elsewhere, is in capitals throughout, is not in the
    language's list of words, or is a place's adjective before a noun. A language without a list
    gives the benefit of the doubt to a word that another capital follows, and to no other.
    """
    if word in known.inside or (word.isupper() and len(word) > 1):
        return False
    if analyser_for(known.language).is_stop_word(word):
        return True
    listed = _is_listed(word.lower(), known.language)
    if listed is None:
        return lone
    return listed and not _is_proper(word, known.language)


def _is_proper(word: str, language: str) -> bool:
    slavic = language in {"cs", "sk"} and PLACE_ADJECTIVE.fullmatch(word) is not None
    if language == "en":  # whose list has Chief and Mayor among the names too
        word = word.lower()
    return slavic or lemma(word, language)[:1].isupper()


def _is_german_name(word: str, before: str) -> bool:
    """Every German noun has a capital: one after an article or adjective is hardly a name."""
    if word.isupper() or not _is_listed(word, "de"):
        return True
    return not (GERMAN_MODIFIER.fullmatch(before.lower()) or GERMAN_NOUN.fullmatch(word))


def _is_listed(word: str, language: str) -> bool | None:
    """Whether simplemma lists a word; None where it knows no word of the language."""
    try:
        return is_known(word, language)
    except ValueError:
        return None
