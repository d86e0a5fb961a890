"""The worker of the embedded shape: looks at the Job table, runs what is due, sweeps."""

import logging
import threading
import time

from django.db import DatabaseError, connection

from operations.heartbeat import SECONDS, beat
from operations.jobs import claim_next_job, run_job, sweep

SECONDS_BETWEEN_LOOKS = 0.5
SECONDS_BETWEEN_SWEEPS = 60
logger = logging.getLogger(__name__)


class Worker:
    """One process, one job at a time."""

    def __init__(self, name, *, stop=None):
        self.name = name
        self.stop = stop or threading.Event()
        self.due_at = {}

    def run(self):
        """Until told to stop."""
        while not self.stop.is_set():
            if not self.step():
                self.stop.wait(SECONDS_BETWEEN_LOOKS)

    def step(self):
        """Upkeep, then one job if there is one; whether there was."""
        try:
            self.every(SECONDS, beat, self.name)
            self.every(SECONDS_BETWEEN_SWEEPS, sweep)
            return self.run_next()
        except DatabaseError as error:
            logger.warning("the database is away, worker %s waits: %s", self.name, error)
            connection.close()
            return False

    def run_next(self):
        job = claim_next_job(worker=self.name)
        if job:
            run_job(job, must_stop=self.stop.is_set)
        return bool(job)

    def every(self, seconds, function, *args):
        """Call a function now if its last call ended so many seconds ago."""
        if time.monotonic() >= self.due_at.get(function, 0):
            try:
                function(*args)
            finally:
                self.due_at[function] = time.monotonic() + seconds


def run_due_jobs(worker="here"):
    """Run everything that is due in this process, what it queues included; how many jobs."""
    count = 0
    while Worker(worker).run_next():
        count += 1
    return count
