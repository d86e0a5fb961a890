from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0007_a_wave_that_closes_opens_before"),
    ]

    operations = [
        migrations.AddConstraint(
            model_name="waveitem",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("purpose", "import"), ("taken__lte", models.F("wanted")), _connector="OR"
                ),
                name="item_is_taken_at_most_as_often_as_wanted",
            ),
        ),
    ]
