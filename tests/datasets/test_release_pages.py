"""The pages of releases: make one, read its card, compare it, download it; managers only."""

import io
import json
import re
import zipfile
from hashlib import sha256

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from datasets.models import Release
from operations.jobs import claim_next_job, run_job
from operations.models import Job
from tests.datasets.builders import label, labelled
from tests.datasets.releasing import DAY, R, S, make_labelled_campaign, make_release
from tests.factories import make_user

CHOSEN = {
    "name": "1.0.0", "date": DAY, "own": "never", "conditional": "nei", "ties": "leave-out",
    "split": "", "balanced": "", "oversized": "train", "seed": "3", "evidence": "", "per": "",
    "lines": "",
}  # fmt: skip


@pytest.fixture
def made(db):
    make_user(username="manager-of-spring")
    return make_labelled_campaign(n=4)


@pytest.fixture
def campaign(made):
    return made[0]


@pytest.fixture
def mia(campaign, sign_in):
    return sign_in("manager-of-spring")


def page(campaign):
    return reverse("datasets:releases", args=[campaign.slug])


def start(client, campaign, **chosen):
    return client.post(page(campaign), {**CHOSEN, **chosen}, follow=True)


def run_next_job():
    run_job(claim_next_job(worker="test"))


def test_a_release_is_started_made_and_listed(campaign, mia):
    waiting = start(
        mia, campaign, licence="CC BY 4.0", is_list="on", description="Bridges."
    ).content.decode()
    run_next_job()
    listed = mia.get(page(campaign)).content.decode()

    release = Release.objects.get()
    assert "It waits for its turn." in waiting
    assert release.options["is_joined"] is False
    assert reverse("datasets:release", args=[release.pk]) in listed
    assert release.options["seed"] == 3
    assert release.contents["given"]["description"] == "Bridges."


def test_a_name_that_is_taken_is_refused_on_the_page(campaign, mia):
    make_release(campaign)

    html = start(mia, campaign).content.decode()

    assert "releases never change" in html
    assert not Job.objects.exists()


def test_what_was_sent_signed_out_is_there_to_send_once(campaign, mia):
    mia.logout()
    fields = {"description": "Written all morning.", "formats": ["fever"], "own": "vote"}

    start(mia, campaign, **fields)
    mia.force_login(make_user(username="manager-of-spring"))

    html = mia.get(page(campaign)).content.decode()
    assert "Written all morning.</textarea>" in html
    assert re.search(r'name="formats" value="fever"[^>]* checked', html)
    assert '<option value="vote" selected>' in html
    start(mia, campaign, **fields)
    assert "Written all morning." not in mia.get(page(campaign)).content.decode()
    assert Job.objects.filter(kind="release").count() == 1


def test_a_waiting_release_can_be_cancelled(campaign, mia):
    start(mia, campaign)

    mia.post(reverse("datasets:cancel-release", args=[Job.objects.get().pk]))

    assert Job.objects.get().state == Job.State.CANCELLED
    assert "cancelled" in mia.get(page(campaign)).content.decode()


def test_the_form_that_cancels_works_without_scripts(campaign, mia):
    start(mia, campaign)

    html = mia.get(page(campaign)).content.decode()

    form = html[html.index(reverse("datasets:cancel-release", args=[Job.objects.get().pk])) :]
    assert "csrfmiddlewaretoken" in form[: form.index("</form>")]


def test_the_page_shows_files_hashes_and_figures(campaign, mia):
    release = make_release(campaign)

    html = mia.get(reverse("datasets:release", args=[release.pk])).content.decode()

    assert release.contents["files"][0]["sha256"] in html
    assert release.sha256 in html
    assert "Krippendorff" in html


