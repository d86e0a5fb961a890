import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from config import env

PROJECT = Path(__file__).resolve().parent.parent
HTTPS = {
    "PUBLIC_URL": "https://claims.example.org",
    "SECRET_KEY": "a-long-random-text-for-the-test-of-deployment-0123456789",
}


def process(tmp_path, *command, **environment):
    """Run a process with these settings and no others."""
    return subprocess.run(
        [sys.executable, *command],
        cwd=PROJECT,
        env={"PATH": "/usr/bin:/bin", "DATA_DIR": str(tmp_path), **environment},
        capture_output=True,
        text=True,
    )


@pytest.mark.parametrize(
    ("read", "value", "expected"),
    [
        (lambda: env.flag("X", default=False), "yes", "use 'true' or 'false'"),
        (lambda: env.origin("X", default=""), "claims.example.org", "https://claims.example.org"),
        (lambda: env.origin("X", default=""), "https://a.example/path", "https://claims"),
        (lambda: env.origin("X", default=""), "https://a.example:port", "https://claims"),
        (lambda: env.origin("X", default=""), "ftp://a.example", "https://claims"),
        (lambda: env.time_zone("X", default="UTC"), "Prague", "Europe/Prague"),
        (lambda: env.retrieval("X"), "milvus", "use 'embedded', 'http://user"),
        (lambda: env.retrieval("X"), "ftp://host:19530", "http://user:password@host:19530"),
        (lambda: env.retrieval("X"), "http://host:19530/path", "http://user:password@host"),
        (lambda: env.retrieval("X"), "http://host:port", "http://user:password@host:19530"),
        (lambda: env.retrieval("X"), "file://lite.db", "file:///absolute/path.db"),
        (lambda: env.retrieval("X"), "file:///data/lite.sqlite", "file:///absolute/path.db"),
        (lambda: env.broker("X"), "localhost:6379", "redis://127.0.0.1:6379/0"),
        (lambda: env.networks("X"), "10.0.0.5/8", "10.0.0.5"),
        (lambda: env.networks("X"), "proxy", "172.16.0.0/12"),
        (lambda: env.rate("X", default="1/s"), "600", "600/min"),
        (lambda: env.database("X", default="d"), "mysql://host/name", "postgres://user"),
        (lambda: env.database("X", default="d"), "sqlite://:memory:", "sqlite:////absolute"),
        (lambda: env.database("X", default="d"), "postgres://host:x/name", "postgres://user"),
        (lambda: env.folder("X", default="d"), "/proc/nothing/here", "can be made"),
    ],
)
def test_a_wrong_value_is_named_with_what_was_expected(monkeypatch, read, value, expected):
    monkeypatch.setenv("X", value)

    with pytest.raises(ImproperlyConfigured, match=f"^X (is|begins with) .*{re.escape(expected)}"):
        read()


def test_an_empty_value_is_the_default(monkeypatch):
    monkeypatch.setenv("X", " ")

    assert env.flag("X", default=True) is True


@pytest.mark.parametrize(
    "value", ["embedded", "http://u:p@milvus:19530", "https://milvus/", "file:///data/lite.db"]
)
def test_retrieval_is_embedded_or_where_milvus_is(monkeypatch, value):
    monkeypatch.setenv("X", value)

    assert env.retrieval("X") == value


def test_a_password_of_milvus_is_not_shown(monkeypatch):
    monkeypatch.setenv("X", "ftp://user:hunter2@host")

    with pytest.raises(ImproperlyConfigured) as error:
        env.retrieval("X")
    assert "hunter2" not in str(error.value)


def test_a_password_in_a_database_url_is_not_shown(monkeypatch):
    monkeypatch.setenv("X", "mysql://user:hunter2@host/name")

    with pytest.raises(ImproperlyConfigured) as error:
        env.database("X", default="d")
    assert "hunter2" not in str(error.value)


