"""What is labelled, and the items of a wave."""

from django.db import models
from django.db.models import Exists, F, OuterRef, Q
from django.utils.translation import gettext_lazy as _

from annotation.models.campaigns import Wave
from annotation.models.claims import Claim
from corpus.models import Article, Paragraph


class Instance(models.Model):
    """What is labelled: a claim against a whole scope, one article or one passage."""

    class ScopeKind(models.TextChoices):
        WHOLE = "whole", _("whole scope")
        ARTICLE = "article", _("one article")
        PASSAGE = "passage", _("one passage")

    class Outcome(models.TextChoices):
        OPEN = "open", _("open")
        COMPLETE = "complete", _("complete")
        CONFLICTED = "conflicted", _("conflicted")
        ADJUDICATED = "adjudicated", _("adjudicated")
        WITHDRAWN = "withdrawn", _("withdrawn")

    claim = models.ForeignKey(Claim, on_delete=models.PROTECT, related_name="instances")
    scope_kind = models.CharField(max_length=10, choices=ScopeKind, default=ScopeKind.WHOLE)
    article = models.ForeignKey(
        Article, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    article_version = models.PositiveIntegerField(null=True, blank=True)
    passage = models.ForeignKey(
        Paragraph, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    outcome = models.CharField(max_length=12, choices=Outcome, default=Outcome.OPEN)

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="instance_scope_matches_its_kind",
                condition=Q(scope_kind="whole", article=None, article_version=None, passage=None)
                | Q(
                    scope_kind="article",
                    article__isnull=False,
                    article_version__isnull=False,
                    passage=None,
                )
                | Q(
                    scope_kind="passage",
                    article=None,
                    article_version=None,
                    passage__isnull=False,
                ),
            ),
            models.UniqueConstraint(
                fields=["claim"],
                name="instance_once_per_whole_scope",
                condition=Q(scope_kind="whole"),
            ),
            models.UniqueConstraint(
                fields=["claim", "article", "article_version"],
                name="instance_once_per_article",
                condition=Q(scope_kind="article"),
            ),
            models.UniqueConstraint(
                fields=["claim", "passage"],
                name="instance_once_per_passage",
                condition=Q(scope_kind="passage"),
            ),
        ]

    def __str__(self):
        return f"{self.claim_id} against {self.scope_kind}"


class WaveItemQuerySet(models.QuerySet):
    def open_to(self, user):
        """Items `user` may be given for cross-annotation: wanted, not theirs, not met before."""
        return self.wanted().not_met_by(user).exclude(instance__claim__author=user)

    def wanted(self):
        return self.filter(state=WaveItem.State.OPEN, taken__lt=F("wanted"))

    def not_met_by(self, user):
        """Items of instances that `user` neither labelled, reported nor skipped, in any wave."""
        met = user.assignments.filter(item__instance=OuterRef("instance")).met()
        return self.filter(~Exists(met))

    def own_of(self, user):
        """Items of the claims that `user` wrote and has not labelled: own-claim annotation."""
        claims = {"instance__claim__author": user, "instance__claim__withdrawn_at": None}
        held = [WaveItem.State.HELD, WaveItem.State.WITHDRAWN]
        return self.filter(**claims).exclude(state__in=held).not_met_by(user)

    def unlabelled(self):
        """Items that nobody has labelled yet, for people who may see labels."""
        labels = WaveItem.objects.filter(
            instance=OuterRef("instance"), annotations__ended_at=None, annotations__isnull=False
        )
        return self.filter(~Exists(labels))

    def unlike(self, claim):
        """Items of claims that are neither `claim` nor its siblings, parent or children."""
        siblings = Q(instance__claim=claim) | Q(instance__claim__parent=claim)
        if claim.source_id:
            siblings |= Q(instance__claim__source=claim.source_id)
        if claim.parent_id:
            siblings |= Q(instance__claim=claim.parent_id)
            siblings |= Q(instance__claim__parent=claim.parent_id)
        return self.exclude(siblings)

    def from_pivot(self, pivot):
        """The items in their stored random order, starting at `pivot`."""
        return self.filter(random_key__gte=pivot).order_by("random_key", "id")

    def up_to_pivot(self, pivot):
        """The rest of that order, once it wrapped."""
        return self.filter(random_key__lt=pivot).order_by("random_key", "id")

    def in_order(self):
        return self.order_by("random_key", "id")


class WaveItem(models.Model):
    """An instance put to work in one wave. `taken` is live cross labels and open leases."""

    class State(models.TextChoices):
        OPEN = "open", _("open")
        HELD = "held", _("held back for a curator")
        COMPLETE = "complete", _("complete")
        CONFLICTED = "conflicted", _("conflicted")
        ADJUDICATED = "adjudicated", _("adjudicated")
        WITHDRAWN = "withdrawn", _("withdrawn")

    class Purpose(models.TextChoices):
        NORMAL = "normal", _("normal")
        GOLD = "gold", _("gold")
        CALIBRATION = "calibration", _("calibration")
        RELABEL = "re-label", _("label again")
        IMPORT = "import", _("import")

    wave = models.ForeignKey(Wave, on_delete=models.PROTECT, related_name="items")
    instance = models.ForeignKey(Instance, on_delete=models.PROTECT, related_name="items")
    state = models.CharField(max_length=12, choices=State, default=State.OPEN)
    purpose = models.CharField(max_length=12, choices=Purpose, default=Purpose.NORMAL)
    wanted = models.PositiveSmallIntegerField(default=2)
    taken = models.PositiveSmallIntegerField(default=0)
    random_key = models.FloatField()
    created_at = models.DateTimeField(auto_now_add=True)

    objects = WaveItemQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["wave", "instance"], name="item_once_per_wave"),
            models.CheckConstraint(
                name="item_is_taken_at_most_as_often_as_wanted",
                condition=Q(purpose="import") | Q(taken__lte=F("wanted")),
            ),
        ]
        indexes = [
            # The next item: the first wanted one at or after a pivot. Without `taken` in it,
            # which would make the search linear in the items.
            models.Index(
                fields=["wave", "random_key"],
                name="item_next",
                condition=Q(state="open", taken__lt=F("wanted")),
            ),
        ]

    def __str__(self):
        return f"item {self.pk}"