def test_the_archive_holds_every_file_in_its_place(campaign, mia):
    release = make_release(campaign, formats=("fever",))

    response = mia.get(reverse("datasets:release-archive", args=[release.pk]))
    archive = zipfile.ZipFile(io.BytesIO(b"".join(response.streaming_content)))

    found = {name: sha256(archive.read(name)).hexdigest() for name in archive.namelist()}
    assert found == {f"spring-1.0.0/{name}": digest for name, digest in release.hashes.items()}
    assert "spring-1.0.0/data/fever/all.jsonl" in found


@pytest.mark.parametrize("name", ["../../secret_key", "data/../release.json", "no.json"])
def test_no_other_file_can_be_had(campaign, mia, name):
    release = make_release(campaign)

    response = mia.get(reverse("datasets:release", args=[release.pk]) + f"files/{name}")

    assert response.status_code == 404


def test_the_card_is_shown_with_what_the_manager_wrote_as_plain_text(campaign, mia):
    release = make_release(campaign, limitations="<b>Only</b> bridges.")

    html = mia.get(reverse("datasets:release-card", args=[release.pk])).content.decode()

    assert "Dataset Card for Spring 1.0.0" in html
    assert "&lt;b&gt;Only&lt;/b&gt; bridges." in html


def test_a_diff_says_what_was_added_and_relabelled(made, mia):
    campaign, wave = made
    old = make_release(campaign)
    labelled(wave, S, text="A tunnel was dug.")
    item = wave.items.get(instance__claim__number=1)
    label(item, "eve", R)
    label(item, "fay", R)
    label(item, "gus", R)
    new = make_release(campaign, "1.1.0")
    address = reverse("datasets:release-diff", args=[new.pk, old.pk])

    html = mia.get(address).content.decode()
    diff = mia.get(reverse("api:release-diff", args=[new.pk, old.pk])).json()

    assert "A tunnel was dug." in html
    assert "SUPPORTS → REFUTES" in html
    assert diff["counts"]["added"] == 1
    assert [change["claim"] for change in diff["claims"]["relabelled"]] == [1]
    assert diff["figures"][0]["name"] == "alpha"
    assert diff["figures"][0]["difference"] < 0


def test_releases_of_two_campaigns_are_not_compared(campaign, mia):
    release = make_release(campaign)
    other = make_release(make_labelled_campaign(slug="autumn", n=1)[0])

    response = mia.get(reverse("datasets:release-diff", args=[release.pk, other.pk]))

    assert response.status_code == 404


def test_another_campaigns_manager_sees_nothing(campaign, sign_in):
    release = make_release(campaign)
    make_labelled_campaign(slug="autumn", n=1)
    other = sign_in("manager-of-autumn")

    assert other.get(page(campaign)).status_code == 404
    assert other.get(reverse("datasets:release", args=[release.pk])).status_code == 404


def test_the_list_costs_the_same_with_more_releases(campaign, mia):
    def queries():
        with CaptureQueriesContext(connection) as seen:
            mia.get(page(campaign))
        return len(seen)

    make_release(campaign)
    queries()
    few = queries()
    make_release(campaign, "1.1.0")

    assert queries() == few


def test_a_release_is_made_over_the_api(campaign, mia):
    address = reverse("api:releases", args=[campaign.slug])
    asked = {"name": "1.0.0", "date": DAY, "seed": 5, "formats": ["fever"], "lines": "units",
             "is_joined": False}  # fmt: skip

    job = mia.post(address, asked, content_type="application/json")
    run_next_job()
    release = mia.get(address).json()["results"][0]
    detail = mia.get(release["url"]).json()

    assert job.status_code == 202
    assert release["options"]["formats"] == ["ctkfacts", "fever"]
    assert (release["options"]["lines"], release["options"]["is_joined"]) == ("units", False)
    assert detail["contents"]["n_claims"] == 4
    file = next(file for file in detail["files"] if file["name"] == "data/fever/all.jsonl")
    body = b"".join(mia.get(file["url"]).streaming_content)
    assert sha256(body).hexdigest() == file["sha256"]
    assert json.loads(body.splitlines()[0])["claim"]
