"""Long lists of ids in a query, as one parameter: thousands of them cost more than the rows."""

import json
from collections.abc import Iterable

from django.db import connection
from django.db.models.expressions import RawSQL


def listed(ids: Iterable[int]) -> RawSQL:
    """What `pk__in` and the like take for these ids: the same rows, found much faster."""
    if connection.vendor == "postgresql":
        return RawSQL("SELECT unnest(%s::bigint[])", [list(ids)])
    return RawSQL("SELECT value FROM json_each(%s)", [json.dumps(list(ids))])
