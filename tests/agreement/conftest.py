"""What many tests of agreement begin with: a manager, her campaign's open wave, a few labels."""

import pytest

from tests.agreement.labels import labelled
from tests.factories import make_campaign, make_corpus, make_user, make_wave


@pytest.fixture
def manager(db):
    return make_user(username="mara")


@pytest.fixture
def wave(manager):
    """An open wave of the campaign "spring"."""
    return make_wave(make_campaign(corpus=make_corpus(), manager=manager))


@pytest.fixture
def client(sign_in, manager):
    """The manager's."""
    return sign_in(manager)


@pytest.fixture
def four_claims(wave):
    """Two labels each, by Ben and Cleo: SS, SR, RR, SS."""
    return [labelled(wave, letters) for letters in ("SS", "SR", "RR", "SS")]


@pytest.fixture
def write(tmp_path):
    """A function that writes a file of lines and returns its path."""

    def written(*lines, name="labels.csv"):
        path = tmp_path / name
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return path

    return written
