"""FEVEROUS: evidence of sentences, cells, captions and list items, each with its context.

An element is `<page>_<part>`, where a page's name may itself hold underscores. The context of
an element says what was shown around it; it stays in the record, as do the annotator's steps.
"""

import re
from collections.abc import Mapping

from corpus.texts import one_line
from datasets.readers.fields import claim_from, evidence_sets, list_field, shown
from datasets.readers.labelling import label_whole, read_label
from datasets.readers.problems import Unusable
from datasets.readers.records import ReadClaim
from datasets.records import Cited

KEY = "evidence"
MOST_SETS = 3
ELEMENT = re.compile(
    r"(?P<page>.+?)_(?P<part>title|(?:section|sentence|table_caption)_\d+"
    r"|(?:header_)?cell_\d+_\d+_\d+|item_\d+_\d+)",
    re.DOTALL,
)


def claim_of(values: Mapping) -> ReadClaim:
    """The claim of a line. Raises Unusable where the line makes none."""
    claim = claim_from(values, kept=("label", KEY))
    label = read_label(claim, values)
    stated = list_field(values.get(KEY) or [], KEY, "evidence")
    sets = [content(group) for group in stated]
    contexts = [group.get("context", {}) for group in stated]
    if label is None and stated:
        claim.record[KEY] = stated
        sets = []
    elif any(contexts):
        claim.record["contexts"] = contexts
    claim.violations["too_many_sets"] += len(sets) > MOST_SETS
    challenge = values.get("challenge")
    return label_whole(
        claim,
        label,
        evidence_sets(sets, claim.violations),
        challenge=one_line(challenge)[:100] if isinstance(challenge, str) else "",
    )


def content(group: object) -> list[Cited]:
    if not isinstance(group, dict):
        raise Unusable(f"an evidence set is {shown(group)}; it is an object", KEY)
    return [element(each) for each in list_field(group.get("content"), "content", "content")]


def element(name: object) -> Cited:
    match = ELEMENT.fullmatch(name) if isinstance(name, str) else None
    if match is None:
        raise Unusable(f"an element is {shown(name)}; it names a page and a part of it", "content")
    return Cited(match["page"], external=match["part"])
