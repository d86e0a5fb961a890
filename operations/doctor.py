"""Rules of jobs that no constraint holds."""

from operations.jobs import MAX_ATTEMPTS
from operations.models import Job


def tried_too_often():
    for job in Job.objects.filter(attempts__gt=MAX_ATTEMPTS).order_by("pk"):
        yield f"job {job.pk} ({job}) was tried {job.attempts} times"


def running_without_heartbeat():
    for job in Job.objects.filter(state=Job.State.RUNNING, heartbeat_at=None).order_by("pk"):
        yield f"job {job.pk} ({job}) runs without a heartbeat"


RULES = [
    (
        "jobs are tried a few times",
        f"No job is tried more than {MAX_ATTEMPTS} times: one that kills its worker must end.",
        tried_too_often,
    ),
    (
        "running jobs have a heartbeat",
        "The sweep finds a dead worker's job by its heartbeat; without one it would run for ever.",
        running_without_heartbeat,
    ),
]
