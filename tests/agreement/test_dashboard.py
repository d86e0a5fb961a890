"""The dashboard as a manager meets it: numbers, reasons, pictures and tables."""

import csv
import re

import pytest
from django.urls import reverse

from agreement import snapshots
from agreement.models import FigureSnapshot
from annotation.models import Claim
from annotation.pseudonyms import pseudonym_of
from operations.models import Job
from operations.worker import run_due_jobs
from tests.agreement.labels import LABELS, label, labelled
from tests.annotation.pages import count_queries, read
from tests.factories import make_campaign, make_corpus, make_member, make_user, make_wave

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
def four_claims(wave):
    """Two labels each, by Ben and Cleo: SS, SR, RR, SS."""
    return [labelled(wave, letters) for letters in ("SS", "SR", "RR", "SS")]


def url(one, name="dashboard", **query):
    """The page of a wave's campaign."""
    return reverse(f"agreement:{name}", args=[one.campaign.slug], query=query)


def csv_of(client, wave, table, **query):
    address = reverse("agreement:table-csv", args=[wave.campaign.slug, table], query=query)
    return list(csv.reader(client.get(address).content.decode().splitlines()))


def test_alpha_is_the_one_that_was_computed_by_hand(client, wave, four_claims):
    html = read(client.get(url(wave)))

    assert "0.533" in html  # 1 - (2 / 8) / (30 / 56)
    assert "95 % interval" in html
    assert "8 labels by 2 people" in html


def test_fleiss_kappa_is_the_one_that_was_computed_by_hand(client, wave, four_claims):
    rows = csv_of(client, wave, "fleiss")

    # Observed 3/4, expected (5/8)² + (3/8)² = 34/64: kappa = (48 - 34) / (64 - 34)
    raters, kappa, claims, share, why = rows[1]
    assert (raters, claims, share, why) == ("2", "4", "1.0", "")
    assert float(kappa) == pytest.approx(14 / 30)


def test_each_undefined_figure_says_why(client, wave):
    assert "There are no labels yet." in read(client.get(url(wave)))
    labelled(wave, "S")
    assert "No claim has labels of two people yet." in read(client.get(url(wave)))
    labelled(wave, "SS")
    assert "All labels are the same" in read(client.get(url(wave)))


def test_the_heat_map_leads_to_the_claims_of_a_pair(client, wave, four_claims):
    html = read(client.get(url(wave)))

    ben, cleo = (
        pseudonym_of(wave.campaign, make_user(username=name).pk) for name in ("ben", "cleo")
    )
    first, second = sorted([ben, cleo])
    assert f"first={first}&amp;second={second}" in html
    # Both gave S twice; kappa = (3/4 - 1/2) / (1 - 1/2)
    assert re.search(r'aria-label="\w+ and \w+: kappa 0.50, 4 claims"', html)


def test_names_are_those_of_the_people(client, wave):
    make_user(username="ben", name="Ben Torvik")
    labelled(wave, "SR")

    assert "Ben Torvik" in read(client.get(url(wave)))


def test_policies_are_chosen_on_the_page(client, wave, four_claims):
    label(four_claims[0], "ada", "R", kind="own")

    never, vote = (read(client.get(url(wave, own=own))) for own in ("never", "vote"))

    assert "8 labels by 2 people" in never
    assert "9 labels by 3 people" in vote
    assert '<option value="vote" selected>' in vote


def test_an_unknown_policy_is_refused_kindly(client, wave, four_claims):
    html = read(client.get(url(wave, own="<script>", wave="999999999999999999999")))

    assert "8 labels by 2 people" in html
    assert "<script>" not in html


def test_one_wave_is_shown_alone(client, wave, four_claims):
    other = make_wave(wave.campaign, name="Second")
    labelled(other, "SRN")

    assert "3 labels by 3 people" in read(client.get(url(wave, wave=other.pk)))


def test_a_sandbox_cannot_be_chosen_and_is_said_to_be_left_out(client, wave, four_claims):
    sandbox = make_wave(wave.campaign, name="Trial run", is_sandbox=True)
    labelled(sandbox, "SR")

    html = read(client.get(url(wave, wave=sandbox.pk)))

    assert "Trial run" not in html
    assert "Labels of sandbox waves, surplus and late ones never count." in html
    assert re.search(r"Of sandbox waves</th><td class=\"number\">2</td>", html)


def test_counters_are_live(client, wave, four_claims):
    html = read(client.get(url(wave)))

    assert re.search(r'Conflicts now</h2>\s*<p class="figure-value">1</p>', html)
    assert re.search(r'Labels today</h2>\s*<p class="figure-value">8</p>', html)


def test_a_get_stores_nothing(client, wave, four_claims):
    read(client.get(url(wave)))

    assert not FigureSnapshot.objects.exists()
    assert not Job.objects.filter(kind=snapshots.JOB).exists()


