"""What a release's files of lines are called by hubs, with the fields of their lines."""

import json
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

from datasets.cards.fields import SEEN, columns_of
from datasets.releases.tabular import is_table


def configs_of(folder: Path, files: list[dict], titles: dict[str, str]) -> list[dict]:
    """{name, title, columns, is_table} of each kind of lines, in the order of the files."""
    by_config: dict[str, list[dict]] = {}
    for file in files:
        if file["config"]:
            by_config.setdefault(file["config"], []).append(file)
    return [
        {
            "name": name,
            "title": titles[same[0]["format"]],
            "columns": columns_of(first_records(folder, same), same[0]["format"]),
            "is_table": is_table(lines_in(folder, same)),
        }
        for name, same in by_config.items()
    ]


def first_records(folder: Path, files: list[dict]) -> Iterator[dict]:
    """The first lines of each file."""
    for lines in lines_in(folder, files):
        yield from map(json.loads, islice(lines, SEEN))


def lines_in(folder: Path, files: list[dict]) -> Iterator[Iterable[str]]:
    """The lines of each file, read as they are asked for."""
    for file in files:
        with (folder / file["name"]).open(encoding="utf-8", newline="\n") as lines:
            yield lines
