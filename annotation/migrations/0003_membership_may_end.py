from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0002_acknowledgement_once_per_version"),
    ]

    operations = [
        migrations.AddField(
            model_name="membership",
            name="ended_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
    ]
