"""Cues where each question has two texts and one of them is right."""

from collections import Counter
from collections.abc import Callable, Iterable


def paired_cues(
    pairs: Iterable[tuple[str, str, int]], tokens: Callable[[str], list[str]] = str.split
) -> dict[str, dict]:
    """For each cue applicability, productivity and coverage over (text 0, text 1, which is right).

    A cue applies where it stands in one of the two texts only; it is productive where that text
    is the right one. Source: Niven and Kao (2019), section 3, equations 1 to 3.
    """
    pairs = list(pairs)
    applies: Counter[str] = Counter()
    right: Counter[str] = Counter()
    for first, second, answer in pairs:
        words = set(tokens(first)), set(tokens(second))
        applies.update(words[0] ^ words[1])
        right.update(words[answer] - words[1 - answer])
    return {
        cue: {"applicability": n, "productivity": right[cue] / n, "coverage": n / len(pairs)}
        for cue, n in sorted(applies.items())
    }
