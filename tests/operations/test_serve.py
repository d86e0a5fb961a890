import pytest
from django.core.management import CommandError, call_command

from operations.management.commands.serve import is_loopback
from operations.supervision import gunicorn, worker_names


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("127.0.0.1", True),
        ("127.0.0.5", True),
        ("localhost", True),
        ("::1", True),
        ("0.0.0.0", False),
        ("", False),
        ("10.0.0.1", False),
        ("example.org", False),
    ],
)
def test_what_is_this_machine_alone(host, expected):
    assert is_loopback(host) is expected


@pytest.mark.parametrize("bind", ["0.0.0.0:8000", ":8000", "[::]:8000", "example.org:80"])
def test_demo_accounts_are_not_served_to_others(settings, tmp_path, bind):
    settings.DATA_DIR = tmp_path
    (tmp_path / "demo").touch()

    with pytest.raises(CommandError, match="demo accounts"):
        call_command("serve", "--bind", bind)


@pytest.mark.django_db
def test_a_database_that_lacks_migrations_is_not_served(monkeypatch, settings, tmp_path):
    settings.DATA_DIR = tmp_path
    settings.MIGRATION_MODULES = {"datasets": "tests.operations.later_migrations"}

    with pytest.raises(CommandError, match="lacks migrations"):
        call_command("serve", "--bind", "127.0.0.1:1")


def test_the_web_server_leaves_proxy_headers_to_our_middleware():
    command = gunicorn(bind="127.0.0.1:8000", processes=2, threads=8)

    assert "--forwarded-allow-ips=" in command
    assert "--bind=127.0.0.1:8000" in command


def test_workers_have_names_of_their_own():
    assert len(set(worker_names(3))) == 3
