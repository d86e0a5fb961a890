"""Waves: what may change and what not, once somebody worked in one."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest
from django.core.exceptions import ValidationError
from django.db import connection, transaction
from django.urls import reverse
from django.utils import timezone

from accounts.models import Event
from annotation.guidelines import publish_guideline
from annotation.models import Wave
from annotation.waves import (
    FROZEN,
    RISING,
    clone_wave,
    close_wave,
    create_wave,
    edit_wave,
    open_wave,
)
from dictionaries.backends.base import DictionarySettings
from operations.models import Job
from tests.factories import (
    make_campaign,
    make_corpus,
    make_participant,
    make_source,
    make_user,
    make_wave,
    make_work,
)

OTHERS = {
    "is_sandbox": True,
    "mutations": ["negate"],
    "pool": ["initial"],
    "dictionary_settings": {"n_kw": 2},
    "plan": "exact",
    "labels_own_claims": True,
    "rests_a_day": True,
    "allows_search": True,
    "seed": 7,
}


@pytest.fixture
def wave(db):
    return make_wave(make_campaign(corpus=make_corpus()))


@pytest.fixture
def worked(wave):
    """A wave in which ben was given an item."""
    ben = make_participant(wave, "ben")
    (item,) = make_work(wave)
    ben.assignments.create(
        wave=wave,
        task="T2",
        item=item,
        given_at=timezone.now(),
        leased_until=timezone.now(),
        shuffle_seed=1,
    )
    return wave


def form_of(client, wave):
    """What the edit page shows, ready to be sent again."""
    form = client.get(reverse("annotation:edit-wave", args=[wave.pk])).context["form"]
    values = {name: form[name].value() for name in form.fields}
    shown = {"opens_at": form["opens_at"], "closes_at": form["closes_at"]}
    values |= {
        name: field.value() and f"{field.value():%Y-%m-%dT%H:%M}" for name, field in shown.items()
    }
    return sendable(values)


def sendable(values):
    """As a browser sends it: no empty dates, no box that is not ticked."""
    return {
        name: value for name, value in values.items() if value is not None and value is not False
    }


def sent(client, wave, **changes):
    values = form_of(client, wave) | changes
    return client.post(reverse("annotation:edit-wave", args=[wave.pk]), values, follow=True)


def test_every_frozen_setting_is_tried():
    assert set(OTHERS) == set(FROZEN)


@pytest.mark.parametrize("name", FROZEN)
def test_a_setting_that_work_rests_on_stays(worked, ada, name):
    with pytest.raises(ValidationError, match="Clone the wave") as refused:
        edit_wave(wave=worked, actor=ada, **{name: OTHERS[name]})

    assert list(refused.value.message_dict) == [name]
    assert getattr(Wave.objects.get(pk=worked.pk), name) != OTHERS[name]


@pytest.mark.parametrize("name", FROZEN)
def test_before_any_work_every_setting_may_change(wave, ada, name):
    edit_wave(wave=wave, actor=ada, **{name: OTHERS[name]})

    assert getattr(Wave.objects.get(pk=wave.pk), name) == OTHERS[name]


@pytest.mark.parametrize("name", RISING)
def test_what_is_wanted_only_grows_once_somebody_worked(worked, ada, name):
    Wave.objects.filter(pk=worked.pk).update(**{name: 1 if name == "extra_share" else 4})
    worked.refresh_from_db()

    with pytest.raises(ValidationError, match="only grow"):
        edit_wave(wave=worked, actor=ada, **{name: 0.5 if name == "extra_share" else 3})


def test_more_labels_are_wanted_by_a_job(worked, ada):
    edit_wave(wave=worked, actor=ada, labels_wanted=4)

    assert Job.objects.get(kind="settle-wave").arguments == {"wave": worked.pk}


def test_more_writers_are_wanted_of_each_source_at_once(worked, ada):
    source = make_source(worked)

    edit_wave(wave=worked, actor=ada, writers_per_source=5)

    source.refresh_from_db()
    assert source.wanted == 5


def test_dates_quotas_and_guidelines_change_with_an_event(worked, ada):
    newer = publish_guideline(campaign=worked.campaign, text="# New", actor=ada)
    closes = timezone.now() + timedelta(days=3)

    edit_wave(wave=worked, actor=ada, closes_at=closes, quota_t2=40, guideline=newer)

    event = Event.objects.filter(verb="changed wave").get()
    assert (event.actor, event.subject) == (ada, f"wave:{worked.pk}")
    assert event.data["after"] == {
        "closes_at": closes.isoformat(),
        "quota_t2": 40,
        "guideline": newer.pk,
    }


def test_an_edit_that_changes_nothing_leaves_no_event(worked, ada):
    edit_wave(wave=worked, actor=ada, name=worked.name, quota_t2=worked.quota_t2)

    assert not Event.objects.filter(verb="changed wave").exists()


def test_guidelines_of_another_campaign_are_refused(wave, ada):
    foreign = make_campaign(slug="autumn").guidelines.get()

    with pytest.raises(ValidationError, match="another campaign"):
        edit_wave(wave=wave, actor=ada, guideline=foreign)


def test_a_wave_is_closed_and_opened_again(wave, ada):
    close_wave(wave=wave, actor=ada)
    assert not Wave.objects.open_at(timezone.now()).exists()

    open_wave(wave=wave, actor=ada)

    assert Wave.objects.open_at(timezone.now()).get() == wave
    assert Wave.objects.get().closes_at is None


def test_a_wave_is_not_opened_or_closed_twice(wave, ada):
    with pytest.raises(ValidationError, match="open already"):
        open_wave(wave=wave, actor=ada)
    close_wave(wave=wave, actor=ada)

    with pytest.raises(ValidationError, match="nothing to close"):
        close_wave(wave=wave, actor=ada)


def test_opening_a_wave_has_its_pool_filled(ada):
    wave = make_wave(is_open=False)

    open_wave(wave=wave, actor=ada)

    assert Job.objects.get(kind="fill-wave").arguments == {"wave": wave.pk}


def test_the_wave_of_an_import_stays_as_it_is(ada):
    wave = make_wave(purpose="import", is_open=False)

    with pytest.raises(ValidationError, match="import"):
        open_wave(wave=wave, actor=ada)


def test_a_clone_has_settings_and_people_but_no_dates_and_no_work(worked, ada):
    Wave.objects.filter(pk=worked.pk).update(seed=11, quota_t2=30)
    make_participant(worked, "cyn", quota_factor="0.5")
    make_participant(worked, "dan", status="left")
    worked.refresh_from_db()

    clone = clone_wave(wave=worked, actor=ada, name="Second wave", with_people=True)

    assert (clone.seed, clone.quota_t2, clone.opens_at) == (11, 30, None)
    people = clone.participations.order_by("user__username")
    assert [(one.user.username, float(one.quota_factor)) for one in people] == [
        ("ben", 1.0),
        ("cyn", 0.5),
    ]
    assert not clone.assignments.exists()


def test_two_waves_of_a_campaign_have_two_names(wave, ada):
    with pytest.raises(ValidationError, match="of that name already"):
        create_wave(campaign=wave.campaign, actor=ada, name=wave.name)


def test_dates_are_typed_and_shown_in_the_zone_of_the_campaign(sign_in):
    campaign = make_campaign(time_zone="Europe/Prague")
    wave = make_wave(campaign)
    client = sign_in("manager-of-spring")

    page = sent(client, wave, opens_at="2030-07-01T08:00", closes_at="2030-07-02T23:59")

    wave.refresh_from_db()
    assert wave.closes_at == datetime(2030, 7, 2, 21, 59, tzinfo=UTC)
    assert '2 July 2030, 23:59 <span class="soft">Europe/Prague' in page.content.decode()


@pytest.mark.parametrize("moment", ["0001-01-01T00:00", "9999-12-31T23:59"])
@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "Pacific/Pago_Pago"])
def test_a_year_at_the_ends_of_the_calendar_is_refused(sign_in, zone, moment):
    wave = make_wave(make_campaign(time_zone=zone))

    page = sent(sign_in("manager-of-spring"), wave, opens_at=moment)

    assert "This year cannot be right" in page.content.decode()


def test_sending_the_page_unchanged_changes_nothing(worked, sign_in):
    before = Wave.objects.filter(pk=worked.pk).values().get()

    page = sent(sign_in("manager-of-spring"), worked)

    assert "The wave is saved." in page.content.decode()
    assert Wave.objects.filter(pk=worked.pk).values().get() == before
    assert not Event.objects.filter(verb="changed wave").exists()


def test_the_page_shows_what_is_frozen_disabled_with_the_reason(worked, sign_in):
    page = sign_in("manager-of-spring").get(reverse("annotation:edit-wave", args=[worked.pk]))

    form = page.context["form"]
    assert all(form.fields[name].disabled for name in FROZEN if name in form.fields)
    assert "Somebody has worked in this wave" in page.content.decode()


def test_a_frozen_setting_that_is_sent_all_the_same_is_ignored(worked, sign_in):
    sent(sign_in("manager-of-spring"), worked, seed=99, quota_t2=12)

    worked.refresh_from_db()
    assert (worked.seed, worked.quota_t2) == (0, 12)


def test_a_manager_makes_a_wave(sign_in):
    campaign = make_campaign()
    client = sign_in("manager-of-spring")
    url = reverse("annotation:new-wave", args=[campaign.slug])
    form = client.get(url).context["form"]
    values = {name: form[name].value() for name in form.fields}
    values |= {"name": "Warm-up", "extra_share": 25}

    values |= {"is_sandbox": "on"}

    client.post(url, sendable(values))

    wave = campaign.waves.get()
    assert (wave.name, wave.is_sandbox, wave.extra_share) == ("Warm-up", True, 0.25)
    assert wave.mutations == Wave().mutations
    assert DictionarySettings(**wave.dictionary_settings) == DictionarySettings()


def test_dictionaries_follow_the_seed_of_their_wave(wave, sign_in):
    sent(sign_in("manager-of-spring"), wave, seed=99)

    wave.refresh_from_db()
    assert (wave.seed, wave.dictionary_settings["seed"]) == (99, 99)


def test_the_history_names_the_settings_that_were_changed(wave, sign_in):
    page = sent(sign_in("manager-of-spring"), wave, quota_t2=12, seed=99)

    text = page.content.decode()
    assert "changed: Claims to label (T2), Seed" in text


def test_a_sandbox_has_a_banner(sign_in):
    wave = make_wave(is_sandbox=True)

    page = sign_in("manager-of-spring").get(reverse("annotation:wave", args=[wave.pk]))

    assert 'data-tone="sandbox"' in page.content.decode()


def test_closing_needs_a_post(wave, sign_in):
    client = sign_in(make_user(username="manager-of-spring"))

    assert client.get(reverse("annotation:close-wave", args=[wave.pk])).status_code == 405


@pytest.mark.django_db(transaction=True)
def test_a_setting_is_not_changed_while_the_first_item_is_being_given():
    wave = make_wave(make_campaign(corpus=make_corpus()))
    ben, source = make_participant(wave, "ben"), make_source(wave)
    is_giving, is_editing = threading.Event(), threading.Event()

    with ThreadPoolExecutor(max_workers=2) as pool:
        giving = pool.submit(give_slowly, wave, ben, source, is_giving, is_editing)
        is_giving.wait(10)
        editing = pool.submit(edited_seed, wave, ben, is_editing)

        giving.result()
        refused = editing.result()

    assert "seed" in refused
    assert Wave.objects.get().seed == 0


def give_slowly(wave, user, source, is_giving, is_editing):
    """Give an item in a transaction that stays open until somebody edits the wave."""
    try:
        with transaction.atomic():
            user.assignments.create(
                wave=wave,
                task="T1a",
                preselection=source,
                given_at=timezone.now(),
                leased_until=timezone.now(),
                shuffle_seed=1,
            )
            is_giving.set()
            is_editing.wait(10)
            time.sleep(0.5)  # the edit is on its way to the lock by now
    finally:
        connection.close()


def edited_seed(wave, user, is_editing):
    """What was refused of an edit; nothing where it went through."""
    is_editing.set()
    try:
        edit_wave(wave=wave, actor=user, seed=7)
        return {}
    except ValidationError as error:
        return error.message_dict
    finally:
        connection.close()
