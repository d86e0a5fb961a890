"""The dashboard as a manager meets it: numbers, reasons, pictures and tables."""

import csv
import re
from datetime import UTC, datetime

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from agreement import sheets, snapshots
from agreement.models import FigureSnapshot
from annotation.answering import store_evidence
from annotation.models import Annotation, Claim
from annotation.pseudonyms import pseudonym_of
from operations.models import Job
from operations.worker import run_due_jobs
from tests.agreement.labels import LABELS, label, labelled
from tests.agreement.stored import store_figures
from tests.annotation.pages import count_queries, read
from tests.factories import make_article, make_member, make_user, make_wave, paragraph_of

pytestmark = pytest.mark.django_db


def url(one, name="dashboard", **query):
    """The page of a wave's campaign."""
    return reverse(f"agreement:{name}", args=[one.campaign.slug], query=query)


def figures_page(client, one, **query):
    """The page of figures that were made for it."""
    store_figures(one.campaign, **query)
    return read(client.get(url(one, **query)))


def csv_of(client, wave, table, **query):
    store_figures(wave.campaign, **query)
    address = reverse("agreement:table-csv", args=[wave.campaign.slug, table], query=query)
    return list(csv.reader(client.get(address).content.decode().splitlines()))


def test_alpha_is_the_one_that_was_computed_by_hand(client, wave, four_claims):
    html = figures_page(client, wave)

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
    assert "There are no labels yet." in figures_page(client, wave)
    labelled(wave, "S")
    assert "No claim has labels of two people yet." in figures_page(client, wave)
    labelled(wave, "SS")
    assert "All labels are the same" in figures_page(client, wave)


def test_the_heat_map_leads_to_the_claims_of_a_pair(client, wave, four_claims):
    html = figures_page(client, wave)

    ben, cleo = (
        pseudonym_of(wave.campaign, make_user(username=name).pk) for name in ("ben", "cleo")
    )
    first, second = sorted([ben, cleo])
    assert f"first={first}&amp;second={second}" in html
    # Both gave S twice; kappa = (3/4 - 1/2) / (1 - 1/2)
    assert re.search(r'aria-label="\w+ and \w+: kappa 0.50, 4 claims"', html)


def test_kappa_on_evidence_of_two_who_agree_is_shown(client, wave):
    other = paragraph_of(make_article(wave.campaign.corpus, "It opened late.", title="Late"))
    item = labelled(wave, "SS")
    source = item.instance.claim.source
    for annotation, cited in zip(item.annotations.order_by("pk"), (1, 2), strict=True):
        store_evidence(annotation, [[(source.pk, ""), (other.pk, "")][:cited]])

    html = figures_page(client, wave)

    # One cites one of two parts, the other both: observed and chance agreement are 1/2.
    assert "one verdict: 0.000, on 1 claim (parts: 2)." in html


def test_names_are_those_of_the_people(client, wave):
    make_user(username="ben", name="Ben Torvik")
    labelled(wave, "SR")

    assert "Ben Torvik" in figures_page(client, wave)


def test_policies_are_chosen_on_the_page(client, wave, four_claims):
    label(four_claims[0], "ada", "R", kind="own")

    never, vote = (figures_page(client, wave, own=own) for own in ("never", "vote"))

    assert "8 labels by 2 people" in never
    assert "9 labels by 3 people" in vote
    assert '<option value="vote" selected>' in vote


def test_an_unknown_policy_is_refused_kindly(client, wave, four_claims):
    html = figures_page(client, wave, own="<script>", wave="999999999999999999999")

    assert "8 labels by 2 people" in html
    assert "<script>" not in html


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ({"since": "2026-03-02", "until": "2026-03-01"}, "This day is before the first one"),
        ({"subset": "rule", "marks": "100"}, "less than or equal to 99"),
    ],
)
def test_what_is_refused_is_said_beside_it_and_computes_nothing(
    client, wave, four_claims, typed, words
):
    address = reverse("agreement:recompute", args=[wave.campaign.slug, "agreement"])

    response = client.post(address, typed | {"if_missing": "1"}, follow=True)

    assert words in read(response)
    assert "<details open>" in read(response) or "marks" not in typed
    assert not Job.objects.filter(kind="figures").exists()


