"""Answers: annotations and the evidence that justifies them. Their content never changes."""

from django.conf import settings
from django.db import models
from django.db.models import BooleanField, Exists, ExpressionWrapper, OuterRef, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from annotation.models.campaigns import Campaign, Wave
from annotation.models.claims import Claim, ClaimRevision
from annotation.models.items import WaveItem
from annotation.models.work import Assignment, Task
from corpus.models import Paragraph


class Label(models.TextChoices):
    SUPPORTS = "SUPPORTS", _("Supports")
    REFUTES = "REFUTES", _("Refutes")
    NOT_ENOUGH_INFO = "NOT ENOUGH INFO", _("Not enough information")


OUTCOME = Assignment.Outcome
# What may still be answered, or changed, while the wave is open.
ANSWERABLE = [OUTCOME.OPEN, OUTCOME.EXPIRED, OUTCOME.SUBMITTED]


def instances_hidden_from(user, among=None):
    """The ids of the instances (`among` these, if given) whose labels `user` must not see yet.

    Those that they were given and can still answer, or whose answer they can still change; and
    those of their own claims, where the wave asks authors to label them. Curators and managers
    are offered nothing else that has a label (annotation.offers).
    """
    waves = Wave.objects.not_over_at(timezone.now())
    given = user.assignments.filter(task=Task.T2, wave__in=waves, outcome__in=ANSWERABLE)
    items = WaveItem.objects.filter(wave__in=waves.filter(labels_own_claims=True))
    if among is None:
        own = items.filter(instance__claim__author=user)
    else:
        # From the few instances to their claims: who wrote many would else be looked through.
        written = Claim.objects.filter(pk=OuterRef("instance__claim"), author=user)
        own = items.filter(Exists(written), instance__in=among)
        given = given.filter(item__instance__in=among)
    return given.values_list("item__instance").union(own.values_list("instance"))


class AnnotationQuerySet(models.QuerySet):
    def live(self):
        return self.filter(ended_at=None)

    def shown_to(self, user, campaign):
        """A campaign's labels that `user` may read: their own; as its manager also others'.

        But not those of a claim that the manager may still answer. Each row has `is_blind`:
        whether `user` must not learn yet how it stands beside others' labels.
        """
        is_blind = Q(item__instance__in=instances_hidden_from(user))
        rows = self.filter(item__wave__campaign=campaign).annotate(
            is_blind=ExpressionWrapper(is_blind, BooleanField())
        )
        if not Campaign.objects.managed_by(user).filter(pk=campaign.pk).exists():
            return rows.filter(user=user)
        return rows.filter(Q(user=user) | ~is_blind)


