"""People and what they did: the user, one-time reset links, API tokens, the audit trail."""

from django.conf import settings
from django.contrib.auth.models import AbstractUser, UserManager
from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower, Now
from django.utils.translation import gettext_lazy as _

from accounts.found import found


class UserQuerySet(models.QuerySet):
    def managed_by(self, user):
        """Whom `user` may help to sign in: everybody for a superuser, else whom an app says.

        An app says it by `managed_people(user)`, a queryset of users, in its `people.py`.
        """
        if user.is_superuser:
            return self
        managed = Q(pk__in=[])
        for managed_people in found("people", "managed_people"):
            managed |= Q(pk__in=managed_people(user).values("pk"))
        return self.filter(managed, is_superuser=False)

    def ruled_by(self, user):
        """Whose account `user` may close or open again: everybody's, for a superuser."""
        return self if user.is_superuser else self.none()

    def remembered(self):
        return self.filter(forgotten_at=None)


class Users(UserManager.from_queryset(UserQuerySet)):
    """Named, so that migrations can find it."""


class User(AbstractUser):
    """A person. People are deactivated or forgotten, never deleted: their labels stay."""

    class Theme(models.TextChoices):
        SYSTEM = "", _("as the device")
        LIGHT = "light", _("light")
        DARK = "dark", _("dark")

    first_name = None
    last_name = None
    name = models.CharField(max_length=150, blank=True)
    language = models.CharField(max_length=10, blank=True, choices=settings.LANGUAGES)
    theme = models.CharField(max_length=10, blank=True, choices=Theme, default=Theme.SYSTEM)
    forgotten_at = models.DateTimeField(null=True, blank=True)

    objects = Users()

    class Meta(AbstractUser.Meta):
        constraints = [
            models.UniqueConstraint(
                Lower("username"),
                name="user_username_once_in_any_case",
                violation_error_message=_("This username is taken; choose another."),
            ),
            models.CheckConstraint(
                name="user_forgotten_is_inactive",
                condition=Q(forgotten_at=None) | Q(is_active=False, name="", email=""),
            ),
        ]

    def __str__(self):
        return self.name or self.username

    def helps_people(self):
        """Whether others may get this person's help to sign in, be there nobody yet.

        An app says it by `manages_people(user)` in its `people.py`.
        """
        says = found("people", "manages_people")
        return self.is_superuser or any(manages_people(self) for manages_people in says)

    def get_full_name(self):
        return self.name

    def get_short_name(self):
        return self.name or self.username


class ResetLink(models.Model):
    """A one-time link with which a person sets a new password; only its hash is kept."""

    user = models.ForeignKey(User, on_delete=models.PROTECT, related_name="reset_links")
    token_hash = models.CharField(max_length=64, unique=True)
    created_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)

    def __str__(self):
        return f"reset link for {self.user}"


class ApiToken(models.Model):
    """A hashed, scoped, expiring token for the HTTP API; shown once, when it is made."""

    class Scope(models.TextChoices):
        READ = "read", _("read")
        IMPORT = "import", _("import articles")
        BUILD = "build", _("build dictionaries")
        EXPORT = "export", _("export datasets")

    user = models.ForeignKey(User, on_delete=models.PROTECT, related_name="api_tokens")
    name = models.CharField(max_length=100)
    token_hash = models.CharField(max_length=64, unique=True)
    scopes = models.JSONField(default=list)
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)

    def __str__(self):
        return f"{self.name} of {self.user}"


class Event(models.Model):
    """One line of the audit trail: who did what to which thing, when. Never changed."""

    at = models.DateTimeField(db_default=Now())
    actor = models.ForeignKey(
        User, on_delete=models.PROTECT, null=True, blank=True, related_name="events"
    )
    verb = models.CharField(max_length=40)
    subject = models.CharField(max_length=80)
    data = models.JSONField(default=dict)

    class Meta:
        ordering = ["-id"]
        indexes = [
            # The history of one thing, newest first.
            models.Index(fields=["subject", "-id"], name="event_subject"),
        ]
        constraints = [
            models.CheckConstraint(
                name="event_names_verb_and_subject", condition=~Q(verb="") & ~Q(subject="")
            ),
        ]

    def __str__(self):
        return f"{self.verb} {self.subject}"
