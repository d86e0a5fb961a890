from django.db import migrations

SQLITE = (
    """
    CREATE TRIGGER datasets_result_never_changes BEFORE UPDATE ON datasets_releaseresult
    BEGIN SELECT RAISE(ABORT, 'a result never changes'); END
    """,
)
POSTGRESQL = (
    """
    CREATE FUNCTION datasets_result_never_changes() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        RAISE EXCEPTION 'a result never changes' USING ERRCODE = 'integrity_constraint_violation';
    END $$
    """,
    """
    CREATE TRIGGER datasets_result_never_changes BEFORE UPDATE ON datasets_releaseresult
    FOR EACH ROW EXECUTE FUNCTION datasets_result_never_changes()
    """,
)
NO_MORE = {
    "sqlite": ("DROP TRIGGER datasets_result_never_changes",),
    "postgresql": (
        "DROP TRIGGER datasets_result_never_changes ON datasets_releaseresult",
        "DROP FUNCTION datasets_result_never_changes()",
    ),
}


def refuse_changes(apps, schema_editor):
    # On SQLite a later change of the table's columns makes it anew, and has to call this again.
    vendor = schema_editor.connection.vendor
    for statement in {"sqlite": SQLITE, "postgresql": POSTGRESQL}[vendor]:
        schema_editor.execute(statement, params=None)


def allow_changes(apps, schema_editor):
    for statement in NO_MORE[schema_editor.connection.vendor]:
        schema_editor.execute(statement, params=None)


class Migration(migrations.Migration):
    dependencies = [("datasets", "0006_release_results")]

    operations = [migrations.RunPython(refuse_changes, allow_changes)]
