"""Who gets what: slots, exclusions, quotas, and why there is nothing."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from annotation.answering import report_claim, skip_work
from annotation.models import Assignment, GuidelineVersion
from annotation.no_work import NoWork
from annotation.readiness import make_item
from tests.annotation.asking import ask, reason
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
    submit,
)

pytestmark = pytest.mark.django_db


def test_an_item_is_leased_for_half_an_hour(wave, annotator):
    (item,) = make_work(wave)

    assignment = ask(annotator, wave)

    assert assignment.item == item
    assert assignment.leased_until - assignment.given_at == timedelta(minutes=30)
    item.refresh_from_db()
    assert item.taken == 1


def test_asking_again_returns_the_open_assignment(wave, annotator):
    make_work(wave, 2)

    assert ask(annotator, wave) == ask(annotator, wave)


def test_the_database_allows_one_open_assignment_per_task(wave, annotator):
    make_work(wave, 2)
    first = ask(annotator, wave)
    other = wave.items.exclude(pk=first.item_id).get()

    with pytest.raises(IntegrityError), transaction.atomic():
        Assignment.objects.create(
            user=annotator, wave=wave, task="T2", item=other, shuffle_seed=1,
            given_at=timezone.now(), leased_until=timezone.now(),
        )  # fmt: skip


def test_an_item_is_given_to_no_more_people_than_it_wants(wave):
    make_work(wave)
    people = [make_participant(wave, f"person{number}") for number in range(3)]
    ask(people[0], wave)
    ask(people[1], wave)

    assert reason(people[2], wave) == "leased"


def test_an_empty_queue_names_when_a_lease_ends(wave):
    make_work(wave)
    first, second, third = (make_participant(wave, f"person{number}") for number in range(3))
    leases = [ask(first, wave), ask(second, wave)]

    with pytest.raises(NoWork) as none:
        ask(third, wave)

    assert none.value.until == min(lease.leased_until for lease in leases)


def test_own_claims_are_not_given(wave):
    ada = make_participant(wave, "ada")
    make_work(wave, author=ada)

    assert reason(ada, wave) == "done"


def test_what_was_labelled_is_not_given_again(wave, annotator):
    make_work(wave)
    submit(ask(annotator, wave))

    assert reason(annotator, wave) == "done"


def test_what_was_skipped_is_not_given_again(wave, annotator):
    make_work(wave)
    skip_work(assignment=ask(annotator, wave), reason="too hard")

    assert reason(annotator, wave) == "done"


def test_what_was_reported_is_given_to_nobody(wave, annotator):
    make_work(wave)
    report_claim(assignment=ask(annotator, wave), reason="no fact")

    assert reason(annotator, wave) == "done"
    assert reason(make_participant(wave, "dan"), wave) == "done"


def test_what_was_labelled_in_another_wave_is_not_given(wave, annotator):
    (item,) = make_work(wave)
    submit(ask(annotator, wave))
    again = make_wave(wave.campaign, name="Again")
    make_participant(again, annotator)
    make_item(item.instance.claim, again)

    assert reason(annotator, again) == "done"


def test_a_sibling_of_the_claim_just_done_comes_last(wave, annotator):
    source = paragraph_of(make_article(wave.campaign.corpus))
    first = make_work(wave, source=source)[0]
    done = submit(ask(annotator, wave)).item
    make_work(wave, 5, source=source)
    (other,) = make_work(wave)

    second = ask(annotator, wave)

    assert done == first
    assert second.item == other


def test_siblings_are_given_when_nothing_else_is_left(wave, annotator):
    source = paragraph_of(make_article(wave.campaign.corpus))
    make_work(wave, 2, source=source)
    submit(ask(annotator, wave))

    assert ask(annotator, wave).item.instance.claim.source == source


def test_a_third_label_is_wanted_when_two_differ(wave):
    (item,) = make_work(wave)
    for name, label in [("ben", "SUPPORTS"), ("dan", "REFUTES")]:
        submit(ask(make_participant(wave, name), wave), label)

    item.refresh_from_db()
    assert (item.state, item.wanted, item.taken) == ("open", 3, 2)
    assert ask(make_participant(wave, "fay"), wave).item == item


def test_two_equal_labels_complete_an_item(wave):
    (item,) = make_work(wave)
    for name in ["ben", "dan"]:
        submit(ask(make_participant(wave, name), wave), "SUPPORTS")

    item.refresh_from_db()
    assert item.state == item.instance.outcome == "complete"
    assert reason(make_participant(wave, "fay"), wave) == "done"


def test_an_exact_plan_takes_exactly_n():
    wave = make_wave(make_campaign(corpus=make_corpus()), plan="exact", labels_wanted=1)
    (item,) = make_work(wave)

    submit(ask(make_participant(wave, "ben"), wave), "SUPPORTS")

    item.refresh_from_db()
    assert (item.state, item.wanted) == ("complete", 1)


@pytest.mark.parametrize(
    ("labels", "wanted"),
    [
        (["NOT ENOUGH INFO", "NOT ENOUGH INFO"], 2),
        (["SUPPORTS", "SUPPORTS"], 5),
        (["SUPPORTS", "NOT ENOUGH INFO"], 5),
    ],
)
def test_ambifc_asks_three_more_where_a_label_is_doubtful(labels, wanted):
    wave = make_wave(make_campaign(corpus=make_corpus()), plan="two_and_three")
    (item,) = make_work(wave)

    for number, label in enumerate(labels):
        submit(ask(make_participant(wave, f"person{number}"), wave), label)

    item.refresh_from_db()
    assert item.wanted == wanted


def test_a_share_of_the_items_gets_extra_labels():
    wave = make_wave(make_campaign(corpus=make_corpus()), extra_share=1, extra_labels=3)

    assert [item.wanted for item in make_work(wave, 3)] == [5, 5, 5]


def test_a_quota_ends_the_work(wave, annotator):
    wave.quota_t2 = 2
    wave.save()
    wave.participations.update(quota_factor="0.5")
    make_work(wave, 3)
    submit(ask(annotator, wave))

    assert reason(annotator, wave) == "quota"


def test_nothing_is_given_in_a_closed_wave(wave, annotator):
    make_work(wave)
    wave.closes_at = timezone.now()
    wave.save()

    assert reason(annotator, wave) == "closed"


@pytest.mark.parametrize(
    ("status", "why"),
    [("paused", "paused"), ("training", "not_approved"), ("left", "not_approved")],
)
def test_only_approved_people_get_work(wave, annotator, status, why):
    make_work(wave)
    wave.participations.update(status=status)

    assert reason(annotator, wave) == why


def test_claims_without_their_dictionary_are_waited_for(ben):
    corpus = make_corpus(slug="indexed", index_version="1")
    wave = make_wave(make_campaign(slug="other", corpus=corpus), pool=["initial"])
    make_participant(wave, ben)
    make_claim(wave)

    assert reason(ben, wave) == "dictionaries"


def test_changed_guidelines_are_read_first(wave, annotator):
    make_work(wave, 2)
    submit(ask(annotator, wave))
    wave.guideline = GuidelineVersion.objects.create(
        campaign=wave.campaign, number=9, text="New rules"
    )
    wave.save()

    assert reason(annotator, wave) == "guidelines"


def test_people_who_may_see_labels_get_what_nobody_labelled(wave, annotator):
    (seen,) = make_work(wave)
    submit(ask(annotator, wave))
    curator = make_member(wave.campaign, "cyn", role="curator")
    make_participant(wave, curator)
    (new,) = make_work(wave)

    assert ask(curator, wave).item == new != seen


def test_the_next_item_follows_from_person_seed_and_count(wave, annotator):
    make_work(wave, 20)
    with transaction.atomic():
        first = ask(annotator, wave).item_id
        transaction.set_rollback(True)

    assert ask(annotator, wave).item_id == first


def test_different_people_start_at_different_items(wave):
    make_work(wave, 30)
    people = [make_participant(wave, f"person{number}") for number in range(8)]

    assert len({ask(person, wave).item_id for person in people}) > 4


# Own-claim annotation


def test_an_author_labels_their_own_claim_without_taking_a_slot(wave):
    wave.labels_own_claims = True
    wave.save()
    ada = make_participant(wave, "ada")
    (item,) = make_work(wave, author=ada)

    annotation = submit(ask(ada, wave), "SUPPORTS")

    item.refresh_from_db()
    assert (annotation.kind, item.taken, item.state) == ("own", 0, "open")
    assert reason(ada, wave) == "done"


def test_own_claims_rest_on_the_day_they_were_written(wave):
    wave.labels_own_claims = wave.rests_a_day = True
    wave.save()
    ada = make_participant(wave, "ada")
    (item,) = make_work(wave, author=ada)

    assert reason(ada, wave) == "rest"

    claims = wave.claims.filter(pk=item.instance.claim_id)
    claims.update(created_at=timezone.now() - timedelta(days=2))
    assert ask(ada, wave).is_own
