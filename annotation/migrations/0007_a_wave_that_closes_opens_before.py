from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0006_a_claim_of_a_dated_source_is_dated"),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="wave",
            name="wave_closes_after_it_opens",
        ),
        migrations.AddConstraint(
            model_name="wave",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("closes_at", None),
                    models.Q(
                        ("closes_at__gte", models.F("opens_at")),
                        ("opens_at__isnull", False),
                    ),
                    _connector="OR",
                ),
                name="wave_closes_after_it_opens",
                violation_error_message="A wave closes after it opens.",
            ),
        ),
    ]
