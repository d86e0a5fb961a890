"""Evidence that an import could not find in the corpus, put back beside what was found. Pure.

What is kept of it is `Claim.extra`, as docs/formats.md describes it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from agreement.aggregation import Decision, MergedSet, Vote
from datasets.records import LABELS, add_up

# What a file says of its label, which holds no longer once other people have judged the claim.
OF_LABEL = (
    "verifiable", "evidence_ids", "evidence", "label", "contexts", "annotator_operations"
)  # fmt: skip
BY_SET = ("evidence_ids", "contexts")
# What our own columns have, in the wording that stands today.
OF_CLAIM = ("claim",)


class Lost(NamedTuple):
    """One thing that was cited, as the file named it; see `datasets.records.Cited`.

    unit: the same as external, where that is known to name a part and not a paragraph.
    """

    paragraph: str
    external: str
    text: str
    unit: str = ""


def with_lost(votes: list[Vote], unresolved: Sequence[Mapping], scope: str) -> list[Vote]:
    """The votes, each with the sets that its import kept aside, in the order of its file.

    Of an annotator's votes in one import the last is the one that they belong to.
    """
    last = {(vote.wave, vote.annotator): place for place, vote in enumerate(votes)}
    for owner, numbered in lost_sets(unresolved, scope).items():
        if owner in last:
            place = last[owner]
            evidence = in_order(votes[place].evidence, numbered)
            votes = [*votes[:place], replace(votes[place], evidence=evidence), *votes[place + 1 :]]
    return votes


def lost_sets(
    unresolved: Iterable[Mapping], scope: str
) -> dict[tuple, dict[int, tuple[Lost, ...]]]:
    """{(wave, annotator): the sets kept aside, by their numbers} of one scope of a claim."""
    sets: dict[tuple, dict[int, tuple[Lost, ...]]] = {}
    for entry in unresolved:
        if entry["scope"] == scope and "items" in entry:
            owner = entry["wave"], entry["annotator"]
            items = tuple(lost(item, entry.get("lines", "")) for item in entry["items"])
            sets.setdefault(owner, {})[entry["number"]] = items
    return sets


def lost(item: Mapping[str, str], lines: str) -> Lost:
    """lines: units or ranks, where it is known what numbers in articles count."""
    paragraph, external = item.get("paragraph", ""), item.get("external", "")
    if lines == "ranks" and external:
        paragraph, external = f"{paragraph}_{external}", ""
    unit = external if lines == "units" else ""
    return Lost(paragraph, external, item.get("text", ""), unit)


def in_order(found: Sequence, kept_aside: Mapping[int, Any]) -> tuple:
    """Both together: the sets kept aside at their numbers, from 1, the others between them."""
    merged: list = []
    rest = list(reversed(found))
    for number in sorted(kept_aside):
        while rest and len(merged) < number - 1:
            merged.append(rest.pop())
        merged.append(kept_aside[number])
    return (*merged, *reversed(rest))


def record_for(
    extra: Mapping, decision: Decision, votes: Iterable[Vote], sets: Sequence[MergedSet]
) -> dict:
    """What the file said of a claim that still holds under this decision.

    sets: those of the decision that are written; `evidence_ids` and `contexts` are theirs, in
    their order, and missing where it cannot be told which are whose.
    """
    record = {k: v for k, v in extra.get("record", {}).items() if k not in OF_CLAIM}
    if decision.reason != "aggregate":
        return {name: value for name, value in record.items() if name not in OF_LABEL}
    vote = [each for each in votes if each.kind == "aggregate"][-1]
    for name in BY_SET:
        if name in record and (of_sets := told_of(record.pop(name), sets, vote)):
            record[name] = of_sets
    return record


def stated_shares(extra: Mapping, decision: Decision) -> dict[str, float] | None:
    """The shares of labels that a file gave, as long as no vote that counts gives others.

    None where the file gave none for each of our labels, where they do not come to 1, or where
    somebody decided here.
    """
    told = extra.get("record", {}).get("soft_label")
    if decision.counts or decision.reason not in ("aggregate", "no_labels"):
        return None
    is_whole = isinstance(told, Mapping) and set(told) == set(LABELS)
    if not is_whole or not all(map(is_share, told.values())) or not add_up(told.values()):
        return None
    return {label: float(told[label]) for label in LABELS}


def is_share(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1


def told_of(told: Sequence, sets: Sequence[MergedSet], vote: Vote) -> list:
    """What the file told of these sets; all of it where the file names no evidence at all."""
    if not vote.evidence:
        return list(told)
    if len(told) != len(vote.evidence):
        return []
    by_set: dict[frozenset, Any] = {}
    for given, items in zip(told, vote.evidence, strict=True):
        by_set.setdefault(frozenset(items), given)
    return [by_set[frozenset(each.items)] for each in sets]
