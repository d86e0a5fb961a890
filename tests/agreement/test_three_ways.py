"""Page, command and API show the same numbers, under whatever was chosen."""

import json
import re
from io import StringIO

import pytest
from django.core.management import call_command
from django.urls import reverse

from agreement.templatetags.agreement_tags import decimals, label_name, percent
from annotation.answering import store_evidence
from annotation.models import Annotation
from tests.agreement.html_tables import table_of
from tests.agreement.labels import label, labelled
from tests.agreement.stored import store_figures
from tests.annotation.pages import read
from tests.factories import make_campaign, make_corpus, make_user, make_wave

pytestmark = pytest.mark.django_db
OTHERWISE = {"own": "vote", "conditional": "as-is", "duplicates": "first"}


@pytest.fixture
def wave():
    """Claims with labels that agree and differ, own ones, conditions, evidence, a single label."""
    wave = make_wave(make_campaign(slug="spring", corpus=make_corpus()))
    for letters in ("SSR", "SR", "RRR", "NNS", "SS", "R"):
        item = labelled(wave, letters)
        for place, annotation in enumerate(item.annotations.exclude(label="NOT ENOUGH INFO")):
            source = item.instance.claim.source
            store_evidence(annotation, [[(source.pk, "" if place else "s0")]])
    label(labelled(wave, "SR"), "ada", "N", kind="own")
    label(labelled(wave, "R"), "dan", "S", condition="If the bridge is the new one.")
    Annotation.objects.filter(user__username="dan").update(is_uncertain=False)
    return wave


@pytest.fixture
def three(wave, sign_in):
    return three_ways(wave, sign_in("manager-of-spring"))


def three_ways(wave, client, **chosen):
    """(figures of the command, figures of the API, the page)."""
    store_figures(wave.campaign, **chosen)
    out = StringIO()
    call_command("agreement", campaign="spring", as_json=True, stdout=out, **chosen)
    answer = client.get("/api/v1/campaigns/spring/agreement/", chosen).json()
    page = client.get(reverse("agreement:dashboard", args=["spring"]), chosen)
    return json.loads(out.getvalue()), answer["figures"], read(page)


def test_command_and_api_give_the_same_figures(three):
    command, api, _ = three

    assert command == api


def test_they_are_the_same_under_other_policies_too(three, wave, sign_in):
    command, api, html = three_ways(wave, sign_in("manager-of-spring"), **OTHERWISE)

    assert command == api
    assert command["alpha"] != three[0]["alpha"]
    assert f'<p class="figure-value">{decimals(command["alpha"]["value"])}</p>' in html


def test_the_page_shows_alpha_with_its_interval(three):
    figures, _, html = three
    alpha = figures["alpha"]

    shown = re.search(r'alpha</h2>\s*<p class="figure-value">([^<]+)</p>', html)
    low, high = re.search(r"95 % interval ([\d.-]+) to ([\d.-]+)", html).groups()
    assert shown[1] == decimals(alpha["value"])
    assert (low, high) == tuple(map(decimals, alpha["ci"]))
    assert f"{percent(alpha['below_667'])} of the draws are below .667" in html


def test_the_page_shows_what_alpha_rests_on(three):
    figures, _, html = three

    assert re.search(
        rf'rests on</h2>\s*<p class="figure-value">{figures["n_units_pairable"]}<', html
    )
    assert f"{figures['n_annotations']} labels by {figures['n_annotators']} people" in html
    assert re.search(rf'Conflicts</h2>\s*<p class="figure-value">{figures["n_conflicts"]}<', html)


def test_the_page_shows_each_label(three):
    figures, _, html = three

    assert table_of(html, "by-label-caption") == [
        [str(label_name(name)), decimals(figures["alpha_per_label"][name]), *map(percent, shares)]
        for name, shares in zip(figures["labels"], figures["confusion"], strict=True)
    ]


def test_the_page_shows_fleiss_and_the_pairs(three):
    figures, _, html = three
    fleiss = [row for row in table_of(html, "fleiss-caption") if len(row) == 4]
    pairs = sorted(tuple(row[1:]) for row in table_of(html, "pairs-caption"))

    assert fleiss == [
        [str(row["n_raters"]), "undefined" if row["undefined"] else decimals(row["value"]),
         str(row["n_units"]), percent(row["share"], 1)]
        for row in figures["fleiss"]
    ]  # fmt: skip
    assert pairs == sorted(
        (decimals(pair["kappa"]), percent(pair["percent"]), str(pair["n"]))
        for pair in figures["cohen"]["pairs"]
    )


