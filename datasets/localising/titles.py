"""Which page of one language is which of another: a table of titles."""

import unicodedata
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from corpus.texts import one_line
from datasets.localising.tables import SOURCE, TARGET, Problems, Tell, cell, table_rows
from datasets.readers.problems import Unusable

# How FEVER writes what its parser took for brackets and colons.
ESCAPES = {
    "-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}",
    "-COLON-": ":",
}  # fmt: skip
WRITTEN = {meant: written for written, meant in ESCAPES.items()}
MOST_NAMED = 20


@dataclass
class Titles:
    """targets: the titles in the other language that each page has, by its normalised title.

    A page with several is ambiguous and counts as missing: none of them is the right one by
    itself. rows, duplicates, without_target: numbers of rows.
    """

    targets: dict[str, list[str]] = field(default_factory=dict)
    rows: int = 0
    duplicates: int = 0
    without_target: int = 0

    def add(self, source: str, target: str) -> None:
        known = self.targets.setdefault(source, [])
        if any(normalised(each) == normalised(target) for each in known):
            self.duplicates += 1
        else:
            known.append(target)

    def find(self, page: str) -> str | None:
        """The title of a dataset's page; None where the table has none, or several."""
        found = self.targets.get(normalised(page), [])
        return found[0] if len(found) == 1 else None

    def as_report(self) -> dict:
        """Ready for JSON. shared_targets: titles that several pages lead to."""
        used = Counter(normalised(each[0]) for each in self.targets.values() if len(each) == 1)
        ambiguous = sorted(page for page, each in self.targets.items() if len(each) > 1)
        return {
            "rows": self.rows,
            "usable": used.total(),
            "duplicates": self.duplicates,
            "without_target": self.without_target,
            "shared_targets": sum(n > 1 for n in used.values()),
            "ambiguous": len(ambiguous),
            "ambiguous_titles": [
                {"title": page, "targets": sorted(self.targets[page])}
                for page in ambiguous[:MOST_NAMED]
            ],
        }


def read_titles(path: Path, tell: Tell) -> Titles:
    """The table of a file with the columns source and target. tell: see `table_rows`.

    Raises BadLine, with file, line and reason of the first rows that cannot be used, and for a
    file without any row.
    """
    titles, problems = Titles(), Problems()
    for raw in table_rows(path, problems, (*SOURCE, *TARGET), tell):
        try:
            add_row(titles, raw.values)
        except Unusable as error:
            problems.add(raw.problem(path.name, error))
    problems.check()
    return titles


def add_row(titles: Titles, values: Mapping) -> None:
    source = normalised(cell(values, SOURCE, "the source title"))
    target = one_line(cell(values, TARGET, "the target title"))
    if not source:
        raise Unusable("there is no source title")
    titles.rows += 1
    if target:
        titles.add(source, target)
    else:
        titles.without_target += 1


def normalised(title: str) -> str:
    """A title as titles are compared: NFC, FEVER's escapes undone, blanks for underscores.

    The first letter counts as a capital, as in Wikipedia; all other letters as they are.
    """
    text = " ".join(unescaped(unicodedata.normalize("NFC", title)).replace("_", " ").split())
    return text[:1].upper() + text[1:]


def unescaped(title: str) -> str:
    for written, meant in ESCAPES.items():
        title = title.replace(written, meant)
    return title


def page_of(title: str, pages: str) -> str:
    """How a dataset names the page of a title: as FEVER escapes it, or as the table has it."""
    if pages == "given":
        return title
    page = normalised(title).replace(" ", "_")
    for meant, written in WRITTEN.items():
        page = page.replace(meant, written)
    return page
