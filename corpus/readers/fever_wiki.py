"""The pages of FEVER: their numbered lines are the sentences of one paragraph.

`lines` holds a line's number, its text and the texts and targets of its links, divided by tabs.
"""

import re
from collections.abc import Iterator

from corpus.readers import jsonl
from corpus.readers.fields import Row, checked_text
from corpus.readers.files import Lines
from corpus.readers.given import sentences_paragraph
from corpus.records import BadRecord, ReadOptions

MARKS = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-COLON-": ":", "_": " "}
MARK = re.compile("|".join(MARKS))


def read_rows(lines: Lines, file: str, options: ReadOptions) -> Iterator[Row | BadRecord]:
    """The pages of a file, but for the empty one that each file begins with."""
    for row in jsonl.read_rows(lines, file, options):
        if isinstance(row, BadRecord):
            yield row
        elif any(row.values.values()):
            try:
                yield page(row)
            except ValueError as error:
                yield BadRecord(file, row.line, str(error))


def page(row: Row) -> Row:
    name = checked_text(row.values.get("id"), "id")
    stated = checked_text(row.values.get("lines", ""), "lines")
    paragraph = sentences_paragraph(numbered_lines(stated))
    paragraphs = () if paragraph is None else (paragraph,)
    return Row(row.line, {"title": title_of(name), **row.values, "paragraphs": paragraphs})


def numbered_lines(text: str) -> Iterator[tuple[str, str]]:
    """(number, sentence) of each line; a line break inside a sentence begins no number."""
    for line in text.split("\n"):
        number, tab, rest = line.partition("\t")
        if tab and number.isascii() and number.isdecimal():
            yield str(int(number)), rest.split("\t", 1)[0]


def title_of(name: str) -> str:
    """A page's name as people write it: `Soul_Food_-LRB-film-RRB-` is Soul Food (film)."""
    return MARK.sub(lambda match: MARKS[match.group()], name)
