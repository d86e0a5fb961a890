"""Run the whole suite: on SQLite, then once more on PostgreSQL and Redis where they answer.

With REQUIRE_SERVICES=1 the absence of PostgreSQL, Redis or Chromium is a failure.
"""

import os
import re
import shutil
import socket
import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
POSTGRES_URLS = ["postgres://root@127.0.0.1/test", "postgres://postgres@127.0.0.1/postgres"]
REDIS_URL = "redis://127.0.0.1:6379/9"
SUMMARY = re.compile(r"(\d+) (passed|failed|skipped|errors?|xfailed|xpassed)")


def main():
    required = os.environ.get("REQUIRE_SERVICES") == "1"
    install_chromium()
    services = reachable_services()
    missing = [name for name, url in services.items() if not url]
    if not shutil.which("chromium"):
        missing.append("Chromium")
    if missing:
        print(f"Not reachable: {', '.join(missing)}.")
        if required:
            return 1
    runs = [suite("SQLite", {})]
    if all(services.values()):
        runs.append(suite("PostgreSQL and Redis", services_environment(services)))
    return report(runs)


def install_chromium():
    """Install Debian's Chromium where it is missing and this user may."""
    if shutil.which("chromium") or not shutil.which("apt-get") or os.geteuid() != 0:
        return
    print("Installing Chromium for the browser tests ...", flush=True)
    subprocess.run(["apt-get", "update", "-qq"], check=False)
    packages = ["chromium", "fonts-dejavu-core"]
    subprocess.run(
        ["apt-get", "install", "-y", "-qq", "--no-install-recommends", *packages],
        check=False,
        stdout=subprocess.DEVNULL,
    )


def reachable_services():
    """The address of each service that answers, or None."""
    return {"PostgreSQL": postgres_url(), "Redis": REDIS_URL if answers(6379) else None}


def answers(port):
    try:
        socket.create_connection(("127.0.0.1", port), timeout=2).close()
    except OSError:
        return False
    return True


def postgres_url():
    import psycopg2

    named = os.environ.get("TEST_DATABASE_URL")
    for url in [named] if named else POSTGRES_URLS:
        try:
            psycopg2.connect(url, connect_timeout=2).close()
        except psycopg2.OperationalError:
            continue
        return url
    return None


def services_environment(services):
    return {
        "DATABASE_URL": services["PostgreSQL"],
        "CELERY_BROKER_URL": services["Redis"],
        "SECRET_KEY": "only-for-the-tests-" + "x" * 50,
    }


def suite(name, environment):
    """Run pytest once; returns its name, exit status and counts."""
    print(f"\n=== The suite on {name} ===", flush=True)
    command = [
        sys.executable,
        "-W",
        "error::DeprecationWarning:__main__",
        "-m",
        "pytest",
        "-q",
        "-n",
        "2",
        "--dist",
        "loadgroup",
    ]
    process = subprocess.Popen(
        [*command, *sys.argv[1:]],
        cwd=PROJECT,
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        text=True,
    )
    last = ""
    for line in process.stdout:
        print(line, end="", flush=True)
        last = line if SUMMARY.search(line) else last
    return name, process.wait(), {kind: int(n) for n, kind in SUMMARY.findall(last)}


def report(runs):
    """Print one closing line over all runs, in the form of the runner's own."""
    total = {}
    for _, _, counts in runs:
        for kind, n in counts.items():
            total[kind] = total.get(kind, 0) + n
    failed = total.get("failed", 0) + total.get("error", 0) + total.get("errors", 0)
    for name, status, counts in runs:
        print(f"{name}: exit status {status}, {counts}")
    broken = failed or any(status for _, status, _ in runs) or not total.get("passed")
    print(f"{total.get('passed', 0)} passed, {failed} failed, {total.get('skipped', 0)} skipped")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
