"""Home and campaigns: what a person sees there, by role."""

from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse
from django.utils import timezone

from annotation.answering import skip_work
from annotation.campaigns import create_campaign, edit_campaign
from annotation.giving import ask_for_work
from annotation.models import Campaign, Report
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
    submit,
)

HOME = "annotation:home"


@pytest.fixture
def campaign(db):
    return make_campaign(corpus=make_corpus(), time_zone="Europe/Prague")


@pytest.fixture
def wave(campaign):
    return make_wave(campaign, quota_t2=10)


def text_of(client, name, *arguments, **query):
    return client.get(reverse(name, args=arguments), query).content.decode()


def test_an_annotator_is_offered_the_tasks_of_open_waves(wave, sign_in):
    ben = make_participant(wave, "ben")

    page = text_of(sign_in(ben), HOME)

    for task in ["T1a", "T1b", "T2"]:
        assert reverse("annotation:ask", args=[wave.pk, task]) in page
    assert reverse("annotation:ask", args=[wave.pk, "T0"]) not in page


def test_a_curator_is_offered_preselection(wave, sign_in):
    page = text_of(sign_in(make_member(wave.campaign, "cyn", role="curator")), HOME)

    assert reverse("annotation:ask", args=[wave.pk, "T0"]) in page
    assert reverse("annotation:ask", args=[wave.pk, "T2"]) not in page


def test_a_wave_of_imported_claims_asks_for_no_new_ones(campaign, sign_in):
    wave = make_wave(campaign, pool=["imported"])

    page = text_of(sign_in(make_participant(wave, "ben")), HOME)

    assert reverse("annotation:ask", args=[wave.pk, "T2"]) in page
    assert reverse("annotation:ask", args=[wave.pk, "T1a"]) not in page


def test_what_was_begun_is_offered_to_go_on_with(wave, sign_in):
    ben = make_participant(wave, "ben")
    make_work(wave)
    assignment = ask_for_work(user=ben, wave=wave, task="T2")

    assert reverse("annotation:work", args=[assignment.pk]) in text_of(sign_in(ben), HOME)


def test_a_deadline_is_shown_in_the_zone_of_the_campaign(campaign, sign_in):
    closes = timezone.now().replace(year=2040, month=7, day=2, hour=21, minute=59)
    wave = make_wave(campaign, closes_at=closes)

    page = text_of(sign_in(make_participant(wave, "ben")), HOME)

    assert "2 July 2040, 23:59" in page
    assert "Europe/Prague" in page


@pytest.mark.parametrize(
    ("fields", "status", "told"),
    [
        ({}, "paused", "your work here is paused"),
        ({}, "training", "you are not approved yet"),
        ({"is_open": False}, "approved", "the manager opens it"),
        ({"opens_at": timezone.now() + timedelta(days=2)}, "approved", "opens"),
    ],
)
def test_a_wave_without_work_says_what_it_waits_for(campaign, sign_in, fields, status, told):
    ben = make_participant(make_wave(campaign, **fields), "ben", status=status)

    page = text_of(sign_in(ben), HOME)

    assert told in page
    assert "Nothing to do just now" in page


def test_an_outsider_is_told_how_to_get_in(sign_in):
    assert "Open the invitation link" in text_of(sign_in("eve"), HOME)


def test_a_superuser_is_led_to_the_first_campaign(sign_in, root):
    assert reverse("annotation:new-campaign") in text_of(sign_in(root), HOME)


def test_managers_see_their_campaigns_with_open_reports(wave, sign_in):
    Report.objects.create(claim=make_claim(wave), reason="It makes no sense.")

    page = text_of(sign_in("manager-of-spring"), HOME)

    assert "1 open report" in page
    assert "at work" in page


def test_home_costs_the_same_however_many_waves_there_are(
    campaign, sign_in, django_assert_num_queries
):
    ben = make_participant(make_wave(campaign, name="First"), "ben")
    client = sign_in(ben)
    queries = []
    for size in (1, 8):
        for number in range(size):
            make_participant(make_wave(campaign, name=f"Wave {size} {number}"), ben)
        with django_assert_num_queries(14, exact=False) as counted:
            client.get(reverse(HOME))
        queries.append(len(counted))

    assert queries[0] == queries[1]


def test_the_list_of_campaigns_has_mine_only_and_costs_the_same(
    campaign, sign_in, django_assert_num_queries
):
    ben = make_member(campaign, "ben")
    make_campaign(slug="secret")
    client = sign_in(ben)
    with django_assert_num_queries(10, exact=False) as few:
        assert "Secret" not in text_of(client, "annotation:campaigns")
    for number in range(10):
        make_member(make_campaign(slug=f"more-{number}"), ben)

    with django_assert_num_queries(len(few)):
        client.get(reverse("annotation:campaigns"))


