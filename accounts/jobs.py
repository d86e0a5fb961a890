"""What the sweep tidies up of accounts."""

from django.contrib.sessions.models import Session
from django.utils import timezone


def sweep_sessions():
    """Delete sessions that have ended; what was typed signed out lies in some of them."""
    Session.objects.filter(expire_date__lt=timezone.now()).delete()


SWEEPS = [sweep_sessions]
