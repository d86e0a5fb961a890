"""Conflicts: found, put in order, and shown to nobody who could still be led by them."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from agreement import conflicts, tables
from agreement.conflict_lists import listed_for
from agreement.differing import Conflict, conflicts_in, differing_labels
from agreement.figures import AgreementSettings, Scope, agreement_figures
from agreement.measures import alpha_contributions
from annotation.answering import skip_work, store_evidence
from annotation.giving import ask_for_work
from annotation.models import Wave
from annotation.pseudonyms import pseudonym_of
from tests.agreement.labels import label, labelled, settle_item
from tests.annotation.pages import count_queries, read
from tests.factories import (
    make_article,
    make_item,
    make_member,
    make_participant,
    make_user,
    make_wave,
    make_work,
    paragraph_of,
    submit,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def curator(wave):
    return make_member(wave.campaign, "cyn", role="curator")


def close(wave):
    Wave.objects.filter(pk=wave.pk).update(closes_at=timezone.now() - timedelta(minutes=1))
    wave.refresh_from_db()


def seen(user, wave, only=None):
    """The conflicts that a user may see; whoever looks for one of them finds these alone."""
    scope = Scope(wave.campaign, only)
    found = [each.instance for each in listed_for(user, scope, AgreementSettings()).conflicts]
    known = list(differing_labels(wave.campaign).values_list("item__instance", flat=True))
    among = conflicts.seen_among(user, wave.campaign, known)
    assert set(among) == set(conflicts.seen_by(user, wave.campaign).in_bulk(known))
    assert set(found) <= set(among)
    return found


def ids(*items):
    return [item.instance_id for item in items]


def test_a_conflict_is_a_claim_whose_live_labels_differ(wave, manager):
    labelled(wave, "SS")
    item = labelled(wave, "SR")

    assert seen(manager, wave) == ids(item)


@pytest.mark.parametrize("flag", ["surplus", "late"])
def test_a_label_that_does_not_count_makes_no_conflict(wave, manager, flag):
    label(labelled(wave, "SS"), "dan", "R", **{flag: True})

    assert seen(manager, wave) == []


def test_the_authors_label_makes_no_conflict(wave, manager):
    label(labelled(wave, "SS"), "ada", "R", kind="own")

    assert seen(manager, wave) == []


def test_who_labelled_a_claim_in_two_waves_is_in_no_conflict_with_themselves(wave, manager):
    second = make_wave(wave.campaign, name="Second")
    alone, item = labelled(wave, ""), labelled(wave, "")
    for each, letters in ((alone, "SR"), (item, "SRN")):
        other = make_item(each.instance.claim, second)
        label(each, None, letters[0], kind="import", external_annotator="p")
        label(other, None, letters[1], kind="import", external_annotator="p")
        for letter in letters[2:]:
            label(other, None, letter, kind="import", external_annotator="q")

    scope = Scope(wave.campaign)
    assert seen(manager, wave) == ids(item)
    assert agreement_figures(scope, AgreementSettings(n_samples=10))["n_conflicts"] == 1
    assert seen(manager, wave, only=wave) == []
    assert seen(manager, wave, only=second) == ids(item)


def test_the_hardest_conflict_comes_first(wave, manager):
    easy, hard = labelled(wave, "SSSR"), labelled(wave, "SRN")

    assert seen(manager, wave) == ids(hard, easy)


def test_equally_hard_ones_come_in_order_of_their_numbers(wave, manager):
    items = [labelled(wave, "SR") for _ in range(3)]

    assert seen(manager, wave) == ids(*items)


def test_shares_are_those_of_alphas_contributions(wave, manager):
    for letters in ("SSR", "SR", "SS", "SRN"):
        labelled(wave, letters)
    costs = alpha_contributions(tables.annotation_rows(wave.campaign).table().counts)

    found = conflicts_in(Scope(wave.campaign), AgreementSettings())
    shares = [each.share for each in found]

    assert shares == pytest.approx(sorted(costs[costs > 0] / costs.sum())[::-1])


def test_one_wave_has_its_own_conflicts(wave, manager):
    other = make_wave(wave.campaign, name="Second")
    labelled(wave, "SR")
    item = labelled(other, "SN")

    assert seen(manager, wave, only=other) == ids(item)


def test_a_sandbox_has_no_conflicts(wave, manager):
    labelled(make_wave(wave.campaign, name="Try", is_sandbox=True), "SR")

    assert seen(manager, wave) == []


def outcome(wave, item):
    (row,) = conflicts.rows_of(wave.campaign, [Conflict(item.instance_id, 0.5)])
    return row.outcome


def test_a_conflict_of_two_waits_for_a_third_label(wave):
    assert outcome(wave, labelled(wave, "SR")) == "waiting"


def test_once_the_wave_is_closed_nothing_comes_any_more(wave):
    item = labelled(wave, "SR")
    close(wave)

    assert outcome(wave, item) == "undecided"


def test_a_third_label_decides(wave):
    assert outcome(wave, labelled(wave, "SRR")) == "majority"


def test_three_different_labels_are_undecided(wave):
    assert outcome(wave, labelled(wave, "SRN")) == "undecided"


def test_an_adjudicated_conflict_is_named_so(wave):
    item = labelled(wave, "SRN")
    label(item, "cyn", "R", kind="adjudication")

    assert outcome(wave, item) == "adjudicated"


def test_a_reported_claim_is_held_back(wave):
    item = labelled(wave, "SR")
    item.instance.claim.reports.create(reason="It makes no sense.")
    settle_item(item)

    assert outcome(wave, item) == "held"


# Nobody sees others' labels of what they can still answer, or change their answer to.


def given(wave, person):
    """A person's open assignment, whose item two others meanwhile label differently."""
    make_participant(wave, person)
    (item,) = make_work(wave)
    assignment = ask_for_work(user=person, wave=wave, task="T2")
    label(item, "ben", "S")
    label(item, "cleo", "R")
    return assignment