def test_the_page_shows_kappa_of_a_sample_of_labels(three):
    figures, _, html = three
    shown = [row for row in table_of(html, "fleiss-sampled-caption") if len(row) == 4]

    assert shown == [
        [str(row["n_raters"]), "undefined" if row["undefined"] else decimals(row["value"]),
         str(row["n_units"]), percent(row["share"], 1)]
        for row in figures["fleiss_sampled"]
    ]  # fmt: skip


def test_the_page_shows_kappa_of_each_label(three):
    figures, _, html = three

    assert table_of(html, "kappas-caption") == [
        [f"{row['n_raters']} labels", *map(decimals, row["per_label"])] for row in figures["fleiss"]
    ]


def test_the_page_shows_each_person(three):
    figures, _, html = three

    shown = {row[0]: row[1:] for row in table_of(html, "annotators-caption")}

    assert sorted(row[0] for row in shown.values()) == sorted(
        map(str, figures["annotators"].values())
    )
    shares = sorted(row[3] for row in shown.values())
    assert shares == sorted(map(decimals, figures["share_right"].values()))
    without = sorted(row[4] for row in shown.values())
    assert without == sorted(map(decimals, figures["leave_one_out"].values()))


def test_the_page_shows_alpha_by_day(three):
    figures, _, html = three

    assert [row[:3] for row in table_of(html, "days-caption")] == [
        [row["day"], str(row["n_annotations"]), decimals(row["value"])] for row in figures["by_day"]
    ]


def test_the_page_shows_agreement_on_evidence(three):
    figures, _, html = three
    evidence = figures["evidence"]

    assert [row[1:] for row in table_of(html, "overlap-caption")] == [
        [str(row["n_pairs"]), percent(row["percent"], 1), decimals(row["scott_pi"])]
        for row in evidence["feverous"].values()
    ]
    assert [row[1:] for row in table_of(html, "parts-caption")] == [
        [shown for each in (row, row["same_label"])
         for shown in (decimals(each["value"]), str(each["n_units"]))]
        for row in evidence["ambifc"].values()
    ]  # fmt: skip


def test_the_page_shows_soft_labels_and_plans(three):
    figures, _, html = three

    assert [row[1:] for row in table_of(html, "soft-caption")] == [
        [str(row["n"]) for row in rows]
        for rows in zip(*figures["soft"]["shares"].values(), strict=True)
    ]
    cells = [cell for row in table_of(html, "plan-caption") for cell in row[1:]]
    assert cells == [
        f"{decimals(row['ci'][0], 2)} – {decimals(row['ci'][1], 2)}"
        for row in figures["planning"]["rows"]
    ]


def test_the_page_shows_the_other_coefficients(three):
    figures, _, html = three
    shown = [row[1] for row in table_of(html, "single-caption")]

    kinds = ("unit_mean", "pooled_pairs", "value_weighted", "unanimous")
    percents = [percent(figures["percent"][kind], 1) for kind in kinds]
    kappas = [decimals(figures["cohen"][name]) for name in ("mean", "weighted_mean")]
    others = [decimals(figures[name]) for name in ("fleiss_generalised", "ac1", "brennan_prediger")]
    assert shown == percents + kappas + others


def test_a_file_has_what_the_command_has(three, sign_in):
    figures, _, html = three
    client = sign_in("manager-of-spring")
    found = re.findall(r'href="([^"]+/tables/([\w-]+)\.json\?[^"]*)"', html)

    parts = {name: client.get(url.replace("&amp;", "&")).json()["figures"] for url, name in found}

    assert len(parts) == 16
    assert parts.pop("figures") == figures
    assert parts["fleiss"] == figures["fleiss"]
    assert parts["fleiss-sampled"] == figures["fleiss_sampled"]
    assert [row["per_label"] for row in parts["fleiss-per-label"]["kappas"]] == [
        row["per_label"] for row in figures["fleiss"]
    ]
    assert parts["pairs"] == figures["cohen"]
    assert parts["planning"] == figures["planning"]
    assert make_user(username="ben").username not in json.dumps(parts)
