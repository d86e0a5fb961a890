"""Keep the list of conflicts beside figures; figures without it are stale and come anew."""

from django.db import migrations, models


def call_stale(apps, schema_editor):
    apps.get_model("agreement", "FigureSnapshot").objects.filter(kind="agreement").update(
        data_version=""
    )


class Migration(migrations.Migration):
    dependencies = [("agreement", "0004_figures_under_new_keys")]

    operations = [
        migrations.AddField("FigureSnapshot", "conflicts", models.TextField(blank=True)),
        migrations.RunPython(call_stale, migrations.RunPython.noop),
    ]
