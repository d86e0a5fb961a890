"""Dictionaries of imported and of edited claims, and how many wait at a time."""

from datetime import timedelta

import pytest

from annotation.giving import ask_for_work
from annotation.jobs import fill_wave_job, sweep_readiness
from annotation.models import Claim, Wave
from annotation.readiness import CLAIM_JOB, FILL_JOB, fill_wave, queue_for, ready_claim
from annotation.scope import knowledge_scope
from annotation.writing import edit_claim
from operations.jobs import cancel_job
from operations.models import Job
from operations.worker import Worker, run_due_jobs
from tests.annotation.indexed import TEXTS, end_jobs, imported, make_indexed_corpus, written
from tests.factories import (
    make_campaign,
    make_claim,
    make_corpus,
    make_participant,
    make_user,
    make_wave,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def wave():
    return make_wave(make_campaign(corpus=make_indexed_corpus()), pool=["imported", "mutations"])


@pytest.fixture
def ben(wave):
    return make_participant(wave, "ben")


def test_imported_claims_are_labelled_with_the_dictionary_of_their_source(wave, ben):
    (claim,) = imported(wave.campaign, "Torvik Steel of Dalby built the Norvell bridge.")
    fill_wave(wave)
    run_due_jobs()

    given = ask_for_work(user=ben, wave=wave, task="T2")

    of_source = given.source_dictionary
    assert (of_source.text, of_source.as_of) == (claim.source.text, claim.source.published_at)
    assert of_source.left_out_article == claim.source.article
    entries = set(of_source.entries.values_list("paragraph", flat=True))
    assert entries
    assert entries <= set(knowledge_scope(given).paragraphs)


def test_imported_claims_of_one_source_share_its_dictionary(wave):
    imported(wave.campaign, *TEXTS, "Alda Renn resigned.")

    fill_wave(wave)
    run_due_jobs()

    assert Claim.objects.values("source_dictionary").distinct().count() == 1
    assert wave.campaign.corpus.dictionaries.count() == 1 + 3


def edited(wave, ben):
    """A mutation whose author changed it after its item was made: it waits."""
    claim = written(wave, ben, parent=written(wave, ben))
    ready_claim(claim)
    run_due_jobs()
    edit_claim(claim=claim, text="Torvik Steel of Norvell was late.", by=ben)
    assert wave.items.get().state == "held"
    return claim


def test_an_edited_claim_whose_job_was_cancelled_is_freed_by_the_sweep(wave, ben):
    claim = edited(wave, ben)
    cancel_job(job=Job.objects.live().get(kind=CLAIM_JOB))
    end_jobs("cancelled", timedelta(minutes=70))

    sweep_readiness()
    run_due_jobs()

    claim.refresh_from_db()
    assert wave.items.get().state == "open"
    assert claim.dictionary.text == "Torvik Steel of Norvell was late."


def test_an_edited_claim_whose_job_was_lost_is_freed_when_the_wave_is_filled(wave, ben):
    edited(wave, ben)
    Job.objects.all().delete()

    assert fill_wave(wave) == 1
    run_due_jobs()

    assert wave.items.get().state == "open"


def test_filling_a_wave_leaves_room_for_other_jobs_and_goes_on_later(wave, monkeypatch):
    monkeypatch.setattr("annotation.jobs.MOST_WAITING", 2)
    imported(wave.campaign, "One.", "Two.", "Three.")
    wave.opens_at = None  # sweeps leave it alone
    wave.save()
    queue_for(wave, FILL_JOB)

    most = []
    while Job.objects.live().exists():
        Job.objects.live().update(run_after=None)
        Worker("here").run_next()
        most.append(Job.objects.live().filter(kind=CLAIM_JOB).count())

    assert max(most) == 2
    assert Job.objects.filter(kind=FILL_JOB).count() > 1
    assert wave.items.filter(state="open").count() == 3


def test_filling_ends_though_the_pool_changes_meanwhile(wave, monkeypatch):
    monkeypatch.setattr("annotation.jobs.MOST_WAITING", 2)
    imported(wave.campaign, "One.", "Two.", "Three.")
    Claim.objects.update(source=None, source_published_at=None, as_of=None)  # need no dictionary
    passes = []

    def fill_later(row, **options):
        passes.append(row.pool)
        assert len(passes) < 5
        Wave.objects.update(pool=["initial"])
        return fill_wave(row, **options)

    monkeypatch.setattr("annotation.jobs.fill_wave", fill_later)
    Wave.objects.update(pool=["imported"])
    fill_wave_job(lambda *_: None, wave=wave.pk)

    assert passes == [["imported"], ["initial"]]
    assert not wave.items.exists()


def test_who_had_a_wave_filled_sees_the_jobs_that_go_on(wave, monkeypatch):
    monkeypatch.setattr("annotation.jobs.MOST_WAITING", 1)
    imported(wave.campaign, "One.", "Two.")
    manager = make_user(username="mia")
    queue_for(wave, FILL_JOB, by=manager)

    Worker("here").run_next()

    later = Job.objects.filter(kind=FILL_JOB).order_by("pk").last()
    assert (later.arguments["goes_on"], later.created_by) == (1, manager)


def test_filling_a_wave_without_an_index_makes_all_items_at_once(monkeypatch):
    monkeypatch.setattr("annotation.jobs.MOST_WAITING", 2)
    wave = make_wave(make_campaign(corpus=make_corpus()), pool=["initial"])
    for _ in range(3):
        make_claim(wave)
    queue_for(wave, FILL_JOB)

    run_due_jobs()

    assert wave.items.count() == 3
    assert Job.objects.get().state == "done"
