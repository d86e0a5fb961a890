"""A release's files on a phone: their hashes make no towers of single characters."""

import pytest

from annotation.models import Membership
from tests.browser.people import PHONE, sign_in
from tests.datasets.releasing import make_labelled_campaign, make_release
from tests.factories import make_user

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.browser]


@pytest.fixture
def release():
    campaign, _wave = make_labelled_campaign()
    mia = make_user(username="mia")
    Membership.objects.create(campaign=campaign, user=mia, role="manager")
    return make_release(campaign)


def test_the_files_of_a_release_are_rows_of_a_few_lines(browser, live_server, release):
    page = sign_in(browser, live_server, "mia", viewport=PHONE)

    page.goto(f"/releases/{release.pk}/")

    row = page.get_by_role("row").filter(has_text="README.md")
    assert row.locator("code").inner_text() == release.hashes["README.md"]
    # Its name, size and hash are stacked: five lines, and none beyond the edge.
    assert row.bounding_box()["height"] < 160
    assert page.evaluate("document.querySelector('.table-scroll').scrollWidth") <= PHONE["width"]
