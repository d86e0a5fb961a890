"""Django's `migrate` with a progress bar in place of its lines."""

from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from operations.bar import Bar

APPLIED = " OK"


def migrate(stderr):
    """Bring the database to the newest migration; on a fresh one this takes some seconds."""
    executor = MigrationExecutor(connection)
    total = len(executor.migration_plan(executor.loader.graph.leaf_nodes()))
    with Bar(stderr, "migrations") as bar:
        call_command("migrate", stdout=AppliedCounter(bar, total), no_color=True)


class AppliedCounter:
    """Takes what `migrate` prints and counts the migrations that it says are done."""

    def __init__(self, bar, total):
        self.bar = bar
        self.total = total
        self.done = 0

    def write(self, text):
        if text.strip("\n") == APPLIED:
            self.done += 1
            self.bar(self.done, self.total)

    def flush(self):
        """Nothing waits here."""
