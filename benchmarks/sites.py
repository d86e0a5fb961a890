"""Scratch sites: a DATA_DIR and a database of their own, gone when the run ends.

Whatever is measured runs in a process of its own, started here: its memory is its alone, and a
database's connection is as fresh as a new worker's.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from urllib.parse import urlsplit

import psycopg2

PROJECT = Path(__file__).resolve().parent.parent
POSTGRES_URLS = ["postgres://root@127.0.0.1/test", "postgres://postgres@127.0.0.1/postgres"]
SECRET = "only-for-benchmarks-" + "x" * 50


class Site:
    """One DATA_DIR with one database; `environment` goes to every process."""

    def __init__(self, folder: Path, database_url: str):
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self.environment = {
            **os.environ,
            "DATA_DIR": str(folder),
            "DATABASE_URL": database_url,
            "SECRET_KEY": SECRET,
            "CELERY_BROKER_URL": "",
            "RETRIEVAL_URL": "",
            "PUBLIC_URL": "",
            "DEBUG": "false",
            "DJANGO_SETTINGS_MODULE": "config.settings",
        }

    def step(self, module: str, function: str, **arguments):
        """What a function of a benchmark returns, run with Django in a process of its own."""
        done = subprocess.run(
            [sys.executable, "-m", "benchmarks.step", module, function],
            **self.options,
            input=json.dumps(arguments),
            stdout=subprocess.PIPE,
            text=True,
        )
        if done.returncode:
            raise RuntimeError(f"the step {module}.{function} ended with {done.returncode}")
        return json.loads(done.stdout)

    def manage(self, *arguments):
        command = [sys.executable, "manage.py", *arguments]
        silent = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL}
        subprocess.run(command, **self.options, **silent, check=True)

    def start_manage(self, *arguments, log: Path) -> subprocess.Popen:
        """A command that goes on beside us; what it says goes to a file."""
        command = [sys.executable, "manage.py", *arguments]
        with log.open("w") as said:
            return subprocess.Popen(
                command, **self.options, stdin=subprocess.DEVNULL, stdout=said, stderr=said
            )

    @property
    def options(self) -> dict:
        return {"cwd": PROJECT, "env": self.environment}


class Sites:
    """Makes sites; migrates once for each kind of database. Use as a context."""

    def __init__(self):
        self.postgres = reachable_postgres()
        self._numbers = count(1)
        self._databases: list[str] = []
        self._migrated: dict[str, str] = {}

    def __enter__(self):
        self.folder = Path(tempfile.mkdtemp(prefix="claimwright-bench-"))
        return self

    def __exit__(self, *_):
        for name in self._databases:
            statement(self.postgres, f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
        shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def kinds(self) -> list[str]:
        """SQLite always; PostgreSQL where a server answers."""
        return ["sqlite", "postgresql"] if self.postgres else ["sqlite"]

    @contextmanager
    def site(self, kind: str):
        """A migrated, empty site on one kind of database; gone when the context ends."""
        folder = self.folder / f"site-{next(self._numbers)}"
        name, site = None, Site(folder, "")
        if kind == "sqlite":
            shutil.copyfile(self._template(kind), folder / "claimwright.sqlite3")
        else:
            name = self._new_database(self._template(kind))
            site = Site(folder, self._url(name))
        try:
            yield site
        finally:
            if name:
                statement(self.postgres, f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
            shutil.rmtree(folder, ignore_errors=True)

    def _template(self, kind: str) -> str:
        """The file or the name of a migrated database that is only copied."""
        if kind not in self._migrated:
            make = self._migrated_file if kind == "sqlite" else self._migrated_database
            self._migrated[kind] = make()
        return self._migrated[kind]

    def _migrated_file(self) -> str:
        site = Site(self.folder / "migrated", "")
        site.manage("migrate", "-v0")
        return str(site.folder / "claimwright.sqlite3")

    def _migrated_database(self) -> str:
        name = self._new_database()
        Site(self.folder / name, self._url(name)).manage("migrate", "-v0")
        return name

    def _new_database(self, template: str = "template1") -> str:
        name = f"claimwright_bench_{os.getpid()}_{next(self._numbers)}"
        statement(self.postgres, f"CREATE DATABASE {name} TEMPLATE {template}")
        self._databases.append(name)
        return name

    def _url(self, name: str) -> str:
        return urlsplit(self.postgres)._replace(path=f"/{name}").geturl()


def reachable_postgres() -> str:
    """The address of a server where databases can be made; '' where there is none."""
    for url in [os.environ.get("TEST_DATABASE_URL", ""), *POSTGRES_URLS]:
        if not url:
            continue
        try:
            psycopg2.connect(url, connect_timeout=2).close()
        except psycopg2.OperationalError:
            continue
        return url
    return ""


def statement(url: str, text: str) -> None:
    connection = psycopg2.connect(url)
    connection.autocommit = True
    with connection.cursor() as cursor:
        cursor.execute(text)
    connection.close()