def test_one_wave_is_shown_alone(client, wave, four_claims):
    other = make_wave(wave.campaign, name="Second")
    labelled(other, "SRN")

    assert "3 labels by 3 people" in figures_page(client, wave, wave=other.pk)


def test_a_sandbox_cannot_be_chosen_and_is_said_to_be_left_out(client, wave, four_claims):
    sandbox = make_wave(wave.campaign, name="Trial run", is_sandbox=True)
    labelled(sandbox, "SR")

    html = figures_page(client, wave, wave=sandbox.pk)

    assert "Trial run" not in html
    assert "Labels of sandbox waves, surplus and late ones never count." in html
    assert re.search(r"Of sandbox waves</th><td class=\"number\">2</td>", html)


def test_conflicts_and_the_last_day_are_counted(client, wave, four_claims):
    html = figures_page(client, wave)

    assert re.search(r'Conflicts</h2>\s*<p class="figure-value">1</p>', html)
    assert re.search(r'Labels of the last day</h2>\s*<p class="figure-value">8</p>', html)


def test_a_get_stores_and_asks_nothing(client, wave, four_claims):
    html = read(client.get(url(wave)))

    assert "These figures are not computed yet" in html
    assert not FigureSnapshot.objects.exists()
    assert not Job.objects.filter(kind=snapshots.JOB).exists()


def post(client, one, kind="agreement", **query):
    address = reverse("agreement:recompute", args=[one.campaign.slug, kind])
    return client.post(address, query, follow=True)


def test_recompute_has_a_job_do_it_and_comes_back_to_the_same_choice(client, wave, four_claims):
    response = post(client, wave, own="vote", wave=wave.pk)

    assert response.redirect_chain[0][0].startswith(url(wave))
    assert f"wave={wave.pk}" in response.redirect_chain[0][0]
    assert "It waits for its turn." in response.text
    run_due_jobs()
    html = read(client.get(response.redirect_chain[0][0]))
    assert "Recompute" in html
    assert "8 labels by 2 people" in html
    assert FigureSnapshot.objects.get().settings["own"] == "vote"


def test_filters_have_figures_made_where_there_are_none(client, wave, four_claims):
    post(client, wave, task="T2b", if_missing=1)
    run_due_jobs()
    assert FigureSnapshot.objects.get().settings["task"] == "T2b"

    again = post(client, wave, task="T2b", if_missing=1)

    assert "8 labels by 2 people" in again.text
    assert Job.objects.filter(kind=snapshots.JOB).count() == 1


def test_the_address_says_what_was_chosen_and_no_rule_where_there_is_none(client, wave):
    response = post(client, wave, subset="certain", marks=7, since="2024-03-01", until="long ago")

    address = response.redirect_chain[0][0]
    assert "subset=certain" in address
    assert "since=2024-03-01" in address
    assert "marks" not in address
    assert "marks=0" in post(client, wave, subset="rule", marks=0).redirect_chain[0][0]


@pytest.mark.parametrize(
    ("query", "labels"),
    [
        ({"task": "T2b"}, "8 labels by 2 people"),
        ({"task": "T2a"}, "1 label by 1 person"),
        ({"subset": "uncertain"}, "2 labels by 2 people"),
        ({"subset": "certain"}, "6 labels by 2 people"),
        ({"subset": "rule", "bound": "at-most", "marks": 0}, "6 labels by 2 people"),
        ({"since": "2024-01-02", "until": "2024-01-02"}, "1 label by 1 person"),
        ({"until": "2024-01-01"}, "0 labels by 0 people"),
    ],
)
def test_a_part_is_measured_alone(client, wave, four_claims, query, labels):
    label(four_claims[0], "ada", "R", kind="own")
    first = four_claims[1].annotations.order_by("pk")[:1]
    day = datetime(2024, 1, 2, 12, tzinfo=UTC)
    Annotation.objects.filter(pk__in=first).update(is_uncertain=True, created_at=day)

    assert labels in figures_page(client, wave, **query)


def test_the_interval_as_kalpha_draws_it_says_what_it_is(client, wave, four_claims):
    html = figures_page(client, wave, interval="kalpha")

    assert "compatible with KALPHA" in html
    assert "does not shrink with more data" in html
    assert "KALPHA: its" not in figures_page(client, wave)


