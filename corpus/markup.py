"""HTML and Markdown reduced to paragraphs: prose, lists with their items, tables with their cells.

A heading becomes the section path of what follows it. A ValueError says that a text is too large
to be reduced.
"""

import html
import re
from collections.abc import Iterable
from functools import cache
from html.parser import HTMLParser

import nh3
from markdown_it import MarkdownIt

from corpus.records import CAPTION, CELL, HEADER_CELL, LIST, LIST_ITEM, TABLE, UnitRecord
from corpus.segmentation import Block, lines_block, text_blocks
from corpus.texts import clean_text, one_line

HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
LISTS = ("ul", "ol", "dl")
ITEMS = ("li", "dt", "dd")
TABLE_PARTS = ("table", "tr", "td", "th", "caption")
FLOW = (
    *("p", "div", "section", "article", "header", "footer", "aside", "main", "nav", "address"),
    *("blockquote", "figure", "figcaption", "details", "summary", "hr", "center", "form"),
)
INLINE = (
    *("a", "b", "i", "em", "strong", "span", "u", "s", "sub", "sup", "small", "code", "tt", "q"),
    *("cite", "abbr", "time", "mark", "font", "big", "del", "ins", "kbd", "samp", "var", "strike"),
)
# what a parser takes more than seconds for when tags or brackets are nested out of malice
MOST_TAGS = 50_000
LONGEST_MARKDOWN = 2_000_000
KEPT = {*HEADINGS, *LISTS, *ITEMS, *TABLE_PARTS, *FLOW, "pre", "br"}
DROPPED = {"script", "style", "template", "noscript", "iframe", "svg", "math", "title", "textarea"}
# a lone capital <P> is left alone: in newswires it is a share's ticker
BLOCK_TAG = re.compile(
    rf"</(?:{'|'.join(sorted({*HEADINGS, *LISTS, *ITEMS, *TABLE_PARTS, *FLOW, 'pre'}))})\s*>"
    r"|<br\s*/?>|(?-i:<p[ >])",
    re.IGNORECASE,
)
INLINE_TAG = re.compile(rf"</(?:{'|'.join(INLINE)})\s*>", re.IGNORECASE)
REFERENCE = re.compile(r"&(?:amp|lt|gt|quot|apos|nbsp|[mn]dash|[lr][sd]quo|hellip|#\d{2,6});")
SHORTCODE = re.compile(r"\{\{[<%][^{}]*[%>]\}\}")
LINKED_SHORTCODE = re.compile(rf"(?<=\]\(){SHORTCODE.pattern}")
HEADING_MARK = re.compile(r"(?<![ \t])[ \t]*\{#[\w-]{1,200}\}[ \t]*$", re.MULTILINE)


def markup_blocks(text: str) -> list[Block]:
    """The paragraphs of a text that may be plain or HTML, told apart by its own tags."""
    if BLOCK_TAG.search(text):
        return html_blocks(text)
    return text_blocks(plain(text))


def plain(text: str) -> str:
    """A single text that may hold tags or references, as plain text."""
    if INLINE_TAG.search(text) or BLOCK_TAG.search(text):
        return html.unescape(well_formed(text, set()))
    return html.unescape(text) if REFERENCE.search(text) else text


def markdown_blocks(text: str) -> list[Block]:
    """The paragraphs of a Markdown text, which may hold HTML and shortcodes of site builders."""
    if len(text) > LONGEST_MARKDOWN:
        raise ValueError("the Markdown has more than 2 million characters; divide it")
    bare = SHORTCODE.sub("", LINKED_SHORTCODE.sub("#", text))
    return html_blocks(markdown().render(HEADING_MARK.sub("", bare)))


@cache
def markdown() -> MarkdownIt:
    """CommonMark without code by indentation, which posts have by accident, around HTML."""
    rules = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    return rules.disable("code")


def html_blocks(text: str) -> list[Block]:
    """The paragraphs of an HTML text, however broken: it is made well-formed first."""
    reducer = Reducer()
    reducer.feed(well_formed(text, KEPT))
    reducer.close()
    reducer.end_block()
    return reducer.blocks


def well_formed(text: str, tags: set[str]) -> str:
    """HTML in which only `tags` are left, closed and nested."""
    if text.count("<") > MOST_TAGS:
        raise ValueError(f"the text has more than {MOST_TAGS:,} tags; divide it")
    return nh3.clean(text, tags=tags, attributes={}, clean_content_tags=DROPPED)


def html_text(text: str) -> str:
    """An HTML text as plain text, its paragraphs divided by blank lines."""
    return "\n\n".join(block.text for block in html_blocks(text))


def markdown_text(text: str) -> str:
    """A Markdown text as plain text, its paragraphs divided by blank lines."""
    return "\n\n".join(block.text for block in markdown_blocks(text))


