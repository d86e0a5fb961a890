"""Claims with the evidence that is known for them, from lines of published sets.

Read are: CTKFacts in its retrieval form (sets of paragraph ids), FEVER's form (sets of items whose
third value is a page, or in CTKFacts a paragraph) and SciFact's (documents, each enough alone). A
name is what the file says: a paragraph's public id, or an article's id.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

PAGE = 2  # the third value of a FEVER item


@dataclass(frozen=True)
class KnownClaim:
    """A claim, the paragraph that it came from where the set says so, and its evidence sets."""

    text: str
    source: str | None
    evidence: tuple[frozenset[str], ...]


def read_claims(lines: Iterable[str]) -> Iterator[KnownClaim]:
    """The claims of lines of JSON; blank lines are passed over.

    Raises ValueError, naming the line, for what is no claim or has another form of evidence.
    """
    for number, line in enumerate(lines, start=1):
        if line.strip():
            try:
                yield known_claim(json.loads(line))
            except (ValueError, KeyError, TypeError, AttributeError, IndexError) as error:
                raise ValueError(f"line {number} is no claim with evidence: {error!r}") from None


def known_claim(record: dict) -> KnownClaim:
    """A claim of a record; equal sets once, in their order."""
    sets = dict.fromkeys(_sets(record.get("evidence", [])))
    source = record.get("source")
    return KnownClaim(str(record["claim"]), None if source is None else str(source), tuple(sets))


def _sets(evidence: dict | list) -> Iterator[frozenset[str]]:
    """SciFact's dict of documents, or a list of lists; sets without a name are left out."""
    groups = [[name] for name in evidence] if isinstance(evidence, dict) else evidence
    for group in groups:
        if not isinstance(group, list):
            raise ValueError(f"evidence set {group!r} is no list")
        names = frozenset(_name(item) for item in group) - {None}
        if names:
            yield frozenset(str(name) for name in names)


def _name(item: str | int | list) -> str | int | None:
    return item[PAGE] if isinstance(item, list) else item