class Annotation(models.Model):
    """One annotator's label of one wave item. An edit is a new row that supersedes this one."""

    class Kind(models.TextChoices):
        CROSS = "cross", _("cross-annotation")
        OWN = "own", _("own-claim annotation")
        CALIBRATION = "calibration", _("calibration")
        CORRECTIVE = "corrective", _("corrective")
        ADJUDICATION = "adjudication", _("adjudication")
        IMPORT = "import", _("imported")

    class EndReason(models.TextChoices):
        NONE = "", _("live")
        SUPERSEDED = "superseded", _("superseded")
        REMOVED = "removed", _("removed")

    class ErrorType(models.TextChoices):
        NONE = "", _("none")
        EXCLUSION = "exclusion", _("exclusion")
        GENERAL = "general", _("general")
        REASONING = "reasoning", _("reasoning")
        NOT_MINIMAL = "not minimal", _("not minimal")
        INSUFFICIENT = "insufficient", _("insufficient")

    item = models.ForeignKey(WaveItem, on_delete=models.PROTECT, related_name="annotations")
    assignment = models.ForeignKey(
        Assignment, on_delete=models.PROTECT, null=True, blank=True, related_name="annotations"
    )
    revision = models.ForeignKey(
        ClaimRevision, on_delete=models.PROTECT, null=True, blank=True, related_name="annotations"
    )
    kind = models.CharField(max_length=12, choices=Kind)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="annotations",
    )
    external_annotator = models.CharField(max_length=200, blank=True)
    label = models.CharField(max_length=15, choices=Label)
    is_uncertain = models.BooleanField(default=False)
    is_relevant = models.BooleanField(default=False)
    condition = models.TextField(blank=True)
    challenge = models.CharField(max_length=100, blank=True)
    note = models.TextField(blank=True)
    surplus = models.BooleanField(default=False)
    late = models.BooleanField(default=False)
    submission = models.UUIDField(unique=True)
    supersedes = models.OneToOneField(
        "self", on_delete=models.PROTECT, null=True, blank=True, related_name="superseded_by"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    ended_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    end_reason = models.CharField(
        max_length=12, choices=EndReason, blank=True, default=EndReason.NONE
    )
    error_type = models.CharField(
        max_length=12, choices=ErrorType, blank=True, default=ErrorType.NONE
    )
    comment = models.TextField(blank=True)

    objects = AnnotationQuerySet.as_manager()

    class Meta:
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(
                name="annotation_is_by_a_user_or_an_external_annotator",
                condition=Q(user__isnull=False, external_annotator="")
                | (Q(user=None) & ~Q(external_annotator="")),
            ),
            models.UniqueConstraint(
                fields=["item", "user"],
                name="annotation_one_live_per_user",
                condition=Q(ended_at=None, user__isnull=False),
            ),
            models.UniqueConstraint(
                fields=["item", "external_annotator"],
                name="annotation_one_live_per_external_annotator",
                condition=Q(ended_at=None, user=None),
            ),
            models.CheckConstraint(
                name="annotation_label_is_known", condition=Q(label__in=Label.values)
            ),
            models.CheckConstraint(
                name="annotation_is_uncertain_only_of_a_verdict",
                condition=Q(kind="import") | Q(is_uncertain=False) | ~Q(label="NOT ENOUGH INFO"),
                violation_error_message=_("Only SUPPORTS and REFUTES can be uncertain."),
            ),
            models.CheckConstraint(
                name="annotation_is_relevant_only_without_enough_info",
                condition=Q(kind="import") | Q(is_relevant=False) | Q(label="NOT ENOUGH INFO"),
                violation_error_message=_("Only NOT ENOUGH INFO can be marked as relevant."),
            ),
            models.CheckConstraint(
                name="annotation_has_a_condition_only_of_a_verdict",
                condition=Q(kind="import") | Q(condition="") | ~Q(label="NOT ENOUGH INFO"),
                violation_error_message=_("Only SUPPORTS and REFUTES can have a condition."),
            ),
            models.CheckConstraint(
                name="annotation_ended_for_a_reason",
                condition=Q(ended_at=None, end_reason="")
                | (Q(ended_at__isnull=False) & ~Q(end_reason="")),
            ),
        ]

    def __str__(self):
        return f"{self.label} of {self.item_id}"


class EvidenceSet(models.Model):
    """Paragraphs or units that suffice together; several sets are alternatives."""

    annotation = models.ForeignKey(
        Annotation, on_delete=models.PROTECT, related_name="evidence_sets"
    )
    number = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(
                fields=["annotation", "number"], name="evidence_set_number_once"
            ),
        ]

    def __str__(self):
        return f"set {self.number} of {self.annotation_id}"


class EvidenceItem(models.Model):
    """A paragraph, or one unit of it, in an evidence set ('' is the whole paragraph)."""

    evidence_set = models.ForeignKey(EvidenceSet, on_delete=models.PROTECT, related_name="items")
    paragraph = models.ForeignKey(Paragraph, on_delete=models.PROTECT, related_name="+")
    unit = models.CharField(max_length=60, blank=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["evidence_set", "paragraph", "unit"], name="evidence_item_once_per_set"
            ),
        ]

    def __str__(self):
        return f"{self.paragraph_id} {self.unit}".strip()
