import os
import signal
import urllib.request
from pathlib import Path
from urllib.error import HTTPError, URLError

import pytest

from tests import sites
from tests.sites import free_port, wait_until

pytestmark = [pytest.mark.processes, pytest.mark.xdist_group("processes")]

QUEUE = """
from operations.jobs import queue_job
for key in range({jobs}):
    queue_job(kind="count", key=str(key), arguments={arguments!r})
"""
STALE = "UPDATE operations_job SET heartbeat_at = '2001-01-01 00:00:00+00:00'"


def queue_count(site, *, steps, seconds=0.1, jobs=1):
    """Queue the slow job; the file in which it leaves its trace."""
    trace = site.folder / "trace"
    trace.touch()
    arguments = {"path": str(trace), "steps": steps, "seconds": seconds}
    site.python(QUEUE.format(jobs=jobs, arguments=arguments))
    return trace


def job_of(site):
    """State, attempts and worker of the only job."""
    return site.query("SELECT state, attempts, worker FROM operations_job")[0]


def lines(trace):
    return trace.read_text().split()


def wait_for_step(trace, step="3"):
    wait_until(lambda: step in lines(trace), what=f"the job is at step {step}")


def wait_for_state(site, state):
    wait_until(lambda: job_of(site)[0] == state, what=f"the job is {state}")


def kill(process_id):
    os.kill(process_id, signal.SIGKILL)


def test_a_job_outlives_the_kill_of_its_worker(site):
    trace = queue_count(site, steps=20)
    first = site.start_manage("work", "--name", "first")
    wait_for_step(trace)

    kill(first.pid)
    first.wait()
    assert job_of(site) == ("running", 1, "first")
    site.query(STALE)
    site.start_manage("work", "--name", "second")

    wait_for_state(site, "done")
    assert job_of(site) == ("done", 2, "second")
    assert lines(trace).count("start") == 2


def test_a_worker_that_is_asked_to_end_puts_its_job_back(site):
    trace = queue_count(site, steps=600)
    worker = site.start_manage("work", "--name", "first")
    wait_for_step(trace)

    worker.terminate()

    assert worker.wait(sites.PATIENCE) == 0
    assert job_of(site) == ("queued", 0, "")


def test_two_workers_share_the_jobs_and_run_each_once(site):
    trace = queue_count(site, jobs=6, steps=1)

    workers = [site.start_manage("work", "--until-idle", "--name", name) for name in ("a", "b")]
    printed = [worker.communicate(timeout=sites.PATIENCE)[0] for worker in workers]

    assert lines(trace).count("start") == 6
    assert sum(int(text.split()[-2]) for text in printed) == 6


def healthz(port):
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=5) as answer:
            return answer.status
    except HTTPError as error:
        return error.code
    except (URLError, OSError):
        return None


def test_serve_replaces_a_killed_worker_and_ends_as_a_whole(site):
    port = free_port()
    server = site.start_manage(
        "serve", "--bind", f"127.0.0.1:{port}", "--processes", "1", "--workers", "1"
    )
    wait_until(lambda: healthz(port) == 200, what="the site is well")
    trace = queue_count(site, steps=20)
    wait_for_step(trace)

    kill(children_that_work(server.pid)[0])

    wait_for_state(site, "done")
    assert lines(trace).count("start") == 2
    server.terminate()
    printed, _ = server.communicate(timeout=sites.PATIENCE)
    assert server.returncode == 0
    assert "ended with -9; starting it again" in printed
    assert healthz(port) is None


@pytest.mark.parametrize("site", ["sqlite"], indirect=True)
def test_the_children_end_with_a_killed_serve(site):
    port = free_port()
    server = site.start_manage(
        "serve", "--bind", f"127.0.0.1:{port}", "--processes", "1", "--workers", "1"
    )
    wait_until(lambda: healthz(port) == 200, what="the site is well")
    (worker,) = children_that_work(server.pid)

    kill(server.pid)

    wait_until(lambda: healthz(port) is None, what="the web has ended")
    wait_until(lambda: not is_running(worker), what="the worker has ended")


def children_that_work(parent):
    """Process ids of the workers that `serve` started; Linux tells it in /proc."""
    children = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
    return [int(child) for child in children if "work" in command_of(child)]


def command_of(process_id):
    return Path(f"/proc/{process_id}/cmdline").read_text().split("\0")


def is_running(process_id):
    stat = Path(f"/proc/{process_id}/stat")
    return stat.exists() and stat.read_text().split(") ")[1][0] != "Z"


def test_celery_runs_a_job_and_the_sweep_recovers_it_after_a_kill(tmp_path):
    broker = sites.redis_or_skip()
    site, drop = sites.postgres_site(tmp_path, sites.postgres_or_skip(), CELERY_BROKER_URL=broker)
    celery = ["-m", "celery", "-A", "config", "worker", "--pool", "solo", "-l", "warning"]
    try:
        first = site.start(*celery)
        trace = queue_count(site, steps=30)
        wait_for_step(trace)
        kill(first.pid)
        first.wait()
        site.query(STALE)
        site.start(*celery)
        site.python("from operations.tasks import sweep_task; sweep_task.delay()")

        wait_for_state(site, "done")
        assert job_of(site)[1] == 2
    finally:
        site.stop()
        drop()
