"""The list of conflicts of many labels: as it was stored with the figures, and says of when."""

import pytest
from django.urls import reverse

from agreement import snapshots
from agreement.conflict_lists import listed_for
from agreement.differing import conflicts_in
from agreement.figures import AgreementSettings, Scope
from agreement.models import FigureSnapshot
from annotation.models import Annotation, Claim
from tests.agreement.labels import label, labelled
from tests.agreement.stored import store_figures
from tests.annotation.pages import count_queries, read

pytestmark = pytest.mark.django_db


@pytest.fixture
def _many(monkeypatch):
    """As if any label made too many to be read in a page."""
    monkeypatch.setattr(snapshots, "SMALL", 1)


def page(client, **query):
    return read(client.get(reverse("agreement:conflicts", args=["spring"], query=query)))


def test_few_labels_are_listed_as_they_are_now(client, wave):
    labelled(wave, "SR", text="It is there at once.")

    html = page(client)

    assert "It is there at once." in html
    assert "Figures of" not in html


@pytest.mark.usefixtures("_many")
def test_many_have_to_be_computed_by_a_job_first(client, wave):
    labelled(wave, "SR", text="Nobody computed it.")

    html = page(client)

    assert "These figures are not computed yet" in html
    assert "Nobody computed it." not in html
    assert not FigureSnapshot.objects.exists()


@pytest.mark.usefixtures("_many")
def test_the_stored_list_is_that_of_now_but_for_what_changed_since(client, wave, manager):
    items = [labelled(wave, letters) for letters in ("SSR", "SS", "SRN", "SR")]
    scope, settings = Scope(wave.campaign), AgreementSettings()
    store_figures(wave.campaign)

    listed = listed_for(manager, scope, settings)

    assert listed.conflicts == conflicts_in(scope, settings)
    assert [each.instance for each in listed.conflicts] == [
        items[place].instance_id for place in (2, 0, 3)
    ]
    labelled(wave, "SR")
    assert listed_for(manager, scope, settings).conflicts == listed.conflicts


@pytest.mark.usefixtures("_many")
def test_a_stored_list_says_when_it_was_made_and_that_it_is_old(client, wave):
    item = labelled(wave, "SR", text="It differs.")
    store_figures(wave.campaign)
    html = page(client)
    assert "It differs." in html
    assert "Figures of" in html
    assert "Labels have changed since then." not in html

    label(item, "dan", "N")
    snapshots.renew_stale()

    html = page(client)
    assert "Labels have changed since then." in html
    assert reverse("agreement:recompute", args=["spring", "agreement"]) in html


@pytest.mark.usefixtures("_many")
def test_a_claim_that_was_withdrawn_since_is_not_shown(client, wave):
    claim = labelled(wave, "SR", text="It was withdrawn.").instance.claim
    store_figures(wave.campaign)

    Claim.objects.filter(pk=claim.pk).update(withdrawn_at=claim.created_at)

    assert "It was withdrawn." not in page(client)


@pytest.mark.usefixtures("_many")
def test_what_a_reader_may_still_answer_is_left_out_of_a_stored_list(client, wave, manager):
    mine = labelled(wave, "SR", text="Mara can still answer it.")
    labelled(wave, "SR", text="Two others differ.")
    store_figures(wave.campaign)
    manager.assignments.create(
        wave=wave, task="T2", item=mine, shuffle_seed=1,
        given_at=mine.created_at, leased_until=mine.created_at,
    )  # fmt: skip

    html = page(client)

    assert "Two others differ." in html
    assert "Mara can still answer it." not in html


@pytest.mark.usefixtures("_many")
def test_other_labels_have_a_list_of_their_own(client, wave):
    doubted, _ = labelled(wave, "SR", text="In doubt."), labelled(wave, "SR", text="Certain.")
    Annotation.objects.filter(item=doubted).update(is_uncertain=True)
    store_figures(wave.campaign)
    assert "These figures are not computed yet" in page(client, subset="uncertain")

    store_figures(wave.campaign, subset="uncertain")

    assert "In doubt." in page(client, subset="uncertain")
    assert "Certain." not in page(client, subset="uncertain")


@pytest.mark.usefixtures("_many")
def test_a_stored_list_takes_as_many_queries_however_long_it_is(client, wave):
    address = reverse("agreement:conflicts", args=["spring"])
    labelled(wave, "SR")
    store_figures(wave.campaign)
    few = count_queries(client, address)

    for letters in ("SRN", "SSR", "SR"):
        labelled(wave, letters)
    store_figures(wave.campaign)

    assert count_queries(client, address) == few
