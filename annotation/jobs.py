"""What annotation leaves to the worker: dictionaries, wave items, leases that ran out."""

from datetime import timedelta

from django.utils.translation import gettext_lazy as _

from annotation.giving import close_run_out
from annotation.items import settle_wave
from annotation.models import Assignment, Claim, Preselection, Wave
from annotation.readiness import (
    CLAIM_JOB,
    FILL_JOB,
    SETTLE_JOB,
    SOURCE_JOB,
    fill_wave,
    needs_dictionary,
    prepare_claim,
    prepare_source,
    ready_source,
    retry_failed,
    unready_sources,
)
from annotation.renewing import renew_wave
from operations.database_time import database_now
from operations.jobs import queue_job
from operations.models import Job

MOST_WAITING = 500  # dictionaries that sweeps and the filling of waves let wait at a time
A_WHILE = timedelta(minutes=1)


def prepare_source_job(progress, *, preselection):
    """Build the dictionary of an accepted source."""
    prepare_source(
        Preselection.objects.select_related("campaign__corpus", "wave", "paragraph__article").get(
            pk=preselection
        )
    )


def prepare_claim_job(progress, *, claim, wave):
    """Build the dictionary of a claim and put it to work in a wave."""
    row = Claim.objects.select_related("campaign__corpus", "source__article").get(pk=claim)
    prepare_claim(row, Wave.objects.get(pk=wave))


def fill_wave_job(progress, *, wave, goes_on=0):
    """Let a wave's items follow its settings, and put the claims of its pool to work in it.

    Where too many dictionaries wait already, another job goes on a little later.
    goes_on: how many jobs before this one did a part of the same work.
    """
    row = Wave.objects.select_related("campaign__corpus").get(pk=wave)
    renewed = 0 if goes_on else renew_wave(row, progress=progress)
    if not needs_dictionary(row.campaign.corpus):
        return {"renewed": renewed, "claims": fill_wave(row, progress=progress)}
    claims = 0
    while left := room_left():
        # As it is now: claims that its pool has no more would be tried for ever.
        row.refresh_from_db(fields=["pool", "is_sandbox"])
        filled = fill_wave(row, most=left, progress=progress)
        claims += filled
        if filled < left:
            break
    else:
        go_on(row, goes_on + 1)
    return {"renewed": renewed, "claims": claims}


def go_on(wave, number):
    """Have another job fill the wave further, a little later, for whoever wanted it filled."""
    jobs = Job.objects.filter(kind=FILL_JOB, arguments__wave=wave.pk).select_related("created_by")
    first = jobs.exclude(created_by=None).order_by("pk").last()
    arguments = {"wave": wave.pk, "goes_on": number}
    key = f"{wave.pk} goes on {number}"
    by = first and first.created_by
    queue_job(kind=FILL_JOB, key=key, arguments=arguments, by=by, delay=A_WHILE)


def settle_wave_job(progress, *, wave):
    """Derive the items of a wave anew, after its settings were changed."""
    return {"items": settle_wave(Wave.objects.get(pk=wave), progress=progress)}


def room_left():
    """How many more dictionaries may wait now, so that other jobs have their turn."""
    waiting = Job.objects.live().filter(kind__in=[SOURCE_JOB, CLAIM_JOB]).count()
    return max(0, MOST_WAITING - waiting)


def sweep_leases():
    """Close what ran out in any wave, the closed ones included."""
    run_out = Assignment.objects.open().filter(leased_until__lte=database_now())
    for wave in Wave.objects.filter(pk__in=run_out.values("wave")).order_by("pk"):
        while close_run_out(wave=wave, limit=100) == 100:
            pass


def sweep_readiness():
    """Queue what waits for a dictionary and has no job, and once more what failed.

    Only as many as leave other jobs their turn: the sweeps to come take up the rest.
    """
    left = room_left()
    left -= retry_failed(most=left)
    sources = unready_sources()[:left]
    for source in sources:
        ready_source(source)
    left -= len(sources)
    waves = Wave.objects.open_at(database_now()).select_related("campaign__corpus")
    for wave in waves.order_by("pk"):
        left -= fill_wave(wave, most=left)


HANDLERS = {
    SOURCE_JOB: prepare_source_job,
    CLAIM_JOB: prepare_claim_job,
    FILL_JOB: fill_wave_job,
    SETTLE_JOB: settle_wave_job,
}
TITLES = {
    SOURCE_JOB: _("Dictionary of a source"),
    CLAIM_JOB: _("Dictionary of a claim"),
    FILL_JOB: _("Items of a wave"),
    SETTLE_JOB: _("Labels wanted in a wave"),
}
REPEATABLE = {SOURCE_JOB, CLAIM_JOB, FILL_JOB, SETTLE_JOB}
SWEEPS = [sweep_leases, sweep_readiness]
