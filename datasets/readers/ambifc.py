"""AmbiFC: a claim against one passage, with the labels of several workers.

A worker's evidence is each sentence that they marked as their label says, alone. All their
stances stay in the record.
"""

from collections.abc import Mapping

from datasets.readers.fields import (
    claim_from,
    count_label,
    evidence_sets,
    identifier,
    label_of,
    list_field,
    shown,
    text_field,
)
from datasets.readers.problems import Unusable
from datasets.readers.records import (
    NOT_ENOUGH_INFO,
    PASSAGE,
    WHOLE,
    ReadAnnotation,
    ReadClaim,
    ReadInstance,
)
from datasets.records import Cited

WORKERS, STANCES, SENTENCES = "passage_annotations", "sentence_annotations", "sentences"
# What every line of a claim says alike; the rest is about the passage.
OF_CLAIM = ("entity", "section", "category")


def claim_of(values: Mapping) -> ReadClaim:
    """The claim of a line, with the passage as its only instance. Raises Unusable.

    A line that names none, as we write it of claims without a source, is about the whole scope.
    """
    claim = claim_from(values, id_key="claim_id")
    about, claim.record = claim.record, {}
    for name in ("claim", *OF_CLAIM):
        if name in about:
            claim.record[name] = about.pop(name)
    texts = sentences_of(values)
    target = passage_of(values, texts)
    instance = ReadInstance(PASSAGE if target else WHOLE, target, record=about)
    stances = stances_of(values)
    for stated in list_field(values.get(WORKERS) or [], WORKERS, WORKERS):
        passage = target.external if target else ""
        instance.annotations.append(worker_label(stated, passage, stances, texts, claim))
    if not instance.annotations and (label := aggregate(values)):
        instance.annotations = [ReadAnnotation(label)]
    claim.instances = [instance]
    return claim


def sentences_of(values: Mapping) -> dict[str, str]:
    """{number as the file writes it: sentence}, in order."""
    stated = values.get(SENTENCES) or {}
    if not isinstance(stated, dict) or not all(isinstance(each, str) for each in stated.values()):
        raise Unusable(f"sentences is {shown(stated)}; it is an object of texts", SENTENCES)
    return dict(sorted(stated.items(), key=lambda pair: (len(pair[0]), pair[0])))


def passage_of(values: Mapping, texts: dict[str, str]) -> Cited | None:
    """The passage by its page, by the id or number that the file gives it, and by its text."""
    if values.get("wiki_page") == values.get("wiki_passage") == "" and not texts:
        return None
    page, passage = (name_in(values, key) for key in ("wiki_page", "wiki_passage"))
    return Cited(page, external=passage, text=" ".join(texts.values()))


def name_in(values: Mapping, key: str) -> str:
    value = values.get(key)
    if isinstance(value, bool) or not isinstance(value, int | str) or value == "":
        raise Unusable(f"{key} is {shown(value)}; it is a text or a number", key)
    return str(value)


def stances_of(values: Mapping) -> dict[str, list[tuple[str, str]]]:
    """{worker: [(sentence, label)]} of all stances, in the order of the sentences."""
    stated = values.get(STANCES) or {}
    if not isinstance(stated, dict):
        raise Unusable(f"{STANCES} is {shown(stated)}; it is an object", STANCES)
    found: dict[str, list[tuple[str, str]]] = {}
    for sentence, marks in sorted(stated.items(), key=lambda pair: (len(pair[0]), pair[0])):
        for mark in list_field(marks, STANCES, "a sentence's stances"):
            if not isinstance(mark, dict):
                raise Unusable(f"a stance is {shown(mark)}; it is an object", STANCES)
            label = label_of(mark.get("annotation"))
            found.setdefault(str(mark.get("annotator")), []).append((sentence, label or ""))
    return found


def worker_label(stated, passage: str, stances, texts, claim: ReadClaim) -> ReadAnnotation:
    """One worker's label; a sentence is cited by passage, number and text."""
    if not isinstance(stated, dict):
        raise Unusable(f"an annotation is {shown(stated)}; it is an object", WORKERS)
    label = label_of(text_field(stated, "label"))
    if label is None:
        raise Unusable(f"label is {shown(stated['label'])}; it is none of three", "label")
    worker = identifier(name_in(stated, "worker"), "worker")[0]
    agreeing = [
        (Cited(passage, external=sentence, text=texts.get(sentence, "")),)
        for sentence, stance in stances.get(worker, [])
        if stance == label != NOT_ENOUGH_INFO
    ]
    evidence = evidence_sets(agreeing, claim.violations)
    if stances:
        count_label(label, bool(evidence), claim.violations)
    return ReadAnnotation(
        label,
        worker,
        evidence,
        is_uncertain=label != NOT_ENOUGH_INFO and stated.get("certain") is False,
        is_relevant=label == NOT_ENOUGH_INFO and stated.get("relevant") is True,
    )


def aggregate(values: Mapping) -> str | None:
    labels = values.get("labels")
    return label_of(labels.get("passage")) if isinstance(labels, dict) else None
