"""The one way to read article files of any format."""

from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path

from corpus.readers import csv, fever_wiki, feverous, frontmatter, jsonl, reuters, scifact
from corpus.readers.articles import articles
from corpus.readers.files import Lines, UnreadableFile, display_names, open_packed
from corpus.readers.identifiers import SeenIds
from corpus.records import ArticleRecord, BadRecord, ReadOptions

READERS = {
    "jsonl": jsonl.read_rows,
    "csv": csv.read_rows,
    "reuters": reuters.read_rows,
    "frontmatter": frontmatter.read_rows,
    "scifact": scifact.read_rows,
    "feverous": feverous.read_rows,
    "fever-wiki": fever_wiki.read_rows,
}


def read_articles(
    paths: Iterable[str | Path], options: ReadOptions
) -> Iterator[ArticleRecord | BadRecord]:
    """Every article of the files, in order, and a BadRecord for what cannot be read.

    Nothing is raised for any content. A problem that ends the reading of a file (missing, damaged,
    wrong encoding, no header) is a BadRecord with stops_file; line 0 where it concerns no line.
    Memory does not grow with the files: ids already met are kept in a temporary file on disk.
    An id may stand once in all files together.
    """
    files = [Path(path) for path in paths]
    with closing(SeenIds(is_cased=options.is_cased)) as seen:
        for path, file in zip(files, display_names(files), strict=True):
            yield from read_file(path, file, options, seen)


def read_file(
    path: Path, file: str, options: ReadOptions, seen: SeenIds
) -> Iterator[ArticleRecord | BadRecord]:
    try:
        with open_packed(path) as stream:
            rows = READERS[options.format](Lines(stream, options.encoding), file, options)
            yield from articles(rows, file, options, seen)
    except UnreadableFile as error:
        yield BadRecord(
            file,
            error.line,
            str(error),
            stops_file=True,
            column=error.column,
            excerpt=error.excerpt,
        )
