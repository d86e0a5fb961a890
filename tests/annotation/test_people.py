"""Members and participants: what managers may do, and for whom."""

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse
from django.utils import timezone

from accounts import services as accounts
from accounts.models import Event, User
from annotation.models import Campaign, Draft, Membership, Wave
from annotation.people import (
    end_membership,
    forget_person,
    managed_people,
    restore_membership,
    set_participation,
    set_role,
)
from corpus.models import Corpus
from tests.factories import (
    make_campaign,
    make_corpus,
    make_member,
    make_participant,
    make_user,
    make_wave,
)


@pytest.fixture
def campaign(db):
    return make_campaign(corpus=make_corpus())


@pytest.fixture
def manager(campaign):
    return User.objects.get(username="manager-of-spring")


def membership_of(user):
    return Membership.objects.select_related("user", "campaign").get(user=user)


def test_a_manager_gives_another_role_with_an_event(campaign, manager):
    ben = make_member(campaign, "ben")

    set_role(membership=membership_of(ben), role="curator", actor=manager)

    assert membership_of(ben).role == "curator"
    assert Event.objects.get(verb="changed role").data == {
        "user": ben.pk,
        "before": "annotator",
        "after": "curator",
    }


def test_the_last_manager_keeps_the_role(campaign, manager):
    make_member(campaign, "cyn", role="curator")

    with pytest.raises(ValidationError, match="only manager"):
        set_role(membership=membership_of(manager), role="annotator", actor=manager)
    with pytest.raises(ValidationError, match="only manager"):
        end_membership(membership=membership_of(manager), actor=manager)


def test_a_manager_who_cannot_sign_in_does_not_count(campaign, manager):
    make_member(campaign, make_user(username="gone", is_active=False), role="manager")

    with pytest.raises(ValidationError, match="only manager"):
        end_membership(membership=membership_of(manager), actor=manager)


def test_one_of_two_managers_may_go(campaign, manager):
    make_member(campaign, "cyn", role="manager")

    end_membership(membership=membership_of(manager), actor=manager)

    assert membership_of(manager).ended_at


def test_a_manager_does_not_touch_a_superuser(campaign, manager, root):
    make_member(campaign, root, role="manager")

    with pytest.raises(ValidationError, match="superuser"):
        set_role(membership=membership_of(root), role="annotator", actor=manager)
    with pytest.raises(ValidationError, match="superuser"):
        end_membership(membership=membership_of(root), actor=manager)


def test_who_is_removed_reads_and_works_no_more(campaign, manager):
    wave = make_wave(campaign)
    ben = make_participant(wave, "ben")

    end_membership(membership=membership_of(ben), actor=manager)

    assert not Campaign.objects.read_by(ben).exists()
    assert not Corpus.objects.read_by(ben).exists()
    assert not Wave.objects.worked_by(ben).exists()
    assert ben.participations.get().status == "left"


def test_who_was_removed_is_let_in_again(campaign, manager):
    ben = make_member(campaign, "ben")
    end_membership(membership=membership_of(ben), actor=manager)

    restore_membership(membership=membership_of(ben), actor=manager)

    assert Campaign.objects.read_by(ben).exists()


def test_a_curator_removed_from_the_campaign_curates_no_more(campaign, manager, cyn):
    make_member(campaign, cyn, role="curator")

    end_membership(membership=membership_of(cyn), actor=manager)

    assert not Campaign.objects.curated_by(cyn).exists()


def test_only_members_take_part_in_a_wave(campaign, manager, eve):
    with pytest.raises(ValidationError, match="members"):
        set_participation(
            wave=make_wave(campaign), user=eve, actor=manager, status="approved", quota_factor=1
        )


def test_who_is_paused_is_given_no_work(campaign, manager):
    wave = make_wave(campaign)
    ben = make_participant(wave, "ben")

    set_participation(wave=wave, user=ben, actor=manager, status="paused", quota_factor="0.5")

    assert not Wave.objects.worked_by(ben).exists()
    assert Event.objects.get(verb="changed participation").data["after"] == ["paused", "0.5"]


def test_managers_help_the_members_of_their_campaigns(campaign, manager):
    ben = make_member(campaign, "ben")

    assert set(managed_people(manager)) == {ben}


def test_managers_do_not_help_who_is_in_a_campaign_of_others(campaign, manager):
    ben = make_member(campaign, "ben")
    make_member(make_campaign(slug="autumn"), ben)

    assert not managed_people(manager).exists()


