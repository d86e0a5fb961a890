"""Imports of datasets that were uploaded: the files, what was read in them, what came of it."""

from pathlib import Path
from uuid import uuid4

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from annotation.models import Campaign, Wave
from datasets.readers.dispatch import FORMATS
from operations.models import Job

NAMES = {
    "fever": _("FEVER"),
    "ctkfacts": _("CTKFacts, document retrieval"),
    "nli": _("CTKFacts, natural language inference"),
    "csfever": _("CsFEVER"),
    "scifact": _("SciFact"),
    "feverous": _("FEVEROUS"),
    "ambifc": _("AmbiFC"),
    "averitec": _("AVeriTeC"),
    "claims": _("Claims, with or without labels"),
}
CHOICES = list(NAMES.items())


class DatasetImportQuerySet(models.QuerySet):
    def managed_by(self, user):
        """Imports into the campaigns that `user` manages."""
        return self.filter(campaign__in=Campaign.objects.managed_by(user))


class DatasetImport(models.Model):
    """Uploaded files of one dataset. Nothing of them is stored before it is complete."""

    class State(models.TextChoices):
        READ = "read", _("read, not stored")
        COMPLETE = "complete", _("complete")

    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT, related_name="dataset_imports")
    # Names its folder: a database that was restored may give a number once more.
    key = models.UUIDField(unique=True, default=uuid4, editable=False)
    format = models.CharField(max_length=20, choices=CHOICES)
    state = models.CharField(max_length=10, choices=State, default=State.READ)
    files = models.JSONField(default=list, help_text=_("The names of the files."))
    options = models.JSONField(default=dict)
    report = models.JSONField(default=dict, help_text=_("Empty until the files were read."))
    wave = models.ForeignKey(
        Wave, on_delete=models.PROTECT, null=True, blank=True, related_name="dataset_imports"
    )
    job = models.ForeignKey(
        Job, on_delete=models.PROTECT, null=True, blank=True, related_name="dataset_imports"
    )
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    objects = DatasetImportQuerySet.as_manager()

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(
                name="dataset_import_format_is_known", condition=Q(format__in=list(FORMATS))
            ),
            models.CheckConstraint(
                name="dataset_import_is_complete_iff_it_has_a_wave",
                condition=Q(state="read", wave=None, ended_at=None)
                | Q(state="complete", wave__isnull=False, ended_at__isnull=False),
            ),
        ]

    def __str__(self):
        return f"{self.format} into {self.campaign_id}"

    @property
    def folder(self) -> Path:
        """Where its files lie until it is complete."""
        return settings.MEDIA_ROOT / f"dataset-{self.key.hex}"

    @property
    def paths(self) -> list[Path]:
        return [self.folder / name for name in self.files]

    @property
    def is_live(self) -> bool:
        return self.job is not None and self.job.is_live

    @property
    def may_start(self) -> bool:
        """Whether its files were read and can be stored as they are."""
        return self.state == self.State.READ and bool(self.report) and not self.report["bad"]
