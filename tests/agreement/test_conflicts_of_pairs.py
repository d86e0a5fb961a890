"""The claims behind a cell of the heat map: those of the figure, under what was chosen there."""

import re
from datetime import UTC, datetime

import pytest
from django.urls import reverse

from agreement.differing import conflicts_of_pair
from agreement.figures import AgreementSettings, Scope, agreement_figures
from annotation.models import Annotation
from annotation.pseudonyms import pseudonym_of
from tests.agreement.labels import label, labelled
from tests.agreement.stored import store_figures
from tests.annotation.pages import read
from tests.factories import make_user, make_wave

pytestmark = pytest.mark.django_db


def name(wave, person):
    return pseudonym_of(wave.campaign, make_user(username=person).pk)


def pair_of(wave, first="ben", second="cleo", only=None, **settings):
    """The instances on which two people differ."""
    scope, chosen = Scope(wave.campaign, only), AgreementSettings(**settings)
    found = conflicts_of_pair(scope, chosen, name(wave, first), name(wave, second))
    return [each.instance for each in found]


def ids(*items):
    return [item.instance_id for item in items]


def test_the_pair_that_differs_is_found(wave):
    items = [labelled(wave, letters) for letters in ("SRS", "SSR", "RSS")]

    assert pair_of(wave, "ben", "dan") == ids(items[1], items[2])


def test_an_imported_annotator_is_half_of_a_pair(wave):
    item = labelled(wave, "S")
    label(item, None, "R", kind="import", external_annotator="w1")
    scope = Scope(wave.campaign)

    found = conflicts_of_pair(scope, AgreementSettings(), "w1", name(wave, "ben"))

    assert [each.instance for each in found] == ids(item)


def test_the_hardest_comes_first_and_shares_are_of_what_the_two_differ_on(wave):
    easy, hard, _ = labelled(wave, "SRS"), labelled(wave, "SR"), labelled(wave, "SSR")
    scope = Scope(wave.campaign)

    found = conflicts_of_pair(scope, AgreementSettings(), name(wave, "ben"), name(wave, "cleo"))

    # Disagreement: (9 - 5) / 2 = 2 of three labels, (4 - 2) / 1 = 2 of two: alike, so by number.
    assert [each.instance for each in found] == ids(easy, hard)
    assert [each.share for each in found] == [0.5, 0.5]


def test_a_wave_has_its_own(wave):
    other = make_wave(wave.campaign, name="Second")
    labelled(wave, "SR")
    item = labelled(other, "SR")

    assert pair_of(wave, only=other) == ids(item)


def test_a_period_leaves_out_what_was_labelled_at_other_times(wave):
    first, second = labelled(wave, "SR"), labelled(wave, "SR")
    day = datetime(2024, 1, 2, 12, tzinfo=UTC)
    Annotation.objects.filter(item=first).update(created_at=day)

    assert pair_of(wave, until="2024-01-02") == ids(first)
    assert pair_of(wave, since="2024-01-03") == ids(second)


def test_a_subset_is_of_the_claims_whose_labels_are_marked(wave):
    doubted, clear = labelled(wave, "SRS"), labelled(wave, "SR")
    Annotation.objects.filter(item=doubted, user__username="dan").update(is_uncertain=True)

    assert pair_of(wave, subset="uncertain") == ids(doubted)
    assert pair_of(wave, subset="certain") == ids(clear)
    assert pair_of(wave, subset="rule", bound="at-least", marks=1, among=3) == ids(doubted)


def test_policies_say_which_labels_differ(wave):
    item = labelled(wave, "S")
    label(item, "cleo", "R", condition="If it rains.")

    assert pair_of(wave) == []  # under a condition it counts where it is alone
    assert pair_of(wave, conditional="as-is") == ids(item)


def test_own_labels_count_where_they_were_asked_for(wave):
    item = labelled(wave, "S")
    label(item, "ada", "R", kind="own")

    assert pair_of(wave, "ada", "ben") == []
    assert pair_of(wave, "ada", "ben", own="vote") == ids(item)


@pytest.mark.parametrize("settings", [{}, {"subset": "uncertain"}, {"own": "vote"}])
def test_there_are_as_many_as_the_figures_say(wave, settings):
    for number, letters in enumerate(("SSR", "SRS", "RRS", "SR", "SS", "RSS")):
        item = labelled(wave, letters)
        label(item, "ada", "S", kind="own")
        if number % 2:
            Annotation.objects.filter(item=item).update(is_uncertain=True)
    chosen = AgreementSettings(n_samples=100, **settings)

    pairs = agreement_figures(Scope(wave.campaign), chosen)["cohen"]["pairs"]

    assert pairs
    for pair in pairs:
        found = conflicts_of_pair(Scope(wave.campaign), chosen, *pair["annotators"])
        assert len(found) == round(pair["n"] * (1 - pair["percent"]))


def linked(client, campaign, **query):
    """The page behind the only cell of a dashboard's heat map."""
    store_figures(campaign, **query)
    html = read(client.get(reverse("agreement:dashboard", args=["spring"], query=query)))
    (address,) = set(re.findall(r'<a href="([^"]+first=[^"]+)" aria-label', html))
    return read(client.get(address.replace("&amp;", "&")))


def test_a_cell_leads_to_the_claims_under_what_is_chosen_on_the_page(client, wave):
    labelled(wave, "SR", text="Somebody was in doubt.")
    labelled(wave, "SR", text="Everybody was certain.")
    doubted = Annotation.objects.filter(item__instance__claim__text__startswith="Somebody")
    doubted.update(is_uncertain=True)

    html = linked(client, wave.campaign, subset="uncertain", since="2024-01-01")

    assert "Somebody was in doubt." in html
    assert "Everybody was certain." not in html
    assert "Subset: uncertain: somebody was in doubt" in html
    assert "From: 2024-01-01" in html
    assert '<input type="hidden" name="subset" value="uncertain">' in html


def test_a_cell_of_a_wave_leads_to_its_claims(client, wave):
    other = make_wave(wave.campaign, name="Second")
    labelled(wave, "SR", text="The first wave has it.")
    labelled(other, "SR", text="The second wave has it.")

    html = linked(client, wave.campaign, wave=other.pk)

    assert "The second wave has it." in html
    assert "The first wave has it." not in html
