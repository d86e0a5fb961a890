"""Projects and people: campaigns, their rounds, and who works in them."""

import secrets

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from corpus.models import Corpus


class Role(models.TextChoices):
    """The roles in a campaign, the lowest first: a higher one includes the lower."""

    ANNOTATOR = "annotator", _("annotator")
    CURATOR = "curator", _("curator")
    MANAGER = "manager", _("manager")

    @property
    def rank(self):
        return list(Role).index(self)


class CampaignQuerySet(models.QuerySet):
    def _with_role(self, user, roles):
        if user.is_superuser:
            return self
        return self.filter(
            memberships__user=user, memberships__role__in=roles, memberships__ended_at=None
        )

    def read_by(self, user):
        """Campaigns that `user` belongs to, in whatever role."""
        return self._with_role(user, Role.values)

    def curated_by(self, user):
        """Campaigns whose sources and reports `user` looks after: curators and managers."""
        return self._with_role(user, [Role.CURATOR, Role.MANAGER])

    def managed_by(self, user):
        return self._with_role(user, [Role.MANAGER])


class Campaign(models.Model):
    """A dataset project over one corpus."""

    slug = models.SlugField(unique=True)
    name = models.CharField(max_length=200)
    corpus = models.ForeignKey(
        Corpus, on_delete=models.PROTECT, null=True, blank=True, related_name="campaigns"
    )
    time_zone = models.CharField(max_length=60, default="UTC")
    pseudonym_secret = models.CharField(max_length=64, default=secrets.token_hex, editable=False)
    last_claim_number = models.PositiveBigIntegerField(default=0, editable=False)
    created_at = models.DateTimeField(auto_now_add=True)

    objects = CampaignQuerySet.as_manager()

    class Meta:
        ordering = ["slug"]

    def __str__(self):
        return self.name


class GuidelineVersion(models.Model):
    """One version of a campaign's guidelines, in Markdown. Never changed."""

    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT, related_name="guidelines")
    number = models.PositiveIntegerField()
    text = models.TextField()
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "number"], name="guideline_number_once_per_campaign"
            ),
        ]

    def __str__(self):
        return f"guidelines {self.number}"


class Acknowledgement(models.Model):
    """That a person saw what changed up to a guideline version, and said so."""

    guideline = models.ForeignKey(
        GuidelineVersion, on_delete=models.PROTECT, related_name="acknowledgements"
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="acknowledgements"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["guideline", "user"], name="acknowledgement_once_per_version"
            ),
        ]

    def __str__(self):
        return f"{self.user_id} saw {self.guideline_id}"


class MembershipQuerySet(models.QuerySet):
    def current(self):
        return self.filter(ended_at=None)


class Membership(models.Model):
    """That a person belongs to a campaign, in one role; a higher role includes the lower.

    Who is removed from a campaign keeps the row, with the time when the membership ended.
    """

    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT, related_name="memberships")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="memberships"
    )
    role = models.CharField(max_length=10, choices=Role)
    created_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    objects = MembershipQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["campaign", "user"], name="membership_once_per_person"),
            models.CheckConstraint(
                name="membership_role_is_known", condition=Q(role__in=Role.values)
            ),
        ]

    def __str__(self):
        return f"{self.user_id} as {self.role}"


class WaveQuerySet(models.QuerySet):
    def open_at(self, moment):
        """Waves in which work is given out at `moment`."""
        return self.filter(purpose=Wave.Purpose.NORMAL, opens_at__lte=moment).filter(
            Q(closes_at=None) | Q(closes_at__gt=moment)
        )

    def not_over_at(self, moment):
        """Waves whose labels may still change at `moment`, opened or not."""
        return self.filter(Q(closes_at=None) | Q(closes_at__gt=moment))

    def counted(self):
        """Waves that enter figures and exports: all but sandboxes."""
        return self.filter(is_sandbox=False)

    def managed_by(self, user):
        return self.filter(campaign__in=Campaign.objects.managed_by(user))

    def curated_by(self, user):
        return self.filter(campaign__in=Campaign.objects.curated_by(user))

    def worked_by(self, user):
        """Waves in which `user` is approved to work."""
        return self.filter(
            participations__user=user,
            participations__status=Participation.Status.APPROVED,
            campaign__memberships__user=user,
            campaign__memberships__ended_at=None,
        )

    def of_campaign(self, campaign, user):
        """The waves that pages of a campaign list for `user`.

        All for its managers, for its curators all but imports, for others those in which they
        take part.
        """
        waves = self.filter(campaign=campaign)
        if Campaign.objects.managed_by(user).filter(pk=campaign.pk).exists():
            return waves
        waves = waves.filter(purpose=Wave.Purpose.NORMAL)
        is_curator = Campaign.objects.curated_by(user).filter(pk=campaign.pk).exists()
        return waves if is_curator else waves.filter(participations__user=user)

    def shown_to(self, user):
        """Waves in which `user` works or whose campaign they curate."""
        works = self.model.objects.worked_by(user)
        curates = self.model.objects.curated_by(user)
        return self.filter(Q(pk__in=works.values("pk")) | Q(pk__in=curates.values("pk")))


def default_mutations():
    return [
        "rephrase",
        "negate",
        "substitute_similar",
        "substitute_dissimilar",
        "generalise",
        "specify",
    ]


def default_pool():
    return [Wave.Pool.MUTATIONS.value]


