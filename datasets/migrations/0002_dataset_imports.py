import uuid

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0008_nothing_is_taken_over_its_number"),
        ("datasets", "0001_exports"),
        ("operations", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="DatasetImport",
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
                            ("csfever", "CsFEVER"),
                            ("scifact", "SciFact"),
                            ("feverous", "FEVEROUS"),
                            ("ambifc", "AmbiFC"),
                            ("averitec", "AVeriTeC"),
                            ("claims", "Claims, with or without labels"),
                        ],
                        max_length=20,
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[("read", "read, not stored"), ("complete", "complete")],
                        default="read",
                        max_length=10,
                    ),
                ),
                ("files", models.JSONField(default=list, help_text="The names of the files.")),
                ("options", models.JSONField(default=dict)),
                (
                    "report",
                    models.JSONField(default=dict, help_text="Empty until the files were read."),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("ended_at", models.DateTimeField(blank=True, null=True)),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="dataset_imports",
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
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="dataset_imports",
                        to="operations.job",
                    ),
                ),
                (
                    "wave",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="dataset_imports",
                        to="annotation.wave",
                    ),
                ),
            ],
            options={
                "ordering": ["-id"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "format__in",
                                [
                                    "fever",
                                    "ctkfacts",
                                    "nli",
                                    "csfever",
                                    "scifact",
                                    "feverous",
                                    "ambifc",
                                    "averitec",
                                    "claims",
                                ],
                            )
                        ),
                        name="dataset_import_format_is_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("ended_at", None), ("state", "read"), ("wave", None)),
                            models.Q(
                                ("ended_at__isnull", False),
                                ("state", "complete"),
                                ("wave__isnull", False),
                            ),
                            _connector="OR",
                        ),
                        name="dataset_import_is_complete_iff_it_has_a_wave",
                    ),
                ],
            },
        ),
    ]
