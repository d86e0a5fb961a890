"""A whole site on a database of its own, driven as its operator would: by processes."""

import json
import os
import shutil
import socket
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import urlsplit

import psycopg2
import pytest

PROJECT = Path(__file__).resolve().parent.parent
POSTGRES_URLS = ["postgres://root@127.0.0.1/test", "postgres://postgres@127.0.0.1/postgres"]
REDIS_URL = "redis://127.0.0.1:6379/11"
PATIENCE = 180  # seconds; only a failure takes so long
SETUP = "import django; django.setup()\n"


class Site:
    """One DATA_DIR and one database; `environment` goes to every process."""

    def __init__(self, folder, **environment):
        self.folder = folder
        self.environment = {
            **os.environ,
            "DATA_DIR": str(folder),
            "DATABASE_URL": "",
            "CELERY_BROKER_URL": "",
            "PUBLIC_URL": "",
            "DEBUG": "false",
            "DJANGO_SETTINGS_MODULE": "tests.operations.probe.settings",
            "PYTHONPATH": str(PROJECT),
            **environment,
        }
        self.processes = []

    def start(self, *command):
        """Start a process that `stop` will end if the test does not."""
        process = subprocess.Popen(
            [sys.executable, *command],
            cwd=PROJECT,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.processes.append(process)
        return process

    def run(self, *command, check=True):
        """Run to the end; the finished process with what it printed."""
        done = subprocess.run(
            [sys.executable, *command],
            cwd=PROJECT,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=PATIENCE * 2,
        )
        assert not check or done.returncode == 0, done.stderr
        return done

    def manage(self, *arguments, check=True):
        return self.run("manage.py", *arguments, check=check)

    def start_manage(self, *arguments):
        return self.start("manage.py", *arguments)

    def python(self, code):
        """Run code with Django set up; what it prints is read as JSON."""
        printed = self.run("-c", SETUP + code).stdout
        return json.loads(printed) if printed.strip() else None

    def query(self, statement):
        """The rows of a plain SQL statement, without the seconds that a new process takes."""
        url = self.environment["DATABASE_URL"]
        connection = psycopg2.connect(url) if url else sqlite3.connect(self.sqlite_file)
        try:
            cursor = connection.cursor()
            cursor.execute(statement)
            rows = cursor.fetchall() if cursor.description else []
            connection.commit()
        finally:
            connection.close()
        return rows

    @property
    def sqlite_file(self):
        return self.folder / "claimwright.sqlite3"

    def stop(self):
        for process in self.processes:
            if process.poll() is None:
                process.kill()
            process.communicate()


def wait_until(condition, *, what):
    """What `condition` returns once it is true; fails where it never is."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if result := condition():
            return result
        time.sleep(0.1)
    pytest.fail(f"waited {PATIENCE} s in vain until {what}")


def free_port():
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        return server.getsockname()[1]


def redis_or_skip():
    try:
        socket.create_connection(("127.0.0.1", 6379), timeout=2).close()
    except OSError:
        pytest.skip("needs Redis on 127.0.0.1:6379")
    return REDIS_URL


def postgres_or_skip():
    """The address of a server where databases can be made."""
    for url in [os.environ.get("TEST_DATABASE_URL"), *POSTGRES_URLS]:
        try:
            psycopg2.connect(url, connect_timeout=2).close()
        except (psycopg2.OperationalError, TypeError):
            continue
        if url:
            return url
    pytest.skip("needs PostgreSQL on 127.0.0.1:5432")


def postgres_statement(url, statement):
    connection = psycopg2.connect(url)
    connection.autocommit = True
    with connection.cursor() as cursor:
        cursor.execute(statement)
    connection.close()


_migrated = {}


def sqlite_site(folder):
    """A site on SQLite; migrating takes seconds, so it is done once and copied."""
    site = Site(folder)
    if "sqlite" not in _migrated:
        site.manage("migrate", "-v0")
        original = folder.parent / f"migrated-{os.getpid()}.sqlite3"
        # A connection closed in order leaves no journal beside the file.
        shutil.copyfile(site.sqlite_file, original)
        _migrated["sqlite"] = original
    else:
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(_migrated["sqlite"], site.sqlite_file)
    return site


def postgres_site(folder, server, **environment):
    """A site on PostgreSQL in a new database; and how to drop it."""
    name = f"claimwright_site_{os.getpid()}_{time.monotonic_ns()}"
    if "postgres" not in _migrated:
        template = f"claimwright_migrated_{os.getpid()}"
        postgres_statement(server, f"CREATE DATABASE {template}")
        on_postgres(folder, server, template).manage("migrate", "-v0")
        _migrated["postgres"] = template
    postgres_statement(server, f"CREATE DATABASE {name} TEMPLATE {_migrated['postgres']}")
    site = on_postgres(folder, server, name, **environment)
    return site, lambda: postgres_statement(server, f"DROP DATABASE {name} WITH (FORCE)")


def on_postgres(folder, server, name, **environment):
    url = urlsplit(server)._replace(path=f"/{name}").geturl()
    return Site(folder, DATABASE_URL=url, SECRET_KEY="for-tests-" + "x" * 50, **environment)


def drop_templates():
    if template := _migrated.pop("postgres", None):
        postgres_statement(postgres_or_skip(), f"DROP DATABASE {template} WITH (FORCE)")
