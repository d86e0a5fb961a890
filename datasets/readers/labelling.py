"""A claim with one label for the whole scope, as most formats have it."""

from collections.abc import Mapping

from datasets.readers.fields import count_label, label_of, text_field
from datasets.readers.records import EvidenceSets, ReadAnnotation, ReadClaim, ReadInstance

VERIFIABLE = {
    "SUPPORTS": "VERIFIABLE",
    "REFUTES": "VERIFIABLE",
    "NOT ENOUGH INFO": "NOT VERIFIABLE",
}


def read_label(claim: ReadClaim, values: Mapping, key: str = "label") -> str | None:
    """The label of a record; None in blind files, and for one that is none of the three.

    What is not spelt as we would spell it stays in the claim's record.
    """
    if values.get(key) in (None, ""):
        return None
    stated = text_field(values, key)
    label = label_of(stated)
    if label is None:
        claim.violations["unknown_label"] += 1
        claim.record[key] = stated
    elif label != stated:
        claim.violations["label_respelt"] += 1
        claim.record[key] = stated
    return label


def read_verifiable(claim: ReadClaim, values: Mapping, label: str | None) -> None:
    """Keep what a record says of its claim's verifiability where its label says otherwise."""
    stated = values.get("verifiable")
    if stated is not None and stated != VERIFIABLE.get(label or ""):
        claim.violations["verifiable_differs"] += 1
        claim.record["verifiable"] = stated


def label_whole(claim: ReadClaim, label: str | None, evidence: EvidenceSets, **fields) -> ReadClaim:
    """The claim with its aggregate label for the whole scope; blind without a label.

    Evidence without a label that we know cannot be stored with one: it stays in the record.
    """
    annotations = []
    if label is not None:
        count_label(label, any(evidence), claim.violations)
        annotations = [ReadAnnotation(label, evidence=evidence, **fields)]
    claim.instances = [ReadInstance(annotations=annotations)]
    return claim
