"""Settings that were tried on a corpus are saved to a wave that nobody has worked in."""

import pytest
from django.urls import reverse

from annotation.giving import ask_for_work
from annotation.models import Wave
from tests.annotation.pages import read
from tests.factories import (
    make_campaign,
    make_corpus,
    make_member,
    make_participant,
    make_source,
    make_user,
    make_wave,
)

pytestmark = pytest.mark.django_db
TRIED = {"n_kw": 6, "n_sem": 2, "n_pre": 500, "k": 3, "max_entities": 8, "seed": 7}


@pytest.fixture
def wave():
    manager = make_user(username="mia")
    return make_wave(make_campaign(corpus=make_corpus(), manager=manager))


@pytest.fixture
def url(wave):
    return reverse("annotation:save-settings", args=[wave.campaign.corpus.slug])


def save(sign_in, url, wave, **changes):
    data = {**TRIED, "per_pair": "on", "wave": wave.pk if wave else "", **changes}
    return sign_in("mia").post(url, data, follow=True)


def test_the_page_shows_what_was_tried_and_the_waves(sign_in, url, wave):
    html = read(sign_in("mia").get(url, TRIED))

    assert 'name="n_kw" value="6"' in html
    assert "Spring: First wave" in html


def test_a_wave_takes_the_settings_with_their_seed(sign_in, url, wave):
    read(save(sign_in, url, wave))

    wave.refresh_from_db()
    assert wave.dictionary_settings == {**TRIED, "per_pair": True}
    assert wave.seed == 7


def test_a_wave_in_which_somebody_worked_stays_with_a_reason(sign_in, url, wave):
    make_source(wave)
    ask_for_work(user=make_participant(wave, "ben"), wave=wave, task="T1a")

    html = read(save(sign_in, url, wave))

    assert html.count("Somebody has worked in this wave, so this stays as it is.") == 1
    assert "so it stays as it is)" in html
    assert Wave.objects.get().dictionary_settings == {}


def test_a_wave_of_somebody_else_is_no_choice(sign_in, url, wave):
    other = make_wave(make_campaign(slug="other", corpus=wave.campaign.corpus), name="Theirs")

    html = read(save(sign_in, url, other))

    assert "Theirs" not in html
    other.refresh_from_db()
    assert other.dictionary_settings == {}


def test_a_wrong_setting_is_said_and_nothing_is_stored(sign_in, url, wave):
    html = read(save(sign_in, url, wave, n_pre=1))

    assert "n_pre is 1" in html
    assert Wave.objects.get().dictionary_settings == {}


def test_a_wave_has_to_be_chosen(sign_in, url):
    assert "Choose a wave." in read(save(sign_in, url, None))


def test_curators_save_nothing(sign_in, url, wave):
    make_member(wave.campaign, "cyn", role="curator")

    assert sign_in("cyn").get(url, TRIED).status_code == 404


def test_without_a_wave_the_page_says_so(sign_in, url, wave):
    Wave.objects.all().delete()

    assert "You manage no wave on this corpus yet." in read(sign_in("mia").get(url, TRIED))
