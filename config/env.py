"""Settings from the environment; a wrong value is named with what was expected."""

import os
import secrets
from pathlib import Path
from urllib.parse import urlsplit
from zoneinfo import available_timezones

import environ
from django.core.exceptions import ImproperlyConfigured


def text(name, *, default=""):
    return os.environ.get(name, "").strip() or default


def flag(name, *, default):
    value = text(name, default=str(default)).lower()
    if value not in {"true", "false"}:
        raise ImproperlyConfigured(f"{name} is {value!r}; use 'true' or 'false'.")
    return value == "true"


def folder(name, *, default):
    path = Path(text(name, default=str(default))).expanduser().resolve()
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ImproperlyConfigured(
            f"{name} is {str(path)!r}; use a folder that can be made: {error}."
        ) from None
    return path


def origin(name, *, default):
    """A scheme and host, without a path: where people reach this site."""
    value = text(name, default=default).rstrip("/")
    parts = urlsplit(value)
    if parts.scheme not in {"http", "https"} or not parts.hostname or parts.path:
        raise ImproperlyConfigured(
            f"{name} is {value!r}; use a form like 'https://claims.example.org'."
        )
    return parts


def time_zone(name, *, default):
    value = text(name, default=default)
    if value not in available_timezones():
        raise ImproperlyConfigured(f"{name} is {value!r}; use a name like 'Europe/Prague'.")
    return value


def choice(name, *, default, choices):
    value = text(name, default=default)
    if value not in choices:
        raise ImproperlyConfigured(f"{name} is {value!r}; use one of {', '.join(choices)}.")
    return value


def broker(name):
    value = text(name)
    if value and urlsplit(value).scheme not in {"redis", "rediss", "amqp", "amqps", "memory"}:
        raise ImproperlyConfigured(
            f"{name} is {value!r}; use a form like 'redis://127.0.0.1:6379/0'."
        )
    return value


def addresses(name):
    return [part.strip() for part in text(name).split(",") if part.strip()]


def database(name, *, default):
    """A SQLite file or a PostgreSQL server, each with the settings that this project needs."""
    url = text(name)
    if not url:
        return sqlite(default)
    scheme = urlsplit(url).scheme
    if scheme == "sqlite":
        return sqlite(Path(environ.Env.db_url_config(url)["NAME"]))
    if scheme in {"postgres", "postgresql"}:
        return {**environ.Env.db_url_config(url), "CONN_MAX_AGE": 60, "CONN_HEALTH_CHECKS": True}
    raise ImproperlyConfigured(
        f"{name} begins with {scheme!r}; use 'sqlite:///path' or 'postgres://user:password@host/name'."
    )


def sqlite(path):
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": path,
        "OPTIONS": {
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
        },
        # A file, not memory: tests with several processes need WAL and a shared database.
        "TEST": {"NAME": str(Path(path).with_name("test.sqlite3"))},
    }


def secret(name, *, generated_in, required):
    """The named secret, else one that was generated once into a folder of this machine."""
    if value := text(name):
        return value
    if required:
        raise ImproperlyConfigured(
            f"{name} is empty; with PostgreSQL set it to a long random text."
        )
    return generated_secret(Path(generated_in) / name.lower())


def generated_secret(path):
    """Read the secret kept at `path`; the first process to ask creates it, exclusively."""
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return _written_secret(path)
    with os.fdopen(handle, "w") as file:
        value = secrets.token_urlsafe(50)
        file.write(value)
    return value


def _written_secret(path):
    value = path.read_text().strip()
    if len(value) < 50:
        raise ImproperlyConfigured(f"{path} is not a whole secret; delete it and start again.")
    return value