class Wave(models.Model):
    """One round of a campaign, with its own people, quotas and settings."""

    class Purpose(models.TextChoices):
        NORMAL = "normal", _("work")
        IMPORT = "import", _("import")

    class Pool(models.TextChoices):
        MUTATIONS = "mutations", _("mutated claims")
        INITIAL = "initial", _("extracted claims, as they were written")
        IMPORTED = "imported", _("imported claims")

    class Plan(models.TextChoices):
        TWO_AND_THIRD = "two_and_third", _("two labels, a third when they differ")
        EXACT = "exact", _("an exact number of labels")
        AMBIFC = "two_and_three", _("two labels, three more where one is doubtful")

    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT, related_name="waves")
    name = models.CharField(max_length=100)
    purpose = models.CharField(max_length=10, choices=Purpose, default=Purpose.NORMAL)
    opens_at = models.DateTimeField(null=True, blank=True)
    closes_at = models.DateTimeField(null=True, blank=True)
    is_sandbox = models.BooleanField(default=False)
    guideline = models.ForeignKey(
        GuidelineVersion, on_delete=models.PROTECT, null=True, blank=True, related_name="waves"
    )
    # Frozen once somebody worked in the wave (annotation.waves.FROZEN names them).
    mutations = models.JSONField(default=default_mutations)
    pool = models.JSONField(default=default_pool)
    dictionary_settings = models.JSONField(default=dict, blank=True)
    plan = models.CharField(max_length=20, choices=Plan, default=Plan.TWO_AND_THIRD)
    labels_wanted = models.PositiveSmallIntegerField(
        default=2, validators=[MinValueValidator(1), MaxValueValidator(20)]
    )
    extra_share = models.FloatField(
        default=0, validators=[MinValueValidator(0), MaxValueValidator(1)]
    )
    extra_labels = models.PositiveSmallIntegerField(
        default=3,
        validators=[MinValueValidator(1), MaxValueValidator(20)],
        help_text=_("How many more labels the extra share of the items gets."),
    )
    labels_own_claims = models.BooleanField(default=False)
    rests_a_day = models.BooleanField(
        default=False, help_text=_("Nobody labels a claim on the day they wrote it.")
    )
    allows_search = models.BooleanField(
        default=False, help_text=_("People who label may search the corpus for more evidence.")
    )
    seed = models.PositiveIntegerField(default=0)
    # Changeable, with an Event.
    writers_per_source = models.PositiveSmallIntegerField(
        default=3, validators=[MinValueValidator(1), MaxValueValidator(50)]
    )
    quota_t1a = models.PositiveIntegerField(default=0)
    quota_t1b = models.PositiveIntegerField(default=0)
    quota_t2 = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(auto_now_add=True)

    objects = WaveQuerySet.as_manager()

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "name"],
                name="wave_name_once_per_campaign",
                violation_error_message=_("This campaign has a wave of that name already."),
            ),
            models.CheckConstraint(
                name="wave_closes_after_it_opens",
                condition=Q(closes_at=None)
                | Q(opens_at__isnull=False, closes_at__gte=F("opens_at")),
                violation_error_message=_("A wave closes after it opens."),
            ),
            models.CheckConstraint(
                name="wave_of_an_import_is_no_sandbox",
                condition=~Q(purpose="import") | Q(is_sandbox=False),
            ),
            models.CheckConstraint(
                name="wave_share_is_a_share", condition=Q(extra_share__gte=0, extra_share__lte=1)
            ),
            models.CheckConstraint(name="wave_wants_a_label", condition=Q(labels_wanted__gte=1)),
        ]

    def __str__(self):
        return self.name

    def is_open(self, moment):
        """Whether work is given out and answers are in time at `moment`."""
        return (
            self.opens_at is not None
            and self.opens_at <= moment
            and (self.closes_at is None or moment < self.closes_at)
        )


class Participation(models.Model):
    """That a person works in a wave, with a factor on its quotas."""

    class Status(models.TextChoices):
        INVITED = "invited", _("invited")
        TRAINING = "training", _("in training")
        APPROVED = "approved", _("approved")
        PAUSED = "paused", _("paused")
        LEFT = "left", _("left")

    wave = models.ForeignKey(Wave, on_delete=models.PROTECT, related_name="participations")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="participations"
    )
    status = models.CharField(max_length=10, choices=Status, default=Status.APPROVED)
    quota_factor = models.DecimalField(
        max_digits=4,
        decimal_places=2,
        default=1,
        validators=[MinValueValidator(0), MaxValueValidator(20)],
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["wave", "user"], name="participation_once_per_person"),
            models.CheckConstraint(
                name="participation_factor_is_not_negative", condition=Q(quota_factor__gte=0)
            ),
        ]

    def __str__(self):
        return f"{self.user_id} in {self.wave_id}"


class InvitationQuerySet(models.QuerySet):
    def usable_at(self, moment):
        return self.filter(revoked_at=None, expires_at__gt=moment, uses__lt=F("max_uses"))


class Invitation(models.Model):
    """A link that lets people in: hashed, expiring, capped, bound to a role and a wave."""

    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT, related_name="invitations")
    wave = models.ForeignKey(
        Wave, on_delete=models.PROTECT, null=True, blank=True, related_name="invitations"
    )
    role = models.CharField(max_length=10, choices=Role, default=Role.ANNOTATOR)
    addressee = models.CharField(max_length=200, blank=True)
    token_hash = models.CharField(max_length=64, unique=True)
    max_uses = models.PositiveIntegerField(default=1, validators=[MinValueValidator(1)])
    uses = models.PositiveIntegerField(default=0)
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    objects = InvitationQuerySet.as_manager()

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(
                name="invitation_is_used_at_most_as_often_as_allowed",
                condition=Q(uses__lte=F("max_uses")),
            ),
        ]

    def __str__(self):
        return f"invitation {self.pk}"
