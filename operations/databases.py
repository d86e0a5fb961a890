"""What ails the database where a query failed: for the person who installs this."""

from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.utils import Error


def what_is_wrong() -> str:
    """One line: it cannot be reached, or lacks tables of this version; '' where it is well."""
    try:
        connection.close()
        executor = MigrationExecutor(connection)
        plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    except Error as error:
        return f"The database cannot be used: {str(error).strip().splitlines()[0]}"
    return "The database lacks tables of this version: run `manage.py migrate` first." * bool(plan)
