"""Claims with or without a label, as lines of JSON or rows of a table.

The usual names of columns are known: claim, text or statement; label, gold_label or verdict; id
or claim_id. A claim without an id is known by its text. Columns that are called as our labels, all
three, and come to 1 are their shares. Everything else stays in the record.
"""

from collections.abc import Mapping
from hashlib import sha256

from datasets.readers.fields import claim_from, label_of, parent_of, source_of, text_field
from datasets.readers.problems import Unusable
from datasets.readers.records import ReadAnnotation, ReadClaim, ReadInstance
from datasets.records import LABELS, add_up

CLAIM = ("claim", "text", "statement")
LABEL = ("label", "gold_label", "verdict")
ID = ("id", "claim_id", "uid")


def claim_of(values: Mapping) -> ReadClaim:
    """The claim of a line or row. Raises Unusable where it makes none."""
    names = {ours: found(values, theirs) for ours, theirs in
             (("claim", CLAIM), ("label", LABEL), ("id", ID))}  # fmt: skip
    if not names["claim"]:
        raise Unusable(f"there is no claim; the fields are {', '.join(map(str, values))[:200]}")
    try:
        return named_claim(values, names)
    except Unusable as error:  # told under the file's own name
        raise Unusable(str(error), names.get(error.key) or error.key) from None


def named_claim(values: Mapping, names: Mapping[str, str]) -> ReadClaim:
    """names: what the file calls claim, label and id, '' for what it has not."""
    given = {ours: values[name] for ours, name in names.items() if name}
    rest = {key: value for key, value in values.items() if key not in names.values()}
    if shares := shares_in(rest):
        rest = {key: value for key, value in rest.items() if key not in shares}
        rest["soft_label"] = shares
    kept = ("label", "source", "mutated_from")
    claim = claim_from({**rest, "id": made_id(given), **given}, kept=kept)
    claim.source, claim.parent = source_of(values), parent_of(values)
    claim.instances = [ReadInstance(annotations=labels_of(claim, given))]
    return claim


def found(values: Mapping, names: tuple[str, ...]) -> str:
    """The first of the names that the record has and that says something."""
    return next((name for name in names if values.get(name) not in (None, "")), "")


def shares_in(values: Mapping) -> dict[str, float]:
    """The shares of our labels that a table has a column for each of; {} where it has none."""
    try:
        shares = {label: float(values[label]) for label in LABELS}
    except (KeyError, TypeError, ValueError):
        return {}
    told = shares.values()
    return shares if all(0 <= share <= 1 for share in told) and add_up(told) else {}


def made_id(given: Mapping) -> str:
    text = text_field(given, "claim")
    return f"text-{sha256(text.strip().encode()).hexdigest()[:24]}"


def labels_of(claim: ReadClaim, given: Mapping) -> list[ReadAnnotation]:
    if "label" not in given:
        return []
    stated = text_field(given, "label")
    label = label_of(stated)
    if label != stated:
        claim.record["label"] = stated
    claim.violations["unknown_label"] += label is None
    return [ReadAnnotation(label)] if label else []
