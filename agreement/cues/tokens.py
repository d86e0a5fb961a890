"""From claims to tokens, and which words deny."""

import re
import unicodedata

WORD = re.compile(r"\w+(?:['’\-]\w+)*")

ENGLISH_NEGATIONS = """
not no never none nobody nothing nowhere neither nor cannot without hardly scarcely barely
"""
CZECH_NEGATIONS = """
ne nikdy nikdo nikoho nikomu nikým nic ničeho ničemu ničím nikde nikam nijak nikterak nikoli
nikoliv žádný žádná žádné žádní žádného žádnému žádnou žádných žádným žádnými ani bez
nejsem nejsi nejsme nejste nejsou nejde nejdou nejede nejedou
"""
# Frequent Czech words and stems that begin with ne- and deny nothing; nej- is a superlative.
NOT_NEGATED_WORDS = """
nebe nebi nebo neboť neděle neděli nedělí nehoda nehodě nehodou nehodu nehody nech nechť nechá
nese nesl nesla nesli nesou netto
"""
NOT_NEGATED_STEMS = """
nebesk nebezpeč nečas nedalek nedělní nehet neht nej nechal nechat necháv nekrolog nemoc nemovit
neon nepál nepřátel nepřítel neřest nerost nerv netopýr neteř neuro neutr nevěst německ němec němc
nezávisl nezbyt nezisk nešvar
"""
CZECH_NOT_NEGATED = frozenset(NOT_NEGATED_WORDS.split())
CZECH_NOT_NEGATED_STEMS = tuple(NOT_NEGATED_STEMS.split())
NEGATIONS = {
    "en": frozenset(ENGLISH_NEGATIONS.split()),
    "cs": frozenset(CZECH_NEGATIONS.split()),
}


def published_tokens(text: str) -> list[str]:
    """The tokens of the CTKFacts paper's code: split at blanks, full stops stripped, case kept.

    A lone full stop leaves an empty token, which only bigrams see.
    """
    return [token.strip(".") for token in text.split()]


def word_tokens(text: str) -> list[str]:
    """Words in lower case, without punctuation: finds a cue at the start of a claim too."""
    return WORD.findall(unicodedata.normalize("NFC", text).casefold())


def is_negation(cue: str, language: str) -> bool:
    """Whether a word of the cue denies something, in English or Czech; elsewhere nothing does.

    In Czech a verb is denied by its prefix: words in ne- count, save a list of others. It
    marks rows of a table for a reader and decides nothing.
    """
    words = WORD.findall(cue.casefold())
    if language == "en":
        return any(word in NEGATIONS["en"] or word.endswith(("n't", "n’t")) for word in words)
    if language == "cs":
        return any(word in NEGATIONS["cs"] or is_denied_in_czech(word) for word in words)
    return False


def is_denied_in_czech(word: str) -> bool:
    """Whether a word has the prefix ne- on a verb or adjective: není, nebyl, nemá, nelegální."""
    known = word in CZECH_NOT_NEGATED or word.startswith(CZECH_NOT_NEGATED_STEMS)
    return word.startswith("ne") and len(word) >= 4 and not known