def test_managers_do_not_help_superusers_or_who_has_left(campaign, manager, root):
    make_member(campaign, root)
    end_membership(membership=membership_of(make_member(campaign, "ben")), actor=manager)

    assert not managed_people(manager).exists()


def test_a_manager_with_nobody_to_help_is_told_so(campaign, sign_in):
    page = sign_in("manager-of-spring").get(reverse("accounts:people"))

    assert page.status_code == 200
    assert "Nobody here yet" in page.text


def test_a_manager_who_looks_for_nobody_who_is_there_is_told_so(campaign, sign_in):
    make_member(campaign, "ben")

    page = sign_in("manager-of-spring").get(reverse("accounts:people"), {"q": "zoe"})

    assert "Nobody matches." in page.text


def test_a_manager_gives_a_reset_link_on_the_page_of_a_person(campaign, sign_in):
    ben = make_member(campaign, "ben")
    client = sign_in("manager-of-spring")

    assert reverse("accounts:person", args=[ben.pk]) in people_page(client, campaign)
    page = client.post(reverse("accounts:issue-reset-link", args=[ben.pk]))

    assert "/accounts/reset/" in page.content.decode()


def test_a_forgotten_person_leaves_no_draft_and_no_name(campaign, root):
    wave = make_wave(campaign)
    ben = make_participant(wave, make_user(username="ben", name="Ben Berg", email="b@example.org"))
    assignment = make_assignment(wave, ben)
    Draft.objects.create(assignment=assignment, data={"text": "Ben"}, saved_at=timezone.now())

    accounts.forget(user=ben, by=root)

    assert not Draft.objects.exists()
    ben.refresh_from_db()
    assert (ben.name, ben.email, ben.username) == ("", "", f"forgotten-{ben.pk}")
    assert ben.assignments.count() == 1


def test_forgetting_one_person_keeps_the_drafts_of_others(campaign):
    wave = make_wave(campaign)
    ben, cyn = make_participant(wave, "ben"), make_participant(wave, "cyn")
    for user in (ben, cyn):
        Draft.objects.create(assignment=make_assignment(wave, user), saved_at=timezone.now())

    forget_person(ben)

    assert Draft.objects.get().assignment.user == cyn


def make_assignment(wave, user):
    from tests.factories import make_source

    return user.assignments.create(
        wave=wave,
        task="T1a",
        preselection=make_source(wave),
        given_at=timezone.now(),
        leased_until=timezone.now(),
        shuffle_seed=1,
    )


def people_page(client, campaign, **query):
    url = reverse("annotation:people", args=[campaign.slug])
    return client.get(url, query).content.decode()


def test_a_manager_finds_members_by_name(campaign, sign_in):
    make_member(campaign, "ben")
    make_member(campaign, "zoe")

    page = people_page(sign_in("manager-of-spring"), campaign, q="zo")

    assert "zoe" in page
    assert "Role of ben" not in page


def test_a_manager_adds_members_to_a_wave_at_once(campaign, sign_in):
    wave = make_wave(campaign)
    ben, zoe = make_member(campaign, "ben"), make_member(campaign, "zoe")
    eve = make_user(username="eve")

    sign_in("manager-of-spring").post(
        reverse("annotation:add-participants", args=[wave.pk]), {"user": [ben.pk, zoe.pk, eve.pk]}
    )

    assert {one.user for one in wave.participations.all()} == {ben, zoe}


def test_a_factor_out_of_range_is_explained(campaign, sign_in):
    wave = make_wave(campaign)
    ben = make_participant(wave, "ben")

    page = sign_in("manager-of-spring").post(
        reverse("annotation:set-participation", args=[wave.pk, ben.pk]),
        {"status": "approved", "quota_factor": "99"},
        follow=True,
    )

    assert "less than or equal to 20" in page.content.decode()


@pytest.mark.parametrize("page", ["people", "participants"])
def test_lists_of_people_cost_the_same_however_many_there_are(
    campaign, sign_in, page, django_assert_num_queries
):
    wave = make_wave(campaign)
    client = sign_in("manager-of-spring")
    url = reverse(f"annotation:{page}", args=[campaign.slug if page == "people" else wave.pk])
    queries = []
    for size in (2, 12):
        for number in range(size):
            make_participant(wave, f"person{number}")
        with django_assert_num_queries(10, exact=False) as counted:
            client.get(url)
        queries.append(len(counted))

    assert queries[0] == queries[1]
