"""SciFact claims: a label for each cited abstract, with rationales of its sentences.

A cited abstract without evidence does not decide the claim; where a file leaves `evidence` out,
as blind ones do, nobody said so. A claim that names no abstract at all is about the whole scope.
"""

from collections import Counter
from collections.abc import Mapping

from datasets.readers.fields import (
    claim_from,
    evidence_sets,
    label_of,
    list_field,
    shown,
    text_field,
    whole,
)
from datasets.readers.problems import Unusable
from datasets.readers.records import (
    ARTICLE,
    NOT_ENOUGH_INFO,
    ReadAnnotation,
    ReadClaim,
    ReadInstance,
)
from datasets.records import Cited

KEY, CITED = "evidence", "cited_doc_ids"
SPELT = {"SUPPORTS": "SUPPORT", "REFUTES": "CONTRADICT"}


def claim_of(values: Mapping) -> ReadClaim:
    """The claim of a line, with an instance for each abstract. Raises Unusable."""
    claim = claim_from(values, kept=(KEY, CITED))
    claim.is_citance = True
    cited = [document(each) for each in list_field(values.get(CITED) or [], CITED, CITED)]
    evidence = values.get(KEY)
    if evidence is not None and not isinstance(evidence, dict):
        raise Unusable(f"evidence is {shown(evidence)}; it is an object", KEY)
    found = {document(name): name for name in evidence or {}}
    claim.violations["evidence_not_cited"] += len(set(found) - set(cited))
    if set(found) - set(cited) or len(set(cited)) < len(cited):
        claim.record[CITED] = values.get(CITED)
    for name in dict.fromkeys([*cited, *found]):
        rationales = (evidence or {}).get(found.get(name), [])
        claim.instances.append(instance_of(claim, name, rationales, evidence is None))
    if not claim.instances:
        claim.instances = [ReadInstance(annotations=nothing_found(evidence is None))]
    return claim


def nothing_found(is_blind: bool) -> list[ReadAnnotation]:
    return [] if is_blind else [ReadAnnotation(NOT_ENOUGH_INFO)]


def document(value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, int | str) or value == "":
        raise Unusable(f"a document's id is {shown(value)}; it is a number or a text", CITED)
    return str(value)


def instance_of(claim: ReadClaim, name: str, rationales: object, is_blind: bool) -> ReadInstance:
    """The claim against one abstract; its label is that of the first rationale."""
    instance = ReadInstance(ARTICLE, Cited(name))
    stated = list_field(rationales, KEY, "a document's evidence")
    if not stated:
        instance.annotations = nothing_found(is_blind)
        return instance
    labels = [rationale_label(each, claim, instance, stated) for each in stated]
    groups = [sentences(each, name) for each in stated]
    count_shared(groups, claim.violations)
    claim.violations["labels_differ"] += len(set(labels)) > 1
    if None in labels or len(set(labels)) > 1:
        instance.record[KEY] = stated
    if labels[0] is not None:
        evidence = evidence_sets(groups, claim.violations)
        instance.annotations = [ReadAnnotation(labels[0], evidence=evidence)]
    return instance


def rationale_label(rationale, claim, instance, stated) -> str | None:
    if not isinstance(rationale, dict):
        raise Unusable(f"a rationale is {shown(rationale)}; it is an object", KEY)
    spelt = text_field(rationale, "label")
    label = label_of(spelt)
    if label not in SPELT:
        claim.violations["unknown_label"] += 1
        return None
    if SPELT[label] != spelt:
        claim.violations["label_respelt"] += 1
        instance.record["label"] = spelt
    return label


def sentences(rationale: dict, name: str) -> list[Cited]:
    numbers = list_field(rationale.get("sentences"), "sentences", "sentences")
    return [Cited(name, external=str(whole(each, "sentences"))) for each in numbers]


def count_shared(groups: list[list[Cited]], violations: Counter) -> None:
    """Rationales of one abstract share no sentence."""
    once = [{each.external for each in group} for group in groups]
    violations["shared_sentences"] += sum(map(len, once)) > len(set().union(*once))
