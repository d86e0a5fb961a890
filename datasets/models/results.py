"""What is reached on a release: baselines, and predictions of models that a team brings."""

from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from annotation.models import Campaign
from datasets.models.releases import Release
from operations.models import Job


class ReleaseResultQuerySet(models.QuerySet):
    def managed_by(self, user):
        """Results of releases of the campaigns that `user` manages."""
        return self.filter(release__campaign__in=Campaign.objects.managed_by(user))

    def baselines(self):
        return self.filter(kind=ReleaseResult.Kind.BASELINES)

    def predictions(self):
        """Of models that a team brought, in the order of their arrival."""
        return self.filter(kind=ReleaseResult.Kind.PREDICTIONS).order_by("id")

    def called(self, name):
        """The result of this name, whose letters' case does not matter."""
        return self.filter(name__iexact=name)


class ReleaseResult(models.Model):
    """Figures on the claims of a release. A trigger of the database refuses every change.

    It stands beside the release, whose files and hashes do not know it. settings: all that the
    figures depend on; confusions: {name: labels, counts, and the claims of each cell}; seed: of
    baselines; sha256: of the file of predictions, empty for baselines.
    """

    class Kind(models.TextChoices):
        BASELINES = "baselines", _("baselines")
        PREDICTIONS = "predictions", _("a model's predictions")

    release = models.ForeignKey(Release, on_delete=models.PROTECT, related_name="results")
    kind = models.CharField(max_length=12, choices=Kind)
    name = models.CharField(max_length=100)
    seed = models.PositiveIntegerField(null=True, blank=True)
    settings = models.JSONField()
    figures = models.JSONField()
    confusions = models.JSONField()
    sha256 = models.CharField(max_length=64, blank=True)
    job = models.ForeignKey(Job, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    created_by = models.ForeignKey(
        User, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    objects = ReleaseResultQuerySet.as_manager()

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                "release", Lower("name"), name="release_result_name_once_per_release"
            ),
            models.CheckConstraint(name="release_result_has_a_name", condition=~Q(name="")),
            models.CheckConstraint(
                name="release_result_is_seeded_or_of_a_file",
                condition=Q(kind="baselines", seed__isnull=False, sha256="")
                | (Q(kind="predictions", seed=None) & ~Q(sha256="")),
            ),
        ]

    def __str__(self):
        return f"{self.release_id} {self.name}"

    @property
    def is_predictions(self) -> bool:
        return self.kind == self.Kind.PREDICTIONS
