"""A wave of a campaign with a corpus, and who works in it; tests may override them."""

import pytest

from tests.annotation.asking import ask
from tests.factories import make_campaign, make_corpus, make_participant, make_wave, make_work


@pytest.fixture
def wave(db):
    return make_wave(make_campaign(corpus=make_corpus()))


@pytest.fixture
def annotator(wave):
    return make_participant(wave, "ben")


@pytest.fixture
def assignment(wave, annotator):
    make_work(wave)
    return ask(annotator, wave)
