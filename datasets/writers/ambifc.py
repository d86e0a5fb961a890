"""AmbiFC form for any campaign: every label that counts beside the shares that they come to.

A line is a claim against one passage, or against whatever else it was judged by.
"""

import re
from collections.abc import Iterator

from datasets.records import LABELS, NOT_ENOUGH_INFO, REFUTES, SUPPORTS, GivenLabel, LabelledClaim
from datasets.writers.lines import as_it_is, id_of

SPELT = {SUPPORTS: "supporting", REFUTES: "refuting", NOT_ENOUGH_INFO: "neutral"}
RANK = re.compile(r"_[0-9]+$")
# What of a file's own line holds as long as its annotators are the only ones.
OF_LABELS = ("labels", "passage_annotations", "sentence_annotations", "soft_label")


def lines(claim: LabelledClaim) -> Iterator[str]:
    for part in claim.parts or (claim,):
        yield as_it_is(record_of(part))


def record_of(part: LabelledClaim) -> dict:
    stated = stated_of(part)
    record = {
        "claim": part.text,
        "claim_id": id_of(part),
        "wiki_page": page_of(part),
        "wiki_section": "",
        "wiki_passage": passage_of(part),
        "entity": "",
        "section": "",
        "category": "",
        "labels": {"method": "majority", "passage": SPELT[part.label] if part.label else None},
        "passage_annotations": [annotation_of(each) for each in part.given],
        "sentences": {str(n): text for n, text in part.sentences.items()},
        "sentence_annotations": stances_of(part),
    }
    told = stated.pop("soft_label", None)
    return {**record, **stated, "soft_label": shares_of(part) if part.shares else told}


def can_state(part: LabelledClaim) -> bool:
    """Whether anybody's label counts, or the file's own line, which named nobody, still stands.

    The label of another file, or of an expert alone, is no label of people.
    """
    return bool(part.given) or (part.format == "ambifc" and part.decided == "aggregate")


def shares_of(part: LabelledClaim) -> dict[str, float]:
    shares = part.shares or {}
    return {SPELT[label]: shares.get(label, 0.0) for label in LABELS}


def stated_of(part: LabelledClaim) -> dict:
    """What the file's own line said; of labels only while nobody else gave any."""
    if part.format != "ambifc":
        return {}
    stated = dict(part.extra)
    given = stated.get("passage_annotations") or []  # a file may have null there
    theirs = {str(each.get("worker")) for each in given}
    if {each.annotator for each in part.given} == theirs:
        return stated
    return {name: value for name, value in stated.items() if name not in OF_LABELS}


def page_of(part: LabelledClaim) -> str:
    """The article that is the scope, or that of the passage, or of the source."""
    passage = passage_of(part)
    return passage if part.scope_kind == "article" else RANK.sub("", passage)


def passage_of(part: LabelledClaim) -> str:
    """The scope by its name; the source where that is the whole, '' where there is none."""
    if part.scope_kind != "whole":
        return part.scope
    return part.source.paragraph if part.source else ""


def annotation_of(given: GivenLabel) -> dict:
    return {
        "label": SPELT[given.label],
        "worker": given.annotator,
        "relevant": given.label != NOT_ENOUGH_INFO or given.is_relevant,
        "certain": not given.is_uncertain,
        "annotation_time": None,
    }


def stances_of(part: LabelledClaim) -> dict[str, list[dict]]:
    """{sentence: who cited it, and for what}, of the sentences of the passage."""
    found: dict[int, list[dict]] = {}
    for given in part.given:
        for sentence in given.sentences:
            stance = {"annotator": given.annotator, "annotation": SPELT[given.label]}
            found.setdefault(sentence, []).append(stance)
    return {str(sentence): found[sentence] for sentence in sorted(found)}
