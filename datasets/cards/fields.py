"""What the fields of files are: their types, read from the lines, and what they mean."""

from collections.abc import Iterable

from datasets.readers.problems import printable

MEANINGS = {
    "id": "the claim's number, the same in every release",
    "claim_id": "the claim's number, the same in every release",
    "claim": "the text of the claim",
    "label": "SUPPORTS, REFUTES or NOT ENOUGH INFO, decided from the annotations",
    "evidence": "alternative sets of what justifies the label; each set suffices alone",
    "source": "the paragraph that the claim was written from",
    "mutated_from": "the number of the claim that this one was made from by a mutation",
    "verifiable": "VERIFIABLE for SUPPORTS and REFUTES, else NOT VERIFIABLE",
    "soft_label": "the share of each label among the annotations that count",
    "instance": "the claim's number, and what it was judged against where that is narrower",
    "number": "the claim's number",
    "annotator": "a pseudonym",
    "wave": "the round of annotation",
    "kind": "whether it is a cross-annotation, of one's own claim, imported or a curator's",
    "flags": "what else was said of the annotation",
    "scope": "the paragraphs that the annotator could cite",
}
NAMES = {
    bool: "boolean",
    int: "integer",
    float: "number",
    str: "text",
    list: "list",
    dict: "object",
}
SEEN = 1000  # lines of each file that types are read from


def columns_of(records: Iterable[dict]) -> list[dict]:
    """{name, type, about} of each field, in order of first appearance.

    type: boolean, integer, number, text, list, object, of several kinds `mixed`; `null` where no
    record has a value.
    """
    types: dict[str, set[str]] = {}
    for record in records:
        for name, value in record.items():
            types.setdefault(name, set())
            if value is not None:
                types[name].add(NAMES.get(type(value), "mixed"))
    return [
        {"name": printable(name), "type": one_type(found), "about": MEANINGS.get(name, "")}
        for name, found in types.items()
    ]


def one_type(found: set[str]) -> str:
    if found == {"integer", "number"}:
        return "number"
    return found.pop() if len(found) == 1 else "mixed" if found else "null"