def test_recompute_has_a_job_do_it_and_comes_back_to_the_same_choice(client, wave, four_claims):
    address = reverse("agreement:recompute", args=[wave.campaign.slug, "agreement"])

    response = client.post(address, {"own": "vote", "wave": wave.pk}, follow=True)

    assert response.redirect_chain[0][0].startswith(url(wave))
    assert f"wave={wave.pk}" in response.redirect_chain[0][0]
    assert "It waits for a worker." in response.text
    run_due_jobs()
    html = read(client.get(response.redirect_chain[0][0]))
    assert "Nothing has changed since then." in html
    assert FigureSnapshot.objects.get().settings["own"] == "vote"


def test_recompute_knows_its_pages(client, wave):
    address = reverse("agreement:recompute", args=[wave.campaign.slug, "weather"])

    assert client.post(address).status_code == 404


def test_many_labels_are_computed_when_somebody_asks(client, wave, four_claims, monkeypatch):
    monkeypatch.setattr(snapshots, "SMALL", 1)

    html = read(client.get(url(wave)))

    assert "These figures are not computed yet" in html
    assert "Compute the figures" in html
    redirected = client.get(reverse("agreement:table-csv", args=[wave.campaign.slug, "pairs"]))
    assert redirected.status_code == 302


def test_what_is_hidden_from_the_reader_is_not_among_the_hardest(client, wave, manager):
    label(labelled(wave, "", text="Mara labelled it."), "mara", "S")
    mine = labelled(wave, "SR", text="Mara can still change it.")
    assignment = manager.assignments.create(
        wave=wave, task="T2", item=mine, shuffle_seed=1,
        given_at=mine.created_at, leased_until=mine.created_at,
    )  # fmt: skip
    other = labelled(wave, "SR", text="Two others differ.")

    html = read(client.get(url(wave)))

    assert assignment.item == mine
    assert "Two others differ." in html
    assert "Mara can still change it." not in html
    assert other.pk != mine.pk


def test_svg_numbers_have_points_in_every_language(client, wave, four_claims):
    client.cookies["django_language"] = "cs"

    html = read(client.get(url(wave)))

    assert not re.search(r'\b(x|y|width|height|x1|y1|viewBox|d|cx)="[^"]*\d,\d', html)


def test_the_page_asks_a_constant_number_of_queries(client, wave, four_claims):
    few = count_queries(client, url(wave))

    for letters in ("SRN", "SSS", "NN", "RS"):
        labelled(wave, letters)

    assert count_queries(client, url(wave)) == few


@pytest.mark.parametrize(
    "table",
    ["figures", "fleiss", "pairs", "labels", "labels-per-claim", "confusion", "annotators", "days"],
)
def test_each_table_is_a_csv_too(client, wave, four_claims, table):
    rows = csv_of(client, wave, table)

    assert len(rows) > 1
    assert len({len(row) for row in rows}) == 1


def test_an_unknown_table_is_not_there(client, wave):
    address = reverse("agreement:table-csv", args=[wave.campaign.slug, "passwords"])

    assert client.get(address).status_code == 404


def test_a_name_is_no_formula_in_a_spreadsheet(client, wave):
    make_user(username="ben", name="=HYPERLINK(1)")
    labelled(wave, "SR")

    assert "'=HYPERLINK(1)" in csv_of(client, wave, "pairs")[1]


@pytest.mark.parametrize("name", ["dashboard", "cues", "cues-csv"])
@pytest.mark.parametrize("person", ["ben", "cyn", "eve"])
def test_only_managers_see_figures(wave, sign_in, four_claims, name, person):
    make_member(wave.campaign, "cyn", role="curator")

    assert sign_in(person).get(url(wave, name)).status_code == 404


def test_an_annotators_pages_stay_the_same_whatever_others_answer(wave, sign_in, four_claims):
    client = sign_in("ben")
    addresses = [reverse("annotation:home"), reverse("annotation:my-work"), url(wave)]
    before = [without_tokens(client.get(address)) for address in addresses]

    for annotation in make_user(username="cleo").annotations.all():
        swapped = LABELS["N"] if annotation.label == LABELS["S"] else LABELS["S"]
        type(annotation).objects.filter(pk=annotation.pk).update(label=swapped)

    assert [without_tokens(client.get(address)) for address in addresses] == before


def without_tokens(response):
    """What a page shows, without what is new in every answer."""
    return response.status_code, re.sub(r'csrfmiddlewaretoken" value="\w+"', "", response.text)


def test_claims_cannot_bring_markup(client, wave):
    item = labelled(wave, "SR")
    Claim.objects.filter(pk=item.instance.claim_id).update(text="<b>bold</b> & more")

    html = read(client.get(url(wave)))

    assert "&lt;b&gt;bold&lt;/b&gt; &amp; more" in html
