"""A campaign of translated claims with its manager and annotator, and sites on both databases."""

import pytest

from tests.datasets.translating import make_translated
from tests.factories import make_member
from tests.sites import postgres_or_skip, postgres_site, sqlite_site


@pytest.fixture
def campaign(db):
    campaign = make_translated()
    make_member(campaign, "mia", role="manager")
    make_member(campaign, "ben")
    return campaign


@pytest.fixture
def mia(campaign, sign_in):
    return sign_in("mia")


@pytest.fixture
def ben(campaign, sign_in):
    return sign_in("ben")


@pytest.fixture
def sites(tmp_path):
    """A site on SQLite and one on PostgreSQL, empty."""
    server = postgres_or_skip()
    site, drop = postgres_site(tmp_path / "postgres", server)
    try:
        yield sqlite_site(tmp_path / "sqlite"), site
    finally:
        drop()
