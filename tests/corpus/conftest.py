"""The corpus of a news agency, with one who reads it and one who manages it."""

import pytest

from tests.factories import make_campaign, make_corpus, make_member, make_user


@pytest.fixture
def corpus(db):
    return make_corpus(name="News agency", time_zone="Europe/Prague")


@pytest.fixture
def reader(corpus, sign_in):
    return sign_in(make_member(make_campaign(corpus=corpus), "ada"))


@pytest.fixture
def manager(corpus, sign_in):
    cyn = make_user(username="cyn")
    make_member(make_campaign(corpus=corpus), cyn, role="manager")
    return sign_in(cyn)