def test_an_annotator_sees_no_counts_of_the_work_of_others(wave, sign_in):
    ben = make_participant(wave, "ben")
    make_work(wave)

    before = text_of(sign_in(ben), "annotation:campaign", "spring")
    zoe = make_participant(wave, "zoe")
    submit(ask_for_work(user=zoe, wave=wave, task="T2"))
    after = text_of(sign_in(ben), "annotation:campaign", "spring")

    assert "Labelling" not in before
    assert without_token(before) == without_token(after)


def without_token(page):
    return [line for line in page.splitlines() if "csrfmiddlewaretoken" not in line]


def test_a_curator_sees_how_many_sources_are_left(wave, sign_in):
    make_source(wave)
    make_source(wave, taken=1)
    make_source(wave, state="rejected")
    cyn = make_member(wave.campaign, "cyn", role="curator")

    page = text_of(sign_in(cyn), "annotation:campaign", "spring")

    assert "accepted, of which 1 not used yet and 0 being prepared; 1 rejected" in page


@pytest.mark.parametrize(
    ("role", "there", "hidden"),
    [
        ("annotator", ["campaign-guidelines"], ["reports", "people", "waves", "campaign-settings"]),
        ("curator", ["reports"], ["people", "waves", "campaign-settings"]),
        ("manager", ["reports", "people", "waves", "campaign-progress", "campaign-settings"], []),
    ],
)
def test_tabs_lead_only_where_a_role_may_go(campaign, sign_in, role, there, hidden):
    page = text_of(
        sign_in(make_member(campaign, "zoe", role=role)), "annotation:campaign", "spring"
    )
    urls = {name: reverse(f"annotation:{name}", args=["spring"]) for name in there + hidden}

    assert all(f'href="{urls[name]}"' in page for name in there)
    assert not any(f'href="{urls[name]}"' in page for name in hidden)


def test_a_superuser_makes_a_campaign_for_a_manager(sign_in, root, cyn):
    corpus = make_corpus(language="cs")

    sign_in(root).post(
        reverse("annotation:new-campaign"),
        {
            "name": "Autumn",
            "slug": "autumn",
            "corpus": corpus.pk,
            "time_zone": "Europe/Prague",
            "manager": "cyn",
        },
    )

    campaign = Campaign.objects.managed_by(cyn).get()
    assert (campaign.corpus, campaign.time_zone) == (corpus, "Europe/Prague")
    assert campaign.guidelines.get().number == 1


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"slug": "spring"}, "is taken"),
        ({"slug": "new"}, "is taken"),
        ({"time_zone": "Prague"}, "is no time zone"),
        ({"manager": "nobody"}, "There is no active account"),
    ],
)
def test_a_campaign_that_cannot_be_made_says_why(campaign, sign_in, root, values, told):
    values = {"name": "New", "slug": "other", "time_zone": "UTC", **values}

    page = sign_in(root).post(reverse("annotation:new-campaign"), values)

    assert told in page.content.decode()
    assert Campaign.objects.count() == 1


def test_the_corpus_stays_once_claims_rest_on_it(wave, ada):
    make_claim(wave)
    values = {"name": "Spring", "time_zone": "UTC"}

    with pytest.raises(Exception, match="rest on its corpus"):
        edit_campaign(campaign=wave.campaign, actor=ada, corpus=None, **values)


def test_the_corpus_stays_while_sources_are_chosen_from_it(wave, ada):
    make_article(wave.campaign.corpus)
    cyn = make_member(wave.campaign, "cyn", role="curator")
    assignment = ask_for_work(user=cyn, wave=wave, task="T0")
    values = {"name": "Spring", "time_zone": "UTC", "corpus": None}

    with pytest.raises(ValidationError, match="choosing sources from this corpus"):
        edit_campaign(campaign=wave.campaign, actor=ada, **values)
    skip_work(assignment=assignment, reason="other")

    assert edit_campaign(campaign=wave.campaign, actor=ada, **values).corpus is None


def test_a_manager_changes_name_and_zone(campaign, sign_in):
    sign_in("manager-of-spring").post(
        reverse("annotation:campaign-settings", args=["spring"]),
        {"name": "Spring, again", "time_zone": "Europe/London", "corpus": campaign.corpus_id},
    )

    campaign.refresh_from_db()
    assert (campaign.name, campaign.time_zone) == ("Spring, again", "Europe/London")


def test_a_campaign_without_a_corpus_can_be_made(ada):
    campaign = create_campaign(actor=ada, name="Imported", slug="imported")

    assert campaign.corpus is None
