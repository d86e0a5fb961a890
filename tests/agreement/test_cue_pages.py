"""The page of cues: what words give away, with the claims that it rests on."""

import re

import pytest
from django.urls import reverse

from agreement.cue_figures import CueSettings, cue_figures
from agreement.figures import Scope
from operations.worker import run_due_jobs
from tests.agreement.labels import labelled
from tests.annotation.pages import count_queries, read
from tests.factories import make_campaign, make_corpus, make_user, make_wave

pytestmark = pytest.mark.django_db


@pytest.fixture
def manager():
    return make_user(username="mara")


@pytest.fixture
def wave(manager):
    return make_wave(make_campaign(corpus=make_corpus(), manager=manager))


@pytest.fixture
def client(sign_in, manager):
    return sign_in(manager)


@pytest.fixture
def ten_claims(wave):
    """Five that are supported, and five that are refuted and say "never"."""
    for number in range(5):
        labelled(wave, "SS", text=f"The bridge of town {number} opened.")
        labelled(wave, "RR", text=f"The tower of town {number} never opened.")


def url(wave, name="cues", **query):
    return reverse(f"agreement:{name}", args=[wave.campaign.slug], query=query)


def row_of(html, cue):
    """The cells of a cue's row, without markup."""
    row = re.search(rf"<tr><th [^>]*>{cue}\b.*?</tr>", html, re.DOTALL).group()
    return [
        re.sub(r"<[^>]+>", "", cell).strip() for cell in re.findall(r"<td.*?</td>", row, re.DOTALL)
    ]


def test_the_row_of_a_cue_has_the_figures_computed_by_hand(client, wave, ten_claims):
    html = read(client.get(url(wave)))

    # 5 of 10 claims, all refuted: productivity 1, coverage 1/2, mean 2/3, utility 1 - 1/2.
    assert row_of(html, "never") == ["Refutes", "5", "1.000", "0.500", "0.667", "0.500", "10"]


def test_the_page_shows_what_the_pure_functions_say(client, wave, ten_claims):
    figures = cue_figures(Scope(wave.campaign), CueSettings())

    html = read(client.get(url(wave)))

    for row in figures["bigrams"][:5]:
        assert row_of(html, row["cue"])[4] == f"{row['harmonic_mean']:.3f}"


def test_negations_are_marked(client, wave, ten_claims):
    html = read(client.get(url(wave)))

    assert re.search(r'never <span class="badge" data-tone="warn">negation</span>', html)


def test_the_page_says_what_the_figures_rest_on(client, wave, ten_claims):
    labelled(wave, "SR")

    html = read(client.get(url(wave)))

    assert "Over 10 claims" in html
    assert "1 labelled claim is undecided and left out." in html
    assert "10 different subsamples of 10 claims" in html


def test_without_two_labels_there_is_a_reason(client, wave):
    assert "No claim has a decided label yet." in read(client.get(url(wave)))

    labelled(wave, "SS")

    assert "All decided claims have the same label" in read(client.get(url(wave)))


def test_tokens_and_order_are_chosen_on_the_page(client, wave, ten_claims):
    assert row_of(read(client.get(url(wave, tokens="words"))), "the")[1] == "10"

    html = read(client.get(url(wave, order_by="coverage")))

    assert '<option value="coverage" selected>' in html


def test_recompute_adds_the_classifier(client, wave, ten_claims):
    assert "also trains a classifier" in read(client.get(url(wave)))

    client.post(reverse("agreement:recompute", args=[wave.campaign.slug, "cues"]))
    run_due_jobs()

    html = read(client.get(url(wave)))
    assert "A classifier that sees claims without evidence is right on 100.0 %" in html
    assert "right on 50.0 %" in html


def test_cues_are_a_csv_too_without_formulas(client, wave):
    for number in range(3):
        labelled(wave, "SS", text=f"=SUM {number} opened")
        labelled(wave, "RR", text=f"Town {number} closed")

    text = client.get(url(wave, "cues-csv")).content.decode()

    assert "unigrams,'=SUM,SUPPORTS,3," in text


def test_the_page_asks_a_constant_number_of_queries(client, wave, ten_claims):
    few = count_queries(client, url(wave))

    for number in range(4):
        labelled(wave, "NN", text=f"Nobody knows {number}.")

    assert count_queries(client, url(wave)) == few
