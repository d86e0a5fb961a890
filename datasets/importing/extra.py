"""What of a file has no column: kept with the claim as one JSON object, for writers.

{"format": …, "record": {…}, "source": id, "instances": {scope: {…}}, "unresolved": [{"wave": id,
"scope": …, "annotator": …, "number": place of the set, from 1, "lines": units or ranks, "items":
[{"paragraph", "external", "text"}]}]}. `source` stands there where the corpus does not have it;
`lines` says what numbers of `external` count, where that is known. An entry of `unresolved` with
a "label" and all of its "evidence" is a label whose article or passage is not in the corpus.
"""

import json

from datasets.importing.linking import Links
from datasets.readers.records import ReadAnnotation, ReadClaim
from datasets.records import Cited


def item_of(cited: Cited) -> dict:
    """The fields of a `Cited` that say something."""
    fields = {"paragraph": cited.paragraph, "external": cited.external, "text": cited.text}
    return {name: value for name, value in fields.items() if value}


def unresolved_set(
    wave, scope: str, annotation: ReadAnnotation, number: int, group, *, lines: str
) -> dict:
    told = {"lines": lines} if lines and any(cited.external for cited in group) else {}
    return {
        **whose(wave, scope, annotation),
        "number": number,
        **told,
        "items": [item_of(cited) for cited in group],
    }


def unresolved_label(wave, scope: str, annotation: ReadAnnotation) -> dict:
    return {
        **whose(wave, scope, annotation),
        "label": annotation.label,
        "evidence": [[item_of(cited) for cited in group] for group in annotation.evidence],
    }


def whose(wave, scope: str, annotation: ReadAnnotation) -> dict:
    return {
        "wave": wave.pk if wave else None,
        "scope": scope,
        "annotator": annotation.annotator,
    }


def extra_of(claim: ReadClaim, format: str, links: Links, unresolved: list[dict]) -> dict:
    """What is kept of one line."""
    parts = {
        "format": format,
        "record": claim.record,
        "source": "" if links.source(claim) else claim.source,
        "instances": {links.scope_name(i): i.record for i in claim.instances if i.record},
        "unresolved": unresolved,
    }
    return {name: value for name, value in parts.items() if value}


def merged(old: dict, new: dict, stored: set[tuple]) -> dict:
    """What was kept of a claim, and what one more line says of it.

    stored: the owners whose label is new with this line. Of those only this line's evidence
    counts; a label that was there keeps what it has, since its other sets were linked then.
    """
    told = [e for e in new.get("unresolved", []) if "label" in e or owner_of(e) in stored]
    again = {owner_of(entry) for entry in told if "label" in entry}
    kept = [
        entry
        for entry in old.get("unresolved", [])
        if owner_of(entry) not in stored and not ("label" in entry and owner_of(entry) in again)
    ]
    parts = {
        **old,
        "record": {**new.get("record", {}), **old.get("record", {})},
        "source": old.get("source", new.get("source", "")),
        "instances": {**old.get("instances", {}), **new.get("instances", {})},
        "unresolved": sorted(kept + told, key=place_of),
    }
    return {name: value for name, value in parts.items() if value}


def place_of(entry: dict) -> tuple:
    return entry["wave"] or 0, entry["scope"], entry["annotator"], entry.get("number", 0)


def owner_of(entry: dict) -> tuple:
    return entry["wave"], entry["scope"], entry["annotator"]


def as_text(extra: dict) -> str:
    """As it is stored: in ASCII, so that half a character stays what it is."""
    return json.dumps(extra) if extra else ""


def from_text(text: str) -> dict:
    return json.loads(text) if text else {}
