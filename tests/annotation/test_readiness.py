"""Sources and claims become work when their dictionaries are there."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.giving import ask_for_work
from annotation.jobs import sweep_leases, sweep_readiness
from annotation.models import Claim, WaveItem
from annotation.readiness import (
    CLAIM_JOB,
    fill_wave,
    in_pool_of,
    ready_claim,
    ready_source,
    waiting_claims,
)
from annotation.writing import edit_claim, extract_claims, mutate_claim, preselect
from operations.models import Job
from operations.worker import run_due_jobs
from tests.annotation.indexed import end_jobs, make_indexed_corpus, source_of, written
from tests.factories import (
    A_DAY,
    make_campaign,
    make_claim,
    make_corpus,
    make_member,
    make_participant,
    make_source,
    make_wave,
    make_work,
    paragraph_of,
    run_out,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def corpus():
    return make_indexed_corpus()


@pytest.fixture
def wave(corpus):
    return make_wave(make_campaign(corpus=corpus))


@pytest.fixture
def ben(wave):
    return make_participant(wave, "ben")


def test_a_source_is_given_out_when_its_dictionary_is_there(wave, ben):
    cyn = make_member(wave.campaign, "cyn", role="curator")
    chosen = ask_for_work(user=cyn, wave=wave, task="T0")

    (source,) = preselect(assignment=chosen, accepted=[paragraph_of(chosen.article)], rejected=[])
    source.refresh_from_db()
    assert not source.is_ready
    run_due_jobs()

    source.refresh_from_db()
    assert source.is_ready
    assert source.dictionary.state == "ready"
    given = ask_for_work(user=ben, wave=wave, task="T1a")
    assert given.source_dictionary == source.dictionary


def test_a_mutation_becomes_work_when_its_dictionary_is_there(wave, ben):
    parent = written(wave, ben)
    assignment = ask_for_work(user=ben, wave=wave, task="T1b")

    (claim,) = mutate_claim(
        assignment=assignment, texts={"negate": "The bridge was on time."}, submission=uuid4()
    )
    assert not WaveItem.objects.exists()
    run_due_jobs()

    claim.refresh_from_db()
    assert claim.dictionary.left_out_article == parent.source.article
    entries = claim.dictionary.entries.all()
    assert entries
    assert all(entry.available_at < A_DAY for entry in entries)
    given = ask_for_work(user=make_participant(wave, "dan"), wave=wave, task="T2")
    assert given.claim_dictionary == claim.dictionary


def test_a_job_that_runs_twice_changes_nothing(wave, ben):
    claim = written(wave, ben, parent=written(wave, ben))
    for _ in range(2):
        ready_claim(claim)
        Job.objects.get_or_create(
            kind=CLAIM_JOB, key="again", arguments={"claim": claim.pk, "wave": wave.pk}
        )
        run_due_jobs()

    assert wave.items.count() == 1
    claim.refresh_from_db()
    made = [claim.source_dictionary, claim.dictionary]
    assert list(wave.campaign.corpus.dictionaries.order_by("pk")) == made


def test_a_claim_whose_job_was_lost_is_swept_up(wave, ben):
    claim = written(wave, ben, parent=written(wave, ben))
    ready_claim(claim)
    Job.objects.all().delete()

    sweep_readiness()
    run_due_jobs()

    assert wave.items.get().instance.claim == claim


def test_a_claim_whose_job_failed_is_taken_up_after_an_hour(wave, ben):
    claim = written(wave, ben, parent=written(wave, ben))
    ready_claim(claim, by=ben)
    end_jobs("failed", timedelta(minutes=50))

    sweep_readiness()
    assert not run_due_jobs()

    end_jobs("failed", timedelta(minutes=70))
    sweep_readiness()
    run_due_jobs()

    assert wave.items.get().instance.claim == claim
    assert Job.objects.get().state == "done"


def test_what_failed_waits_too_for_its_turn(wave, ben, monkeypatch):
    monkeypatch.setattr("annotation.jobs.MOST_WAITING", 2)
    parent = written(wave, ben)
    for _ in range(3):
        ready_claim(written(wave, ben, parent=parent))
    end_jobs("failed", timedelta(minutes=70))

    sweep_readiness()
    sweep_readiness()

    assert Job.objects.live().count() == 2


def test_a_claim_that_another_wave_took_meanwhile_is_not_labelled_twice(wave, ben):
    claim = make_claim(wave, origin="imported", author=None)
    first, second = (make_wave(wave.campaign, name=name, pool=["imported"]) for name in "12")
    ready_claim(claim, wave=first)
    end_jobs("failed", timedelta(minutes=70))
    ready_claim(claim, wave=second)
    run_due_jobs()

    sweep_readiness()
    run_due_jobs()

    assert [item.wave for item in WaveItem.objects.all()] == [second]


def test_a_source_whose_job_failed_is_taken_up_after_an_hour(wave):
    source = make_source(wave, source_of(wave), is_ready=False)
    ready_source(source)
    end_jobs("failed", timedelta(minutes=70))

    sweep_readiness()
    run_due_jobs()

    source.refresh_from_db()
    assert source.is_ready


def test_a_cancelled_dictionary_rests_for_an_hour(wave, ben):
    ready_claim(written(wave, ben, parent=written(wave, ben)))
    end_jobs("cancelled", timedelta(minutes=50))
    sweep_readiness()
    assert not Job.objects.live().exists()

    end_jobs("cancelled", timedelta(minutes=70))
    sweep_readiness()

    assert Job.objects.live().count() == 1


def test_a_sweep_takes_up_some_and_the_next_ones_the_rest(wave, ben, monkeypatch):
    monkeypatch.setattr("annotation.jobs.MOST_WAITING", 2)
    parent = written(wave, ben)
    claims = [written(wave, ben, parent=parent) for _ in range(3)]

    sweep_readiness()
    sweep_readiness()
    assert Job.objects.count() == 2
    run_due_jobs()
    sweep_readiness()

    keys = {f"{claim.pk}:{wave.pk}" for claim in claims}
    assert set(Job.objects.values_list("key", flat=True)) == keys


def test_a_sweep_takes_up_some_of_all_waves_together(plain, monkeypatch):
    monkeypatch.setattr("annotation.jobs.MOST_WAITING", 3)
    other = make_wave(make_campaign(slug="other", corpus=make_corpus(slug="other")))
    for wave in (plain, other):
        for _ in range(2):
            make_claim(wave, parent=make_claim(wave))

    sweep_readiness()
    assert (plain.items.count(), other.items.count()) == (2, 1)
    sweep_readiness()

    assert (plain.items.count(), other.items.count()) == (2, 2)


def queries_of_a_sweep():
    with CaptureQueriesContext(connection) as queries:
        sweep_readiness()
    return len(queries)


def test_a_sweep_does_not_ask_for_each_claim_that_waits_for_its_job(wave, ben):
    parent = written(wave, ben)
    ready_claim(written(wave, ben, parent=parent))
    with_one = queries_of_a_sweep()

    for _ in range(20):
        ready_claim(written(wave, ben, parent=parent))

    assert queries_of_a_sweep() == with_one


def test_an_edited_claim_is_held_until_its_new_dictionary_is_there(wave, ben):
    claim = written(wave, ben, parent=written(wave, ben))
    ready_claim(claim)
    run_due_jobs()
    before = Claim.objects.get(pk=claim.pk).dictionary

    edit_claim(claim=claim, text="Torvik Steel of Norvell was late.", by=ben)
    assert wave.items.get().state == "held"
    run_due_jobs()

    claim.refresh_from_db()
    assert wave.items.get().state == "open"
    assert claim.dictionary.text == "Torvik Steel of Norvell was late."
    assert claim.dictionary != before


def test_an_imported_claim_without_a_date_is_labelled_without_a_dictionary(wave):
    wave.pool = ["imported"]
    wave.save()
    imported = make_wave(wave.campaign, name="Import", purpose="import", is_open=False)
    claim = make_claim(imported, origin="imported", author=None, source=source_of(wave))
    Claim.objects.filter(pk=claim.pk).update(as_of=None, source_published_at=None, source=None)

    fill_wave(wave)

    assert wave.items.get().instance.claim == claim


# Pools, in a corpus without an index: items appear at once


@pytest.fixture
def plain():
    return make_wave(make_campaign(slug="plain", corpus=make_corpus(slug="plain")))


def claims_of_each_kind(wave):
    initial = make_claim(wave)
    mutated = make_claim(wave, parent=initial, source=initial.source)
    imports = make_wave(wave.campaign, name="Import", purpose="import", is_open=False)
    imported = make_claim(imports, origin="imported", author=None)
    return {"initial": initial, "mutations": mutated, "imported": imported}


@pytest.mark.parametrize("kind", ["initial", "mutations", "imported"])
def test_a_wave_labels_what_is_in_its_pool(plain, kind):
    plain.pool = [kind]
    plain.save()
    claims = claims_of_each_kind(plain)

    fill_wave(plain)

    assert [item.instance.claim for item in plain.items.all()] == [claims[kind]]


def test_filling_a_wave_twice_makes_each_item_once(plain):
    claims_of_each_kind(plain)

    assert (fill_wave(plain), fill_wave(plain)) == (1, 0)


def test_a_claim_is_labelled_by_one_wave(plain):
    make_work(plain, parent=make_claim(plain))
    other = make_wave(plain.campaign, name="Next")

    assert not in_pool_of(other).exists()


def test_what_a_wave_does_not_label_another_may(plain):
    plain.pool = []
    plain.save()
    mutated = claims_of_each_kind(plain)["mutations"]
    labelling = make_wave(plain.campaign, name="Labels only")

    ready_claim(mutated)

    assert labelling.items.get().instance.claim == mutated


def test_claims_of_a_sandbox_stay_in_it(plain):
    sandbox = make_wave(plain.campaign, name="Try", is_sandbox=True)
    claims_of_each_kind(sandbox)

    assert not waiting_claims(plain).filter(wave=sandbox).exists()
    assert waiting_claims(sandbox).count() == 1


def test_withdrawn_claims_are_not_put_to_work(plain):
    mutated = claims_of_each_kind(plain)["mutations"]
    Claim.objects.filter(pk=mutated.pk).update(withdrawn_at=A_DAY)

    assert fill_wave(plain) == 0


def test_initial_claims_get_no_dictionary_where_no_wave_labels_them(wave, ben):
    make_source(wave, source_of(wave))
    assignment = ask_for_work(user=ben, wave=wave, task="T1a")

    extract_claims(assignment=assignment, texts=["The bridge is late."], submission=uuid4())

    assert not Job.objects.exists()


def test_the_sweep_closes_what_ran_out_even_in_closed_waves(plain):
    make_work(plain)
    ben = make_participant(plain, "ben")
    assignment = run_out(ask_for_work(user=ben, wave=plain, task="T2"))
    plain.closes_at = assignment.leased_until
    plain.save()

    sweep_leases()

    assignment.refresh_from_db()
    assert assignment.outcome == "expired"
