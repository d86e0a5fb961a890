"""Who gets what: leases, slots, exclusions, quotas, and why there is nothing."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from annotation.answering import report_claim, skip_work
from annotation.giving import ask_for_work, beat, close_run_out
from annotation.models import Assignment, GuidelineVersion
from annotation.no_work import NoWork
from annotation.readiness import make_item
from tests.factories import (
    make_article,
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
    submit,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def wave():
    return make_wave(make_campaign(corpus=make_corpus()))


@pytest.fixture
def ben(wave):
    return make_participant(wave, "ben")


def ask(user, wave, task="T2"):
    return ask_for_work(user=user, wave=wave, task=task)


def reason(user, wave, task="T2"):
    with pytest.raises(NoWork) as none:
        ask(user, wave, task)
    return none.value.reason


def test_an_item_is_leased_for_half_an_hour(wave, ben):
    (item,) = make_work(wave)

    assignment = ask(ben, wave)

    assert assignment.item == item
    assert assignment.leased_until - assignment.given_at == timedelta(minutes=30)
    item.refresh_from_db()
    assert item.taken == 1


def test_asking_again_returns_the_open_assignment(wave, ben):
    make_work(wave, 2)

    assert ask(ben, wave) == ask(ben, wave)


def test_the_database_allows_one_open_assignment_per_task(wave, ben):
    make_work(wave, 2)
    first = ask(ben, wave)
    other = wave.items.exclude(pk=first.item_id).get()

    with pytest.raises(IntegrityError), transaction.atomic():
        Assignment.objects.create(
            user=ben, wave=wave, task="T2", item=other, shuffle_seed=1,
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


def test_what_was_labelled_is_not_given_again(wave, ben):
    make_work(wave)
    submit(ask(ben, wave))

    assert reason(ben, wave) == "done"


def test_what_was_skipped_is_not_given_again(wave, ben):
    make_work(wave)
    skip_work(assignment=ask(ben, wave), reason="too hard")

    assert reason(ben, wave) == "done"


def test_what_was_reported_is_given_to_nobody(wave, ben):
    make_work(wave)
    report_claim(assignment=ask(ben, wave), reason="no fact")

    assert reason(ben, wave) == "done"
    assert reason(make_participant(wave, "dan"), wave) == "done"


def test_what_was_labelled_in_another_wave_is_not_given(wave, ben):
    (item,) = make_work(wave)
    submit(ask(ben, wave))
    again = make_wave(wave.campaign, name="Again")
    make_participant(again, ben)
    make_item(item.instance.claim, again)

    assert reason(ben, again) == "done"


def test_a_sibling_of_the_claim_just_done_comes_last(wave, ben):
    source = paragraph_of(make_article(wave.campaign.corpus))
    first = make_work(wave, source=source)[0]
    done = submit(ask(ben, wave)).item
    make_work(wave, 5, source=source)
    (other,) = make_work(wave)

    second = ask(ben, wave)

    assert done == first
    assert second.item == other


def test_siblings_are_given_when_nothing_else_is_left(wave, ben):
    source = paragraph_of(make_article(wave.campaign.corpus))
    make_work(wave, 2, source=source)
    submit(ask(ben, wave))

    assert ask(ben, wave).item.instance.claim.source == source


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


def test_a_quota_ends_the_work(wave, ben):
    wave.quota_t2 = 2
    wave.save()
    wave.participations.update(quota_factor="0.5")
    make_work(wave, 3)
    submit(ask(ben, wave))

    assert reason(ben, wave) == "quota"


def test_nothing_is_given_in_a_closed_wave(wave, ben):
    make_work(wave)
    wave.closes_at = timezone.now()
    wave.save()

    assert reason(ben, wave) == "closed"


@pytest.mark.parametrize(
    ("status", "why"),
    [("paused", "paused"), ("training", "not_approved"), ("left", "not_approved")],
)
def test_only_approved_people_get_work(wave, ben, status, why):
    make_work(wave)
    wave.participations.update(status=status)

    assert reason(ben, wave) == why


def test_claims_without_their_dictionary_are_waited_for(ben):
    corpus = make_corpus(slug="indexed", index_version="1")
    wave = make_wave(make_campaign(slug="other", corpus=corpus), pool=["initial"])
    make_participant(wave, ben)
    make_claim(wave)

    assert reason(ben, wave) == "dictionaries"


def test_changed_guidelines_are_read_first(wave, ben):
    make_work(wave, 2)
    submit(ask(ben, wave))
    wave.guideline = GuidelineVersion.objects.create(
        campaign=wave.campaign, number=9, text="New rules"
    )
    wave.save()

    assert reason(ben, wave) == "guidelines"


def test_people_who_may_see_labels_get_what_nobody_labelled(wave, ben):
    (seen,) = make_work(wave)
    submit(ask(ben, wave))
    curator = make_member(wave.campaign, "cyn", role="curator")
    make_participant(wave, curator)
    (new,) = make_work(wave)

    assert ask(curator, wave).item == new != seen


def test_the_next_item_follows_from_person_seed_and_count(wave, ben):
    make_work(wave, 20)
    with transaction.atomic():
        first = ask(ben, wave).item_id
        transaction.set_rollback(True)

    assert ask(ben, wave).item_id == first


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


# Leases


def test_a_beat_slides_the_lease(wave, ben):
    make_work(wave)
    assignment = ask(ben, wave)
    given = timezone.now() - timedelta(minutes=28)
    Assignment.objects.update(given_at=given, leased_until=timezone.now() + timedelta(minutes=2))

    until = beat(assignment=assignment, seconds=60)

    assignment.refresh_from_db()
    assert until == assignment.leased_until > timezone.now() + timedelta(minutes=29)
    assert assignment.active_seconds == 60


def test_forged_beats_count_no_more_time_than_passed(wave, ben):
    make_work(wave)
    assignment = ask(ben, wave)
    Assignment.objects.update(given_at=timezone.now() - timedelta(seconds=30.5))

    for _ in range(20):
        beat(assignment=assignment, seconds=99999)

    assignment.refresh_from_db()
    passed = (timezone.now() - assignment.given_at).total_seconds()
    assert 30 <= assignment.active_seconds <= passed + 1


def test_a_lease_slides_no_longer_than_four_hours(wave, ben):
    make_work(wave)
    assignment = ask(ben, wave)
    given = timezone.now() - timedelta(hours=3, minutes=45)
    Assignment.objects.update(given_at=given, leased_until=timezone.now())

    until = beat(assignment=assignment, seconds=60)

    assert until == given + timedelta(hours=4)


def test_a_beat_tells_that_the_lease_is_gone(wave, ben):
    make_work(wave)
    assignment = run_out(ask(ben, wave))
    close_run_out(wave=wave)

    assert beat(assignment=assignment, seconds=60) is None


def test_a_lease_that_ran_out_is_closed_by_anybodys_request(wave):
    (item,) = make_work(wave)
    wave.plan, wave.labels_wanted = "exact", 1
    wave.save()
    wave.items.update(wanted=1)
    lost = run_out(ask(make_participant(wave, "ben"), wave))

    given = ask(make_participant(wave, "dan"), wave)

    lost.refresh_from_db()
    assert (lost.outcome, given.item) == ("expired", item)


def test_at_most_twenty_run_out_leases_are_closed_at_once(wave):
    make_work(wave, 25)
    for number in range(25):
        ask(make_participant(wave, f"person{number}"), wave)
    Assignment.objects.update(leased_until=timezone.now() - timedelta(minutes=1))

    assert close_run_out(wave=wave) == 20
    assert close_run_out(wave=wave) == 5


def test_ones_own_run_out_lease_is_renewed_by_asking(wave, ben):
    make_work(wave)
    assignment = run_out(ask(ben, wave))

    again = ask(ben, wave)

    assert again == assignment
    assert again.leased_until > timezone.now()


def test_a_run_out_lease_is_not_renewed_while_its_claim_is_held(wave, ben):
    (item,) = make_work(wave)
    assignment = run_out(ask(ben, wave))
    report_claim(assignment=ask(make_participant(wave, "dan"), wave), reason="no fact")

    assert reason(ben, wave) == "done"
    assignment.refresh_from_db()
    assert (assignment.outcome, assignment.item) == ("expired", item)


def test_what_ran_out_may_be_given_to_the_same_person_again(wave, ben):
    make_work(wave)
    lost = run_out(ask(ben, wave))
    close_run_out(wave=wave)

    again = ask(ben, wave)

    assert again == lost
    assert (again.outcome, again.ended_at) == ("", None)


# Sources, claims and articles


def test_least_used_sources_come_first(wave, ben):
    make_source(wave, taken=1)
    unused = make_source(wave)

    assert ask(ben, wave, "T1a").preselection == unused


def test_a_source_has_at_most_three_writers(wave):
    source = make_source(wave)
    for number in range(3):
        ask(make_participant(wave, f"person{number}"), wave, "T1a")

    source.refresh_from_db()
    assert source.taken == 3
    assert reason(make_participant(wave, "fay"), wave, "T1a") == "leased"


def test_a_writer_gets_a_source_once(wave, ben):
    make_source(wave)
    skip_work(assignment=ask(ben, wave, "T1a"), reason="unclear")

    assert reason(ben, wave, "T1a") == "done"


def test_the_reasons_for_no_source(wave, ben):
    assert reason(ben, wave, "T1a") == "no_sources"
    source = make_source(wave, is_ready=False)
    assert reason(ben, wave, "T1a") == "dictionaries"
    source.delete()


def test_a_source_of_an_article_that_changed_is_not_given(wave, ben):
    source = make_source(wave)
    source.paragraph.article.version = 2
    source.paragraph.article.save()

    assert reason(ben, wave, "T1a") == "no_sources"


def test_sandbox_sources_stay_in_their_sandbox(wave, ben):
    sandbox = make_wave(wave.campaign, name="Try", is_sandbox=True)
    make_source(sandbox)

    assert reason(ben, wave, "T1a") == "no_sources"


def test_writers_mutate_the_claims_that_they_wrote(wave, ben):
    make_claim(wave, author="ada")
    assert reason(ben, wave, "T1b") == "no_claims"
    mine = [make_claim(wave, author=ben), make_claim(wave, author=ben)]

    first = ask(ben, wave, "T1b")

    assert first.claim == mine[0]


def test_only_curators_preselect(wave, ben):
    assert reason(ben, wave, "T0") == "not_approved"


def test_two_curators_get_different_articles(wave):
    articles = {make_article(wave.campaign.corpus).pk for _ in range(2)}
    curators = [make_member(wave.campaign, name, role="curator") for name in ["cyn", "dan"]]

    given = [ask(curator, wave, "T0") for curator in curators]

    assert {assignment.article_id for assignment in given} == articles
    assert given[0].leased_until - given[0].given_at == timedelta(minutes=15)


def test_an_article_comes_with_a_suggested_paragraph(wave):
    text = "The Norvell bridge, said Alda Renn of Torvik Steel, will open in 2022 for 30 million."
    article = make_article(wave.campaign.corpus, "Short.", text)
    curator = make_member(wave.campaign, "cyn", role="curator")

    assignment = ask(curator, wave, "T0")

    assert assignment.suggested == paragraph_of(article, 2)
    assert assignment.suggested_score > 0.5


def test_tables_and_duplicates_are_not_preselected_from(wave):
    original = make_article(wave.campaign.corpus, is_tabular=True)
    make_article(wave.campaign.corpus, duplicate_of=original, duplicate_kind="exact")
    curator = make_member(wave.campaign, "cyn", role="curator")

    assert reason(curator, wave, "T0") == "done"
