"""The files that an export's lines go to: one for each split, or for a retrieval set two."""

import json
from collections.abc import Iterable
from pathlib import Path

from datasets.folders import LinesFile
from datasets.options import ExportOptions
from datasets.writers import beir, claims

QUERIES = "queries.jsonl"
RELEVANCE = "qrels"  # the folder in which BEIR's loader looks


class SplitFiles:
    """A file of lines for each name, `all` or a split."""

    def __init__(self, path: Path, options: ExportOptions, names: Iterable[str]):
        ending = "csv" if options.format == "claims_csv" else "jsonl"
        self.files = {name: LinesFile(path / f"{name}.{ending}") for name in names}
        if ending == "csv":
            head = claims.header(is_soft=options.is_soft) + "\n"
            for file in self.files.values():
                write_header(file, head)

    def write(self, name: str, line: bytes) -> None:
        self.files[name].write(line)

    def close(self) -> list[dict]:
        return [file.close() for file in self.files.values()]


class RetrievalFiles:
    """The queries of all splits in one file, and for each name what is relevant to them."""

    def __init__(self, path: Path, options: ExportOptions, names: Iterable[str]):
        self.queries = LinesFile(path / QUERIES)
        (path / RELEVANCE).mkdir()
        places = {name: f"{RELEVANCE}/{name}.tsv" for name in names}
        self.relevant = {name: LinesFile(path / at, name=at) for name, at in places.items()}
        for file in self.relevant.values():
            write_header(file, beir.HEADER)

    def write(self, name: str, line: bytes) -> None:
        query, rows = beir.query_and_relevance(json.loads(line))
        self.queries.write(query.encode())
        for row in rows:
            self.relevant[name].write(row.encode())

    def close(self) -> list[dict]:
        return [self.queries.close(), *(file.close() for file in self.relevant.values())]


def write_header(file: LinesFile, head: str) -> None:
    """A table's first line, which is none of its lines."""
    file.write(head.encode())
    file.lines = 0


def files_for(path: Path, options: ExportOptions, names: Iterable[str]):
    kind = RetrievalFiles if options.format == "beir" else SplitFiles
    return kind(path, options, list(names))
