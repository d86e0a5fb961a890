import uuid

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("annotation", "0005_assignment_last_done"),
        ("operations", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Export",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("key", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                (
                    "format",
                    models.CharField(
                        choices=[
                            ("fever", "FEVER"),
                            ("ctkfacts", "CTKFacts, document retrieval"),
                            ("nli", "CTKFacts, natural language inference"),
                            ("raw", "Raw annotations"),
                        ],
                        max_length=20,
                    ),
                ),
                (
                    "options",
                    models.JSONField(default=dict, help_text="Waves, policies, splits and seed."),
                ),
                (
                    "files",
                    models.JSONField(
                        default=list, help_text="Name, lines and SHA-256 of each file."
                    ),
                ),
                ("counts", models.JSONField(default=dict)),
                ("left_out", models.JSONField(default=dict, help_text="Numbers by reason.")),
                ("splits", models.JSONField(blank=True, null=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="exports",
                        to="annotation.campaign",
                    ),
                ),
                (
                    "created_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "job",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="export",
                        to="operations.job",
                    ),
                ),
            ],
            options={
                "ordering": ["-id"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("format__in", ["fever", "ctkfacts", "nli", "raw"])),
                        name="export_format_is_known",
                    )
                ],
            },
        ),
    ]
