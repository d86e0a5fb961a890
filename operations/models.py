"""Long work: its state lives in the database, so that it survives the process that does it."""

from datetime import timedelta

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from accounts.found import found

STALE_AFTER = timedelta(seconds=60)
REST = timedelta(hours=1)


class JobQuerySet(models.QuerySet):
    def live(self):
        """Not ended yet: waiting or being worked on."""
        return self.filter(state__in=Job.LIVE)

    def due(self):
        """Waiting, and not told to wait longer; oldest first."""
        late_enough = Q(run_after=None) | Q(run_after__lte=Now())
        return self.filter(late_enough, state=Job.State.QUEUED).order_by("id")

    def run_by(self, job):
        """The row of `job` while it still belongs to the attempt that `job` was claimed for."""
        return self.filter(
            pk=job.pk, state=Job.State.RUNNING, worker=job.worker, attempts=job.attempts
        )

    def stale(self):
        """Running, with no sign of life from the worker for a minute."""
        return self.filter(state=Job.State.RUNNING, heartbeat_at__lt=Now() - STALE_AFTER)

    def resting(self):
        """Ended without a result less than an hour ago: a sweep waits before it tries again."""
        ended = [Job.State.FAILED, Job.State.CANCELLED]
        return self.filter(state__in=ended, ended_at__gt=Now() - REST)

    def repeatable(self):
        """Of the kinds that may be run again as they are, once they failed."""
        return self.filter(kind__in=repeatable_kinds())

    def visible_to(self, user):
        """Superusers see every job, others those that they started."""
        return self if user.is_superuser else self.filter(created_by=user)


def repeatable_kinds():
    return set().union(*found("jobs", "REPEATABLE"))


class Job(models.Model):
    """A piece of long work. A worker claims the row; a queue message is only a nudge."""

    class State(models.TextChoices):
        QUEUED = "queued", _("waiting")
        RUNNING = "running", _("running")
        DONE = "done", _("done")
        FAILED = "failed", _("failed")
        CANCELLED = "cancelled", _("cancelled")

    LIVE = [State.QUEUED, State.RUNNING]

    kind = models.CharField(max_length=60)
    key = models.CharField(max_length=200)
    arguments = models.JSONField(default=dict)
    state = models.CharField(max_length=10, choices=State, default=State.QUEUED)
    attempts = models.PositiveSmallIntegerField(default=0)
    done = models.PositiveBigIntegerField(default=0)
    total = models.PositiveBigIntegerField(default=0)
    message = models.CharField(max_length=300, blank=True)
    result = models.JSONField(default=dict)
    error = models.TextField(blank=True)
    cancel_asked = models.BooleanField(default=False)
    worker = models.CharField(max_length=80, blank=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="jobs",
    )
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    heartbeat_at = models.DateTimeField(null=True, blank=True)
    run_after = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    objects = JobQuerySet.as_manager()

    class Meta:
        ordering = ["-id"]
        indexes = [
            # The worker's next job, oldest first.
            models.Index(
                fields=["id"], name="job_live", condition=Q(state__in=["queued", "running"])
            ),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["kind", "key"],
                name="job_once_while_live",
                condition=Q(state__in=["queued", "running"]),
            ),
            models.CheckConstraint(
                name="job_ended_iff_not_live",
                condition=Q(state__in=["queued", "running"], ended_at=None)
                | (~Q(state__in=["queued", "running"]) & Q(ended_at__isnull=False)),
            ),
        ]

    def __str__(self):
        return f"{self.kind} {self.key}"

    @property
    def title(self):
        """What people call this kind of job."""
        for titles in found("jobs", "TITLES"):
            if self.kind in titles:
                return titles[self.kind]
        return self.kind.replace("_", " ").capitalize()

    @property
    def facts(self):
        """What the handler returned, but for the address where it is seen."""
        shown = {name: value for name, value in self.result.items() if name != "url"}
        return [(name.replace("_", " "), value) for name, value in shown.items()]

    @property
    def is_live(self):
        return self.state in self.LIVE

    @property
    def may_run_again(self):
        return self.state == self.State.FAILED and self.kind in repeatable_kinds()

    @property
    def percent(self):
        """How much is done, 0 to 100; None while nobody knows."""
        return min(100, 100 * self.done // self.total) if self.total else None


class WorkerBeat(models.Model):
    """The last sign of life of a worker: what the health page looks at."""

    worker = models.CharField(max_length=80, unique=True)
    at = models.DateTimeField(db_default=Now())

    def __str__(self):
        return f"{self.worker} at {self.at}"


class CacheEntry(models.Model):
    """A row of Django's database cache; a model only so that `migrate` makes the table."""

    cache_key = models.CharField(max_length=255, primary_key=True)
    value = models.TextField()
    expires = models.DateTimeField(db_index=True)

    class Meta:
        db_table = "cache"

    def __str__(self):
        return self.cache_key
