"""Jobs: queued with the caller's transaction, claimed by one worker, run, swept up.

An app's `jobs.py` has HANDLERS, {"kind": function}. A handler is called as
`handler(progress, **arguments)`, may call `progress(done, total, message)` as often as it likes,
and returns a dictionary for the job's page or None. It has to be idempotent: a worker may die
at any moment, and the job is then run again. TITLES, {"kind": title}, names kinds for people;
SWEEPS, a list of functions, is called once a minute. REPEATABLE, a set of kinds, says which failed
jobs may be run again from their page: those that no other page starts, and that need no file.
"""

import logging
from datetime import timedelta
from functools import partial

from celery import current_app
from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import IntegrityError, InterfaceError, OperationalError, transaction
from django.db.models import F
from django.db.models.functions import Now
from django.utils import timezone
from kombu.exceptions import OperationalError as BrokerError

from accounts.events import record_event
from accounts.found import found
from accounts.models import User
from operations.heartbeat import Heartbeat
from operations.models import STALE_AFTER, CacheEntry, Job, WorkerBeat
from operations.progress import JobCancelled, Progress, WorkerStops

MAX_ATTEMPTS = 3
# Worth another try: the database or the network was away. Everything else would fail again.
TRANSIENT = (OperationalError, InterfaceError, ConnectionError, TimeoutError)
RETRY_AFTER = timedelta(seconds=10)
NOT_BEGUN = {"attempts": 0, "worker": "", "run_after": None, "cancel_asked": False}
NOT_BEGUN |= {"done": 0, "total": 0, "message": "", "error": ""}
TASK = "operations.tasks.run_job_task"
logger = logging.getLogger(__name__)


def queue_job(
    *,
    kind: str,
    key: str,
    arguments: dict | None = None,
    by: User | None = None,
    delay: timedelta | None = None,
) -> Job:
    """The live job of this kind and key; made with the caller's transaction if there is none."""
    for _ in range(MAX_ATTEMPTS):
        if job := Job.objects.live().filter(kind=kind, key=key).first():
            return job
        try:
            with transaction.atomic():
                job = Job.objects.create(
                    kind=kind,
                    key=key,
                    arguments=arguments or {},
                    created_by=by,
                    run_after=Now() + delay if delay else None,
                )
        except IntegrityError:
            continue  # another caller was faster; unless it has ended already, it is found now
        job.refresh_from_db()
        nudge_on_commit(job, delay)
        return job
    raise RuntimeError(f"job {kind} {key} could not be queued: others of its key come and go")


def nudge_on_commit(job: Job, delay: timedelta | None = None) -> None:
    """Tell Celery, where there is one, that there is work; a lost message is the sweep's case."""
    if settings.CELERY_BROKER_URL:
        transaction.on_commit(partial(nudge, job.pk, delay))


def nudge(job_id: int, delay: timedelta | None = None) -> None:
    try:
        current_app.send_task(TASK, args=[job_id], countdown=delay and delay.total_seconds())
    except BrokerError as error:
        logger.warning("job %s waits for the sweep, the broker is away: %s", job_id, error)


def cancel_job(*, job: Job) -> None:
    """End a waiting job now, ask a running one to end at its next step."""
    waiting = Job.objects.filter(pk=job.pk, state=Job.State.QUEUED)
    if not waiting.update(state=Job.State.CANCELLED, ended_at=Now()):
        Job.objects.filter(pk=job.pk, state=Job.State.RUNNING).update(cancel_asked=True)


def run_again(*, job: Job, by: User | None = None) -> bool:
    """Queue a job that failed once more; False where it or another of its key is live by now."""
    failed = Job.objects.filter(pk=job.pk, state=Job.State.FAILED)
    try:
        with transaction.atomic():
            if not failed.update(state=Job.State.QUEUED, ended_at=None, **NOT_BEGUN):
                return False
            if by:
                record_event(actor=by, verb="ran job again", subject=job, data={"kind": job.kind})
            nudge_on_commit(job)
    except IntegrityError:
        return False
    return True


