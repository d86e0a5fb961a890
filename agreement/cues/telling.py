"""Which cues of a table are strong enough to be pointed out to who writes a claim."""

from collections.abc import Iterable
from itertools import pairwise

from agreement.cues.tokens import word_tokens

# How far above a guess among the labels the lower bound of productivity has to be.
LEAST_TIMES_A_GUESS = 1.5


def strong_cues(figures: dict) -> list[str]:
    """The words and pairs of a `cue_report` whose productivity is high for certain, in its order.

    Its lower bound is one and a half times a guess among the labels, or more: 0.5 of three
    labels, 0.75 of two.
    """
    least = LEAST_TIMES_A_GUESS / max(len(figures["labels"]), 1)
    rows = [*figures["unigrams"], *figures["bigrams"]]
    return [row["cue"] for row in rows if row["productivity_low"] >= least]


def added_cue(text: str, *, original: str, cues: Iterable[str]) -> str:
    """The first cue in a text, cut into words, that the original does not have; '' for none."""
    wanted = set(cues) - set(words_and_pairs(original))
    return next((cue for cue in words_and_pairs(text) if cue in wanted), "")


def words_and_pairs(text: str) -> list[str]:
    words = word_tokens(text)
    return [*words, *(f"{first} {second}" for first, second in pairwise(words))]
