"""JSON lines: separators ", " and ": ", keys in the order given, `\n` at the end."""

import json
from collections.abc import Iterable

from corpus.texts import has_lone_surrogate
from datasets.records import Cited, LabelledClaim

# FEVER, SciFact and FEVEROUS files escape what is not ASCII, the other formats do not.
escaped = json.JSONEncoder(ensure_ascii=True, allow_nan=False).encode
unescaped = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode

# What is kept of a file that stands elsewhere in a line.
OURS = ("evidence_ids", "contexts", "soft_label", "evidence_is")
VERIFIABLE = {
    "SUPPORTS": "VERIFIABLE",
    "REFUTES": "VERIFIABLE",
    "NOT ENOUGH INFO": "NOT VERIFIABLE",
    None: None,
}


def as_it_is(record: dict) -> str:
    """The line in the letters of its texts; escaped where half a surrogate pair has no bytes."""
    line = unescaped(record)
    return escaped(record) if has_lone_surrogate(line) else line


def with_shares(record: dict, claim: LabelledClaim) -> dict:
    """The record, and at its end the share of each label where soft labels are asked for.

    null where the label is of nobody whose labels count.
    """
    return record if claim.shares is None else {**record, "soft_label": claim.shares or None}


def id_of(claim: LabelledClaim) -> int | str:
    """The id by which its own file knows the claim, else its number."""
    return stated(claim.external_id, claim.number)


def parent_of(claim: LabelledClaim) -> int | str | None:
    """The id of the claim that it was mutated from, as that one's line has it."""
    return stated(claim.external_parent, claim.mutated_from)


def stated(external: str, number):
    return number if external in ("", str(number)) else external


def with_rest(record: dict, claim: LabelledClaim, *formats: str) -> dict:
    """The record, and behind it the fields that a file of one of these formats had besides."""
    if claim.format not in formats:
        return record
    rest = {k: v for k, v in claim.extra.items() if k not in record and k not in OURS}
    return {**record, **rest}


def paragraph_sets(sets: Iterable[tuple[Cited, ...]]) -> list[tuple[Cited, ...]]:
    """The sets by paragraphs: a part is cited by its paragraph, each once, equal sets once."""
    found: dict[frozenset, tuple[Cited, ...]] = {}
    for group in sets:
        once = {name_of(each) or each.text: each for each in group}
        found.setdefault(frozenset(once), tuple(once.values()))
    return list(found.values())


def is_line(cited: Cited) -> bool:
    """Whether it is the number of a part in an article: in which paragraph, nobody knows."""
    return not cited.is_resolved and cited.unit.isdecimal()


def name_of(cited: Cited) -> str:
    """A paragraph's id. A line of an article that the corpus lacks is named like one."""
    if cited.is_resolved or not cited.external:
        return cited.paragraph
    return f"{cited.paragraph}_{cited.external}"
