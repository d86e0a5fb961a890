"""Queries that PostgreSQL answers while we go on; SQLite, which is part of us, answers at once."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

from django.db import connection
from django.db.models import QuerySet

Answers = Callable[[], list[list[tuple]]]


@contextmanager
def asking() -> Iterator[Callable[..., Answers]]:
    """A function that sends queries and returns another, which waits for their rows.

    The queries are of `values_list`, of columns that the driver itself converts. They go over
    the caller's connection, so others wait for them: ask for those first. Leaving waits, too.
    """
    if connection.vendor != "postgresql":
        yield lambda *queries: lambda: [list(query) for query in queries]
        return
    with ThreadPoolExecutor(1, "asking") as pool:
        yield lambda *queries: send(pool, queries)


def send(pool: ThreadPoolExecutor, queries: tuple[QuerySet, ...]) -> Answers:
    cursors = [connection.cursor() for _ in queries]
    statements = [query.query.sql_with_params() for query in queries]
    sent = pool.submit(execute, cursors, statements)

    def answers() -> list[list[tuple]]:
        sent.result()
        return [cursor.fetchall() for cursor in cursors]

    return answers


def execute(cursors: list, statements: list[tuple]) -> None:
    """In a thread: only the waiting, which needs no Python. Rows become tuples where they go."""
    for cursor, statement in zip(cursors, statements, strict=True):
        cursor.execute(*statement)
