"""The claims behind a cue: those that its figures count, with their labels, page by page."""

import re
import sys
import unicodedata

import pytest
from django.urls import reverse

from agreement import snapshots
from agreement.cue_claims import FOLDED_ALONE, Cue, instances_with
from agreement.cue_figures import CueSettings
from agreement.figures import Scope
from agreement.views import cue_claims
from annotation.giving import ask_for_work
from annotation.models import Claim
from tests.agreement.labels import label, labelled
from tests.annotation.pages import count_queries, read
from tests.factories import (
    make_participant,
    make_wave,
    make_work,
)

pytestmark = pytest.mark.django_db


def url(of, cue="never", **query):
    query = {"cue": cue, **query}
    return reverse("agreement:cue-claims", args=[of.campaign.slug], query=query)


def claims_on(html):
    """[(text with the cue in *stars*, label)] of the rows."""
    rows = re.findall(r'<th scope="row" class="read">(.*?)</th>(.*?)</tr>', html, re.DOTALL)
    return [(text_of(claim), re.search(r'data-verdict="(.*?)"', rest)[1]) for claim, rest in rows]


def text_of(html):
    return re.sub(r"<[^>]+>", "", re.sub(r"</?mark>", "*", html)).strip()


def test_the_claims_with_a_cue_are_listed_with_their_labels(client, wave):
    labelled(wave, "RR", text="The tower never opened, never.")
    labelled(wave, "SSR", text="It was never built")
    labelled(wave, "SS", text="Nevertheless it stands")

    assert claims_on(read(client.get(url(wave)))) == [
        ("The tower *never* opened, *never*.", "REFUTES"),
        ("It was *never* built", "SUPPORTS"),
    ]


def test_undecided_and_withdrawn_claims_are_not_behind_a_cue(client, wave):
    labelled(wave, "SR", text="It never opened")
    item = labelled(wave, "RR", text="It never closed")
    item.instance.claim.withdrawn_at = item.instance.claim.created_at
    item.instance.claim.save()

    assert "No decided claim that you may see has this cue." in read(client.get(url(wave)))


def test_the_list_is_narrowed_to_a_label_and_says_how_many_each_has(client, wave):
    labelled(wave, "RR", text="The tower never opened")
    labelled(wave, "RR", text="The bridge never opened")
    labelled(wave, "SS", text="The mill never opened")

    html = read(client.get(url(wave, label="SUPPORTS")))

    assert claims_on(html) == [("The mill *never* opened", "SUPPORTS")]
    assert "Refutes (2)" in html
    assert '<option value="SUPPORTS" selected>Supports (1)' in html


def test_pairs_and_the_other_tokens_are_found_too(client, wave):
    labelled(wave, "RR", text="Never again, never again")

    pairs = url(wave, "never again", kind="bigrams", tokens="words")

    assert claims_on(read(client.get(pairs))) == [("*Never again*, *never again*", "REFUTES")]
    assert claims_on(read(client.get(url(wave, "Never again,", kind="bigrams")))) != []


def test_a_wave_has_its_own(client, wave):
    labelled(wave, "RR", text="It never opened")
    second = make_wave(wave.campaign, name="Second")

    assert claims_on(read(client.get(url(wave, wave=second.pk)))) == []


def test_a_cue_of_the_table_leads_to_its_claims(client, wave):
    for number in range(3):
        labelled(wave, "RR", text=f"Town {number} & co never opened")
        labelled(wave, "SS", text=f"Town {number} opened")
    page = read(client.get(reverse("agreement:cues", args=["spring"], query={"wave": wave.pk})))

    link = re.search(r'<a href="(\S*?)" dir="auto" lang="en">&amp; co</a>', page)[1]

    html = read(client.get(link.replace("&amp;", "&")))
    assert claims_on(html)[0] == ("Town 0 *&amp; co* never opened", "REFUTES")
    assert f'<option value="{wave.pk}" selected>' in html


