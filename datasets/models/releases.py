"""Releases of a campaign's dataset. A row is there once all is done, and never changes."""

from pathlib import Path

from django.conf import settings
from django.db import models
from django.db.models.functions import Lower
from django.utils.translation import gettext_lazy as _

from annotation.models import Campaign

RELEASES = "releases"


class ReleaseQuerySet(models.QuerySet):
    def managed_by(self, user):
        """Releases of the campaigns that `user` manages."""
        return self.filter(campaign__in=Campaign.objects.managed_by(user))

    def called(self, campaign, name):
        """The release of this name, whose letters' case does not matter."""
        return self.filter(campaign=campaign, name__iexact=name)


class Release(models.Model):
    """A named state of a dataset. A trigger of the database refuses every change of a row.

    contents: as release.json has them; sha256: of that file, which lists all others with theirs.
    """

    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT, related_name="releases")
    # Names its folder: a database that was restored may give a number once more.
    key = models.UUIDField(unique=True, editable=False)
    name = models.CharField(max_length=40)
    options = models.JSONField(help_text=_("What it was made from."))
    contents = models.JSONField(help_text=_("What went in, the files and the figures."))
    sha256 = models.CharField(max_length=64)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    objects = ReleaseQuerySet.as_manager()

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                "campaign", Lower("name"), name="release_name_once_per_campaign"
            ),
            models.CheckConstraint(name="release_has_a_name", condition=~models.Q(name="")),
        ]

    def __str__(self):
        return f"{self.campaign_id} {self.name}"

    @property
    def folder(self) -> Path:
        """Where its files lie."""
        return folder_of(self.key.hex)

    @property
    def title(self) -> str:
        """What its downloads are called."""
        return f"{self.campaign.slug}-{self.name}"

    @property
    def hashes(self) -> dict[str, str]:
        """{name: SHA-256} of every file, release.json itself included."""
        files = [*self.contents["files"], *self.contents["more_files"]]
        return {file["name"]: file["sha256"] for file in files} | {"release.json": self.sha256}

    def path_of(self, name: str) -> Path | None:
        """The path of one of its files; None for any other name."""
        return self.folder / name if name in self.hashes else None


def folder_of(key: str) -> Path:
    return settings.DATA_DIR / RELEASES / key
