"""What Celery runs: each message is only a nudge towards a row."""

from celery import shared_task

from operations.heartbeat import beat, process_name
from operations.jobs import claim_job, run_job, sweep


@shared_task
def run_job_task(job_id):
    """Run one job; the row decides whether there is anything left to do."""
    beat(process_name())
    if job := claim_job(job_id, worker=process_name()):
        run_job(job)


@shared_task
def sweep_task():
    beat(process_name())
    sweep()
