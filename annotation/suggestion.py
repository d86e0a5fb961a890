"""Which paragraph of an article is suggested as a source: rules without models."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

DRAWN_SHARE = 0.2  # so that the rules alone do not shape the dataset
SHORTEST, LONGEST = 8, 120  # words
BEST_LENGTH = 40

NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
QUOTE_PAIRS = [("“", "”"), ("„", "“"), ("„", "”"), ("«", "»"), ("»", "«"), ('"', '"')]
SENTENCE_END = re.compile(r"[.!?…:]$|[.!?…:][\"”“»’]$")


@dataclass(frozen=True)
class Suggestion:
    """index: the paragraph's place in the list; was_drawn: by chance, not by its score."""

    index: int
    score: float
    was_drawn: bool


def suggest(paragraphs: Sequence[tuple[str, bool]], *, draw: float) -> Suggestion | None:
    """The paragraph to suggest: the best by score, one time in five any that is eligible.

    paragraphs: (text, is a table) in the article's order.
    draw: in [0, 1), the chance; the same draw suggests the same paragraph.
    Ties go to the earlier paragraph; None where no paragraph is eligible.
    """
    scores = {
        index: score_of(text)
        for index, (text, is_table) in enumerate(paragraphs)
        if not is_table and is_eligible(text)
    }
    if not scores:
        return None
    if was_drawn := draw < DRAWN_SHARE:
        chosen = list(scores)[int(draw / DRAWN_SHARE * len(scores))]
    else:
        chosen = max(scores, key=lambda index: (scores[index], -index))
    return Suggestion(index=chosen, score=scores[chosen], was_drawn=was_drawn)


def is_eligible(text: str) -> bool:
    """Whether a paragraph can carry a claim: long enough, not too long, not a quotation alone."""
    return SHORTEST <= len(text.split()) <= LONGEST and not is_quotation(text)


def is_quotation(text: str) -> bool:
    """Whether the whole paragraph is one quotation, without who said it."""
    stripped = text.strip()
    for opening, closing in QUOTE_PAIRS:
        if stripped.startswith(opening) and stripped.rstrip(".").endswith(closing):
            inner = stripped[1:].rstrip(".")[:-1]
            return opening not in inner and closing not in inner
    return stripped.startswith(("– ", "— ")) and '"' not in stripped


def score_of(text: str) -> float:
    """How promising a paragraph is as a source, in [0, 1]: names, numbers, a handy length."""
    names = min(len(names_in(text)), 4) / 4
    numbers = min(len(NUMBER.findall(text)), 3) / 3
    length = 1 - min(abs(len(text.split()) - BEST_LENGTH) / BEST_LENGTH, 1)
    return round(0.5 * names + 0.25 * numbers + 0.25 * length, 4)


def names_in(text: str) -> set[str]:
    """Capitalised spans that do not merely begin a sentence, each once."""
    spans: list[list[str]] = []
    starts_sentence, open_span = True, False
    for token in text.split():
        word = token.strip(".,;:!?…()[]\"'“”„‚‘’«»")
        is_name = bool(word) and word[0].isupper() and not starts_sentence
        if is_name and open_span:
            spans[-1].append(word)
        elif is_name:
            spans.append([word])
        ends = bool(SENTENCE_END.search(token))
        open_span = is_name and token.rstrip("'’\"”“») ")[-1:] not in ",;:" and not ends
        starts_sentence = ends and not is_abbreviation(token)
    return {" ".join(span) for span in spans}


def is_abbreviation(token: str) -> bool:
    """Whether a full stop ends a short form rather than a sentence: 'J.', 'Dr.', '12.'."""
    return bool(re.fullmatch(r"\(?(?:\w|[A-Z][a-z]{1,2}|\d+)\.", token))
