"""SciFact form: rationales of sentences by abstract; an abstract without any decides nothing."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import groupby

from datasets.records import NOT_ENOUGH_INFO, REFUTES, SUPPORTS, Cited, LabelledClaim
from datasets.writers.lines import escaped, id_of, with_rest

SPELT = {SUPPORTS: "SUPPORT", REFUTES: "CONTRADICT"}


def joined(claims: Iterable[LabelledClaim]) -> Iterator[LabelledClaim]:
    """Neighbours of the same claim, judged against one abstract each, as one claim of parts.

    Its label is the first verdict, its evidence that of all parts.
    """
    for _, group in groupby(claims, key=lambda claim: claim.number):
        parts = tuple(group)
        first = next((each for each in parts if each.label != NOT_ENOUGH_INFO), parts[0])
        sets = tuple(each for part in parts for each in part.evidence)
        yield replace(first, evidence=sets, parts=parts)


def lines(claim: LabelledClaim) -> Iterator[str]:
    parts = claim.parts or (claim,)
    evidence: dict[str, list[dict]] = {}
    for part in parts:
        for group in part.evidence if part.label in SPELT else ():
            sentences = [int(each.external) for each in group]
            rationale = {"sentences": sentences, "label": SPELT[part.label or ""]}
            evidence.setdefault(abstract_of(group[0]), []).append(rationale)
    named = [part.scope for part in parts if part.scope_kind != "whole"]
    cited = list(dict.fromkeys([*named, *evidence]))
    record = {
        "id": id_of(claim),
        "claim": claim.text,
        "evidence": evidence,
        "cited_doc_ids": claim.extra.get("cited_doc_ids", [number_of(each) for each in cited]),
    }
    yield escaped(with_rest(record, claim, "scifact"))


def sentence(cited: Cited) -> tuple[str, int]:
    """How a line tells it from others: by its abstract and number."""
    return abstract_of(cited), int(cited.external)


def abstract_of(cited: Cited) -> str:
    return cited.paragraph.rpartition("_")[0] if cited.is_resolved else cited.paragraph


def number_of(name: str) -> int | str:
    return int(name) if name.isdecimal() and str(int(name)) == name else name


def can_state(group: tuple[Cited, ...]) -> bool:
    """Whether a set is a rationale: sentences of one abstract, by their numbers."""
    return len({abstract_of(each) for each in group}) == 1 and all(
        each.external.isdecimal() for each in group
    )


def document(name: str, title: str, sentences: list[str]) -> str:
    values = {"doc_id": number_of(name), "title": title, "abstract": sentences}
    return escaped({**values, "structured": False})
