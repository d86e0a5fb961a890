"""Forget figures that lack what is now drawn of them, and call cues stale. All can be made again.

Each person's share right, what figures on evidence rest on, and a plan's reason are new; cues
know the sources of imported claims.
"""

from django.db import migrations


def forget(apps, schema_editor):
    rows = apps.get_model("agreement", "FigureSnapshot").objects
    rows.filter(kind="agreement").delete()
    rows.filter(kind="cues").update(data_version="")


class Migration(migrations.Migration):
    dependencies = [("agreement", "0005_conflicts_beside_figures")]

    operations = [migrations.RunPython(forget, migrations.RunPython.noop)]
