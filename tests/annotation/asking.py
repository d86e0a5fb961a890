"""Asking for work and answering it, as the services do."""

from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.answering import submit_annotation
from annotation.giving import ask_for_work
from annotation.no_work import NoWork


def ask(user, wave, task="T2"):
    return ask_for_work(user=user, wave=wave, task=task)


def reason(user, wave, task="T2"):
    """Why there is no work."""
    with pytest.raises(NoWork) as none:
        ask(user, wave, task)
    return none.value.reason


def send(assignment, answer):
    return submit_annotation(assignment=assignment, answer=answer)


def close(wave):
    wave.closes_at = timezone.now() - timedelta(seconds=1)
    wave.save()
