"""What the fields of files are: their types, read from the lines, and what they mean."""

from collections.abc import Iterable

from datasets.readers.problems import printable

ID = "the id that its own file gave the claim, else its number; the same in every release"
SET = "each set suffices alone"
MEANINGS = {
    "id": ID,
    "claim_id": ID,
    "claim": "the text of the claim",
    "label": "SUPPORTS, REFUTES or NOT ENOUGH INFO, decided from the annotations",
    "evidence": f"alternative sets of what justifies the label; {SET}",
    "source": "the paragraph that the claim was written from",
    "mutated_from": "the id of the claim that this one was made from by a mutation",
    "verifiable": "VERIFIABLE for SUPPORTS and REFUTES, else NOT VERIFIABLE",
    "soft_label": "the share of each label among the annotations that count",
}
WHO = "a pseudonym, or the name that an imported file gave"
# What only lines of one format have, or what stands for something else in them.
OF_FORMAT = {
    "raw": {
        "instance": "the claim's number, and what it was judged against where that is narrower",
        "claim_id": "the claim's number, the same in every release",
        "claim": "the text of the claim, as its annotator saw it",
        "mutated_from": "the number of the claim that this one was made from by a mutation",
        "annotator": WHO,
        "wave": "the round of annotation",
        "kind": "whether it is a cross-annotation, of one's own claim, imported or a curator's",
        "label": "SUPPORTS, REFUTES or NOT ENOUGH INFO, as its annotator gave it",
        "flags": "what else was said of the annotation",
        "evidence": f"the annotator's sets of what justifies the label; {SET}",
        "scope": "the paragraphs that the annotator could cite",
    },
    "ambifc": {
        "wiki_page": "the article",
        "wiki_passage": "the passage or article that the claim was judged against, else its source",
        "labels": "the label that the annotations come to",
        "passage_annotations": f"each label that counts; worker: {WHO}",
        "sentences": "those of the passage, where its text may be published",
        "sentence_annotations": "who cited which sentence, and for which label",
    },
    "nli": {
        "evidence": "what justifies the label, one set or all of a claim; where there is not "
        "enough info, the source",
    },
    "scifact": {
        "evidence": f"by abstract, sets of sentences with what they say of the claim; {SET}",
        "cited_doc_ids": "the abstracts that the claim was judged against",
    },
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


def columns_of(records: Iterable[dict], format: str) -> list[dict]:
    """{name, type, about} of each field of a format's lines, in order of first appearance.

    type: boolean, integer, number, text, list, object, of several kinds `mixed`; `null` where no
    record has a value.
    """
    types: dict[str, set[str]] = {}
    for record in records:
        for name, value in record.items():
            types.setdefault(name, set())
            if value is not None:
                types[name].add(NAMES.get(type(value), "mixed"))
    meanings = MEANINGS | OF_FORMAT.get(format, {})
    return [
        {"name": printable(name), "type": one_type(found), "about": meanings.get(name, "")}
        for name, found in types.items()
    ]


def one_type(found: set[str]) -> str:
    if found == {"integer", "number"}:
        return "number"
    return found.pop() if len(found) == 1 else "mixed" if found else "null"
