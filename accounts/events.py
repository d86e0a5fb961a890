"""The audit trail: one way to write it."""

from django.db import models

from accounts.models import Event, User


def record_event(
    *, actor: User | None, verb: str, subject: models.Model | str, data: dict | None = None
) -> Event:
    """Write down who did what to which thing. Names and typed texts do not belong in `data`:
    a person can be forgotten, the trail cannot."""
    return Event.objects.create(
        actor=actor, verb=verb, subject=subject_name(subject), data=data or {}
    )


def subject_name(subject: models.Model | str) -> str:
    """How the trail names a thing: 'wave:12'."""
    if isinstance(subject, str):
        return subject
    return f"{subject._meta.model_name}:{subject.pk}"