def test_who_holds_a_claim_does_not_see_its_labels(wave, curator, manager):
    assignment = given(wave, curator)

    assert seen(curator, wave) == []
    assert seen(manager, wave) == ids(assignment.item)


def test_who_can_still_change_an_answer_does_not_see_the_others(wave, curator):
    submit(given(wave, curator))

    assert seen(curator, wave) == []


def test_who_skipped_sees_the_labels(wave, curator):
    assignment = given(wave, curator)

    skip_work(assignment=assignment, reason="I know the author.")

    assert seen(curator, wave) == ids(assignment.item)


def test_a_closed_wave_shows_everything(wave, curator):
    assignment = given(wave, curator)
    submit(assignment)

    close(wave)

    assert seen(curator, wave) == ids(assignment.item)


def test_an_author_who_is_asked_to_label_own_claims_does_not_see_the_others(wave, curator):
    Wave.objects.filter(pk=wave.pk).update(labels_own_claims=True)
    item = labelled(wave, "SR", author=curator)

    assert seen(curator, wave) == []

    Wave.objects.filter(pk=wave.pk).update(labels_own_claims=False)
    assert seen(curator, wave) == ids(item)


def page(item):
    return reverse("agreement:conflict", args=[item.instance_id])


def listed(wave, **query):
    return reverse("agreement:conflicts", args=[wave.campaign.slug], query=query)


def test_the_page_of_a_hidden_conflict_is_not_there(wave, curator, sign_in):
    assignment = given(wave, curator)

    assert sign_in(curator).get(page(assignment.item)).status_code == 404

    close(wave)
    assert sign_in(curator).get(page(assignment.item)).status_code == 200


@pytest.mark.parametrize("person", ["ben", "eve"])
def test_annotators_and_outsiders_see_no_conflict(wave, sign_in, person):
    item = labelled(wave, "SR")
    client = sign_in(person)

    assert client.get(page(item)).status_code == 404
    assert client.get(listed(wave)).status_code == 404


def test_the_list_names_claims_labels_and_outcomes(wave, manager, sign_in):
    item = labelled(wave, "SRR", text="The bridge never opened.")

    html = read(sign_in(manager).get(listed(wave)))

    assert "The bridge never opened." in html
    assert page(item) in html
    assert "majority: Refutes" in html
    assert "100.0 %" in html


def test_a_manager_sees_names_and_a_curator_pseudonyms(wave, manager, curator, sign_in):
    ben = make_user(username="ben", name="Ben Torvik")
    labelled(wave, "SR")
    pseudonym = pseudonym_of(wave.campaign, ben.pk)

    for_manager, for_curator = (
        read(sign_in(user).get(listed(wave))) for user in (manager, curator)
    )

    assert "Ben Torvik" in for_manager
    assert pseudonym in for_curator
    assert "Ben Torvik" not in for_curator


def test_the_list_narrows_to_a_pair(wave, manager, sign_in, ben):
    labelled(wave, "SRS", text="Ben and Dan agree.")
    labelled(wave, "SSR", text="Ben and Dan differ.")
    dan = make_user(username="dan")
    pair = {name: pseudonym_of(wave.campaign, user.pk) for name, user in
            (("first", ben), ("second", dan))}  # fmt: skip

    html = read(sign_in(manager).get(listed(wave, **pair)))

    assert "Ben and Dan differ." in html
    assert "Ben and Dan agree." not in html


def test_the_list_asks_a_constant_number_of_queries(wave, manager, sign_in):
    client = sign_in(manager)
    labelled(wave, "SR")
    few = count_queries(client, listed(wave))

    for letters in ("SRN", "SRR", "SN", "RN"):
        labelled(wave, letters)

    assert count_queries(client, listed(wave)) == few


def test_the_list_has_pages(wave, manager, sign_in):
    for _ in range(26):
        labelled(wave, "SR")

    html = read(sign_in(manager).get(listed(wave, page=2)))

    assert "Page 2 of 2" in html
    assert html.count("<tr>") == 2  # the head and the last conflict


def test_one_conflict_shows_each_answer_with_its_evidence(wave, manager, sign_in):
    article = make_article(wave.campaign.corpus, "It opened late.", title="Late again")
    cited = paragraph_of(article)
    item = labelled(wave, "S", text="The bridge opened early.")
    given = label(item, "cleo", "R", condition="It rains.", is_uncertain=True, note="Look twice.")
    store_evidence(given, [[(cited.pk, "s0")]])
    label(item, "dan", "N", surplus=True)

    html = read(sign_in(manager).get(page(item)))

    for text in (
        "The bridge opened early.",
        "The bridge opened in May.",  # its source
        "It opened late.",
        "Late again",
        "14 May 2022",
        "It rains.",
        "Look twice.",
        "not certain",
        "surplus: does not count",
    ):
        assert text in html, text


def test_one_conflict_asks_a_constant_number_of_queries(wave, manager, sign_in):
    client = sign_in(manager)
    item = labelled(wave, "SR")
    few = count_queries(client, page(item))
    source = item.instance.claim.source

    for person in ("dan", "fay", "gus"):
        store_evidence(label(item, person, "S"), [[(source.pk, "")], [(source.pk, "s0")]])

    # Evidence sets, their items with paragraphs: one query each, whatever their number.
    assert count_queries(client, page(item)) <= few + 1
