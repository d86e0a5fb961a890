"""What all tests share: signed-in clients, a browser, and nothing left over from other tests."""

import os
import shutil

import pytest
from django.test import Client
from django.utils import translation
from hypothesis import HealthCheck, settings

from tests import settings as test_settings
from tests import sites
from tests.factories import make_user

CHROMIUM = "/usr/bin/chromium"
CHROMIUM_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
]
# The demo has an SQLite file of its own, whatever the other tests use: once is enough.
collect_ignore = ["test_demo.py"] if os.environ.get("DATABASE_URL") else []
# No test asserts a time, hypothesis' own limits included: a busy machine is no fault.
settings.register_profile("suite", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("suite")
# Playwright runs an event loop in the test's thread, where Django would refuse the database.
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")


@pytest.fixture(autouse=True)
def _own_cache():
    test_settings.new_cache_run()


@pytest.fixture(autouse=True)
def _own_language():
    """A page that was drawn in Czech leaves Czech on in its thread; each test begins in English."""
    with translation.override("en"):
        yield


@pytest.fixture(scope="session")
def browser_type_launch_args():
    """How pytest-playwright starts Chromium; without it the test says why it is skipped."""
    if not shutil.which(CHROMIUM):
        pytest.skip(f"needs Chromium at {CHROMIUM}: apt-get install chromium fonts-dejavu-core")
    return {"executable_path": CHROMIUM, "args": CHROMIUM_FLAGS}


@pytest.fixture(autouse=True)
def _closed_windows(request):
    """Pages of tests that are over would go on asking the server, and a hundred slow the rest."""
    if not {"browser", "live_server"} <= set(request.fixturenames):
        yield
        return
    request.getfixturevalue("transactional_db")  # emptied once nobody asks any more
    browser = request.getfixturevalue("browser")
    yield
    for context in browser.contexts:
        context.close()


@pytest.fixture
def sign_in(db):
    """A function that gives a signed-in client: sign_in(user) or sign_in("ada")."""

    def signed_in(user="ada"):
        client = Client()
        client.force_login(make_user(username=user) if isinstance(user, str) else user)
        return client

    return signed_in


@pytest.fixture
def ada(db):
    return make_user(username="ada")


@pytest.fixture
def ben(db):
    return make_user(username="ben")


@pytest.fixture
def cyn(db):
    return make_user(username="cyn")


@pytest.fixture
def eve(db):
    """An outsider: signed in, member of nothing."""
    return make_user(username="eve")


@pytest.fixture
def root(db):
    return make_user(username="root", is_superuser=True)


@pytest.fixture(params=["sqlite", "postgresql"])
def site(request, tmp_path):
    """A whole migrated site of its own, on each database that is there; its processes end."""
    if request.param == "sqlite":
        made, drop = sites.sqlite_site(tmp_path), None
    else:
        made, drop = sites.postgres_site(tmp_path, sites.postgres_or_skip())
    yield made
    made.stop()
    if drop:
        drop()


@pytest.fixture(scope="session", autouse=True)
def _no_template_databases():
    yield
    sites.drop_templates()
