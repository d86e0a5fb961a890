"""What happens to a claim while its item is made, and to a wave while an item is given."""

import pytest
from django.core.exceptions import ValidationError
from django.db import connection, transaction

from annotation import doctor
from annotation.answering import report_claim
from annotation.curation import withdraw_claim
from annotation.giving import ask_for_work
from annotation.items import lock_item
from annotation.models import Campaign, Claim, Report
from annotation.no_work import NoWork
from annotation.readiness import make_item, put_to_work
from annotation.renewing import lock_few, remove
from annotation.waves import edit_wave
from annotation.writing import edit_claim, preselect
from tests.annotation.racing import Beside, wait_until_somebody_waits
from tests.factories import (
    make_article,
    make_campaign,
    make_claim,
    make_corpus,
    make_member,
    make_participant,
    make_wave,
    make_work,
    paragraph_of,
)

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def wave():
    corpus = make_corpus(index_version="1")  # an edited claim waits for its dictionary
    return make_wave(make_campaign(corpus=corpus), pool=["initial"])


@pytest.fixture
def ben(wave):
    return make_participant(wave, "ben")


@pytest.fixture
def claim(wave, ben):
    return make_claim(wave, author=ben)


def withdrawing(claim, ben):
    cyn = make_member(claim.campaign, "cyn", role="curator")
    report = Report.objects.create(claim=claim, reported_by=ben, reason="No claim.")
    return lambda: withdraw_claim(report=report, by=cyn)


def reporting(claim, ben):
    assignment = ask_for_work(user=ben, wave=claim.wave, task="T1b")
    return lambda: report_claim(assignment=assignment, reason="No claim.")


def editing(claim, ben):
    return lambda: edit_claim(claim=claim, text="The bridge opened late.", by=ben)


CHANGES = [(withdrawing, "withdrawn"), (reporting, "held"), (editing, "held")]


@pytest.mark.parametrize(("change", "state"), CHANGES)
def test_who_changes_a_claim_finds_the_item_that_is_made_at_that_moment(
    wave, ben, claim, change, state
):
    action = change(claim, ben)

    with transaction.atomic():
        make_item(claim, wave)
        changing = Beside(action)
        wait_until_somebody_waits()
    changing.joined()

    assert wave.items.get().state == state
    assert [row for _name, _why, breaking in doctor.RULES for row in breaking()] == []


def test_no_item_is_made_of_a_claim_that_is_withdrawn_at_that_moment(wave, ben, claim):
    withdraw = withdrawing(claim, ben)

    with transaction.atomic():
        withdraw()
        making = Beside(lambda: put_to_work(Claim.objects.get(pk=claim.pk), wave))
        wait_until_somebody_waits()

    assert making.joined() is None
    assert not wave.items.exists()


def test_a_wave_is_changed_only_after_whoever_is_given_its_first_item(wave, ben):
    (item,) = make_work(wave)
    ada = make_member(wave.campaign, "ada", role="manager")

    with transaction.atomic():
        lock_item(item.pk)
        changing = Beside(lambda: refused(wave, ada))
        wait_until_somebody_waits()
        given = ask_for_work(user=ben, wave=wave, task="T2")

    assert given.item == item
    assert "seed" in changing.joined()


def ask(user, wave):
    return ask_for_work(user=user, wave=wave, task="T2")


def test_an_item_that_is_removed_at_that_moment_is_given_to_nobody(wave, ben):
    make_work(wave, 2)
    ada = make_member(wave.campaign, "ada", role="manager")

    with transaction.atomic():
        edit_wave(wave=wave, actor=ada, pool=["mutations"])
        asking = Beside(lambda: ask(ben, wave))
        wait_until_somebody_waits()

    assert isinstance(asking.joined(), NoWork)
    assert not wave.items.exists()


def test_after_an_own_claim_whose_item_is_removed_at_that_moment_comes_the_next(wave, ben):
    wave.labels_own_claims = True
    wave.save()
    first, second = make_work(wave, 2, author=ben)

    with transaction.atomic():
        lock_few(wave)
        remove(wave.items.filter(pk=first.pk))
        asking = Beside(lambda: ask(ben, wave))
        wait_until_somebody_waits()

    assert asking.joined().item == second


@pytest.mark.parametrize("change", [{"labels_own_claims": False}, {"rests_a_day": True}])
def test_whoever_waits_for_a_change_of_the_wave_is_given_own_claims_by_it(wave, ben, change):
    wave.labels_own_claims = True
    wave.save()
    make_work(wave, author=ben)
    ada = make_member(wave.campaign, "ada", role="manager")

    with transaction.atomic():
        edit_wave(wave=wave, actor=ada, **change)
        asking = Beside(lambda: ask(ben, wave))
        wait_until_somebody_waits()

    assert isinstance(asking.joined(), NoWork)


def test_sources_are_chosen_while_an_import_holds_the_campaign(wave):
    """On SQLite one transaction writes at a time in any case."""
    cyn = make_member(wave.campaign, "cyn", role="curator")
    article = make_article(wave.campaign.corpus)
    chosen = ask_for_work(user=cyn, wave=wave, task="T0")
    answer = {"accepted": [paragraph_of(article)], "rejected": []}

    with transaction.atomic():
        Campaign.objects.select_for_update(no_key=True).get(pk=wave.campaign_id)
        choosing = Beside(lambda: preselect(assignment=chosen, **answer))
        if connection.vendor != "sqlite":
            choosing.join(timeout=10)
            assert not choosing.is_alive()

    (source,) = choosing.joined()
    assert source.state == "accepted"


def refused(wave, user):
    try:
        edit_wave(wave=wave, actor=user, seed=7)
    except ValidationError as error:
        return error.message_dict
    return {}
