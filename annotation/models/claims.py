"""Sources and claims: what was preselected, written, mutated and reported."""

from django.conf import settings
from django.db import models
from django.db.models import Count, Exists, F, OuterRef, Q
from django.utils.translation import gettext_lazy as _

from annotation.models.campaigns import Campaign, Wave
from corpus.models import Paragraph
from dictionaries.models import Dictionary


class Mutation(models.TextChoices):
    REPHRASE = "rephrase", _("rephrase")
    NEGATE = "negate", _("negate")
    SUBSTITUTE_SIMILAR = "substitute_similar", _("substitute similar")
    SUBSTITUTE_DISSIMILAR = "substitute_dissimilar", _("substitute dissimilar")
    GENERALISE = "generalise", _("generalise")
    SPECIFY = "specify", _("specify")
    TENSE_SHIFT = "tense_shift", _("tense shift")
    UNKNOWN = "unknown", _("unknown")


class PreselectionQuerySet(models.QuerySet):
    def accepted(self):
        return self.filter(state=Preselection.State.ACCEPTED)

    def wanted_in(self, wave):
        """Sources that still want a writer in `wave`, of current articles."""
        return (
            self.accepted().shared_with(wave).current().filter(is_ready=True, taken__lt=F("wanted"))
        )

    def shared_with(self, wave):
        """The sources of `wave`: a sandbox has its own, the other waves of a campaign share."""
        pool = self.filter(campaign=wave.campaign_id)
        return pool.filter(wave=wave) if wave.is_sandbox else pool.filter(is_sandbox=False)

    def current(self):
        """Sources whose article has not got a new version since."""
        return self.filter(paragraph__version=F("paragraph__article__version"))

    def use_counts(self):
        """How many sources these are ("accepted"), and from how many nobody wrote ("unused")."""
        return self.aggregate(accepted=Count("pk"), unused=Count("pk", filter=Q(taken=0)))

    def not_met_by(self, user):
        """Sources from which `user` neither wrote nor skipped."""
        return self.filter(~Exists(user.assignments.filter(preselection=OuterRef("pk")).met()))

    def from_pivot(self, pivot):
        """The sources in their stored random order, starting at `pivot`."""
        return self.filter(random_key__gte=pivot).in_order()

    def up_to_pivot(self, pivot):
        return self.filter(random_key__lt=pivot).in_order()

    def in_order(self):
        return self.order_by("random_key", "id")


class Preselection(models.Model):
    """A curator's verdict on a paragraph as a source; accepted ones are given to writers."""

    class State(models.TextChoices):
        ACCEPTED = "accepted", _("accepted")
        REJECTED = "rejected", _("rejected")
        HELD = "held", _("held back for a curator")

    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT, related_name="preselections")
    wave = models.ForeignKey(Wave, on_delete=models.PROTECT, related_name="preselections")
    is_sandbox = models.BooleanField(default=False)
    paragraph = models.ForeignKey(Paragraph, on_delete=models.PROTECT, related_name="+")
    state = models.CharField(max_length=10, choices=State)
    chosen_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    suggested_score = models.FloatField(null=True, blank=True)
    dictionary = models.ForeignKey(
        Dictionary, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    is_ready = models.BooleanField(
        default=False, help_text=_("Its dictionary is there, or its corpus has no index.")
    )
    taken = models.PositiveSmallIntegerField(default=0)
    wanted = models.PositiveSmallIntegerField(default=3)
    random_key = models.FloatField()
    created_at = models.DateTimeField(auto_now_add=True)

    objects = PreselectionQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "paragraph"], name="preselection_once_per_paragraph"
            ),
            models.CheckConstraint(
                name="preselection_is_taken_at_most_as_often_as_wanted",
                condition=Q(taken__lte=F("wanted")),
            ),
        ]
        indexes = [
            # The least used source at or after a random point.
            models.Index(
                fields=["campaign", "taken", "random_key"],
                name="preselection_next",
                condition=Q(state="accepted", is_ready=True),
            ),
        ]

    def __str__(self):
        return f"{self.state} {self.paragraph_id}"


class ClaimQuerySet(models.QuerySet):
    def initial(self):
        """Extracted claims that nobody withdrew."""
        return self.filter(origin=Claim.Origin.EXTRACTED, withdrawn_at=None)

    def counted(self):
        """Claims that enter figures and exports: not written in a sandbox, not withdrawn."""
        return self.filter(withdrawn_at=None).exclude(wave__is_sandbox=True)


