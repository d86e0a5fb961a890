"""Counts as columns of a list: one query for the whole list."""

from django.db.models import F, Func, Subquery
from django.db.models.functions import Coalesce


def count_of(rows):
    """How many of `rows` (which refer to the outer row) there are."""
    counted = rows.order_by().annotate(n=Func(F("pk"), function="COUNT")).values("n")
    return Coalesce(Subquery(counted), 0)