def claim_job(job_id: int, *, worker: str) -> Job | None:
    """Make a due job this worker's; None where another was faster or it is not due."""
    claimed = Job.objects.due().filter(pk=job_id)
    if claimed.update(
        state=Job.State.RUNNING,
        worker=worker,
        attempts=F("attempts") + 1,
        started_at=Now(),
        heartbeat_at=Now(),
    ):
        return Job.objects.get(pk=job_id)
    return None


def claim_next_job(*, worker: str) -> Job | None:
    """The oldest due job, claimed; None where there is none."""
    while (job_id := Job.objects.due().values_list("pk", flat=True).first()) is not None:
        if job := claim_job(job_id, worker=worker):
            return job
    return None


def run_job(job: Job, *, must_stop=lambda: False) -> None:
    """Run a claimed job to its end, whatever that is."""
    try:
        with Heartbeat(job):
            result = handler_of(job)(Progress(job, must_stop=must_stop), **job.arguments)
    except JobCancelled:
        end_job(job, Job.State.CANCELLED)
    except WorkerStops:
        put_back(job, attempts=job.attempts - 1)
    except ValidationError as error:
        end_job(job, Job.State.FAILED, error="\n".join(error.messages))
    except TRANSIENT as error:
        retry(job, error)
    except Exception as error:
        logger.exception("job %s (%s) failed", job.pk, job)
        end_job(job, Job.State.FAILED, error=f"{type(error).__name__}: {error}")
    else:
        end_job(job, Job.State.DONE, result=result or {}, done=F("total"))


def handler_of(job: Job):
    for handlers in found("jobs", "HANDLERS"):
        if job.kind in handlers:
            return handlers[job.kind]
    raise ValidationError(f"No app handles jobs of kind {job.kind!r}; its code was removed.")


def end_job(job: Job, state: str, **fields) -> None:
    """Write the outcome, unless the job was taken over meanwhile."""
    Job.objects.run_by(job).update(state=state, ended_at=Now(), **fields)


def put_back(job: Job, **fields) -> int:
    return Job.objects.run_by(job).update(state=Job.State.QUEUED, worker="", **fields)


def retry(job: Job, error: Exception) -> None:
    """Try again a little later, a few times."""
    reason = f"{type(error).__name__}: {error}"
    if job.attempts >= MAX_ATTEMPTS:
        end_job(job, Job.State.FAILED, error=f"Tried {job.attempts} times. {reason}")
    else:
        put_back(job, run_after=Now() + RETRY_AFTER * job.attempts, error=reason)


def release_jobs_of(worker: str) -> None:
    """What a worker that is known to be dead was doing goes back to the queue, or to its end."""
    for job in Job.objects.filter(state=Job.State.RUNNING, worker=worker):
        recover(job)
    WorkerBeat.objects.filter(worker=worker).delete()


def recover(job: Job) -> None:
    """Decide about a job whose worker died."""
    if job.cancel_asked:
        end_job(job, Job.State.CANCELLED)
    elif job.attempts >= MAX_ATTEMPTS:
        died = f"The worker died {job.attempts} times while it ran this. Look at the server's log."
        end_job(job, Job.State.FAILED, error=died)
    elif put_back(job):
        nudge_on_commit(job)


def sweep() -> None:
    """Once a minute: run again what went stale, nudge what nobody took, let each app tidy up."""
    for job in Job.objects.stale():
        recover(job)
    if settings.CELERY_BROKER_URL:
        for job in Job.objects.due().filter(created_at__lt=Now() - STALE_AFTER)[:1000]:
            nudge(job.pk)
    WorkerBeat.objects.filter(at__lt=Now() - timedelta(days=1)).delete()
    CacheEntry.objects.filter(expires__lt=timezone.now()).delete()
    for sweeps in found("jobs", "SWEEPS"):
        for app_sweep in sweeps:
            run_app_sweep(app_sweep)


def run_app_sweep(app_sweep) -> None:
    """One app's fault must not keep the others from their turn."""
    try:
        app_sweep()
    except Exception:
        logger.exception("sweep %s.%s failed", app_sweep.__module__, app_sweep.__qualname__)