class Reducer(HTMLParser):
    """Collects the blocks of well-formed HTML; a list or table inside another is part of it."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.blocks: list[Block] = []
        self.words: list[str] = []
        self.headings: dict[int, str] = {}
        self.lists = self.tables = self.preformatted = 0
        self.items: list[str] = []
        self.rows: list[list[tuple[str, str]]] = []
        self.caption = ""

    def handle_data(self, data):
        self.words.append(data)

    def handle_starttag(self, tag, attrs):
        if self.tables:
            self.start_in_table(tag)
        elif tag == "table":
            self.end_block()
            self.tables = 1
        elif self.lists:
            self.start_in_list(tag)
        elif tag in LISTS:
            self.end_block()
            self.lists = 1
        elif tag == "br":
            self.words.append("\n")
        else:
            self.end_block()
            self.preformatted += tag == "pre"

    def start_in_table(self, tag):
        self.tables += tag == "table"
        if tag == "tr" and self.tables == 1:
            self.rows.append([])
        if tag in {"td", "th", "caption"} and self.tables == 1:
            self.words.clear()
        else:
            self.words.append(" ")

    def start_in_list(self, tag):
        self.lists += tag in LISTS
        if tag in ITEMS or tag in LISTS:
            self.end_item()
        else:
            self.words.append(" ")

    def handle_endtag(self, tag):
        if self.tables:
            self.end_in_table(tag)
        elif self.lists:
            self.end_in_list(tag)
        elif tag in HEADINGS:
            self.end_heading(HEADINGS.index(tag))
        elif tag != "br":
            self.end_block()
            self.preformatted -= tag == "pre"

    def end_in_table(self, tag):
        self.tables -= tag == "table"
        if not self.tables:
            self.add_table()
        elif self.tables > 1:
            self.words.append(" ")
        elif tag in {"td", "th"}:
            self.end_cell(HEADER_CELL if tag == "th" else CELL)
        elif tag == "caption":
            self.caption = self.taken()

    def end_in_list(self, tag):
        self.lists -= tag in LISTS
        if tag in ITEMS or tag in LISTS:
            self.end_item()
        else:
            self.words.append(" ")
        if not self.lists:
            self.add_list()

    def taken(self) -> str:
        """The text gathered so far, as one line."""
        text = one_line("".join(self.words))
        self.words.clear()
        return text

    def end_heading(self, level: int):
        self.headings = {at: name for at, name in self.headings.items() if at < level}
        if name := self.taken():
            self.headings[level] = name

    def end_block(self):
        lines = clean_text("".join(self.words)) if self.preformatted else self.taken_lines()
        self.words.clear()
        if lines:
            self.blocks.append(Block(lines, section_path=self.section_path()))

    def taken_lines(self) -> str:
        """The text gathered so far; what two line breaks divide becomes paragraphs of their own."""
        text = "".join(self.words)
        if "\n" not in text.strip():
            return one_line(text)
        *before, last = [one_line(part) for part in re.split(r"\n\s*\n", text)]
        path = self.section_path()
        self.blocks += [Block(part, section_path=path) for part in before if part]
        return last

    def end_item(self):
        if item := self.taken():
            self.items.append(item)

    def end_cell(self, kind: str):
        if not self.rows:
            self.rows.append([])
        self.rows[-1].append((self.taken(), kind))

    def add_list(self):
        if self.items:
            self.blocks.append(lines_block(self.items, LIST, LIST_ITEM, self.section_path()))
        self.items = []

    def add_table(self):
        self.words.clear()
        block = table_block(self.rows, self.caption, self.section_path())
        if block.text:
            self.blocks.append(block)
        self.rows, self.caption = [], ""

    def section_path(self) -> tuple[str, ...]:
        return tuple(name for _, name in sorted(self.headings.items()))


def table_block(
    rows: list[list[tuple[str, str]]], caption: str, section_path: tuple[str, ...]
) -> Block:
    """A table as text, one row a line and ' | ' between cells, with its cells as units.

    A table of a single filled cell only lays out a page: it is prose.
    """
    filled = [row for row in rows if any(text for text, _ in row)]
    cells = [text for row in filled for text, _ in row if text]
    if len(cells) <= 1:
        return Block(" ".join([caption, *cells]).strip(), section_path=section_path)
    lines, units = [], []
    if caption:
        lines.append(caption)
        units.append(UnitRecord("caption_0", CAPTION, 0, len(caption)))
    for number in range(len(filled)):
        line, cells_of_row = row_units(filled, number, sum(map(len, lines)) + len(lines))
        lines.append(line)
        units += cells_of_row
    return Block("\n".join(lines), TABLE, section_path, tuple(units))


def row_units(
    rows: list[list[tuple[str, str]]], number: int, start: int
) -> tuple[str, list[UnitRecord]]:
    """The line of one row, which begins at `start`, and its filled cells."""
    line = " | ".join(text for text, _ in rows[number])
    place = start - (len(line) - len(line.lstrip()))
    units = []
    for column, (text, kind) in enumerate(rows[number]):
        if text:
            headers = header_ids(rows, number, column)
            name = f"{kind}_{number}_{column}"
            units.append(UnitRecord(name, kind, place, place + len(text), headers=headers))
        place += len(text) + 3
    return line.strip(), units


def header_ids(rows: list[list[tuple[str, str]]], number: int, column: int) -> tuple[str, ...]:
    """The header cells of a cell: the nearest above it and the nearest to its left."""
    above = ((row, column) for row in range(number - 1, -1, -1))
    left = ((number, place) for place in range(column - 1, -1, -1))
    found = (first_header(rows, above), first_header(rows, left))
    return tuple(f"{HEADER_CELL}_{row}_{place}" for row, place in filter(None, found))


def first_header(
    rows: list[list[tuple[str, str]]], places: Iterable[tuple[int, int]]
) -> tuple[int, int] | None:
    for row, column in places:
        text, kind = rows[row][column] if column < len(rows[row]) else ("", CELL)
        if text and kind == HEADER_CELL:
            return row, column
    return None
