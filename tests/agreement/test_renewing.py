"""Figures whose job failed or was cancelled are not asked for each minute, but an hour later."""

from datetime import timedelta

import pytest
from django.db.models.functions import Now

from agreement import snapshots
from agreement.figures import AgreementSettings, Scope
from agreement.models import FigureSnapshot
from operations.models import Job
from tests.agreement.labels import labelled

pytestmark = pytest.mark.django_db


def end_jobs(state, *, minutes):
    ended = Now() - timedelta(minutes=minutes)
    Job.objects.filter(kind=snapshots.JOB).update(state=state, ended_at=ended)


def make_stale(wave):
    scope = Scope(wave.campaign)
    snapshots.store("agreement", scope, AgreementSettings(n_samples=200))
    labelled(wave, "SN")
    FigureSnapshot.objects.update(computed_at=Now() - timedelta(days=1))


@pytest.mark.parametrize("state", ["failed", "cancelled"])
def test_stale_figures_rest_for_an_hour_after_a_job_that_ended_otherwise(wave, state):
    make_stale(wave)
    assert snapshots.renew_stale() == 1

    end_jobs(state, minutes=50)
    assert snapshots.renew_stale() == 0

    end_jobs(state, minutes=70)
    assert snapshots.renew_stale() == 1


def test_first_figures_rest_for_an_hour_after_their_job_failed(wave):
    labelled(wave, "SN")
    assert snapshots.renew_stale() == 1

    end_jobs("failed", minutes=50)
    assert snapshots.renew_stale() == 0

    end_jobs("failed", minutes=70)
    assert snapshots.renew_stale() == 1
