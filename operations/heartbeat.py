"""Signs of life: of workers for the health page, of running jobs for the sweep."""

import logging
import os
import socket
import threading

from django.db import DatabaseError, connection
from django.db.models.functions import Now

from operations.models import Job, WorkerBeat

SECONDS = 10
logger = logging.getLogger(__name__)


def process_name() -> str:
    """How this process is called as a worker: as one of its machine, while it lives."""
    return f"{socket.gethostname()}:{os.getpid()}"


def beat(worker: str) -> None:
    """Note that this worker is alive."""
    if not WorkerBeat.objects.filter(worker=worker).update(at=Now()):
        WorkerBeat.objects.get_or_create(worker=worker)


class Heartbeat(threading.Thread):
    """Keeps a job's heartbeat fresh while its handler is busy, however long one step takes."""

    def __init__(self, job):
        super().__init__(name=f"heartbeat of job {job.pk}", daemon=True)
        self.job = job
        self.ended = threading.Event()

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *error):
        self.ended.set()

    def run(self):
        while not self.ended.wait(SECONDS):
            try:
                Job.objects.run_by(self.job).update(heartbeat_at=Now())
                beat(self.job.worker)
            except DatabaseError as error:
                # A busy or restarting database: the next beat may come through.
                logger.warning("no heartbeat for job %s: %s", self.job.pk, error)
                connection.close()
        connection.close()
