"""What a running job tells the world, and what the world tells it."""

import time

from django.db.models.functions import Now

from operations.models import Job

SECONDS_BETWEEN_WRITES = 1.0


class JobCancelled(Exception):
    """Somebody asked for an end, or another worker has taken the job over."""


class WorkerStops(Exception):
    """The worker is told to end; the job goes back to the queue."""


class Progress:
    """Called by a handler as `progress(done, total, message)`; raises where it has to stop.

    Call it outside of transactions: what it writes should be seen at once.
    """

    def __init__(self, job, *, must_stop=lambda: False):
        self.job = job
        self.must_stop = must_stop
        self.written_at = None

    def __call__(self, done, total, message=""):
        is_last = total and done >= total
        now = time.monotonic()
        if self.written_at and not is_last and now - self.written_at < SECONDS_BETWEEN_WRITES:
            return
        self.written_at = now
        self.write(done, total, message)

    def write(self, done, total, message):
        if self.must_stop():
            raise WorkerStops
        owned = Job.objects.run_by(self.job)
        wrote = owned.update(
            done=done, total=total or 0, message=str(message)[:300], heartbeat_at=Now()
        )
        if not wrote or owned.filter(cancel_asked=True).exists():
            raise JobCancelled
