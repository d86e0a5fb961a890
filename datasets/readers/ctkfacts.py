"""CTKFacts for document retrieval: evidence sets of paragraph ids. Its FEVER form is read, too."""

from collections.abc import Mapping

from datasets.readers import fever
from datasets.readers.fields import claim_from, evidence_sets, list_field, parent_of, source_of
from datasets.readers.labelling import label_whole, read_label, read_verifiable
from datasets.readers.problems import Unusable
from datasets.readers.records import ReadClaim
from datasets.records import Cited

KEY = "evidence"
KEPT = ("label", "verifiable", KEY, "source", "mutated_from")


def claim_of(values: Mapping) -> ReadClaim:
    """The claim of a line. Raises Unusable where the line makes none."""
    if has_fever_items(values.get(KEY)):
        return fever.claim_of({"source": None, **values})
    claim = claim_from(values, kept=KEPT)
    claim.source, claim.parent = source_of(values), parent_of(values)
    label = read_label(claim, values)
    read_verifiable(claim, values, label)
    groups = list_field(values.get(KEY) or [], KEY, "evidence")
    if label is None and groups:
        claim.record[KEY] = groups
        return label_whole(claim, None, ())
    sets = evidence_sets([paragraphs(group) for group in groups], claim.violations)
    return label_whole(claim, label, sets)


def has_fever_items(groups: object) -> bool:
    """Whether an item of the first group that has one is a list."""
    first = next(
        (group for group in groups if isinstance(group, list) and group),
        [],
    ) if isinstance(groups, list) else []  # fmt: skip
    return bool(first) and isinstance(first[0], list)


def paragraphs(group: object) -> list[Cited]:
    ids = list_field(group, KEY, "an evidence set")
    if wrong := [each for each in ids if not isinstance(each, str) or not each]:
        raise Unusable(f"a paragraph's id is {wrong[0]!r:.60}; it is a text", KEY)
    return [Cited(each) for each in ids]
