from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("corpus", "0008_fold_the_ids_of_articles"),
    ]

    operations = [
        migrations.AddField(
            model_name="corpus",
            name="publishes_cited",
            field=models.BooleanField(
                default=False,
                help_text="Exports may carry the texts of paragraphs that claims cite or come from.",
            ),
        ),
    ]
