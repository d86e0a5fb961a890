"""Keeps the processes of one machine alive: the web and the workers that `serve` starts."""

import ctypes
import signal
import subprocess
import sys
import time

from django.conf import settings

from operations.heartbeat import process_name
from operations.jobs import release_jobs_of

SECONDS_BETWEEN_LOOKS = 0.3
SECONDS_TO_END = 30
# One that dies at once is given time, so that a broken machine is not made busy as well.
SECONDS_BEFORE_RESTART = 3
PR_SET_PDEATHSIG = 1


def manage(*arguments):
    return [sys.executable, str(settings.BASE_DIR / "manage.py"), *arguments]


def gunicorn(*, bind, processes, threads):
    """The web server's command. Headers of proxies are our middleware's business, not its."""
    options = {
        "--bind": bind,
        "--workers": processes,
        "--threads": threads,
        "--worker-class": "gthread",
        "--timeout": 60,
        "--graceful-timeout": 20,
        "--forwarded-allow-ips": "",
    }
    pairs = [f"{name}={value}" for name, value in options.items()]
    program = [sys.executable, "-m", "gunicorn", "config.web:application"]
    return [*program, "--no-control-socket", *pairs]


def end_with_parent():
    """Have the kernel end a child whose parent was killed; only Linux knows how."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


class Child:
    """One process and how to start it again."""

    def __init__(self, name, command):
        self.name = name
        self.command = command
        self.process = None
        self.started_at = 0.0

    def start(self):
        self.started_at = time.monotonic()
        self.process = subprocess.Popen(
            self.command, cwd=settings.BASE_DIR, preexec_fn=end_with_parent
        )

    @property
    def is_dead(self):
        return self.process.poll() is not None

    @property
    def may_restart(self):
        return time.monotonic() - self.started_at > SECONDS_BEFORE_RESTART

    def signal(self, number):
        if not self.is_dead:
            self.process.send_signal(number)


class Supervisor:
    """Runs the web and the workers until it is told to end, or the web ends by itself."""

    def __init__(self, *, web, workers, log):
        self.web = Child("web", web)
        self.workers = [Child(name, manage("work", "--name", name)) for name in workers]
        self.log = log
        self.ending = False

    @property
    def children(self):
        return [self.web, *self.workers]

    def run(self):
        """The exit status of the whole: 0 where somebody asked for the end."""
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGQUIT):
            signal.signal(number, self.end)
        signal.signal(signal.SIGHUP, lambda *_: self.web.signal(signal.SIGHUP))
        for child in self.children:
            child.start()
        while not self.ending and not self.web.is_dead:
            self.restart_dead_workers()
            time.sleep(SECONDS_BETWEEN_LOOKS)
        status = 0 if self.ending else 1
        self.end_children()
        return status

    def end(self, *_):
        self.ending = True

    def restart_dead_workers(self):
        for worker in self.workers:
            if worker.is_dead and worker.may_restart:
                self.log(f"{worker.name} ended with {worker.process.returncode}; starting it again")
                release_jobs_of(worker.name)
                worker.start()

    def end_children(self):
        for child in self.children:
            child.signal(signal.SIGTERM)
        last_moment = time.monotonic() + SECONDS_TO_END
        for child in self.children:
            try:
                child.process.wait(max(0.1, last_moment - time.monotonic()))
            except subprocess.TimeoutExpired:
                self.log(f"{child.name} did not end in {SECONDS_TO_END} s; killing it")
                child.process.kill()
                child.process.wait()
        for worker in self.workers:
            release_jobs_of(worker.name)


def worker_names(count):
    """Names of this run alone, so that what they leave behind can be told from others' jobs."""
    return [f"{process_name()}:{number}" for number in range(1, count + 1)]
