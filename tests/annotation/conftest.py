"""A wave of a campaign with a corpus, and who works in it; tests may override them."""

import pytest

from tests.annotation.asking import ask
from tests.factories import (
    make_campaign,
    make_claim,
    make_corpus,
    make_participant,
    make_source,
    make_wave,
    make_work,
)


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


@pytest.fixture
def labelling(assignment):
    return assignment


@pytest.fixture
def writing(wave, annotator):
    make_source(wave)
    return ask(annotator, wave, "T1a")


@pytest.fixture
def mutating(wave, annotator):
    make_claim(wave, "A bridge opened.", author=annotator)
    return ask(annotator, wave, "T1b")


@pytest.fixture
def ben_client(sign_in, annotator):
    return sign_in(annotator)
