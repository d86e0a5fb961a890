"""Who may try to sign in again, and when: a growing delay per account and address together.

django-axes counts and refuses. Its own delay is one for all and forgets at its end, so the
counts here are kept for a day and each failure past the limit doubles the wait.
"""

from datetime import datetime, timedelta
from ipaddress import ip_address

from axes.handlers.database import AxesDatabaseHandler
from axes.helpers import get_client_username
from axes.models import AccessAttempt
from django.conf import settings
from django.db.models import Max, Sum
from django.utils import timezone

KEPT = timedelta(days=1)
LONGEST_MINUTES = 60


def delay_after(failures: int) -> timedelta:
    """The wait after so many failures: none below the limit, then 1, 2, 4 ... minutes, 1 h at most.

    failures: how often this account was tried in vain from this address within a day.
    """
    past_limit = failures - settings.AXES_FAILURE_LIMIT
    if past_limit < 0:
        return timedelta(0)
    return timedelta(minutes=min(2 ** min(past_limit, 10), LONGEST_MINUTES))


def locked_until(*, username: str, address: str | None) -> datetime | None:
    """Until when this account is locked for this address; None where it is not."""
    tried = AccessAttempt.objects.filter(username=username, ip_address=address).aggregate(
        failures=Sum("failures_since_start"), last=Max("attempt_time")
    )
    if not tried["failures"]:
        return None
    until = tried["last"] + delay_after(tried["failures"])
    return until if until > timezone.now() else None


def is_locked_anywhere(*, username: str) -> bool:
    """Whether this account is locked for any address."""
    tried = AccessAttempt.objects.filter(username=username).values_list("ip_address", flat=True)
    return any(locked_until(username=username, address=address) for address in set(tried))


def unlock(*, username: str) -> int:
    """Forget the failures of this account from everywhere; how many records there were."""
    deleted, _ = AccessAttempt.objects.filter(username=username).delete()
    return deleted


class Handler(AxesDatabaseHandler):
    """Counts as django-axes does; locks by the growing delay."""

    def is_locked(self, request, credentials=None):
        username = get_client_username(request, credentials)
        return bool(locked_until(username=username, address=request.axes_ip_address))

    def clean_expired_user_attempts(self, request=None, credentials=None):
        """Drop what is older than a day, whoever asks: not what outlived this person's delay."""
        old = AccessAttempt.objects.filter(attempt_time__lt=timezone.now() - KEPT)
        return old.delete()[0]


def cool_off(request):
    """How far back django-axes counts failures: all that are kept."""
    return KEPT


def client_address(request):
    """The address that TrustedProxyMiddleware settled; None where it is no address."""
    try:
        return str(ip_address(request.META.get("REMOTE_ADDR", "")))
    except ValueError:
        return None


def keep_answer(request, response, credentials):
    """The sign-in form already says until when; django-axes would put a bare line in its place."""
    return response
