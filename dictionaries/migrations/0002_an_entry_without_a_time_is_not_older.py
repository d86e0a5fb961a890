from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("corpus", "0005_a_time_is_refused_without_the_other"),
        ("dictionaries", "0001_initial"),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="dictionaryentry",
            name="dictionary_entry_is_older_than_its_as_of_date",
        ),
        migrations.AddConstraint(
            model_name="dictionaryentry",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("as_of", None),
                    models.Q(
                        ("available_at__isnull", False), ("available_at__lt", models.F("as_of"))
                    ),
                    _connector="OR",
                ),
                name="dictionary_entry_is_older_than_its_as_of_date",
            ),
        ),
    ]
