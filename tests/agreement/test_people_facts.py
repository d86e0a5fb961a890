"""What labelling cost people: time in use and skips, by pseudonym."""

from datetime import UTC, datetime

import pytest

from agreement.figures import AgreementSettings, Scope, agreement_figures
from agreement.people_facts import people_facts
from annotation.models import Annotation, Claim
from annotation.pseudonyms import pseudonym_of
from tests.agreement.labels import label, labelled
from tests.factories import make_claim, make_item, make_user, make_wave

pytestmark = pytest.mark.django_db
NOON = datetime(2024, 3, 1, 12, tzinfo=UTC)


def ended(wave, person, outcome, *, seconds=0, at=NOON, is_own=False):
    fields = {"reason": "too hard"} if outcome == "skipped" else {}
    return make_user(username=person).assignments.create(
        wave=wave, task="T2", outcome=outcome, active_seconds=seconds, shuffle_seed=1,
        given_at=at, leased_until=at, ended_at=at, item=make_item(make_claim(wave), wave),
        is_own=is_own, **fields,
    )  # fmt: skip


def answered(wave, person, seconds, *, is_own=False, **fields):
    """A live label that took so long."""
    assignment = ended(wave, person, "submitted", seconds=seconds, is_own=is_own)
    kind = "own" if is_own else "cross"
    return label(assignment.item, person, assignment=assignment, kind=kind, **fields)


def facts_of(wave, person, **options):
    found = people_facts(wave.campaign, **options)
    return found.get(pseudonym_of(wave.campaign, make_user(username=person).pk))


def test_time_is_of_the_answers_that_count(wave):
    answered(wave, "ben", 60)
    answered(wave, "ben", 90)
    answered(wave, "ben", 1000, surplus=True)
    answered(wave, "ben", 1000, late=True)
    removed, withdrawn = answered(wave, "ben", 1000), answered(wave, "ben", 1000)
    Annotation.objects.filter(pk=removed.pk).update(ended_at=NOON, end_reason="removed")
    Claim.objects.filter(instances__items=withdrawn.item).update(withdrawn_at=NOON)
    ended(wave, "ben", "expired", seconds=1000)

    assert facts_of(wave, "ben") == {"n_timed": 2, "seconds": 150, "skips": 0}


def test_skips_are_counted_of_who_labelled_nothing_too(wave):
    ended(wave, "ben", "skipped")
    ended(wave, "ben", "skipped")

    assert facts_of(wave, "ben") == {"n_timed": 0, "seconds": 0, "skips": 2}


def test_a_sandbox_costs_nothing_that_counts(wave):
    ended(make_wave(wave.campaign, name="Try", is_sandbox=True), "ben", "skipped")

    assert facts_of(wave, "ben") is None


def test_own_claims_are_a_task_of_their_own(wave):
    answered(wave, "ben", 60)
    answered(wave, "ben", 7, is_own=True)

    assert facts_of(wave, "ben", task="T2a")["seconds"] == 7
    assert facts_of(wave, "ben", task="T2b")["seconds"] == 60
    assert facts_of(wave, "ben")["seconds"] == 67


@pytest.mark.parametrize(
    ("since", "until", "skips"),
    [("2024-03-01", "2024-03-01", 1), ("2024-03-02", "", None), ("", "2024-02-29", None),
     ("0001-01-01", "9999-12-31", 1)],
)  # fmt: skip
def test_a_period_is_of_whole_days_in_the_campaigns_zone(wave, since, until, skips):
    wave.campaign.time_zone = "Pacific/Auckland"
    ended(wave, "ben", "skipped", at=datetime(2024, 2, 29, 20, tzinfo=UTC))

    found = facts_of(wave, "ben", since=since, until=until)

    assert (found and found["skips"]) == skips


def test_the_model_trusts_who_agrees_with_the_others(wave):
    for letters in ("SSS", "RRR", "SSR", "RRS", "SSS", "RRR"):
        labelled(wave, letters)

    figures = agreement_figures(Scope(wave.campaign), AgreementSettings(n_samples=10))

    ben, cleo, dan = (
        figures["share_right"][pseudonym_of(wave.campaign, make_user(username=name).pk)]
        for name in ("ben", "cleo", "dan")
    )
    assert ben == cleo == pytest.approx(1)
    assert dan == pytest.approx(4 / 6, abs=0.01)


def test_who_met_one_of_the_labels_alone_and_was_always_right_has_it_all_right(wave):
    for number in range(12):
        labelled(wave, "SSS" if number < 4 else "SS" if number % 2 else "RR")

    figures = agreement_figures(Scope(wave.campaign), AgreementSettings(n_samples=10))

    assert list(figures["share_right"].values()) == pytest.approx([1, 1, 1])


def test_the_model_has_nothing_to_say_of_who_labels_alone(wave):
    labelled(wave, "S")

    figures = agreement_figures(Scope(wave.campaign), AgreementSettings(n_samples=10))

    assert list(figures["share_right"].values()) == [None]
