"""FEVEROUS form: at most three sets of elements of pages, each element with its context."""

from collections.abc import Iterator

from datasets.records import Cited, LabelledClaim
from datasets.writers.lines import escaped, id_of, with_rest, with_shares

MOST_SETS = 3


def lines(claim: LabelledClaim) -> Iterator[str]:
    """Context and challenge are those of the file that it came from; ours names the page."""
    contents = [list(map(element, group)) for group in claim.evidence]
    contexts = claim.extra.get("contexts", [])
    if len(contexts) != len(contents):
        contexts = [context_of(group) for group in claim.evidence]
    record = {
        "id": id_of(claim),
        "label": claim.label,
        "claim": claim.text,
        "evidence": [
            {"content": content, "context": context}
            for content, context in zip(contents, contexts, strict=True)
        ],
        "annotator_operations": claim.steps or claim.extra.get("annotator_operations", []),
        "challenge": claim.extra.get("challenge", ""),
    }
    yield escaped(with_shares(with_rest(record, claim, "feverous"), claim))


def context_of(group: tuple[Cited, ...]) -> dict[str, list[str]]:
    return {element(each): [f"{page_of(each)}_title"] for each in group}


def element(cited: Cited) -> str:
    return f"{page_of(cited)}_{cited.external}"


def page_of(cited: Cited) -> str:
    return cited.paragraph.rpartition("_")[0] if cited.is_resolved else cited.paragraph


def can_cite(cited: Cited) -> bool:
    """Whether it is an element: a part with a name, not a number, in its page."""
    return bool(cited.external) and not cited.external.isdecimal()
