"""The database's clock: the one clock that several servers share."""

from datetime import UTC, datetime

from django.db import connection

SQL = {
    "postgresql": "SELECT statement_timestamp()",
    "sqlite": "SELECT strftime('%Y-%m-%d %H:%M:%f', 'now')",
}


def database_now() -> datetime:
    """Now, by the clock that leases and heartbeats are compared with; aware, in UTC.

    In a filter or an update use `django.db.models.functions.Now()`, which asks nothing extra.
    """
    with connection.cursor() as cursor:
        cursor.execute(SQL[connection.vendor])
        (now,) = cursor.fetchone()
    if isinstance(now, str):
        return datetime.fromisoformat(now).replace(tzinfo=UTC)
    return now.astimezone(UTC)