def test_long_lists_come_in_pages(client, wave, monkeypatch):
    monkeypatch.setattr(cue_claims, "PER_PAGE", 2)
    for number in range(3):
        labelled(wave, "RR", text=f"Town {number} never opened")

    assert [text for text, _ in claims_on(read(client.get(url(wave, page=2))))] == [
        "Town 2 *never* opened"
    ]
    assert "page=2" in read(client.get(url(wave)))


def test_who_may_still_label_a_claim_does_not_see_its_label(client, manager, wave):
    make_participant(wave, "mara")
    (item,) = make_work(wave, text="The tower never opened")
    ask_for_work(user=manager, wave=wave, task="T2")
    label(item, "ben", "R")
    label(item, "cleo", "R")

    html = read(client.get(url(wave)))

    assert claims_on(html) == []
    assert "1 claim with it is not shown to you yet." in html
    assert "Refutes (" not in html


@pytest.fixture
def mine(manager, wave):
    """A claim that the manager may still label, as two others did."""
    make_participant(wave, "mara")
    (item,) = make_work(wave, text="The tower never opened")
    ask_for_work(user=manager, wave=wave, task="T2")
    label(item, "ben", "R")
    label(item, "cleo", "R")
    return item


def test_no_label_beside_other_claims_tells_that_of_a_hidden_one(client, wave, mine):
    labelled(wave, "RR", text="The bridge never opened")
    other = labelled(wave, "RR", text="The mill never opened")

    for query in ({}, {"label": "REFUTES"}, {"label": "SUPPORTS"}):
        html = read(client.get(url(wave, **query)))
        assert html.count("<mark>never</mark>") == 2
        assert "1 claim with it is not shown to you yet." in html
        assert "no labels stand beside these claims" in html
        assert "data-verdict" not in html
        assert "Refutes" not in html
        assert reverse("agreement:conflict", args=[other.instance_id]) not in html


def test_labels_are_shown_again_once_the_wave_has_closed(client, wave, mine):
    wave.closes_at = wave.opens_at = mine.annotations.first().created_at
    wave.save()

    assert claims_on(read(client.get(url(wave)))) == [("The tower *never* opened", "REFUTES")]


def test_a_hidden_claim_of_another_wave_takes_no_labels_away(client, wave, mine):
    second = make_wave(wave.campaign, name="Second")
    labelled(second, "SS", text="The bridge never opened")

    assert claims_on(read(client.get(url(wave, wave=second.pk)))) == [
        ("The bridge *never* opened", "SUPPORTS")
    ]


@pytest.mark.parametrize("of", ["cues", "cues-csv", "cues-json"])
def test_words_of_single_claims_are_not_listed_for_who_may_answer_one(client, wave, mine, of):
    labelled(wave, "SS", text="The bridge opened")
    address = reverse(f"agreement:{of}", args=["spring"], query={"min_count": 1})

    html = read(client.get(address))

    assert "tower" not in html
    if of == "cues":
        assert "choose 3 or more, so that no row is about one or two claims" in html
    other = make_wave(wave.campaign, name="Another")
    labelled(other, "SS", text="It stood")
    labelled(other, "RR", text="The park was open")
    assert "park" in read(client.get(f"{address}&wave={other.pk}"))


@pytest.mark.parametrize("method", ["get", "post"])
def test_the_api_lists_no_words_of_single_claims_for_who_may_answer_one(client, wave, mine, method):
    address = "/api/v1/campaigns/spring/cues/?min_count="

    refused = getattr(client, method)(f"{address}1")

    assert refused.status_code == 400
    assert "choose 3 or more" in refused.json()["min_count"][0]
    assert getattr(client, method)(f"{address}3").status_code < 300


def test_without_a_cue_the_page_says_where_they_are(client, wave):
    html = read(client.get(reverse("agreement:cue-claims", args=["spring"])))

    assert "Choose a cue in the tables of cues." in html


def test_the_page_asks_a_constant_number_of_queries(client, wave):
    labelled(wave, "RR", text="It never opened")
    few = count_queries(client, url(wave))

    for number in range(4):
        labelled(wave, "SS", text=f"Town {number} never opened")

    assert count_queries(client, url(wave)) == few


# Of many labels it is the stored ones that count: those of the figures that led here.


