import django.db.models.functions.datetime
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("corpus", "0001_initial")]

    operations = [
        migrations.RenameField("import", "host", "owner"),
        migrations.AlterField(
            model_name="import",
            name="owner",
            field=models.CharField(
                blank=True, max_length=200, help_text="The process that writes it, as host:token."
            ),
        ),
        migrations.AlterField(
            model_name="import",
            name="heartbeat_at",
            field=models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
        ),
        migrations.AlterField(
            model_name="import",
            name="fingerprint",
            field=models.CharField(blank=True, max_length=64),
        ),
    ]
