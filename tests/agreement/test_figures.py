"""Figures of a campaign: equal to the pure functions, and to what one computes by hand."""

from datetime import timedelta

import numpy as np
import pytest
from django.utils import timezone

from agreement import tables
from agreement.cue_figures import CueSettings, cue_figures
from agreement.figures import AgreementSettings, Scope, agreement_figures
from agreement.measures import (
    agreement_report,
    alpha_contributions,
    fleiss_by_raters,
    krippendorff_alpha,
)
from agreement.reasons import why
from annotation.models import Annotation
from tests.agreement.labels import label, labelled
from tests.factories import (
    make_article,
    paragraph_of,
)

pytestmark = pytest.mark.django_db
FEW = AgreementSettings(n_samples=200)


@pytest.fixture
def scope(wave):
    return Scope(wave.campaign)


def test_alpha_is_what_one_computes_by_hand(scope, four_claims):
    figures = agreement_figures(scope, FEW)

    # 2 of 8 labels disagree; 5 SUPPORTS and 3 REFUTES: expected (64 - 25 - 9) / (8 * 7)
    assert figures["alpha"]["value"] == pytest.approx(1 - (2 / 8) / (30 / 56))
    assert figures["n_units_pairable"] == 4
    assert figures["labels"] == {"SUPPORTS": 5, "REFUTES": 3}


def test_figures_equal_the_pure_functions(scope, four_claims):
    rows = tables.annotation_rows(scope.campaign)
    counts = rows.table().counts

    figures = agreement_figures(scope, FEW)

    assert figures["alpha"]["value"] == krippendorff_alpha(counts)
    assert figures["fleiss"] == fleiss_by_raters(counts)
    report = agreement_report(
        rows.unit, rows.annotator, rows.label,
        label_order=tables.LABEL_ORDER, n_samples=200, rng=np.random.default_rng(0),
    )  # fmt: skip
    assert figures["alpha"]["ci"] == report["alpha"]["ci"]
    assert figures["cohen"] == report["cohen"]


def test_the_hardest_claim_has_its_share_of_the_disagreement(scope, wave, four_claims):
    labelled(wave, "SRN")
    counts = tables.annotation_rows(scope.campaign).table().counts

    hardest = agreement_figures(scope, FEW)["hardest"]

    costs = alpha_contributions(counts)
    assert [row["share"] for row in hardest] == sorted(costs[costs > 0] / costs.sum())[::-1]
    assert sum(row["share"] for row in hardest) == pytest.approx(1)


def test_policies_change_figures_and_are_named_with_them(scope, wave, four_claims):
    label(four_claims[0], "ada", "R", kind="own")

    never = agreement_figures(scope, FEW)
    vote = agreement_figures(scope, AgreementSettings(own="vote", n_samples=200))

    assert never["n_own_dropped"] == 1
    assert vote["alpha"]["value"] < never["alpha"]["value"]
    assert vote["policies"]["own"] == "vote"


def test_the_interval_can_draw_source_articles(scope, four_claims):
    settings = AgreementSettings(resample="sources", n_samples=200)

    assert "clusters" in agreement_figures(scope, settings)["alpha"]["method"]


@pytest.mark.parametrize(
    ("task", "own", "taken"), [("T2a", "never", "vote"), ("T2b", "vote", "vote"),
                               ("all", "never", "never")],
)  # fmt: skip
def test_the_policy_is_named_as_it_was_taken(scope, four_claims, task, own, taken):
    chosen = AgreementSettings(task=task, own=own, n_samples=10)

    assert agreement_figures(scope, chosen)["policies"]["own"] == taken


@pytest.fixture
def ten_articles(wave):
    """Four claims of each: in every second article two people differ on all of them."""
    for number in range(10):
        source = paragraph_of(make_article(wave.campaign.corpus))
        for letter in "SRSR":
            second = "SR"[letter == "S"] if number % 2 else letter
            labelled(wave, letter + second, source=source)


@pytest.mark.parametrize("chosen", [{}, {"resample": "sources"}, {"interval": "kalpha"}])
def test_the_curve_has_the_interval_that_was_asked_for(scope, ten_articles, chosen):
    figures = agreement_figures(scope, AgreementSettings(n_samples=2000, **chosen))

    assert figures["by_day"][-1]["ci"] == pytest.approx(figures["alpha"]["ci"], abs=0.06)
    low, high = figures["by_day"][-1]["ci"]
    assert (high - low > 0.75) == (chosen.get("resample") == "sources")


@pytest.mark.parametrize("chosen", [{"resample": "sources"}, {"interval": "kalpha"}])
def test_there_is_no_plan_where_the_interval_draws_no_claims(scope, ten_articles, chosen):
    plan = agreement_figures(scope, AgreementSettings(n_samples=10, **chosen))["planning"]

    assert (plan["rows"], plan["undefined"]) == ([], "drawn_otherwise")
    assert "single claims" in why(plan["undefined"])


def test_the_curve_ends_at_the_alpha_of_all_labels(scope, four_claims):
    Annotation.objects.filter(item__in=four_claims[:2]).update(
        created_at=timezone.now() - timedelta(days=3)
    )

    figures = agreement_figures(scope, FEW)

    assert [row["n_annotations"] for row in figures["by_day"]] == [4, 8]
    assert figures["by_day"][-1]["value"] == figures["alpha"]["value"]


def test_without_labels_every_figure_has_a_reason(scope):
    figures = agreement_figures(scope, FEW)

    assert figures["alpha"]["value"] is None
    assert figures["alpha"]["undefined"] == "no_data"
    assert figures["by_day"] == figures["hardest"] == figures["fleiss"] == []


def test_cues_rest_on_decided_claims_alone(scope, wave):
    for letters in ("SS", "RR", "SR", "SRN"):
        labelled(wave, letters)

    figures = cue_figures(scope, CueSettings(min_count=1))

    assert figures["n_claims"] == 2
    assert figures["left_out"] == {"tie": 2}
    assert figures["labels"] == {"SUPPORTS": 1, "REFUTES": 1}


def test_the_cue_of_one_label_is_fully_productive(scope, wave):
    for letters, text in (
        ("SS", "The bridge opened in May."),
        ("SS", "The tower opened in June."),
        ("RR", "The bridge never opened."),
        ("RR", "The tower never opened."),
    ):
        labelled(wave, letters, text=text)

    figures = cue_figures(scope, CueSettings(min_count=1))

    never = next(row for row in figures["unigrams"] if row["cue"] == "never")
    # It stands in 2 of 4 claims, both REFUTES: productivity 1, coverage 1/2, mean 2/3.
    assert (never["label"], never["productivity"], never["coverage"]) == ("REFUTES", 1, 0.5)
    assert never["harmonic_mean"] == pytest.approx(2 / 3)
    assert never["is_negation"]
    assert figures["claim_only"]["undefined"] == "few_groups"
