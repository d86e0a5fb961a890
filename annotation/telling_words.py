"""Words that many refuted claims have: a mutation that adds one gives itself away. No Django.

Denying words (annotation.negations), and those by which annotators narrow a fact or let it fail.
Source: such words lead the cue tables of FEVER (Schuster et al. 2019, table 1; Derczynski et al.
2020) and of CTKFacts (Ullrich et al. 2023, section 4.7).
"""

import re

from annotation.negations import denies

ENGLISH = """
only just solely merely exclusively incapable unable refused refuses failed fails avoided yet
"""
CZECH = """
pouze jen jenom jedině výhradně výlučně odmítl odmítla odmítlo odmítli odmítá odmítají selhal
selhala selhalo selhali
"""
LISTED = {"en": frozenset(ENGLISH.split()), "cs": frozenset(CZECH.split())}
WORD = re.compile(r"\w+(?:['’\-]\w+)*")


def words_of(text: str) -> list[str]:
    return WORD.findall(text.casefold())


def is_telling(word: str, language: str) -> bool:
    """Whether a word, in lower case, is listed for a language or denies something in it."""
    code = language.split("-")[0].lower()
    return word in LISTED.get(code, ()) or denies(word, language)


def telling_word(text: str, *, original: str, language: str, may_deny: bool = False) -> str:
    """The first such word that the original does not have; '' where there is none.

    may_deny: whether words that deny are passed over.
    """
    known = set(words_of(original))
    added = [word for word in words_of(text) if word not in known]
    if may_deny:
        added = [word for word in added if not denies(word, language)]
    return next((word for word in added if is_telling(word, language)), "")