@pytest.fixture
def _many(monkeypatch):
    monkeypatch.setattr(snapshots, "SMALL", 1)


def store_cues(wave):
    snapshots.store(snapshots.KIND.CUES, Scope(wave.campaign), CueSettings())


@pytest.mark.usefixtures("_many")
def test_many_claims_have_the_labels_that_the_stored_cues_rest_on(client, wave):
    labelled(wave, "SS", text="It never opened")
    changed = labelled(wave, "RR", text="It never closed")
    withdrawn = labelled(wave, "RR", text="It never stood")
    labelled(wave, "SR", text="It never fell")
    store_cues(wave)

    changed.annotations.update(label="NOT ENOUGH INFO")
    claims = Claim.objects.filter(pk=withdrawn.instance.claim_id)
    claims.update(withdrawn_at=changed.created_at)

    assert claims_on(read(client.get(url(wave)))) == [
        ("It *never* opened", "SUPPORTS"),
        ("It *never* closed", "REFUTES"),
    ]


@pytest.mark.usefixtures("_many")
def test_many_claims_without_stored_cues_are_decided_as_they_stand(client, wave):
    labelled(wave, "SS", text="It never opened")

    assert claims_on(read(client.get(url(wave)))) == [("It *never* opened", "SUPPORTS")]


@pytest.mark.usefixtures("_many")
def test_a_stored_label_is_hidden_while_its_claim_may_be_answered(client, wave, manager):
    mine = labelled(wave, "SS", text="It never opened")
    store_cues(wave)
    manager.assignments.create(
        wave=wave, task="T2", item=mine, shuffle_seed=1,
        given_at=mine.created_at, leased_until=mine.created_at,
    )  # fmt: skip

    html = read(client.get(url(wave)))

    assert claims_on(html) == []
    assert "1 claim with it is not shown to you yet." in html


@pytest.mark.parametrize("tokens", ["published", "words"])
@pytest.mark.parametrize("text", ["", ".", "a", "A b. a", "b . a", "a.b a b", "Žába a. b", "b a"])
def test_a_cue_is_in_a_claim_where_it_has_a_place(text, tokens):
    for cue in ("", "a", "A", "b", "a b", "b a", " a", "b ", "žába", "Žába"):
        for kind in ("unigrams", "bigrams"):
            one = Cue(cue, kind, tokens)
            assert one.is_in(text) == bool(one.places(text)), one


@pytest.mark.parametrize("cue", ["office", "was", "k", "5", "zoo-bus", "straße", "strasse"])
def test_a_word_is_found_however_a_claim_writes_it(client, wave, cue):
    labelled(wave, "RR", text="The ofﬁce WAS 5 \u212a from the Zoo-Bus on Straße 3")

    places = Cue(cue, "unigrams", "words").places(Claim.objects.get().text)
    assert len(claims_on(read(client.get(url(wave, cue, tokens="words"))))) == len(places) <= 1


def test_the_database_looks_for_characters_that_no_other_becomes():
    others = (chr(code) for code in range(128, sys.maxunicode) if not 0xD800 <= code < 0xE000)
    folded = {part for each in others for part in unicodedata.normalize("NFC", each).casefold()}

    assert {"s", "f"} < folded
    assert not [each for each in folded if FOLDED_ALONE.match(each)]


def test_words_are_looked_for_in_claims_that_may_hold_them_alone(client, wave):
    labelled(wave, "RR", text="The tower NEVER opened")
    labelled(wave, "RR", text="The tower opened")

    assert list(instances_with(Cue("never", "unigrams", "words"), wave.campaign)) == [
        Claim.objects.get(text__contains="NEVER").instances.get().pk
    ]


def test_a_word_in_capitals_and_accents_is_found_in_both_ways_of_cutting(client, wave):
    labelled(wave, "RR", text="ŽÁDNÝ most 50%_x nestojí")

    for cue, tokens in (("ŽÁDNÝ", "published"), ("50%_x", "published"), ("žádný", "words")):
        assert len(claims_on(read(client.get(url(wave, cue, tokens=tokens))))) == 1, cue
