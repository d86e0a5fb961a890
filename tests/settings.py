"""The project's settings on throw-away ground: a temporary DATA_DIR, no queue, fast passwords."""

import atexit
import os
import shutil
import tempfile
from itertools import count

# One folder per test process, made before the settings look for it.
FOLDER = tempfile.mkdtemp(prefix=f"claimwright-{os.environ.get('PYTEST_XDIST_WORKER', 'main')}-")
atexit.register(shutil.rmtree, FOLDER, ignore_errors=True)
os.mkdir(f"{FOLDER}/static")  # whitenoise warns where there is none
os.environ["DATA_DIR"] = FOLDER
os.environ["DEBUG"] = "false"
os.environ["PUBLIC_URL"] = "http://testserver"
os.environ.setdefault("DATABASE_URL", "")  # a developer's .env must not lead tests to their data
os.environ.setdefault("CELERY_BROKER_URL", "")
os.environ.setdefault("SECRET_KEY", "only-for-tests-and-long-enough-to-be-taken-as-a-secret-key")

from config.settings import *  # noqa: E402, F403
from config.settings import CACHES, CELERY_BROKER_URL, DATABASES, USES_POSTGRES  # noqa: E402

if USES_POSTGRES:
    # Two runs on one server do not meet; the workers of one run inherit its number.
    run = os.environ.setdefault("TEST_RUN", str(os.getpid()))
    DATABASES["default"]["TEST"] = {"NAME": f"claimwright_test_{run}"}
else:
    # SQLite lets one write at a time and keeps no order among those that wait: on a slow machine
    # a crowd without pauses takes longer than people would wait.
    DATABASES["default"]["OPTIONS"]["timeout"] = 120

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]  # argon2 is slow on purpose
if CELERY_BROKER_URL:
    CELERY_BROKER_URL = "memory://"

# A test that counts must not meet what another counted; flushing would empty a shared Redis.
_runs = count()
cache_run = f"{FOLDER}-{next(_runs)}"


def new_cache_run():
    global cache_run
    cache_run = f"{FOLDER}-{next(_runs)}"


def cache_key(key, prefix, version):
    return f"{prefix}:{cache_run}:{version}:{key}"


CACHES = {name: {**cache, "KEY_FUNCTION": cache_key} for name, cache in CACHES.items()}
