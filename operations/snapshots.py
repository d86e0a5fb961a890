"""Long reads that see one moment of the database and hold nobody up."""

from contextlib import contextmanager

from django.db import connection, transaction


@contextmanager
def snapshot():
    """Everything read inside is as of one moment; nothing can be written.

    Never `atomic()`: on SQLite even a reading one takes the write lock, and everybody waits.
    Inside a transaction or another snapshot it adds nothing: that one's view of the database
    holds. On leaving, the connection is back in autocommit.
    """
    if connection.in_atomic_block or not transaction.get_autocommit():
        yield
        return
    begin()
    try:
        yield
    finally:
        end()


def begin():
    # Without autocommit a nested atomic() makes savepoints instead of a transaction of its own.
    transaction.set_autocommit(False)
    try:
        with connection.cursor() as cursor:
            if connection.vendor == "postgresql":
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
                # Rows are read to the last, not the first tenth that the planner expects.
                cursor.execute("SET LOCAL cursor_tuple_fraction = 1")
                cursor.execute("SELECT 1")  # the first query is the moment
            else:
                cursor.execute("PRAGMA query_only = ON")
                cursor.execute("BEGIN")
                cursor.execute("SELECT count(*) FROM sqlite_master")  # the first read is the moment
                cursor.fetchone()
    except BaseException:
        end()
        raise


def end():
    """Back to autocommit; a connection that broke meanwhile is closed, not kept half way."""
    try:
        transaction.rollback()
        transaction.set_autocommit(True)
        if connection.vendor == "sqlite":
            with connection.cursor() as cursor:
                cursor.execute("PRAGMA query_only = OFF")
    except Exception:
        connection.close()
        raise
