"""Is everything well? Each app's `health.py` has `check()`, which returns what is not."""

import logging
from datetime import timedelta

from django.db import DatabaseError
from django.db.models.functions import Now

from accounts.found import found
from operations.models import WorkerBeat

# A worker beats every 10 seconds, a sweep by Celery comes once a minute.
SILENT_AFTER = timedelta(minutes=3)
logger = logging.getLogger(__name__)


def problems() -> list[str]:
    """One sentence for each thing that is not well; empty where all is."""
    told = [problem for check in found("health", "check") for problem in asked(check)]
    return list(dict.fromkeys(told))


def asked(check) -> list[str]:
    """What a check found; a check that breaks is itself a problem, its details are for the log."""
    try:
        return list(check())
    except DatabaseError:
        logger.exception("health: the database does not answer")
        return ["The database does not answer."]
    except Exception:
        logger.exception("health: %s broke", check.__module__)
        return [f"The check of {check.__module__} broke; the log has the reason."]


def check() -> list[str]:
    """Database and jobs."""
    if WorkerBeat.objects.filter(at__gt=Now() - SILENT_AFTER).exists():
        return []
    return ["No worker has given a sign of life for 3 minutes; jobs are waiting."]
