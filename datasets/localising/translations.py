"""Claims in the other language: read from a file, or made by a translator that is plugged in."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from corpus.texts import clean_text
from datasets.localising.tables import CLAIM, ID, Problems, Tell, cell, table_rows
from datasets.readers.fields import identifier
from datasets.readers.problems import Unusable

BATCH = 100

Translate = Callable[[list[str]], list[str]]


class UnusableTranslator(Exception):
    """Why what is plugged in gives no translations, as a sentence."""


@dataclass
class Translations:
    """texts: the translated claim of each id, '' where the file has an empty one."""

    texts: dict[str, str] = field(default_factory=dict)
    rows: int = 0
    duplicates: int = 0

    def add(self, name: str, text: str) -> None:
        """Raises Unusable for a second, other translation of an id."""
        self.rows += 1
        if name not in self.texts:
            self.texts[name] = text
        elif self.texts[name] == text:
            self.duplicates += 1
        else:
            raise Unusable(f"the claim {name} has another translation above", ID)


def read_translations(path: Path, tell: Tell) -> Translations:
    """The translations of a file with the columns id and claim. tell: see `table_rows`.

    Raises BadLine, with file, line and reason of the first rows that cannot be used, and for a
    file without any row.
    """
    translations, problems = Translations(), Problems()
    for raw in table_rows(path, problems, (ID, *CLAIM), tell):
        try:
            translations.add(*row_of(raw.values))
        except Unusable as error:
            problems.add(raw.problem(path.name, error))
    problems.check()
    return translations


def row_of(values: Mapping) -> tuple[str, str]:
    name, _number = identifier(values.get(ID), ID)
    return name, clean_text(cell(values, CLAIM, "the claim"))


def translated(texts: list[str], translate: Translate) -> list[str]:
    """The translation of each text, in order.

    Raises UnusableTranslator where it fails, or gives anything but as many texts.
    """
    try:
        found = translate(texts)
    except Exception as error:
        reason = f"The translator failed: {type(error).__name__}: {error}"
        raise UnusableTranslator(reason) from error
    if not isinstance(found, list | tuple) or len(found) != len(texts):
        given = len(found) if isinstance(found, list | tuple) else repr(found)[:60]
        raise UnusableTranslator(
            f"The translator gave {given} for {len(texts)} claims; it gives one text for each."
        )
    for text in found:
        if not isinstance(text, str):
            raise UnusableTranslator(f"The translator gave {text!r:.60}; it gives texts.")
    return [clean_text(text) for text in found]
