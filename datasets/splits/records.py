"""What splitting needs to know about a claim, from our own rows or from a line of a file."""

import re
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from corpus.records import article_of

T = TypeVar("T", bound=Any)
FEVEROUS_ELEMENT = re.compile(
    r"_(sentence|section|table_caption|cell|header_cell|item)(_\d+)+$|_title$"
)


@dataclass(frozen=True)
class SplitRecord:
    """One claim of a dataset.

    key: its id, unique within a dataset; claim_id: as written, where it may come again in
    another file; source_article, initial_claim: empty where there is none; of a mutation of a
    mutation the next one before it will do; evidence: pairs of (article, paragraph or unit) that
    it cites, the second one empty where it cites an article and no part of it.
    """

    key: Hashable
    text: str
    label: str
    claim_id: str = ""
    source_article: str = ""
    source_paragraph: str = ""
    initial_claim: str = ""
    evidence: tuple[tuple[str, str], ...] = ()

    @property
    def evidence_articles(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(article for article, _ in self.evidence))


def initial_claims(records: Iterable[SplitRecord]) -> dict[str, str]:
    """{claim id: the first claim of its line}, of those that come from another one."""
    parents: dict[str, str] = {}
    for record in records:
        if record.claim_id and record.initial_claim not in ("", record.claim_id):
            parents.setdefault(record.claim_id, record.initial_claim)
    return roots_of(parents)


def roots_of(parents: Mapping[T, T]) -> dict[T, T]:
    """{child: the first of its line}; where a line runs in a circle, the least of the circle."""
    roots: dict[T, T] = {}
    for claim in parents:
        path: dict[T, None] = {}
        while claim in parents and claim not in roots and claim not in path:
            path[claim] = None
            claim = parents[claim]
        walked = list(path)
        root = min(walked[walked.index(claim) :]) if claim in path else roots.get(claim, claim)
        roots.update(dict.fromkeys(path, root))
    return roots


def record_of_line(line: dict, *, key: Hashable = None) -> SplitRecord:
    """The record of a line in FEVER, CTKFacts, CsFEVER, SciFact, FEVEROUS or AmbiFC form.

    key: the record's key, by default the claim's id. An initial claim is its own parent, so that
    it stays with its mutations; a mutation whose parent is unknown has none.
    """
    claim_id = id_of(line)
    source = text_of(line.get("source"))
    parent = text_of(line.get("mutated_from"))
    return SplitRecord(
        key=claim_id if key is None else key,
        text=line.get("claim", ""),
        label=label_of(line),
        claim_id=claim_id,
        source_article=article_of(source) if source else text_of(line.get("wiki_page")),
        source_paragraph=source,
        initial_claim=parent or (claim_id if "mutated_from" in line else ""),
        evidence=tuple(dict.fromkeys(cited_in(line))),
    )


def id_of(line: dict) -> str:
    """The claim's id as text; 0 is an id like others."""
    value = line.get("id", line.get("claim_id"))
    return "" if value is None else str(value)


def text_of(value) -> str:
    """A label or reference as text; null and 0 stand for none."""
    return "" if value in (None, 0) else str(value)


def label_of(line: dict) -> str:
    """The label; of SciFact's lines that of the first rationale, of AmbiFC's the passage's."""
    if "labels" in line:
        return text_of(line["labels"].get("passage"))
    evidence = line.get("evidence")
    if "label" in line or not isinstance(evidence, dict):
        return text_of(line.get("label"))
    labels = [rationale["label"] for sets in evidence.values() for rationale in sets]
    return labels[0] if labels else "NOT ENOUGH INFO"


def cited_in(line: dict) -> Iterator[tuple[str, str]]:
    """What a line cites; of SciFact's also the abstracts in which nothing was found.

    Of `cited_doc_ids` only a list says something, as of `evidence`: cells of a table are texts.
    """
    evidence = line.get("evidence")
    yield from cited(evidence, by_paragraph="source" in line)
    found = {str(document) for document in evidence} if isinstance(evidence, dict) else set()
    documents = line.get("cited_doc_ids")
    for document in documents if isinstance(documents, list) else ():
        if str(document) not in found:
            yield str(document), ""


def cited(evidence, *, by_paragraph: bool) -> Iterator[tuple[str, str]]:
    """(article, paragraph or unit) of everything that a line cites, whatever its form."""
    if isinstance(evidence, dict):
        for article, rationales in evidence.items():
            for rationale in rationales:
                for sentence in list_of(rationale["sentences"]):
                    yield str(article), f"{article}_{sentence}"
    elif isinstance(evidence, list):
        for group in evidence:
            yield from cited_in_group(group, by_paragraph)


def cited_in_group(group, by_paragraph: bool) -> Iterator[tuple[str, str]]:
    if isinstance(group, dict):
        for element in list_of(group.get("content", [])):
            yield FEVEROUS_ELEMENT.sub("", element), element
    elif isinstance(group, list):
        for item in group:
            yield from cited_item(item, by_paragraph)


def list_of(value: object) -> list:
    """A list as it is. Raises TypeError for anything else: a text is none of its characters."""
    if not isinstance(value, list):
        raise TypeError(f"{value!r:.60} is no list")
    return value


def cited_item(item, by_paragraph: bool) -> Iterator[tuple[str, str]]:
    """One item: a paragraph id, or FEVER's [annotation, evidence, page, line]."""
    if isinstance(item, str):
        yield article_of(item), item
    elif isinstance(item, list) and len(item) >= 4 and item[2] is not None:
        page = str(item[2])
        yield (article_of(page), page) if by_paragraph else (page, f"{page}_{item[3]}")
