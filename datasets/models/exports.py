"""Exports that were asked for: what was chosen, the job that makes them, what came out."""

from pathlib import Path
from uuid import uuid4

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from annotation.models import Campaign
from datasets.folders import MANIFEST
from datasets.options import FORMATS
from operations.models import Job

FOLDER = "exports"


class ExportQuerySet(models.QuerySet):
    def managed_by(self, user):
        """Exports of the campaigns that `user` manages."""
        return self.filter(campaign__in=Campaign.objects.managed_by(user))

    def live(self):
        """Exports whose job is waiting or running."""
        return self.filter(job__state__in=Job.LIVE)


class Export(models.Model):
    """An export of a campaign into files under the data directory. Its content never changes."""

    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT, related_name="exports")
    # Names its folder: a database that was restored may give a number once more.
    key = models.UUIDField(unique=True, default=uuid4, editable=False)
    format = models.CharField(max_length=20, choices=list(FORMATS.items()))
    options = models.JSONField(default=dict, help_text=_("Waves, policies, splits and seed."))
    job = models.OneToOneField(
        Job, on_delete=models.PROTECT, null=True, blank=True, related_name="export"
    )
    files = models.JSONField(default=list, help_text=_("Name, lines and SHA-256 of each file."))
    counts = models.JSONField(default=dict)
    left_out = models.JSONField(default=dict, help_text=_("Numbers by reason."))
    splits = models.JSONField(null=True, blank=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    objects = ExportQuerySet.as_manager()

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(
                name="export_format_is_known",
                condition=models.Q(format__in=list(FORMATS)),
            ),
        ]

    def __str__(self):
        return f"{self.campaign_id} as {self.format}"

    @property
    def folder(self) -> Path:
        """Where its files lie."""
        return settings.DATA_DIR / FOLDER / self.key.hex

    @property
    def is_ready(self) -> bool:
        return bool(self.files)

    @property
    def is_live(self) -> bool:
        return self.job is not None and self.job.is_live

    @property
    def name(self) -> str:
        """What its downloads are called."""
        return f"{self.campaign.slug}-{self.format}-{self.pk}"

    def path_of(self, name: str) -> Path | None:
        """The path of one of its files or of its manifest; None for any other name."""
        names = [MANIFEST, *(file["name"] for file in self.files)]
        return self.folder / name if self.is_ready and name in names else None
