"""Waves: made, edited, opened, closed, cloned. What work rests on stays as it was."""

from datetime import datetime

from django.core.exceptions import ValidationError
from django.db import connection, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.events import record_event
from annotation.guidelines import current_guideline
from annotation.models import Participation, Wave
from annotation.readiness import FILL_JOB, SETTLE_JOB, queue_for
from annotation.renewing import lock_few, renew

# What a label, a claim or the choice of an item rests on. The kind of scope and the labels are
# columns of instances and annotations, which never change.
FROZEN = (
    "is_sandbox",
    "mutations",
    "pool",
    "dictionary_settings",
    "plan",
    "labels_own_claims",
    "rests_a_day",
    "allows_search",
    "seed",
)
# What may grow while people work: more was wanted, nothing that was given is too much.
RISING = ("labels_wanted", "extra_share", "extra_labels", "writers_per_source")
# What items and dictionaries that are there already follow, as long as nobody was given them.
FILLING = {"is_sandbox", "pool", "dictionary_settings", "seed"}
SETTLING = {"is_sandbox", "plan", "seed", "labels_wanted", "extra_share", "extra_labels"}
CLONED = (*FROZEN, *RISING, "quota_t1a", "quota_t1b", "quota_t2")


def is_worked(wave):
    """Whether somebody was ever given work in the wave."""
    return wave.assignments.exists()


@transaction.atomic
def create_wave(*, campaign, actor, **values):
    """A wave without people, by the newest guidelines where none are named."""
    values.setdefault("guideline", current_guideline(campaign))
    wave = Wave(campaign=campaign, **values)
    wave.full_clean()
    wave.save()
    record_event(actor=actor, verb="made wave", subject=wave)
    queue_for(wave, FILL_JOB, by=actor)
    return wave


@transaction.atomic
def edit_wave(*, wave, actor, **values):
    """Change what may be changed; `values` that are equal to what is stored change nothing.

    Where something frozen is to change, whoever is being given the first item is waited for.
    """
    wave = locked(wave)
    changes = {name: value for name, value in values.items() if getattr(wave, name) != value}
    few = []
    if set(changes) & set(FROZEN):
        # Before the assignments: whoever is given an item has locked it when they make theirs.
        few = [] if is_worked(wave) else lock_few(wave)
        hold_back_work()
    check_changes(wave, changes)
    before = {name: plain(getattr(wave, name)) for name in changes}
    for name, value in changes.items():
        setattr(wave, name, value)
    wave.full_clean()
    wave.save(update_fields=list(changes))
    if few and set(changes) & (FILLING | SETTLING):
        renew(wave, few)
    follow(wave, changes, actor)
    if changes:
        after = {name: plain(value) for name, value in changes.items()}
        record_event(
            actor=actor, verb="changed wave", subject=wave, data={"before": before, "after": after}
        )
    return wave


@transaction.atomic
def open_wave(*, wave, actor):
    """Give out work from now on; a closed wave is open again, without an end."""
    wave = locked(wave)
    now = timezone.now()
    if wave.is_open(now):
        raise ValidationError(_("This wave is open already."))
    wave.opens_at = now if wave.opens_at is None else min(wave.opens_at, now)
    if wave.closes_at and wave.closes_at <= now:
        wave.closes_at = None
    queue_for(wave, FILL_JOB, by=actor)
    return moved(wave, actor, "opened wave")


@transaction.atomic
def close_wave(*, wave, actor):
    """Give out no more; answers that come later are kept as late."""
    wave = locked(wave)
    now = timezone.now()
    if not wave.is_open(now):
        raise ValidationError(_("This wave is not open, so there is nothing to close."))
    wave.closes_at = now
    return moved(wave, actor, "closed wave")


@transaction.atomic
def clone_wave(*, wave, actor, name, with_people=False):
    """A new wave of the same settings, not open yet; with the same people where asked."""
    copied = {field: getattr(wave, field) for field in CLONED}
    clone = create_wave(campaign=wave.campaign, actor=actor, name=name, **copied)
    if with_people:
        people = wave.participations.exclude(status=Participation.Status.LEFT)
        Participation.objects.bulk_create(
            Participation(
                wave=clone, user_id=one.user_id, status=one.status, quota_factor=one.quota_factor
            )
            for one in people
        )
    record_event(actor=actor, verb="cloned wave", subject=clone, data={"from": wave.pk})
    return clone


def locked(wave):
    """The wave's row, locked against other changes."""
    wave = Wave.objects.select_for_update(no_key=True).get(pk=wave.pk)
    if wave.purpose == Wave.Purpose.IMPORT:
        raise ValidationError(_("The wave of an import is not worked in and stays as it is."))
    return wave


def hold_back_work():
    """No assignment is made until this transaction ends; those being made are seen afterwards.

    The lock on the wave is not enough: on PostgreSQL a foreign key takes its own only when the
    other transaction commits. On SQLite one transaction writes at a time in any case.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("LOCK TABLE annotation_assignment IN SHARE ROW EXCLUSIVE MODE")


def moved(wave, actor, verb):
    wave.save(update_fields=["opens_at", "closes_at"])
    dates = {"opens_at": plain(wave.opens_at), "closes_at": plain(wave.closes_at)}
    record_event(actor=actor, verb=verb, subject=wave, data=dates)
    return wave


def check_changes(wave, changes):
    """Refuse what may not change any more, each setting with its reason."""
    errors = {}
    if is_worked(wave):
        errors = {name: frozen_reason() for name in FROZEN if name in changes}
        for name in RISING:
            if name in changes and changes[name] < getattr(wave, name):
                errors[name] = rising_reason(getattr(wave, name))
    guideline = changes.get("guideline")
    if guideline and guideline.campaign_id != wave.campaign_id:
        errors["guideline"] = _("These guidelines belong to another campaign; choose one of ours.")
    if errors:
        raise ValidationError(errors)


def frozen_reason():
    return _(
        "Somebody has worked in this wave, so this stays as it is. Clone the wave to change it."
    )


def rising_reason(value):
    return _(
        "Somebody has worked in this wave, so this can only grow: %(value)s or more. "
        "Clone the wave for less."
    ) % {"value": value}


def follow(wave, changes, actor):
    """Let what is stored already follow the changes: sources now, items by jobs."""
    if "writers_per_source" in changes:
        wave.preselections.update(wanted=wave.writers_per_source)
    if FILLING & set(changes):
        queue_for(wave, FILL_JOB, by=actor)
    if SETTLING & set(changes):
        queue_for(wave, SETTLE_JOB, by=actor)


def plain(value):
    """`value` as the trail keeps it."""
    if isinstance(value, datetime):
        return value.isoformat()
    return getattr(value, "pk", value)
