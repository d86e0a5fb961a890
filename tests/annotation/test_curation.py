"""What a curator decides about reported claims and skipped sources."""

import pytest
from django.core.exceptions import ValidationError

from annotation import curation
from annotation.answering import report_claim, skip_work
from annotation.giving import ask_for_work
from annotation.models import Report
from annotation.no_work import NoWork
from annotation.readiness import make_item
from tests.factories import (
    make_campaign,
    make_claim,
    make_corpus,
    make_member,
    make_participant,
    make_source,
    make_wave,
    make_work,
    submit,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def wave():
    return make_wave(make_campaign(corpus=make_corpus()), pool=["initial"])


@pytest.fixture
def cyn(wave):
    return make_member(wave.campaign, "cyn", role="curator")


@pytest.fixture
def item(wave):
    (item,) = make_work(wave, text="The bridge opened in May.")
    return item


@pytest.fixture
def report(wave, item):
    return report_claim(assignment=ask(wave, "ben"), reason="no fact")


def ask(wave, name):
    return ask_for_work(user=make_participant(wave, name), wave=wave, task="T2")


def test_a_kept_claim_is_given_out_again(wave, item, report, cyn):
    curation.keep_claim(report=report, by=cyn, note="It is fine.")

    report.refresh_from_db()
    assert (report.decision, report.decided_by) == ("kept", cyn)
    assert ask(wave, "dan").item == item


def test_one_decision_closes_all_reports_of_a_claim(wave, item, report, cyn):
    Report.objects.create(claim=report.claim, reason="again")

    curation.keep_claim(report=report, by=cyn)

    assert not Report.objects.open().exists()


def test_a_new_wording_leaves_labels_and_dictionary_as_they_are(wave, item, cyn):
    annotation = submit(ask(wave, "dan"))
    report = report_claim(assignment=ask(wave, "ben"), reason="a typing error")

    revision = curation.fix_wording(report=report, text="The bridge opened in May 2022.", by=cyn)

    annotation.refresh_from_db()
    item.refresh_from_db()
    assert (revision.number, revision.kind) == (2, "wording")
    assert annotation.ended_at is None
    assert annotation.revision.number == 1
    assert (item.state, item.taken) == ("open", 1)
    assert ask(wave, "fay").revision == revision


def test_a_new_meaning_is_a_new_claim_in_place_of_the_old(wave, item, report, cyn):
    new = curation.replace_meaning(report=report, text="The bridge opened in June.", by=cyn)

    old = item.instance.claim
    old.refresh_from_db()
    item.refresh_from_db()
    assert (new.replaces, new.source, new.number) == (old, old.source, 2)
    assert old.withdrawn_at
    assert item.state == "withdrawn"
    assert ask(wave, "dan").item.instance.claim == new


def test_withdrawal_ends_open_leases_with_a_message(wave, item, cyn):
    lease = ask(wave, "dan")
    report = report_claim(assignment=ask(wave, "ben"), reason="no fact")

    curation.withdraw_claim(report=report, by=cyn)

    lease.refresh_from_db()
    item.refresh_from_db()
    assert lease.outcome == "expired"
    assert "withdrawn" in lease.reason
    assert (item.state, item.taken) == ("withdrawn", 0)


def test_withdrawal_keeps_rows_and_counts_the_work(wave, item, cyn):
    annotation = submit(ask(wave, "dan"))
    report = report_claim(assignment=ask(wave, "ben"), reason="no fact")

    curation.withdraw_claim(report=report, by=cyn)

    annotation.refresh_from_db()
    assert annotation.ended_at is None
    assert annotation.user.assignments.counted().count() == 1


def test_an_answer_that_comes_after_the_withdrawal_is_kept_as_surplus(wave, item, cyn):
    lease = ask(wave, "dan")
    report = report_claim(assignment=ask(wave, "ben"), reason="no fact")
    curation.withdraw_claim(report=report, by=cyn)

    annotation = submit(lease)

    item.refresh_from_db()
    assert annotation.surplus
    assert item.state == "withdrawn"


def test_an_own_mutation_in_progress_ends_with_its_claim(wave, item, cyn):
    author = make_participant(wave, item.instance.claim.author)
    mutating = ask_for_work(user=author, wave=wave, task="T1b")
    report = report_claim(assignment=ask(wave, "dan"), reason="no fact")

    curation.withdraw_claim(report=report, by=cyn)

    mutating.refresh_from_db()
    assert mutating.outcome == "expired"


@pytest.mark.parametrize("decide", [curation.keep_claim, curation.withdraw_claim])
def test_nobody_decides_about_what_they_labelled(wave, item, cyn, decide):
    make_participant(wave, cyn)
    submit(ask(wave, "cyn"))
    report = report_claim(assignment=ask(wave, "ben"), reason="no fact")

    with pytest.raises(ValidationError, match="wrote or labelled"):
        decide(report=report, by=cyn)


def test_nobody_decides_about_their_own_claim(wave, cyn):
    make_item(make_claim(wave, author=cyn), wave)
    report = report_claim(assignment=ask(wave, "ben"), reason="no fact")

    with pytest.raises(ValidationError, match="wrote or labelled"):
        curation.keep_claim(report=report, by=cyn)


def test_annotators_decide_nothing(wave, report):
    with pytest.raises(ValidationError):
        curation.keep_claim(report=report, by=make_participant(wave, "dan"))


def test_a_second_curator_learns_that_it_was_decided(wave, report, cyn):
    curation.keep_claim(report=report, by=cyn)

    with pytest.raises(ValidationError, match="already"):
        curation.withdraw_claim(report=report, by=make_member(wave.campaign, "dee", role="curator"))


def test_three_more_skips_hold_a_kept_claim_once_more(wave, item, cyn):
    for number in range(3):
        skip_work(assignment=ask(wave, f"person{number}"), reason="unclear")
    curation.keep_claim(report=Report.objects.get(), by=cyn)
    for number in range(3, 5):
        skip_work(assignment=ask(wave, f"person{number}"), reason="unclear")
    item.refresh_from_db()
    assert item.state == "open"

    skip_work(assignment=ask(wave, "person5"), reason="unclear")

    item.refresh_from_db()
    assert item.state == "held"


def test_a_source_that_three_people_skipped_waits_for_a_curator(wave, cyn):
    source = make_source(wave)
    for number in range(3):
        person = make_participant(wave, f"person{number}")
        given = ask_for_work(user=person, wave=wave, task="T1a")
        skip_work(assignment=given, reason="no facts")
    source.refresh_from_db()
    assert source.state == "held"
    with pytest.raises(NoWork):
        ask_for_work(user=make_participant(wave, "fay"), wave=wave, task="T1a")

    curation.decide_source(preselection=source, is_accepted=True, by=cyn)

    given = ask_for_work(user=make_participant(wave, "fay"), wave=wave, task="T1a")
    assert given.preselection == source


def test_a_decision_is_in_the_audit_trail(report, cyn):
    curation.keep_claim(report=report, by=cyn)

    event = cyn.events.get()
    assert (event.verb, event.data) == ("claim kept", {"number": report.claim.number})
