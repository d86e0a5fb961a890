"""Telling tables of figures (results, prices) from prose, by form alone and in any language."""

import re
from collections.abc import Iterable, Sequence

from corpus.records import TABLE, ParagraphRecord

LONGEST_ROW = 100
NUMBER_SHARE = 0.25
TABULAR_SHARE = 0.5
FEWEST_ROWS = 2

# what a row has and most lines of prose have not: looked for first, as this runs on every line
SIGN = re.compile(r"\d|\.{4}|_{4}|(?:\. ){4}| {3}|\t")
LEADERS = re.compile(r"\.{4,}|_{4,}|(?:\. ){4,}")
COLUMNS = re.compile(r"\S(?: {3,}|\t)\s*(?=\S)")
NUMBERS = re.compile(
    r"(?<!\S)(?:[^\w\s]*\d|(?:nil|n\.?a\.?|unch\w*|unav\w*|[-–—.]+)(?!\S))", re.IGNORECASE
)
SENTENCE_END = re.compile(r"""[^\W\d_]{2,}[.!?…。！？।؟]["'”’»)]*$""")


def looks_like_row(line: str) -> bool:
    """Whether one line of text reads like a row of a table rather than a sentence."""
    row = line.strip()
    if len(row) > LONGEST_ROW or not SIGN.search(row):
        return False
    if LEADERS.search(row) or len(COLUMNS.findall(row)) >= 2:
        return True
    numbers = len(NUMBERS.findall(row))
    if numbers < NUMBER_SHARE * len(row.split()) or numbers == 0:
        return False
    return not SENTENCE_END.search(row)


def is_tabular(paragraphs: Iterable[ParagraphRecord]) -> bool:
    """Whether an article is mostly a table: its rows are at least half of its lines.

    A flowing paragraph counts as the lines that it would fill, so that one long text outweighs
    a few figures beneath it.
    """
    rows = lines = 0
    for paragraph in paragraphs:
        table, other = row_counts(paragraph)
        rows += table
        lines += table + other
    return rows >= FEWEST_ROWS and rows >= TABULAR_SHARE * lines


def row_counts(paragraph: ParagraphRecord) -> tuple[int, int]:
    """How many lines of a paragraph are rows, and how many are not."""
    if paragraph.kind == TABLE:
        return len(paragraph.text.split("\n")), 0
    lines = paragraph.text.split("\n")
    rows = sum(map(looks_like_row, lines))
    return rows, filled_lines(lines) - rows


def filled_lines(lines: Sequence[str]) -> int:
    """The lines that a text fills where a line holds LONGEST_ROW characters."""
    return sum(1 + (len(line) - 1) // LONGEST_ROW for line in lines if line)
