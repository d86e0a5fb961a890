"""What Celery runs: each message is only a nudge towards a row."""

import os
import socket

from celery import shared_task

from operations.heartbeat import beat
from operations.jobs import claim_job, run_job, sweep


@shared_task
def run_job_task(job_id):
    """Run one job; the row decides whether there is anything left to do."""
    beat(worker_name())
    if job := claim_job(job_id, worker=worker_name()):
        run_job(job)


@shared_task
def sweep_task():
    beat(worker_name())
    sweep()


def worker_name():
    return f"{socket.gethostname()}:{os.getpid()}"[:80]
