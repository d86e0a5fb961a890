"""Work: who has which piece of it, and what they did with it."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from annotation.models.campaigns import Campaign, GuidelineVersion, Wave
from annotation.models.claims import Claim, ClaimRevision, Preselection
from annotation.models.items import WaveItem
from corpus.models import Article, Paragraph
from dictionaries.models import Dictionary


class Task(models.TextChoices):
    T0 = "T0", _("preselect sources")
    T1A = "T1a", _("extract claims")
    T1B = "T1b", _("mutate claims")
    T2 = "T2", _("label claims")


class AssignmentQuerySet(models.QuerySet):
    def open(self):
        return self.filter(outcome=Assignment.Outcome.OPEN)

    def of(self, user):
        """What `user` may see: their own, in campaigns to which they still belong."""
        return self.filter(user=user, wave__campaign__in=Campaign.objects.read_by(user))

    def counted(self):
        """What counts towards a quota."""
        return self.filter(outcome=Assignment.Outcome.SUBMITTED, is_own=False)

    def met(self):
        """All but what ran out, which may be given to the same person once more."""
        return self.exclude(outcome=Assignment.Outcome.EXPIRED)

    def unfinished(self):
        """What ran out and whose draft was kept."""
        return self.filter(outcome=Assignment.Outcome.EXPIRED, draft__isnull=False)

    def filling(self):
        """Open leases that fill a slot, run out or not: own-claim annotation takes none."""
        return self.open().filter(is_own=False)


class Assignment(models.Model):
    """That a piece of work was given to a person: its lease, its times, its outcome."""

    class Outcome(models.TextChoices):
        OPEN = "", _("open")
        SUBMITTED = "submitted", _("submitted")
        SKIPPED = "skipped", _("skipped")
        REPORTED = "reported", _("reported")
        EXPIRED = "expired", _("expired")

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="assignments"
    )
    wave = models.ForeignKey(Wave, on_delete=models.PROTECT, related_name="assignments")
    task = models.CharField(max_length=3, choices=Task)
    article = models.ForeignKey(
        Article, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    preselection = models.ForeignKey(
        Preselection, on_delete=models.PROTECT, null=True, blank=True, related_name="assignments"
    )
    claim = models.ForeignKey(
        Claim, on_delete=models.PROTECT, null=True, blank=True, related_name="assignments"
    )
    item = models.ForeignKey(
        WaveItem, on_delete=models.PROTECT, null=True, blank=True, related_name="assignments"
    )
    is_own = models.BooleanField(default=False)
    suggested = models.ForeignKey(
        Paragraph, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    suggested_score = models.FloatField(null=True, blank=True)
    revision = models.ForeignKey(
        ClaimRevision, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    source_dictionary = models.ForeignKey(
        Dictionary, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    claim_dictionary = models.ForeignKey(
        Dictionary, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    guideline = models.ForeignKey(
        GuidelineVersion, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    given_at = models.DateTimeField()
    leased_until = models.DateTimeField()
    heartbeat_at = models.DateTimeField(null=True, blank=True)
    active_seconds = models.PositiveIntegerField(default=0)
    shuffle_seed = models.PositiveIntegerField()
    outcome = models.CharField(max_length=10, choices=Outcome, blank=True, default=Outcome.OPEN)
    reason = models.TextField(blank=True)
    surplus = models.BooleanField(
        default=False, help_text=_("Answered after its lease ran out and its slot was taken.")
    )
    submission = models.UUIDField(
        null=True, blank=True, help_text=_("The form with which claims were written.")
    )
    ended_at = models.DateTimeField(null=True, blank=True)

    objects = AssignmentQuerySet.as_manager()

    class Meta:
        indexes = [
            # The person's own list, and what they met.
            models.Index(fields=["user", "wave", "task", "outcome"], name="assignment_of_person"),
            # What a person did last: its siblings are not given next.
            models.Index(
                fields=["user", "wave", "task", "ended_at"],
                name="assignment_last_done",
                condition=Q(outcome="submitted"),
            ),
            # What ran out, for the sweep and the next request for work.
            models.Index(
                fields=["wave", "leased_until"],
                name="assignment_leases",
                condition=Q(outcome=""),
            ),
        ]
        constraints = [
            models.CheckConstraint(
                name="assignment_names_what_its_task_is_about",
                condition=Q(
                    task="T0", article__isnull=False, preselection=None, claim=None, item=None
                )
                | Q(task="T1a", article=None, preselection__isnull=False, claim=None, item=None)
                | Q(task="T1b", article=None, preselection=None, claim__isnull=False, item=None)
                | Q(task="T2", article=None, preselection=None, claim=None, item__isnull=False),
            ),
            models.UniqueConstraint(
                fields=["user", "wave", "task"],
                name="assignment_one_open_per_task",
                condition=Q(outcome=""),
            ),
            models.UniqueConstraint(
                fields=["wave", "article"],
                name="assignment_one_open_per_article",
                condition=Q(outcome="", article__isnull=False),
            ),
            # Nobody is given a thing twice: what ran out is opened again in place.
            models.UniqueConstraint(
                fields=["item", "user"],
                name="assignment_of_item_once_per_person",
                condition=Q(item__isnull=False),
            ),
            models.UniqueConstraint(
                fields=["preselection", "user"],
                name="assignment_of_source_once_per_person",
                condition=Q(preselection__isnull=False),
            ),
            models.UniqueConstraint(
                fields=["claim", "user"],
                name="assignment_of_claim_once_per_person",
                condition=Q(claim__isnull=False),
            ),
            models.UniqueConstraint(
                fields=["article", "wave", "user"],
                name="assignment_of_article_once_per_person",
                condition=Q(article__isnull=False),
            ),
            models.UniqueConstraint(
                fields=["submission"],
                name="assignment_submission_once",
                condition=Q(submission__isnull=False),
            ),
            models.CheckConstraint(
                name="assignment_ended_iff_it_has_an_outcome",
                condition=Q(outcome="", ended_at=None)
                | (~Q(outcome="") & Q(ended_at__isnull=False)),
            ),
            models.CheckConstraint(
                name="assignment_skipped_or_reported_for_a_reason",
                condition=~Q(outcome__in=["skipped", "reported"]) | ~Q(reason=""),
            ),
        ]

    def __str__(self):
        return f"{self.task} {self.pk}"


class OpenedArticle(models.Model):
    """That a person opened an article while working: its paragraphs joined their scope."""

    assignment = models.ForeignKey(Assignment, on_delete=models.PROTECT, related_name="opened")
    article = models.ForeignKey(Article, on_delete=models.PROTECT, related_name="+")
    version = models.PositiveIntegerField()
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["assignment", "article", "version"], name="opened_once_per_assignment"
            ),
        ]

    def __str__(self):
        return f"{self.article_id} opened"


class Draft(models.Model):
    """What a person typed and ticked so far. The newer revision wins."""

    assignment = models.OneToOneField(Assignment, on_delete=models.CASCADE, related_name="draft")
    revision = models.PositiveIntegerField(default=1)
    data = models.JSONField(default=dict)
    saved_at = models.DateTimeField()

    def __str__(self):
        return f"draft of {self.assignment_id}"


class Operation(models.Model):
    """What a person opened, ticked or searched, and when.

    value of a search: method, number of hits and words, as in `keyword 3: Norvell bridge`.
    """

    class Kind(models.TextChoices):
        OPEN = "open", _("opened an article")
        SEARCH = "search", _("searched the corpus")
        TICK = "tick", _("ticked a paragraph")
        UNTICK = "untick", _("unticked a paragraph")
        ADD_SET = "add_set", _("added a set")
        SUBMIT = "submit", _("submitted")

    assignment = models.ForeignKey(Assignment, on_delete=models.PROTECT, related_name="operations")
    kind = models.CharField(max_length=10, choices=Kind)
    value = models.CharField(max_length=300, blank=True)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["id"]

    def __str__(self):
        return f"{self.kind} {self.value}"
