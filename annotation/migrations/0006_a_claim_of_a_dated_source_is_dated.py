from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0005_assignment_last_done"),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="claim",
            name="claim_is_judged_no_earlier_than_its_source",
        ),
        migrations.AddConstraint(
            model_name="claim",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("source_published_at", None),
                    models.Q(
                        ("as_of__gte", models.F("source_published_at")),
                        ("as_of__isnull", False),
                    ),
                    _connector="OR",
                ),
                name="claim_is_judged_no_earlier_than_its_source",
            ),
        ),
    ]
