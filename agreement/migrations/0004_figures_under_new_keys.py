"""Forget figures that were kept under keys that nobody asks for any more.

A key now says what differs from the default settings. Figures can always be made again.
"""

from django.db import migrations


def forget(apps, schema_editor):
    apps.get_model("agreement", "FigureSnapshot").objects.all().delete()


class Migration(migrations.Migration):
    dependencies = [("agreement", "0003_figures_in_two_texts")]

    operations = [migrations.RunPython(forget, migrations.RunPython.noop)]
