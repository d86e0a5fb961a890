"""AVeriTeC, read only: claims with the day that they were made and one label of four.

The fourth, conflicting evidence, is none of ours: it stays in the record, and the claim has no
label. Questions and answers stay in the record, too. A claim has no id: it is known by all that
its object says.
"""

import re
from collections.abc import Mapping
from datetime import date
from hashlib import sha256
from json import dumps

from corpus.dates import EARLIEST_YEAR
from datasets.readers.fields import claim_from, label_of, shown, text_field
from datasets.readers.problems import Unusable
from datasets.readers.records import ReadAnnotation, ReadClaim, ReadInstance

ID, DAY, LABEL = "claim_id", "claim_date", "label"
DATE = re.compile(r"(\d{1,2})-(\d{1,2})-(\d{4})", re.ASCII)
LATEST_YEAR = 9000  # so that no time zone leads out of the years that there are


def claim_of(values: Mapping) -> ReadClaim:
    """The claim of an object. Raises Unusable where the object makes none."""
    has_id = values.get(ID) not in (None, "")
    identified = values if has_id else {**values, ID: made_id(values)}
    claim = claim_from(identified, id_key=ID)
    claim.day = day_of(values)
    annotations = []
    if values.get(LABEL) not in (None, ""):
        label = label_of(text_field(values, LABEL))
        claim.violations["unknown_label"] += label is None
        annotations = [ReadAnnotation(label)] if label else []
    claim.instances = [ReadInstance(annotations=annotations)]
    return claim


def made_id(values: Mapping) -> str:
    """The same for the same object; the published files repeat claims with other questions."""
    return f"record-{sha256(dumps(values, sort_keys=True).encode()).hexdigest()[:24]}"


def day_of(values: Mapping) -> tuple[int, int, int] | None:
    """(year, month, day) of dd-mm-yyyy, leading zeros or not; None where there is none."""
    stated = values.get(DAY)
    if stated in (None, ""):
        return None
    told = f"{DAY} is {shown(stated)}; it is dd-mm-yyyy"
    found = DATE.fullmatch(stated) if isinstance(stated, str) else None
    try:
        day, month, year = map(int, found.groups() if found else ())
        date(year, month, day)
    except ValueError:
        raise Unusable(told, DAY) from None
    if not EARLIEST_YEAR <= year <= LATEST_YEAR:
        raise Unusable(f"{told}, with a year from {EARLIEST_YEAR} to {LATEST_YEAR}", DAY)
    return year, month, day
