"""Figures that are stored: with the state of the data, renewed once it changed."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from agreement import doctor, snapshots
from agreement.cue_figures import CueSettings
from agreement.figures import AgreementSettings, Scope, agreement_figures
from agreement.models import FigureSnapshot
from agreement.snapshots import KIND
from annotation.models import Annotation, Claim
from operations.models import Job
from operations.worker import run_due_jobs
from tests.agreement.labels import label, labelled
from tests.factories import (
    make_campaign,
    make_corpus,
    make_user,
    make_wave,
)

pytestmark = pytest.mark.django_db
FEW = AgreementSettings(n_samples=200)


@pytest.fixture
def scope(wave):
    return Scope(wave.campaign)


def version(scope):
    return snapshots.data_version(scope.campaign)


def edit(item):
    label(item, "eva", "N")


def remove(item):
    one = item.annotations.first()
    Annotation.objects.filter(pk=one.pk).update(ended_at=timezone.now(), end_reason="removed")


def withdraw(item):
    Claim.objects.filter(pk=item.instance.claim_id).update(withdrawn_at=timezone.now())


def reword(item):
    claim = item.instance.claim
    claim.revisions.create(number=2, text="Another wording.", kind="wording")


def skip(item):
    assign(item, outcome="skipped", reason="too hard")


def work_longer(item):
    assign(item, outcome="submitted", active_seconds=60)


def assign(item, **fields):
    now = timezone.now()
    times = {"given_at": now, "leased_until": now, "ended_at": now}
    make_user(username="gus").assignments.create(
        wave=item.wave, task="T2", item=item, shuffle_seed=1, **times, **fields
    )


@pytest.mark.parametrize("change", [edit, remove, withdraw, reword, skip, work_longer])
def test_each_change_of_the_data_has_another_version(scope, four_claims, change):
    before = version(scope)

    change(four_claims[0])

    assert version(scope) != before


def test_what_happens_in_another_campaign_changes_no_version(scope, four_claims):
    before = version(scope)

    labelled(make_wave(make_campaign(slug="autumn", corpus=make_corpus())), "SR")

    assert version(scope) == before


def test_stored_figures_are_shown_while_nothing_changed(scope, four_claims):
    stored = snapshots.store(KIND.AGREEMENT, scope, FEW)

    shown = snapshots.shown(KIND.AGREEMENT, scope, FEW)

    assert shown.computed_at == stored.computed_at
    assert not shown.is_stale
    assert shown.figures == stored.figures == agreement_figures(scope, FEW)


def test_stored_labels_keep_their_order(scope, wave):
    labelled(wave, "SRN")
    snapshots.store(KIND.AGREEMENT, scope, FEW)

    labels = snapshots.shown(KIND.AGREEMENT, scope, FEW).figures["labels"]

    assert list(labels) == ["SUPPORTS", "REFUTES", "NOT ENOUGH INFO"]


def test_figures_that_are_not_there_have_to_be_asked_for(scope, four_claims):
    shown = snapshots.shown(KIND.AGREEMENT, scope, FEW)

    assert (shown.figures, shown.is_stale, shown.job) == (None, True, None)


def test_old_figures_are_shown_and_called_stale_once_the_sweep_saw_it(scope, wave, four_claims):
    snapshots.store(KIND.AGREEMENT, scope, FEW)
    labelled(wave, "SN")
    assert not snapshots.shown(KIND.AGREEMENT, scope, FEW).is_stale

    snapshots.renew_stale()

    shown = snapshots.shown(KIND.AGREEMENT, scope, FEW)
    assert shown.is_stale
    assert shown.figures["n_units"] == 4


def test_new_figures_are_not_stale(scope, wave, four_claims):
    snapshots.store(KIND.AGREEMENT, scope, FEW)
    labelled(wave, "SN")
    snapshots.renew_stale()

    snapshots.store(KIND.AGREEMENT, scope, FEW)

    shown = snapshots.shown(KIND.AGREEMENT, scope, FEW)
    assert not shown.is_stale
    assert shown.figures["n_units"] == 5


def test_showing_figures_is_two_queries_however_many_labels(
    scope, four_claims, django_assert_num_queries
):
    snapshots.store(KIND.AGREEMENT, scope, FEW)

    with django_assert_num_queries(2):  # the figures, and a job that is at them
        snapshots.shown(KIND.AGREEMENT, scope, FEW)


def test_a_page_gets_few_of_many_pairs_and_a_file_gets_all(scope, wave):
    people = [f"w{number:02}" for number in range(20)]
    labelled(wave, "SR" * 10, people=people)

    snapshots.store(KIND.AGREEMENT, scope, FEW)

    drawn = snapshots.shown(KIND.AGREEMENT, scope, FEW).figures
    whole = snapshots.shown(KIND.AGREEMENT, scope, FEW, whole=True).figures
    assert len(whole["cohen"]["pairs"]) == 190
    assert 50 <= len(drawn["cohen"]["pairs"]) <= 78  # those of the table, and of eight people
    assert whole == agreement_figures(scope, FEW)


def test_a_key_names_what_differs_from_the_usual_and_is_never_too_long(scope, wave):
    many = AgreementSettings(
        duplicates="first", own="when-alone", conditional="as-is", resample="sources",
        since="2024-01-01", until="2024-12-31", subset="rule", bound="at-most", marks=3, among=5,
    )  # fmt: skip

    assert snapshots.key_of(scope, AgreementSettings()) == "all"
    assert snapshots.key_of(scope, AgreementSettings(own="vote")) == "all, own=vote"
    assert snapshots.key_of(Scope(wave.campaign, wave), FEW) == f"wave {wave.pk}, n_samples=200"
    assert len(snapshots.key_of(scope, many)) <= snapshots.LONGEST_KEY


def test_the_sweep_asks_once_for_the_first_figures_of_a_campaign(scope, four_claims):
    make_campaign(slug="empty")

    assert snapshots.renew_stale() == 1
    assert snapshots.renew_stale() == 0
    run_due_jobs()

    assert snapshots.shown(KIND.AGREEMENT, scope, AgreementSettings()).figures["n_units"] == 4
    assert snapshots.renew_stale() == 0


def test_scope_and_settings_have_figures_of_their_own(scope, wave, four_claims):
    snapshots.store(KIND.AGREEMENT, scope, FEW)
    snapshots.store(KIND.AGREEMENT, Scope(wave.campaign, wave), FEW)
    snapshots.store(KIND.AGREEMENT, scope, AgreementSettings(own="vote", n_samples=200))
    snapshots.store(KIND.AGREEMENT, scope, FEW)

    assert FigureSnapshot.objects.count() == 3


def test_a_job_makes_the_figures_that_a_person_asked_for(scope, four_claims):
    job = snapshots.ask(
        kind=KIND.AGREEMENT, scope=scope, settings=FEW, by=make_user(username="manager")
    )
    assert snapshots.ask(kind=KIND.AGREEMENT, scope=scope, settings=FEW) == job
    assert snapshots.shown(KIND.AGREEMENT, scope, FEW).job == job

    run_due_jobs()

    job.refresh_from_db()
    assert job.state == Job.State.DONE, job.error
    assert job.result["url"].startswith("/agreement/campaigns/spring/?wave=&duplicates=last")
    assert FigureSnapshot.objects.get().figures["n_units"] == 4


def age(**fields):
    long_ago = {name: timezone.now() - value for name, value in fields.items()}
    FigureSnapshot.objects.update(**long_ago)


def test_the_sweep_renews_what_went_stale(scope, wave, four_claims):
    snapshots.store(KIND.AGREEMENT, scope, FEW)
    age(computed_at=timedelta(hours=1))
    assert snapshots.renew_stale() == 0
    labelled(wave, "SN")

    assert snapshots.renew_stale() == 1
    run_due_jobs()

    assert FigureSnapshot.objects.get().figures["n_units"] == 5


@pytest.mark.parametrize(
    "ages",
    [
        {"computed_at": timedelta(minutes=1)},
        {"computed_at": timedelta(days=90), "asked_at": timedelta(days=90)},
    ],
)
def test_the_sweep_rests_and_forgets(scope, wave, four_claims, ages):
    snapshots.store(KIND.AGREEMENT, scope, FEW)
    labelled(wave, "SN")
    age(**ages)

    assert snapshots.renew_stale() == 0


def make_old(wave, settings):
    """Figures that nobody asked for in a long time, and new labels."""
    snapshots.store(KIND.AGREEMENT, Scope(wave.campaign), settings)
    labelled(wave, "SN")
    age(computed_at=timedelta(days=90), asked_at=timedelta(days=90))


def test_old_figures_are_called_old_and_are_renewed_once_somebody_asks(scope, wave, four_claims):
    make_old(wave, FEW)
    snapshots.renew_stale()

    assert snapshots.shown(KIND.AGREEMENT, scope, FEW).is_stale
    assert snapshots.renew_stale() == 0
    snapshots.ask(kind=KIND.AGREEMENT, scope=scope, settings=FEW, by=make_user(username="mara"))
    assert snapshots.renew_stale() == 1


def test_the_usual_figures_are_renewed_though_nobody_asks(scope, wave, four_claims):
    make_old(wave, AgreementSettings())

    assert snapshots.renew_stale() == 1


@pytest.mark.parametrize(
    "name", ["agreement:dashboard", "agreement:conflicts", "agreement:cues", "api:agreement"]
)
def test_who_looks_at_figures_changes_no_row(client, wave, monkeypatch, four_claims, name):
    monkeypatch.setattr(snapshots, "SMALL", 1)
    snapshots.store(KIND.CUES, Scope(wave.campaign), CueSettings())
    make_old(wave, AgreementSettings())
    before = list(FigureSnapshot.objects.values())

    response = client.get(reverse(name, args=["spring"]))

    assert response.status_code == 200
    assert list(FigureSnapshot.objects.values()) == before


def test_doctor_names_figures_of_another_campaigns_wave(scope, wave, four_claims):
    row = snapshots.store(KIND.AGREEMENT, Scope(wave.campaign, wave), FEW)
    assert list(doctor.figures_of_another_campaigns_wave()) == []

    FigureSnapshot.objects.update(campaign=make_campaign(slug="autumn"))

    assert f"figures {row.pk}" in next(doctor.figures_of_another_campaigns_wave())
