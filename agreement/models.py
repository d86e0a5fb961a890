"""Figures as they were computed for one state of the data. They can always be made again."""

import json

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from annotation.models import Campaign, Wave


class FigureSnapshot(models.Model):
    """The figures of a campaign, or of one wave, under some settings.

    key: scope and settings as a text; data_version: the state of the rows they were made from.
    text is what pages draw; details, where there are any, what only files and programs ask for
    of agreement, and of cues the label of each instance that they rest on;
    conflicts the list of the claims whose labels differ, hardest first.
    """

    class Kind(models.TextChoices):
        AGREEMENT = "agreement", _("agreement")
        CUES = "cues", _("cues")

    campaign = models.ForeignKey(
        Campaign, on_delete=models.PROTECT, related_name="figure_snapshots"
    )
    wave = models.ForeignKey(
        Wave, on_delete=models.PROTECT, null=True, blank=True, related_name="figure_snapshots"
    )
    kind = models.CharField(max_length=10, choices=Kind)
    key = models.CharField(max_length=200)
    settings = models.JSONField(default=dict)
    data_version = models.CharField(max_length=100)
    # Text, since PostgreSQL keeps the keys of its JSON in an order of its own, and ours matters.
    text = models.TextField(default="{}")
    details = models.TextField(blank=True)
    conflicts = models.TextField(blank=True)
    asked_at = models.DateTimeField(help_text=_("When a person last asked for these figures."))
    computed_at = models.DateTimeField()
    found_stale_at = models.DateTimeField(
        null=True, blank=True, help_text=_("When the sweep saw that the labels had changed since.")
    )

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "kind", "key"], name="figures_once_per_scope_and_settings"
            ),
            models.CheckConstraint(
                name="figures_are_of_a_known_kind", condition=Q(kind__in=["agreement", "cues"])
            ),
        ]

    def __str__(self):
        return f"{self.kind} of {self.campaign_id}, {self.key}"

    @property
    def figures(self):
        return json.loads(self.text)
