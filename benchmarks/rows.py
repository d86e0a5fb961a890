"""Many rows at once: a corpus and a campaign at work, as they would be after years of use.

Rows are made by columns and written as imports write theirs; what a column is not told gets the
default of its field. Everything follows from the seed, and keeps the rules that `doctor` checks.
"""

import json
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from itertools import islice, repeat

import numpy as np
from django.core.management.color import no_style
from django.db import connection, models, transaction
from django.utils import timezone

from corpus.importing.rows import insert_rows, moment

CHUNK = 20_000


def insert(model: type[models.Model], amount: int, **columns) -> None:
    """Insert so many rows; a column is one value for all, or an iterable of theirs."""
    fields = [field for field in model._meta.concrete_fields if is_written(field, columns)]
    values = [column_of(field, columns, amount) for field in fields]
    rows = zip(*values, strict=True)
    names = [field.column for field in fields]
    with transaction.atomic():
        while chunk := list(islice(rows, CHUNK)):
            insert_rows(model, names, chunk)


def is_written(field, columns: dict) -> bool:
    has_own = field.has_db_default() or field.primary_key
    return field.attname in columns or not has_own


def column_of(field, columns: dict, amount: int) -> Iterable:
    if field.attname not in columns:
        return repeat(plain(field, default_of(field)), amount)
    given = columns[field.attname]
    if isinstance(given, np.ndarray):
        return given.tolist()
    return given if isinstance(given, (list, Iterator)) else repeat(plain(field, given), amount)


def default_of(field):
    if getattr(field, "auto_now_add", False):
        return timezone.now()
    return field.get_default()


def plain(field, value):
    """A value as both databases take it."""
    if isinstance(value, datetime):
        return moment(value)
    if isinstance(field, models.JSONField):
        return json.dumps(value)
    return value


def next_key(model: type[models.Model]) -> int:
    """The first primary key that is free: rows name each other by the keys that they will have."""
    return (model.objects.aggregate(most=models.Max("pk"))["most"] or 0) + 1


def settle_keys(*kinds: type[models.Model]) -> None:
    """Have PostgreSQL go on after the keys that were given by hand; bring statistics up to date.

    A site that grew by and by has both.
    """
    with connection.cursor() as cursor:
        for sql in connection.ops.sequence_reset_sql(no_style(), kinds):
            cursor.execute(sql)
        cursor.execute("ANALYZE")


def keys(model: type[models.Model], amount: int) -> range:
    first = next_key(model)
    return range(first, first + amount)


def hours(begin: datetime, amount: int) -> list[str]:
    """An hour for each of so many things, as the database takes it."""
    return [moment(begin + timedelta(hours=number)) for number in range(amount)]


BEGIN = datetime(2010, 1, 1, tzinfo=UTC)
