"""Cutting texts into paragraphs: prose, lists and tables."""

import re
from collections.abc import Iterable
from typing import NamedTuple

from corpus.records import LIST, LIST_ITEM, PROSE, TABLE, ParagraphRecord, UnitRecord
from corpus.tables import looks_like_row
from corpus.texts import clean_text

INDENTED = re.compile(r"[ \t]{2,}|\t|\u3000")
BULLET = re.compile(r"\s*(?:[-*•–·◦▪]|\d{1,3}[.)])\s+(?=\S)")
BLANK_LINES = re.compile(r"\n[^\S\n]*(?:\n[^\S\n]*)+")
LINE_END = re.compile("\r\n|[\r\v\f\x1c-\x1e\x85\u2028\u2029]")
TERMINATED = re.compile(r"""[.!?…:;。！？।؟۔]["'”’»)\]」』]*\s*$""")
FULL_STOP = re.compile(r"""(?<!\.)[.!?]["')]*\s*$""")
WIDEST_WRAP = 120
WORD = re.compile(r"\w")
ROWS_IN_TABLE = 0.6


class Block(NamedTuple):
    text: str
    kind: str = PROSE
    section_path: tuple[str, ...] = ()
    units: tuple[UnitRecord, ...] = ()


def numbered(blocks: Iterable[Block]) -> tuple[ParagraphRecord, ...]:
    """The paragraphs of an article from its blocks, ranked from 1."""
    return tuple(
        ParagraphRecord(rank, block.text, block.kind, block.section_path, block.units)
        for rank, block in enumerate(blocks, 1)
    )


def given_blocks(texts: Iterable[str]) -> list[Block]:
    """Paragraphs that the file itself separates: kept word for word, only cleaned."""
    return [Block(text, kind_of(text)) for text in map(clean_text, texts)]


def kind_of(text: str) -> str:
    """Table for lines that are mostly rows, else prose."""
    lines = text.split("\n")
    return TABLE if len(lines) > 1 and is_table(lines) else PROSE


def text_blocks(text: str) -> list[Block]:
    """The paragraphs of plain text: by blank lines, else indentation, else whole lines.

    Hard-wrapped lines flow together; rows of figures stay lines of one table.
    """
    blocks: list[Block] = []
    for chunk in BLANK_LINES.split(LINE_END.sub("\n", text)):
        lines = [line.rstrip() for line in chunk.split("\n") if not line.isspace() and line]
        blocks += chunk_blocks(lines)
    return blocks


def chunk_blocks(lines: list[str]) -> list[Block]:
    """The paragraphs of lines that no blank line separates."""
    if len(lines) < 2:
        return prose(lines)
    if all(map(BULLET.match, lines)):
        return list_block(lines)
    indented = [bool(INDENTED.match(line)) for line in lines]
    if any(indented[1:]) and (not all(indented) or is_table(lines)):
        return indented_blocks(lines, indented)
    if is_table(lines):
        return table_block(lines)
    if lines_are_paragraphs(lines):
        return [block for line in lines for block in prose([line])]
    return prose(lines)


def prose(lines: list[str]) -> list[Block]:
    """One flowing paragraph; none for a line of stars or dashes that only divides."""
    text = " ".join(clean_text(" ".join(lines)).split())
    return [Block(text)] if WORD.search(text) else []


def is_table(lines: list[str]) -> bool:
    """Whether most lines are rows; wrapped prose full of figures ends as a sentence does."""
    rows = sum(map(looks_like_row, lines))
    if rows < ROWS_IN_TABLE * len(lines):
        return False
    return len(lines) == 1 or not FULL_STOP.search(lines[-1][-20:])


def table_block(lines: list[str]) -> list[Block]:
    """A table in plain text: the columns stay where they were, the common margin goes."""
    expanded = [line.expandtabs() for line in lines]
    margin = min(len(line) - len(line.lstrip()) for line in expanded)
    rows = (clean_text("|" + line[margin:])[1:] for line in expanded)
    text = clean_text("\n".join(row for row in rows if row.strip()))
    return [Block(text, TABLE)] if text else []


def list_block(lines: list[str]) -> list[Block]:
    items = [" ".join(clean_text(line).split()) for line in lines]
    return [lines_block([item for item in items if item], LIST, LIST_ITEM)]


def lines_block(
    lines: list[str], kind: str, unit_kind: str, section_path: tuple[str, ...] = ()
) -> Block:
    """A paragraph in which every line is a unit."""
    units, start = [], 0
    for number, line in enumerate(lines):
        units.append(UnitRecord(f"{unit_kind}_{number}", unit_kind, start, start + len(line)))
        start += len(line) + 1
    return Block("\n".join(lines), kind, section_path, tuple(units))


def indented_blocks(lines: list[str], indented: list[bool]) -> list[Block]:
    """Paragraphs that begin with an indented line; neighbouring rows make one table."""
    groups: list[list[str]] = []
    for line, begins in zip(lines, indented, strict=True):
        if begins or not groups:
            groups.append([])
        groups[-1].append(line)
    return [block for run in joined_rows(groups) for block in run_block(run)]


def joined_rows(groups: list[list[str]]) -> list[tuple[list[str], bool]]:
    """Groups of lines, those that are rows or head rows joined with the rows before them."""
    runs: list[tuple[list[str], bool]] = []
    for group, row in zip(groups, row_groups(groups), strict=True):
        if row and runs and runs[-1][1]:
            runs[-1][0].extend(group)
        else:
            runs.append((list(group), row))
    return runs


def row_groups(groups: list[list[str]]) -> list[bool]:
    """Which groups belong to a table: rows, and a short heading right above rows."""
    flags = [is_table(group) for group in groups]
    for position in range(len(groups) - 2, -1, -1):
        flags[position] |= flags[position + 1] and is_heading(groups[position])
    return flags


def is_heading(group: list[str]) -> bool:
    return len(group) == 1 and len(group[0].strip()) <= 60 and not is_ended(group[0])


def run_block(run: tuple[list[str], bool]) -> list[Block]:
    lines, are_rows = run
    return table_block(lines) if are_rows and len(lines) > 1 else prose(lines)


def lines_are_paragraphs(lines: list[str]) -> bool:
    """Whether each line is a paragraph of its own, rather than a part of a wrapped one."""
    ended = sum(1 for line in lines if is_ended(line))
    widest = max(map(len, lines))
    return ended >= 0.7 * len(lines) or (widest > WIDEST_WRAP and ended >= 0.4 * len(lines))


def is_ended(line: str) -> bool:
    return bool(TERMINATED.search(line[-20:]))
