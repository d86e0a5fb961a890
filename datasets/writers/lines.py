"""JSON lines: separators ", " and ": ", keys in the order given, `\n` at the end."""

import json

from datasets.records import LabelledClaim

# FEVER, SciFact and FEVEROUS files escape what is not ASCII, the other formats do not.
escaped = json.JSONEncoder(ensure_ascii=True, allow_nan=False).encode
as_it_is = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode

VERIFIABLE = {
    "SUPPORTS": "VERIFIABLE",
    "REFUTES": "VERIFIABLE",
    "NOT ENOUGH INFO": "NOT VERIFIABLE",
    None: None,
}


def with_shares(record: dict, claim: LabelledClaim) -> dict:
    """The record, and at its end the share of each label where soft labels are asked for."""
    return record if claim.shares is None else {**record, "soft_label": claim.shares}