class Claim(models.Model):
    """A factual statement, extracted from a source paragraph or mutated from another claim."""

    class Origin(models.TextChoices):
        EXTRACTED = "extracted", _("extracted")
        MUTATED = "mutated", _("mutated")
        CITANCE = "citance", _("citance")
        IMPORTED = "imported", _("imported")
        TRANSLATED = "translated", _("translated")

    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT, related_name="claims")
    wave = models.ForeignKey(Wave, on_delete=models.PROTECT, related_name="claims")
    number = models.PositiveBigIntegerField()
    origin = models.CharField(max_length=10, choices=Origin)
    text = models.TextField()
    text_hash = models.CharField(max_length=64)
    original_text = models.TextField(blank=True)
    language = models.CharField(max_length=10)
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="claims",
    )
    source = models.ForeignKey(
        Paragraph, on_delete=models.PROTECT, null=True, blank=True, related_name="claims"
    )
    source_published_at = models.DateTimeField(null=True, blank=True)
    as_of = models.DateTimeField(null=True, blank=True)
    parent = models.ForeignKey(
        "self", on_delete=models.PROTECT, null=True, blank=True, related_name="children"
    )
    written_in = models.ForeignKey(
        "annotation.Assignment",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="written",
    )
    external_parent = models.CharField(max_length=200, blank=True)
    mutation = models.CharField(max_length=24, choices=Mutation, blank=True)
    external_id = models.CharField(max_length=200, blank=True)
    extra = models.TextField(blank=True)
    source_dictionary = models.ForeignKey(
        Dictionary, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    dictionary = models.ForeignKey(
        Dictionary, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    awaits_dictionary = models.BooleanField(
        default=False, help_text=_("Its text was changed; it is given out again when it is ready.")
    )
    replaces = models.OneToOneField(
        "self", on_delete=models.PROTECT, null=True, blank=True, related_name="replaced_by"
    )
    withdrawn_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    objects = ClaimQuerySet.as_manager()

    class Meta:
        ordering = ["campaign", "number"]
        indexes = [
            # Equal texts are warned about.
            models.Index(fields=["campaign", "text_hash"], name="claim_equal_text"),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "number"], name="claim_number_once_per_campaign"
            ),
            models.UniqueConstraint(
                fields=["campaign", "external_id"],
                name="claim_external_id_once_per_campaign",
                condition=~Q(external_id=""),
            ),
            models.CheckConstraint(
                name="claim_has_mutation_iff_it_has_a_parent",
                condition=Q(parent=None, external_parent="", mutation="")
                | ((Q(parent__isnull=False) | ~Q(external_parent="")) & ~Q(mutation="")),
                violation_error_message=_("A mutated claim names its parent and its mutation."),
            ),
            models.CheckConstraint(
                name="claim_is_judged_no_earlier_than_its_source",
                condition=Q(source_published_at=None)
                | Q(as_of__isnull=False, as_of__gte=F("source_published_at")),
            ),
            models.CheckConstraint(name="claim_has_a_text", condition=~Q(text="")),
            models.CheckConstraint(
                name="claim_written_here_has_author_and_source",
                condition=~Q(origin__in=["extracted", "mutated"])
                | Q(author__isnull=False, source__isnull=False),
            ),
        ]

    def __str__(self):
        return self.text


class ClaimRevision(models.Model):
    """One wording of a claim; annotations name the one that they saw."""

    class Kind(models.TextChoices):
        FIRST = "first", _("as written")
        AUTHOR = "author", _("edited by its author")
        WORDING = "wording", _("wording corrected by a curator")

    claim = models.ForeignKey(Claim, on_delete=models.PROTECT, related_name="revisions")
    number = models.PositiveIntegerField(default=1)
    kind = models.CharField(max_length=10, choices=Kind, default=Kind.FIRST)
    text = models.TextField()
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["claim", "number"], name="revision_number_once"),
        ]

    def __str__(self):
        return f"revision {self.number} of {self.claim_id}"


class ReportQuerySet(models.QuerySet):
    def open(self):
        return self.filter(decision="")

    def decidable_by(self, user):
        """Open reports of `user`'s campaigns on claims that they neither wrote nor labelled."""
        campaigns = Campaign.objects.curated_by(user)
        labelled = user.annotations.filter(item__instance__claim=OuterRef("claim"))
        return (
            self.open()
            .filter(~Exists(labelled), claim__campaign__in=campaigns)
            .exclude(claim__author=user)
        )


class Report(models.Model):
    """A problem with a claim; its items are given to nobody until a curator decided."""

    class Decision(models.TextChoices):
        OPEN = "", _("not decided")
        KEPT = "kept", _("kept")
        FIXED = "fixed", _("fixed")
        WITHDRAWN = "withdrawn", _("withdrawn")

    claim = models.ForeignKey(Claim, on_delete=models.PROTECT, related_name="reports")
    reported_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    reason = models.TextField()
    is_three_skips = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)
    decision = models.CharField(max_length=10, choices=Decision, blank=True, default=Decision.OPEN)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    decided_at = models.DateTimeField(null=True, blank=True)
    note = models.TextField(blank=True)

    objects = ReportQuerySet.as_manager()

    class Meta:
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(
                name="report_is_decided_by_somebody",
                condition=Q(decision="", decided_by=None, decided_at=None)
                | (~Q(decision="") & Q(decided_by__isnull=False, decided_at__isnull=False)),
            ),
            models.CheckConstraint(name="report_has_a_reason", condition=~Q(reason="")),
        ]

    def __str__(self):
        return f"report {self.pk}"
