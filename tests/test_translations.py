"""The Czech interface is whole, and what is committed of it fits together.

English needs no catalogue: the texts in the code are the English ones.
"""

import gettext
import os
import re
import shutil
import subprocess
import sys

import pytest
from django.conf import settings
from django.urls import reverse

from annotation.answering import skip_work
from annotation.giving import ask_for_work
from tests.agreement.labels import labelled
from tests.agreement.stored import store_figures
from tests.annotation.pages import read
from tests.catalogues import compiled, entries_of
from tests.factories import make_campaign, make_corpus, make_participant, make_wave, make_work

CATALOGUE = settings.BASE_DIR / "locale" / "cs" / "LC_MESSAGES" / "django.po"
PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|%[sd%]|\{\w+\}|</?\w+>")
# What holds no text for people, or is large.
NOT_SOURCES = shutil.ignore_patterns(
    ".*", "data", "tests", "docs", "benchmarks", "static", "__pycache__", "test-results"
)


def placeholders(text):
    return sorted(PLACEHOLDER.findall(text))


def fits(entry):
    """Each form has the placeholders of the English text; one thing may leave its number out."""
    allowed = [placeholders(entry.text), placeholders(entry.plural or entry.text)]
    return all(placeholders(text) in allowed for text in entry.translations)


def test_every_text_has_a_czech_translation():
    untranslated = [entry.text for entry in entries_of(CATALOGUE) if not all(entry.translations)]

    assert untranslated == []


def test_every_text_with_a_number_has_the_four_czech_forms():
    plurals = [entry for entry in entries_of(CATALOGUE) if entry.plural]

    assert plurals
    assert [entry.text for entry in plurals if len(entry.translations) != 4] == []


def test_no_translation_is_a_guess():
    assert [entry.text for entry in entries_of(CATALOGUE) if entry.is_fuzzy] == []


def test_translations_keep_the_placeholders():
    assert [entry.text for entry in entries_of(CATALOGUE) if not fits(entry)] == []


def test_the_compiled_catalogue_is_made_from_the_committed_one():
    with CATALOGUE.with_suffix(".mo").open("rb") as file:
        catalogue = dict(gettext.GNUTranslations(file)._catalog)
    del catalogue[""]

    assert catalogue == compiled(entries_of(CATALOGUE))


def test_the_catalogue_has_every_text_of_the_code(tmp_path):
    """Texts that it lacks are added by `make messages`, then translated, then compiled by it."""
    if not shutil.which("xgettext"):
        pytest.skip("needs xgettext: apt-get install gettext")
    copy = tmp_path / "copy"
    shutil.copytree(settings.BASE_DIR, copy, ignore=NOT_SOURCES)
    command = [sys.executable, "manage.py", "makemessages", "-l", "cs", "--no-location"]

    subprocess.run(
        command,
        cwd=copy,
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings", "DATA_DIR": str(tmp_path)},
        check=True,
        capture_output=True,
    )

    found = entries_of(copy / CATALOGUE.relative_to(settings.BASE_DIR))
    known = {entry[:3] for entry in entries_of(CATALOGUE)}
    assert len(found) > 1000
    assert [entry.text for entry in found if entry[:3] not in known] == []


@pytest.fixture
def wave(cyn):
    return make_wave(make_campaign(corpus=make_corpus(), manager=cyn))


def czech_page(sign_in, user, address):
    user.language = "cs"
    user.save()
    return read(sign_in(user).get(address))


def test_the_first_page_is_czech_for_who_chose_czech(sign_in, ben, wave):
    make_participant(wave, ben)

    page = czech_page(sign_in, ben, reverse("annotation:home"))

    assert "Co teď můžete dělat" in page
    assert "Požádat o práci" in page
    assert "Ask for work" not in page


def test_labelling_is_czech_and_sends_the_stored_labels(sign_in, ben, wave):
    make_participant(wave, ben)
    make_work(wave)
    work = ask_for_work(user=ben, wave=wave, task="T2")

    page = czech_page(sign_in, ben, reverse("annotation:work", args=[work.pk]))

    assert "Nelze rozhodnout" in page
    assert 'value="NOT ENOUGH INFO"' in page


def test_the_dashboard_is_czech(sign_in, cyn, wave):
    labelled(wave, "SS")
    store_figures(wave.campaign)

    page = czech_page(sign_in, cyn, reverse("agreement:dashboard", args=[wave.campaign.slug]))

    assert "Krippendorffova alfa" in page
    assert "Neshody" in page


def test_why_one_skipped_is_read_in_words(sign_in, ben, wave):
    make_participant(wave, ben)
    make_work(wave)
    work = ask_for_work(user=ben, wave=wave, task="T2")
    skip_work(assignment=work, reason="too hard")

    page = czech_page(sign_in, ben, reverse("annotation:work", args=[work.pk]))

    assert "Je to na mě příliš těžké" in page
    assert "too hard" not in page
