"""Dictionaries of imported and of edited claims, and how many wait at a time."""

from datetime import timedelta

import pytest

from annotation.giving import ask_for_work
from annotation.jobs import sweep_readiness
from annotation.models import Claim
from annotation.readiness import CLAIM_JOB, FILL_JOB, fill_wave, queue_for, ready_claim
from annotation.scope import knowledge_scope
from annotation.writing import edit_claim
from operations.jobs import cancel_job
from operations.models import Job
from operations.worker import Worker, run_due_jobs
from tests.annotation.indexed import TEXTS, end_jobs, imported, make_indexed_corpus, written
from tests.factories import make_campaign, make_claim, make_corpus, make_participant, make_wave

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


def test_filling_a_wave_without_an_index_makes_all_items_at_once(monkeypatch):
    monkeypatch.setattr("annotation.jobs.MOST_WAITING", 2)
    wave = make_wave(make_campaign(corpus=make_corpus()), pool=["initial"])
    for _ in range(3):
        make_claim(wave)
    queue_for(wave, FILL_JOB)

    run_due_jobs()

    assert wave.items.count() == 3
    assert Job.objects.get().state == "done"
