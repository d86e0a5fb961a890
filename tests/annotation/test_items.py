"""What follows for an item when its wave asks for more."""

import pytest

from annotation.giving import ask_for_work
from annotation.items import settle_wave
from annotation.readiness import SETTLE_JOB, make_item
from operations.jobs import queue_job
from operations.worker import run_due_jobs
from tests.factories import (
    make_campaign,
    make_corpus,
    make_participant,
    make_wave,
    make_work,
    submit,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def item():
    """A complete item of a wave that wants one label of each."""
    campaign = make_campaign(corpus=make_corpus())
    wave = make_wave(campaign, plan="exact", labels_wanted=1)
    (item,) = make_work(wave)
    submit(ask_for_work(user=make_participant(wave, "ben"), wave=wave, task="T2"))
    item.refresh_from_db()
    assert item.state == "complete"
    return item


def settle_all_of(wave):
    queue_job(kind=SETTLE_JOB, key=str(wave.pk), arguments={"wave": wave.pk})
    run_due_jobs()


def test_a_complete_item_opens_again_when_more_labels_are_wanted(item):
    item.wave.labels_wanted = 2
    item.wave.save()

    settle_all_of(item.wave)

    item.refresh_from_db()
    item.instance.refresh_from_db()
    assert (item.state, item.wanted, item.instance.outcome) == ("open", 2, "open")
    dan = make_participant(item.wave, "dan")
    assert ask_for_work(user=dan, wave=item.wave, task="T2").item == item


def test_settling_twice_changes_nothing(item):
    for _ in range(2):
        settle_all_of(item.wave)

    item.refresh_from_db()
    assert (item.state, item.wanted, item.taken) == ("complete", 1, 1)


def test_a_sandbox_does_not_decide_the_outcome_of_real_work(item):
    sandbox = make_wave(item.wave.campaign, name="Try", is_sandbox=True)

    make_item(item.instance.claim, sandbox)

    item.instance.refresh_from_db()
    assert item.instance.outcome == "complete"


def test_items_that_are_removed_meanwhile_are_passed_over():
    wave = make_wave(make_campaign(corpus=make_corpus()), plan="exact", labels_wanted=1)
    first, second, third = make_work(wave, 3)
    wave.labels_wanted = 4
    wave.save()

    settle_wave(wave, progress=lambda *_done: second.delete() if second.pk else None)

    for item in (first, third):
        item.refresh_from_db()
    assert (first.wanted, third.wanted) == (4, 4)