def test_sqlite_takes_the_write_lock_at_once_and_keeps_a_write_ahead_log(tmp_path):
    options = env.sqlite(tmp_path / "x.sqlite3")["OPTIONS"]

    assert options["transaction_mode"] == "IMMEDIATE"
    assert "journal_mode=WAL" in options["init_command"]


def test_a_generated_secret_is_kept_and_private(tmp_path):
    first = env.generated_secret(tmp_path / "secret_key")

    assert env.generated_secret(tmp_path / "secret_key") == first
    assert (tmp_path / "secret_key").stat().st_mode & 0o077 == 0
    assert [path.name for path in tmp_path.iterdir()] == ["secret_key"]


def test_a_secret_that_another_process_made_meanwhile_holds(tmp_path):
    env.make_secret(tmp_path / "secret_key")
    first = (tmp_path / "secret_key").read_text()

    env.make_secret(tmp_path / "secret_key")

    assert (tmp_path / "secret_key").read_text() == first


def test_half_a_secret_is_refused(tmp_path):
    (tmp_path / "secret_key").write_text("short")

    with pytest.raises(ImproperlyConfigured, match="delete it"):
        env.generated_secret(tmp_path / "secret_key")


def test_postgresql_needs_a_secret(monkeypatch):
    monkeypatch.delenv("SECRET_KEY")

    with pytest.raises(ImproperlyConfigured, match="SECRET_KEY is empty"):
        env.secret("SECRET_KEY", generated_in="/nowhere", required=True)


@pytest.mark.processes
def test_a_deployment_with_https_passes_every_check(tmp_path):
    arguments = ["check", "--deploy", "--fail-level", "WARNING"]

    done = process(tmp_path, "manage.py", *arguments, **HTTPS)

    assert done.returncode == 0, done.stderr


@pytest.mark.processes
def test_https_is_asked_for_this_host_alone(tmp_path):
    ask = (
        "import os, django; os.environ['DJANGO_SETTINGS_MODULE'] = 'config.settings';"
        "django.setup(); from django.test import RequestFactory;"
        "from django.http import HttpResponse;"
        "from django.middleware.security import SecurityMiddleware;"
        "answer = SecurityMiddleware(lambda request: HttpResponse());"
        "print(answer(RequestFactory().get('/', secure=True))['Strict-Transport-Security'])"
    )

    done = process(tmp_path, "-c", ask, **HTTPS)

    assert done.stdout.strip() == f"max-age={365 * 24 * 3600}", done.stderr


@pytest.mark.processes
def test_a_wrong_setting_ends_the_program_with_its_name(tmp_path):
    done = process(tmp_path, "manage.py", "check", DEBUG="yes")

    assert done.returncode != 0
    assert "DEBUG is 'yes'; use 'true' or 'false'." in done.stderr


def test_every_setting_is_in_the_example():
    source = (PROJECT / "config" / "settings.py").read_text()
    example = (PROJECT / ".env.example").read_text()

    names = set(re.findall(r'env\.\w+\(\s*"([A-Z_]+)"', source))
    assert names == set(re.findall(r"^([A-Z_]+)=", example, re.M))


def test_there_is_no_second_way_to_change_rows():
    assert "django.contrib.admin" not in settings.INSTALLED_APPS


def test_no_page_may_run_an_inline_script_or_style(client, db):
    policy = client.get("/accounts/sign-in/")["Content-Security-Policy"]

    directives = [directive.strip() for directive in policy.split(";")]
    assert "script-src 'self'" in directives
    assert "unsafe" not in policy


def test_an_api_client_is_told_in_json_what_went_wrong(client, db):
    response = client.get("/api/v1/nothing/")

    assert response.status_code == 404
    assert "detail" in response.json()


def test_a_person_is_told_on_a_page_what_went_wrong(client, db):
    response = client.get("/nothing/")

    assert response.status_code == 404
    assert "<h1>" in response.text


def test_the_openapi_document_knows_the_tokens(client, db):
    document = client.get("/api/v1/schema/?format=json").json()

    assert document["openapi"].startswith("3.")
    assert document["components"]["securitySchemes"]["token"]["scheme"] == "bearer"
