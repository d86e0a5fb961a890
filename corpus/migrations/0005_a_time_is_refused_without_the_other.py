from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("corpus", "0004_no_index_beside_a_unique_one"),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="article",
            name="article_has_both_times_or_none",
        ),
        migrations.RemoveConstraint(
            model_name="paragraph",
            name="paragraph_has_both_times_or_none",
        ),
        migrations.AddConstraint(
            model_name="article",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("available_at", None), ("published_at", None)),
                    models.Q(
                        ("available_at__gte", models.F("published_at")),
                        ("available_at__isnull", False),
                        ("published_at__isnull", False),
                    ),
                    _connector="OR",
                ),
                name="article_has_both_times_or_none",
            ),
        ),
        migrations.AddConstraint(
            model_name="paragraph",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("available_at", None), ("published_at", None)),
                    models.Q(
                        ("available_at__gte", models.F("published_at")),
                        ("available_at__isnull", False),
                        ("published_at__isnull", False),
                    ),
                    _connector="OR",
                ),
                name="paragraph_has_both_times_or_none",
            ),
        ),
    ]
