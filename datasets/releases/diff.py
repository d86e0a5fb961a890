"""What changed between two releases: claims, labels, evidence, figures. Pure: no Django."""

from collections.abc import Iterable
from dataclasses import dataclass

KINDS = ("added", "removed", "relabelled", "reworded", "evidence_changed", "moved")


@dataclass(frozen=True)
class Line:
    """What is compared of a claim. evidence: its sets, whose order says nothing."""

    claim: str
    label: str | None
    split: str
    evidence: frozenset[frozenset[str]]


def by_id(lines: Iterable[dict]) -> dict[int | str, Line]:
    """{claim's id: what is compared of it}, of lines in CTKFacts form with their split."""
    return {
        line["id"]: Line(
            claim=line["claim"],
            label=line["label"],
            split=line["split"],
            evidence=frozenset(frozenset(group) for group in line["evidence"]),
        )
        for line in lines
    }


def in_turn(ids: Iterable[int | str]) -> list[int | str]:
    """Numbers first; imported claims may have texts as ids."""
    return sorted(ids, key=lambda each: (isinstance(each, str), each))


def changed_claims(old: dict[int | str, Line], new: dict[int | str, Line]) -> dict[str, list[dict]]:
    """For each kind the claims that changed so, by id: {claim, text} and what was and is.

    A claim may be of several kinds: relabelled, with another evidence, and in another split.
    """
    both = in_turn(old.keys() & new.keys())
    pairs = [(each, old[each], new[each]) for each in both]
    return {
        "added": listed(new, in_turn(new.keys() - old.keys())),
        "removed": listed(old, in_turn(old.keys() - new.keys())),
        "relabelled": differing(pairs, "label"),
        "reworded": differing(pairs, "claim"),
        "evidence_changed": [
            {"claim": number, "text": after.claim, **evidence_change(before, after)}
            for number, before, after in pairs
            if before.evidence != after.evidence
        ],
        "moved": differing(pairs, "split"),
    }


def listed(lines: dict[int | str, Line], ids: list[int | str]) -> list[dict]:
    return [{"claim": each, "text": lines[each].claim, "label": lines[each].label} for each in ids]


def differing(pairs, name: str) -> list[dict]:
    """The claims of which one thing differs: {claim, text, before, after}."""
    return [
        {
            "claim": number,
            "text": after.claim,
            "before": getattr(before, name),
            "after": getattr(after, name),
        }
        for number, before, after in pairs
        if getattr(before, name) != getattr(after, name)
    ]


def evidence_change(before: Line, after: Line) -> dict[str, list[list[str]]]:
    """The evidence sets that came and went, in alphabetical order."""
    return {
        "came": in_order(after.evidence - before.evidence),
        "went": in_order(before.evidence - after.evidence),
    }


def in_order(sets: Iterable[frozenset[str]]) -> list[list[str]]:
    return sorted(sorted(group) for group in sets)


def side_by_side(old: list[dict], new: list[dict]) -> list[dict]:
    """Figures of two releases: {name, title, before, after, difference}, None where one has none.

    old, new: rows of `datasets.releases.facts.figure_rows`, in whose order they come out.
    """
    before = {row["name"]: row for row in old}
    after = {row["name"]: row for row in new}
    names = list(dict.fromkeys([*(row["name"] for row in new), *(row["name"] for row in old)]))
    return [
        {
            "name": name,
            "title": (after.get(name) or before[name])["title"],
            "before": before.get(name),
            "after": after.get(name),
            "difference": difference(before.get(name), after.get(name)),
        }
        for name in names
    ]


def difference(before: dict | None, after: dict | None) -> float | None:
    if before is None or after is None or None in (before["value"], after["value"]):
        return None
    return after["value"] - before["value"]


def diff_report(old: dict, new: dict, old_lines: Iterable[dict], new_lines: Iterable[dict]) -> dict:
    """Everything that changed, ready for JSON. old, new: contents of the releases."""
    claims = changed_claims(by_id(old_lines), by_id(new_lines))
    settings = {**old["settings"], **old["policies"]}, {**new["settings"], **new["policies"]}
    return {
        "old": old["name"],
        "new": new["name"],
        "n_claims": {"before": old["n_claims"], "after": new["n_claims"]},
        "counts": {kind: len(claims[kind]) for kind in KINDS},
        "claims": claims,
        "figures": side_by_side(old["figures"], new["figures"]),
        "settings": [
            {"name": name, "before": settings[0].get(name), "after": settings[1].get(name)}
            for name in sorted(settings[0].keys() | settings[1].keys())
            if settings[0].get(name) != settings[1].get(name)
        ],
    }
