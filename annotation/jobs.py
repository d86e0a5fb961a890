"""What annotation leaves to the worker: dictionaries, wave items, leases that ran out."""

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
    prepare_claim,
    prepare_source,
    ready_source,
    retry_failed,
    unready_sources,
)
from operations.database_time import database_now
from operations.models import Job

MOST_WAITING = 500  # dictionaries that sweeps let wait at a time


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


def fill_wave_job(progress, *, wave):
    """Put the claims of a wave's pool to work in it."""
    return {"claims": fill_wave(Wave.objects.get(pk=wave), progress=progress)}


def settle_wave_job(progress, *, wave):
    """Derive the items of a wave anew, after more labels were asked for."""
    return {"items": settle_wave(Wave.objects.get(pk=wave), progress=progress)}


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
    waiting = Job.objects.live().filter(kind__in=[SOURCE_JOB, CLAIM_JOB]).count()
    left = max(0, MOST_WAITING - waiting)
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
