"""Settings from the environment; a wrong value is named with what was expected."""

import os
import re
import secrets
import tempfile
from contextlib import suppress
from ipaddress import ip_network
from pathlib import Path
from urllib.parse import unquote, urlsplit
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
    is_origin = value == f"{parts.scheme}://{parts.netloc}" and parts.hostname and has_port(parts)
    if parts.scheme not in {"http", "https"} or not is_origin or parts.username:
        raise ImproperlyConfigured(
            f"{name} is {value!r}; use a form like 'https://claims.example.org'."
        )
    return parts


def has_port(parts):
    """Whether the port, if there is one, is a port."""
    try:
        return parts.port != 0
    except ValueError:
        return False


def time_zone(name, *, default):
    value = text(name, default=default)
    if value not in available_timezones():
        raise ImproperlyConfigured(f"{name} is {value!r}; use a name like 'Europe/Prague'.")
    return value


def whole(name, *, default):
    """A whole number, 0 or more."""
    value = text(name, default=str(default))
    if not value.isascii() or not value.isdigit():
        raise ImproperlyConfigured(f"{name} is {value!r}; use a whole number, such as {default}.")
    return int(value)


def broker(name):
    value = text(name)
    if value and urlsplit(value).scheme not in {"redis", "rediss", "amqp", "amqps", "memory"}:
        raise ImproperlyConfigured(
            f"{name} is {value!r}; use a form like 'redis://127.0.0.1:6379/0'."
        )
    return value


def retrieval(name):
    """`embedded`, a Milvus server, or a file of Milvus Lite. An address may hold a password."""
    value = text(name, default="embedded")
    parts = urlsplit(value)
    is_server = parts.scheme in {"http", "https"} and parts.hostname and has_port(parts)
    is_file = parts.scheme == "file" and not parts.netloc and parts.path.endswith(".db")
    if value == "embedded" or is_file or (is_server and parts.path in {"", "/"}):
        return value
    raise ImproperlyConfigured(
        f"{name} begins with {parts.scheme or value!r} and cannot be used; use 'embedded', "
        f"'http://user:password@host:19530' or 'file:///absolute/path.db'."
    )


def networks(name):
    """Addresses or networks, comma separated: '10.0.0.5, 172.16.0.0/12'."""
    values = [part.strip() for part in text(name).split(",") if part.strip()]
    try:
        return [ip_network(value) for value in values]
    except ValueError as error:
        raise ImproperlyConfigured(
            f"{name} is {text(name)!r}; use addresses like '10.0.0.5' or '172.16.0.0/12': {error}."
        ) from None


def rate(name, *, default):
    value = text(name, default=default)
    if not re.fullmatch(r"[1-9]\d*/(s|sec|min|hour|day)", value):
        raise ImproperlyConfigured(f"{name} is {value!r}; use a form like '600/min'.")
    return value


def database(name, *, default):
    """A SQLite file or a PostgreSQL server, each with the settings that this project needs."""
    url = text(name)
    if not url:
        return sqlite(default)
    scheme = urlsplit(url).scheme
    if scheme == "sqlite" and (path := url.removeprefix("sqlite://")).startswith("/"):
        return sqlite(Path(unquote(path)))
    if scheme in {"postgres", "postgresql"} and has_port(urlsplit(url)):
        return {**environ.Env.db_url_config(url), "CONN_MAX_AGE": 60, "CONN_HEALTH_CHECKS": True}
    # The address may hold a password: it is not shown.
    raise ImproperlyConfigured(
        f"{name} begins with {scheme!r} and cannot be used; use 'sqlite:////absolute/path' or "
        f"'postgres://user:password@host:5432/name'."
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
    """The secret kept at `path`; the first process to ask makes it, and all use that one."""
    if not path.exists():
        make_secret(path)
    value = path.read_text().strip()
    if len(value) < 50:
        raise ImproperlyConfigured(f"{path} is not a whole secret; delete it and start again.")
    return value


def make_secret(path):
    """Written aside and linked: another process finds a whole secret or none."""
    with tempfile.NamedTemporaryFile("w", dir=path.parent) as file:  # readable by its owner only
        file.write(secrets.token_urlsafe(50))
        file.flush()
        with suppress(FileExistsError):
            os.link(file.name, path)
