"""Made-up news in an English of its own: seeded, with the statistics that indexes feel.

Words follow Zipf's law, the commonest being English ones that every analyser stops; names of
people and places recur; a paragraph has about 55 words, as those of CTKFacts have.
"""

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

import numpy as np

WORDS, NAMES = 60_000, 20_000
# fmt: off
COMMON = [
    "the", "of", "and", "to", "in", "a", "is", "that", "for", "it", "was", "on", "are", "as",
    "with", "his", "they", "at", "be", "this", "from", "have", "or", "by", "one", "had", "not",
    "but", "what", "all", "were", "when", "we", "there", "can", "an", "your", "which", "their",
    "said", "if", "do", "will", "each", "about", "how", "up", "out", "them", "then", "she",
    "many", "some", "so", "these", "would", "other", "into", "has", "more", "her", "two",
]
# fmt: on
SYLLABLES = [
    f"{first}{vowel}"
    for first in [*"bcdfghjklmnprstvz", "br", "cr", "dr", "gr", "pr", "st", "tr", "vr"]
    for vowel in "aeiou"
]
CHUNK = 2_000
PER_ARTICLE = 6
BEGIN = datetime(2000, 1, 1, tzinfo=UTC)
MINUTES = 20 * 365 * 24 * 60


class Text(NamedTuple):
    """A paragraph and the names in it, in order of appearance."""

    text: str
    names: tuple[str, ...]


def texts(count: int, *, seed: int) -> Iterator[Text]:
    """So many paragraphs; the same for the same seed, and the first of more are those of fewer."""
    vocabulary, names = word_list(), name_list()
    for start in range(0, count, CHUNK):
        rng = np.random.default_rng([seed, start])
        chunk = list(chunk_of_texts(rng, vocabulary, names))
        yield from chunk[: count - start]


def chunk_of_texts(rng, vocabulary: list[str], names: list[str]) -> Iterator[Text]:
    lengths = np.clip(rng.normal(50, 15, CHUNK), 15, 120).astype(int)
    words = zipf(rng, len(vocabulary), int(lengths.sum())).tolist()
    counts = rng.integers(2, 7, CHUNK)
    named = zipf(rng, len(names), int(counts.sum())).tolist()
    word = name = 0
    for length, count in zip(lengths.tolist(), counts.tolist(), strict=True):
        mine = [vocabulary[i] for i in words[word : word + length]]
        used = [names[i] for i in dict.fromkeys(named[name : name + count])]
        word, name = word + length, name + count
        yield Text(written(mine, used), tuple(used))


def written(words: list[str], names: list[str]) -> str:
    """Sentences of the words, each beginning with a capital, with the names spread over them."""
    step = max(1, len(words) // len(names))
    for place, name in enumerate(names):
        words[place * step] = name
    size = max(1, round(len(words) / 16))
    sentences = (words[i::size] for i in range(size))
    return " ".join(f"{' '.join(part)[:1].upper()}{' '.join(part)[1:]}." for part in sentences)


def zipf(rng, kinds: int, count: int) -> np.ndarray:
    """Numbers below `kinds`, the n-th about 1/n as often as the first."""
    weights = 1 / np.arange(1, kinds + 1) ** 1.05
    return np.searchsorted(np.cumsum(weights / weights.sum()), rng.random(count)).clip(
        max=kinds - 1
    )


def word_list() -> list[str]:
    """The words, commonest first; shorter ones are commoner."""
    picks = np.random.default_rng(1).integers(0, len(SYLLABLES), size=(WORDS * 2, 16)).tolist()
    made = dict.fromkeys(
        "".join([SYLLABLES[i] for i in row[: 2 + place // 8_000]])
        for place, row in enumerate(picks)
    )
    return [*COMMON, *made][:WORDS]


def name_list() -> list[str]:
    rng = np.random.default_rng(2)
    picks = rng.integers(0, len(SYLLABLES), size=(NAMES, 6))
    return [
        f"{''.join(SYLLABLES[i] for i in row[:3]).capitalize()} "
        f"{''.join(SYLLABLES[i] for i in row[3:]).capitalize()}"
        for row in picks.tolist()
    ]


def times(count: int, *, seed: int) -> list[datetime]:
    """A moment for each article, to the minute, over twenty years."""
    minutes = np.random.default_rng([seed, 3]).integers(0, MINUTES, size=count).tolist()
    return [BEGIN + timedelta(minutes=minute) for minute in minutes]


def write_articles(path: Path, paragraphs: int, *, seed: int, prefix: str) -> int:
    """A JSONL file of articles with so many paragraphs; returns how many it has.

    One in a hundred repeats an earlier text, one in a hundred is a table of results.
    """
    moments = times(paragraphs // PER_ARTICLE, seed=seed)
    stream = texts(len(moments) * PER_ARTICLE, seed=seed)
    earlier = ""
    with path.open("w", encoding="utf-8") as file:
        for number, moment in enumerate(moments):
            body = "\n\n".join(next(stream).text for _ in range(PER_ARTICLE))
            if number % 100 == 50:
                body = earlier
            elif number % 100 == 75:
                body = "\n\n".join(table(number + row) for row in range(PER_ARTICLE))
            earlier = body
            file.write(line(f"{prefix}{number}", number, moment, body))
    return len(moments) * PER_ARTICLE


def line(identifier: str, number: int, moment: datetime, body: str) -> str:
    record = {
        "id": identifier,
        "title": f"Report number {number}",
        "published_at": moment.isoformat(),
        "text": body,
        "section": "home",
        "keywords": ["report"],
    }
    return json.dumps(record) + "\n"


def table(seed: int) -> str:
    """Lines of names and numbers, as results and prices come."""
    return "\n".join(f"Team {seed + row:>4}   {row * 7:>5}   {row * 3:>5}" for row in range(8))
