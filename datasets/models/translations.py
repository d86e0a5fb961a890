"""Samples of translated claims that people judge anew, to say how far a localisation is right.

Nothing of them is a label: figures and exports of the campaign do not know them.
"""

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from annotation.models import Campaign, Claim, Label

MOST_CLAIMS = 5000


class Verdict(models.TextChoices):
    """What somebody says of a translated claim and the evidence that came with it."""

    SUPPORTED = "SUPPORTED", _("Supported")
    REFUTED = "REFUTED", _("Refuted")
    NOT_ENOUGH_INFO = "NOT ENOUGH INFO", _("Not enough info")
    UNUSABLE = "UNUSABLE TRANSLATION", _("Unusable translation")


class TranslationSampleQuerySet(models.QuerySet):
    def managed_by(self, user):
        """Samples of the campaigns that `user` manages."""
        return self.filter(campaign__in=Campaign.objects.managed_by(user))

    def read_by(self, user):
        """Samples of the campaigns that `user` belongs to."""
        return self.filter(campaign__in=Campaign.objects.read_by(user))

    def blind_to(self, user):
        """Samples of campaigns in which `user` cannot read imported labels, as curators can."""
        return self.exclude(campaign__in=Campaign.objects.curated_by(user))

    def open(self):
        """Samples that may still be answered; what their claims are labelled is a secret."""
        return self.filter(closed_at=None)


class TranslationSample(models.Model):
    """Claims drawn at random from a campaign's translated ones. What was drawn never changes."""

    campaign = models.ForeignKey(
        Campaign, on_delete=models.PROTECT, related_name="translation_samples"
    )
    number = models.PositiveIntegerField()
    size = models.PositiveIntegerField(
        validators=[MinValueValidator(1), MaxValueValidator(MOST_CLAIMS)],
    )
    labels = models.JSONField(default=list, help_text=_("The labels that were drawn from."))
    is_stratified = models.BooleanField(default=False)
    seed = models.PositiveIntegerField(default=0)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    closed_at = models.DateTimeField(null=True, blank=True)

    objects = TranslationSampleQuerySet.as_manager()

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "number"], name="translation_sample_number_once_per_campaign"
            ),
            models.CheckConstraint(name="translation_sample_has_a_claim", condition=Q(size__gte=1)),
        ]

    def __str__(self):
        return f"sample {self.number} of {self.campaign_id}"

    @property
    def is_open(self):
        return self.closed_at is None


class TranslationItem(models.Model):
    """A claim of a sample, in its drawn order, with the label that its dataset gives it."""

    sample = models.ForeignKey(TranslationSample, on_delete=models.PROTECT, related_name="items")
    claim = models.ForeignKey(Claim, on_delete=models.PROTECT, related_name="translation_items")
    number = models.PositiveIntegerField()
    label = models.CharField(max_length=20, choices=Label)

    class Meta:
        ordering = ["sample", "number"]
        constraints = [
            models.UniqueConstraint(
                fields=["sample", "number"], name="translation_item_number_once_per_sample"
            ),
            models.UniqueConstraint(
                fields=["sample", "claim"], name="translation_item_once_per_claim"
            ),
            models.CheckConstraint(
                name="translation_item_label_is_known", condition=Q(label__in=Label.values)
            ),
        ]

    def __str__(self):
        return f"item {self.number} of {self.sample_id}"


class TranslationAnswer(models.Model):
    """What one person says of an item. It changes until the sample is closed."""

    item = models.ForeignKey(TranslationItem, on_delete=models.PROTECT, related_name="answers")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="translation_answers"
    )
    verdict = models.CharField(max_length=20, choices=Verdict)
    created_at = models.DateTimeField(auto_now_add=True)
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["item", "user"], name="translation_answer_once_per_person"
            ),
            models.CheckConstraint(
                name="translation_answer_verdict_is_known",
                condition=Q(verdict__in=Verdict.values),
            ),
        ]

    def __str__(self):
        return f"{self.user_id} on {self.item_id}"
