from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0009_waves_may_allow_search"),
    ]

    operations = [
        migrations.AlterField(
            model_name="wave",
            name="allows_search",
            field=models.BooleanField(
                default=False,
                help_text="People who label may search the corpus for more evidence.",
            ),
        ),
    ]
