from django.db import migrations, models

import corpus.validators


class Migration(migrations.Migration):
    dependencies = [("corpus", "0002_import_has_an_owner")]

    operations = [
        migrations.AddField(
            model_name="corpus",
            name="indexed_data_version",
            field=models.PositiveIntegerField(
                blank=True, help_text="The data version that its index was built from.", null=True
            ),
        ),
        migrations.AlterField(
            model_name="corpus",
            name="data_version",
            field=models.PositiveIntegerField(
                default=0, help_text="Counts the changes of what its index should hold, and of how."
            ),
        ),
        migrations.AlterField(
            model_name="corpus",
            name="language",
            field=models.CharField(
                default="en", max_length=10, validators=[corpus.validators.is_language]
            ),
        ),
        migrations.AlterField(
            model_name="corpus",
            name="slug",
            field=models.SlugField(unique=True, validators=[corpus.validators.is_free_slug]),
        ),
        migrations.AlterField(
            model_name="corpus",
            name="time_zone",
            field=models.CharField(
                default="UTC", max_length=60, validators=[corpus.validators.is_time_zone]
            ),
        ),
    ]
