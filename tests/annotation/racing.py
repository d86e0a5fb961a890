"""Another person's request at the same moment, and how a test waits for it."""

import threading
import time

from django.db import connection

from annotation.no_work import NoWork


class Beside(threading.Thread):
    """Another person's request, in a thread and a database connection of its own."""

    def __init__(self, action):
        super().__init__()
        self.action, self.result, self.error = action, None, None
        self.start()

    def run(self):
        try:
            self.result = self.action()
        except NoWork as none:
            self.result = none
        except Exception as error:
            self.error = error
        finally:
            connection.close()

    def joined(self):
        self.join(timeout=60)
        assert not self.is_alive()
        if self.error:
            raise self.error
        return self.result


def wait_until_somebody_waits():
    """Until another connection stands before a lock of ours."""
    if connection.vendor == "sqlite":
        time.sleep(0.5)  # it waits inside BEGIN IMMEDIATE, which nothing shows
        return
    waiting = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
    for _ in range(200):
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_stat_clear_snapshot()")
            cursor.execute(waiting + " AND datname = current_database()")
            if cursor.fetchone()[0]:
                return
        time.sleep(0.05)
    raise AssertionError("nobody came to wait for the lock")
