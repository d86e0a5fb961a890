"""What cards are built of: sections of paragraphs, lists, tables and code."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Paragraph:
    text: str
    kind: str = "paragraph"


@dataclass(frozen=True)
class Bullets:
    items: tuple[str, ...]
    kind: str = "bullets"


@dataclass(frozen=True)
class Code:
    text: str
    language: str = ""
    kind: str = "code"


@dataclass(frozen=True)
class Table:
    """caption: what it shows; rows: as many cells as `head`; numbers: positions of numbers."""

    caption: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numbers: frozenset[int] = frozenset()
    kind: str = "table"


Block = Paragraph | Bullets | Code | Table


@dataclass(frozen=True)
class Section:
    """level: 2 for a section, 3 for a part of one."""

    title: str
    blocks: tuple[Block, ...] = ()
    level: int = 2
