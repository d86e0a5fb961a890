"""The page of cues: what words give away, with the claims that it rests on."""

import csv
import json
import re
from io import StringIO

import pytest
from django.core.management import call_command
from django.urls import reverse

from agreement.cue_figures import CueSettings, cue_figures, decided_claims
from agreement.figures import Scope
from operations.worker import run_due_jobs
from tests.agreement.labels import labelled
from tests.annotation.pages import HTMX, count_queries, read

pytestmark = pytest.mark.django_db


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
    row = re.search(
        rf'<tr><th scope="row" class="read cue"><a [^>]*>{cue}</a>.*?</tr>', html, re.DOTALL
    )
    return [
        " ".join(re.sub(r"<[^>]+>", " ", cell).split())
        for cell in re.findall(r"<td.*?</td>", row.group(), re.DOTALL)
    ]


def test_the_row_of_a_cue_has_the_figures_computed_by_hand(client, wave, ten_claims):
    html = read(client.get(url(wave)))

    # 5 of 10 claims, all refuted: productivity 1, coverage 1/2, mean 2/3, utility 1 - 1/2.
    # Wilson's bound of 5 in 5 is 1 / (1 + 1.96^2 / 5) = 0.566. The refuted have 7 words each and
    # the supported 6, so LMI is 5/65 ln(5 * 65 / (5 * 35)) = 0.047618, and DCI (1/2)^(1/6).
    assert row_of(html, "never") == [
        "Refutes", "5 of 5", "1.000 ≥ 0.57", "0.500", "0.667", "0.500", "1.000",
        "47,618", "0.891",
    ]  # fmt: skip


def test_the_page_shows_what_the_pure_functions_say(client, wave, ten_claims):
    figures = cue_figures(Scope(wave.campaign), CueSettings())

    html = read(client.get(url(wave)))

    for row in figures["bigrams"][:5]:
        assert row_of(html, row["cue"])[4] == f"{row['harmonic_mean']:.3f}"
        assert row_of(html, row["cue"])[8] == f"{row['dci']:.3f}"


def test_negations_are_marked(client, wave, ten_claims):
    html = read(client.get(url(wave)))

    assert re.search(r'never</a> <span class="badge" data-tone="warn">negation</span>', html)


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
    assert row_of(read(client.get(url(wave, tokens="words"))), "the")[1] == "5 of 10"

    html = read(client.get(url(wave, order_by="coverage")))

    assert '<option value="coverage" selected>' in html


def test_rare_cues_come_with_a_lower_minimum(client, wave, ten_claims):
    labelled(wave, "SS", text="A lonely word opened.")
    assert "lonely" not in read(client.get(url(wave)))

    html = read(client.get(url(wave, min_count=1)))

    # One claim of the six supported; the five refuted ones are in every subsample.
    assert row_of(html, "lonely")[:2] == ["Supports", "1 of 1"]
    assert row_of(html, "lonely")[6].startswith("1.000 in ")


def test_a_minimum_that_is_no_number_is_refused_kindly(client, wave, ten_claims):
    html = read(client.get(url(wave, min_count="-2")))

    assert "Ensure this value is greater than or equal to 1." in html
    assert row_of(html, "never")[1] == "5 of 5"


def test_the_classifier_is_asked_for_by_the_page_and_comes_when_it_is_trained(
    client, wave, ten_claims
):
    assert "It is not trained yet on these labels." in read(client.get(url(wave)))

    asked = read(client.post(url(wave, "claim-only"), headers=HTMX))
    assert "is being trained" in asked
    assert client.get(url(wave, "claim-only"), headers=HTMX).status_code == 204
    assert "is being trained" in read(client.get(url(wave)))
    run_due_jobs()

    told = "A classifier that sees claims without evidence is right on 100.0 %"
    assert told in read(client.get(url(wave, "claim-only"), headers=HTMX))
    assert told in read(client.get(url(wave)))
    assert "right on 50.0 %" in read(client.get(url(wave)))


