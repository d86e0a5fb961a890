"""The corpus of SciFact: an abstract a line, its sentences numbered from 0, without dates."""

from collections.abc import Iterator

from corpus.readers import jsonl
from corpus.readers.fields import Row
from corpus.readers.files import Lines
from corpus.readers.given import sentences_paragraph
from corpus.records import BadRecord, ReadOptions


def read_rows(lines: Lines, file: str, options: ReadOptions) -> Iterator[Row | BadRecord]:
    """The abstracts of a file, each one paragraph."""
    for row in jsonl.read_rows(lines, file, options):
        try:
            yield row if isinstance(row, BadRecord) else abstract(row)
        except ValueError as error:
            yield BadRecord(file, row.line, str(error))


def abstract(row: Row) -> Row:
    sentences = row.values.get("abstract")
    if not isinstance(sentences, list):
        raise ValueError("abstract is not a list; write a list of sentences")
    paragraph = sentences_paragraph((str(n), text) for n, text in enumerate(sentences))
    paragraphs = () if paragraph is None else (paragraph,)
    return Row(row.line, {"id": row.values.get("doc_id"), **row.values, "paragraphs": paragraphs})