def test_recompute_knows_its_pages(client, wave):
    address = reverse("agreement:recompute", args=[wave.campaign.slug, "weather"])

    assert client.post(address).status_code == 404


def test_files_of_figures_that_are_not_there_lead_back_to_the_page(client, wave, four_claims):
    address = reverse("agreement:table-csv", args=[wave.campaign.slug, "pairs"])

    response = client.get(address, follow=True)

    assert "These figures are not computed yet. Ask for them first." in response.text


def test_what_is_hidden_from_the_reader_is_not_among_the_hardest(client, wave, manager):
    label(labelled(wave, "", text="Mara labelled it."), "mara", "S")
    mine = labelled(wave, "SR", text="Mara can still change it.")
    assignment = manager.assignments.create(
        wave=wave, task="T2", item=mine, shuffle_seed=1,
        given_at=mine.created_at, leased_until=mine.created_at,
    )  # fmt: skip
    other = labelled(wave, "SR", text="Two others differ.")

    html = figures_page(client, wave)
    rows = str(csv_of(client, wave, "hardest"))
    address = reverse("agreement:table-json", args=[wave.campaign.slug, "hardest"])
    listed = read(client.get(address))

    assert assignment.item == mine
    for found in (html, rows, listed):
        assert "Two others differ." in found
        assert "Mara can still change it." not in found
    assert other.pk != mine.pk


def test_svg_numbers_have_points_in_every_language(client, wave, four_claims):
    client.cookies["django_language"] = "cs"

    html = figures_page(client, wave)

    assert not re.search(r'\b(x|y|width|height|x1|y1|viewBox|d|cx)="[^"]*\d,\d', html)


def test_the_page_asks_a_constant_number_of_queries(client, wave, four_claims):
    figures_page(client, wave)
    few = count_queries(client, url(wave))
    for letters in ("SRN", "SSS", "NN", "RS"):
        labelled(wave, letters)

    figures_page(client, wave)

    assert count_queries(client, url(wave)) == few


def test_a_page_of_stored_figures_reads_no_label(client, wave, four_claims):
    figures_page(client, wave)

    with CaptureQueriesContext(connection) as queries:
        read(client.get(url(wave)))

    assert not [each["sql"] for each in queries if "annotation_annotation" in each["sql"]]


@pytest.mark.parametrize("table", [*sheets.SHEETS, "hardest"])
def test_each_table_is_a_csv_and_a_json_too(client, wave, four_claims, table):
    rows = csv_of(client, wave, table)
    as_json = client.get(reverse("agreement:table-json", args=[wave.campaign.slug, table]))

    assert len(rows) > 1
    assert len({len(row) for row in rows}) == 1
    assert as_json.json()["figures"]


def test_the_hardest_claims_are_named_by_their_numbers(client, wave, four_claims):
    claim = four_claims[1].instance.claim

    _, row = csv_of(client, wave, "hardest")

    assert row == [str(claim.number), claim.text, "1", "1", "0", "1.0"]


def test_an_unknown_table_is_not_there(client, wave):
    for name in ("table-csv", "table-json"):
        address = reverse(f"agreement:{name}", args=[wave.campaign.slug, "passwords"])
        assert client.get(address).status_code == 404


def test_a_name_is_no_formula_in_a_spreadsheet(client, wave):
    make_user(username="ben", name="=HYPERLINK(1)")
    labelled(wave, "SR")

    assert "'=HYPERLINK(1)" in csv_of(client, wave, "pairs")[1]


@pytest.mark.parametrize("person", ["ben", "eve"])
def test_annotators_and_outsiders_see_no_figures(wave, sign_in, four_claims, person):
    assert sign_in(person).get(url(wave)).status_code == 404


def test_curators_see_figures_by_pseudonyms(wave, sign_in, four_claims):
    make_user(username="dora", name="Dora Torvik")
    labelled(wave, "SR", people=["ben", "dora"])
    curator = sign_in(make_member(wave.campaign, "cyn", role="curator"))

    html = figures_page(curator, wave)
    table = csv_of(curator, wave, "annotators")

    pseudonym = pseudonym_of(wave.campaign, make_user(username="dora").pk)
    assert pseudonym in html
    assert "Dora" not in html
    assert pseudonym in [row[0] for row in table]


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

    html = figures_page(client, wave)

    assert "&lt;b&gt;bold&lt;/b&gt; &amp; more" in html