def test_without_script_the_button_leads_back_to_the_page(client, wave, ten_claims):
    response = client.post(url(wave, "claim-only"), {"tokens": "words"})

    assert response.url == f"{url(wave)}?wave=&tokens=words&order_by=harmonic_mean&min_count=3"


def test_the_classifier_is_the_same_however_cues_are_put_in_order(client, wave, ten_claims):
    client.post(url(wave, "claim-only"), headers=HTMX)
    run_due_jobs()

    html = read(client.get(url(wave, order_by="coverage", tokens="words")))

    assert "is right on 100.0 %" in html


def test_the_classifier_of_other_labels_is_not_shown(client, wave, ten_claims):
    client.post(url(wave, "claim-only"), headers=HTMX)
    run_due_jobs()
    labelled(wave, "SS", text="The park opened.")

    assert "It is not trained yet on these labels." in read(client.get(url(wave)))


def test_too_few_articles_are_a_reason_at_once(client, wave):
    labelled(wave, "SS")
    labelled(wave, "RR")

    assert "The claims come from fewer than five articles" in read(client.get(url(wave)))


def test_cues_are_a_csv_too_without_formulas(client, wave):
    for number in range(3):
        labelled(wave, "SS", text=f"=SUM {number} opened")
        labelled(wave, "RR", text=f"Town {number} closed")

    text = client.get(url(wave, "cues-csv")).content.decode()

    rows = list(csv.DictReader(StringIO(text.lstrip("\ufeff"))))
    formula = next(row for row in rows if row["cue"] == "'=SUM")
    assert (formula["kind"], formula["label"], formula["applicability"]) == (
        "unigrams", "SUPPORTS", "3",
    )  # fmt: skip
    assert (formula["claims: SUPPORTS"], formula["claims: REFUTES"]) == ("3", "0")
    # Three of 3 claims: Wilson's bound 1 / (1 + 1.96^2 / 3); LMI 3/18 ln 2; DCI (1/2)^(1/6).
    expected = {"productivity_low": 0.43849, "lmi": 0.115525, "dci": 0.890899}
    assert {name: float(formula[name]) for name in expected} == pytest.approx(expected, abs=1e-5)


def test_cues_are_json_too(client, wave, ten_claims):
    response = client.get(url(wave, "cues-json", min_count=4))

    figures = response.json()
    assert figures["min_count"] == 4
    assert figures["claim_only"]["undefined"] == "not_computed"
    assert figures["dci"][0]["dci"] == max(row["dci"] for row in figures["unigrams"])


def test_page_command_and_api_have_the_same_figures(client, wave, ten_claims, tmp_path):
    choices = {"tokens": "words", "order_by": "productivity_low", "min_count": 2}
    client.post(url(wave, "claim-only"), choices, headers=HTMX)
    run_due_jobs()

    page = client.get(url(wave, **choices)).context["figures"]

    api = client.get(reverse("api:cues", args=[wave.campaign.slug]), choices).json()["figures"]
    command = command_figures(campaign=wave.campaign.slug, **choices)
    file = command_figures(claims=file_of(wave, tmp_path), language="en", **choices)
    assert page["claim_only"]["accuracy"] is not None
    assert page == api == command == file | {"left_out": {}}


def command_figures(**options):
    out = StringIO()
    call_command("cues", as_json=True, stdout=out, **options)
    return json.loads(out.getvalue())


def file_of(wave, folder):
    """The decided claims of a wave as a file."""
    claims = decided_claims(Scope(wave.campaign))
    columns = zip(claims.text, claims.label, claims.source, strict=True)
    path = folder / "claims.jsonl"
    lines = [
        json.dumps({"claim": text, "label": label, "source": source})
        for text, label, source in columns
    ]
    path.write_text("\n".join(lines))
    return str(path)


def test_the_page_asks_a_constant_number_of_queries(client, wave, ten_claims):
    few = count_queries(client, url(wave))

    for number in range(4):
        labelled(wave, "NN", text=f"Nobody knows {number}.")

    assert count_queries(client, url(wave)) == few
