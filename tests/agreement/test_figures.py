"""Figures of a campaign: equal to the pure functions, kept with the state of the data."""

from datetime import timedelta

import numpy as np
import pytest
from django.utils import timezone

from agreement import doctor, snapshots, tables
from agreement.cue_figures import CueSettings, cue_figures
from agreement.figures import AgreementSettings, Scope, agreement_figures
from agreement.measures import (
    agreement_report,
    alpha_contributions,
    fleiss_by_raters,
    krippendorff_alpha,
)
from agreement.models import FigureSnapshot
from agreement.reasons import why
from agreement.snapshots import KIND
from annotation.models import Annotation, Claim
from operations.models import Job
from operations.worker import run_due_jobs
from tests.agreement.labels import label, labelled
from tests.factories import (
    make_article,
    make_campaign,
    make_corpus,
    make_user,
    make_wave,
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


def version(scope):
    return snapshots.data_version(scope.campaign)


def edit(item):
    label(item, "eva", "N")


def remove(item):
    one = item.annotations.first()
    Annotation.objects.filter(pk=one.pk).update(ended_at=timezone.now(), end_reason="removed")


def withdraw(item):
    Claim.objects.filter(pk=item.instance.claim_id).update(withdrawn_at=timezone.now())


def reword(item):
    claim = item.instance.claim
    claim.revisions.create(number=2, text="Another wording.", kind="wording")


def skip(item):
    assign(item, outcome="skipped", reason="too hard")


def work_longer(item):
    assign(item, outcome="submitted", active_seconds=60)


def assign(item, **fields):
    now = timezone.now()
    times = {"given_at": now, "leased_until": now, "ended_at": now}
    make_user(username="gus").assignments.create(
        wave=item.wave, task="T2", item=item, shuffle_seed=1, **times, **fields
    )


@pytest.mark.parametrize("change", [edit, remove, withdraw, reword, skip, work_longer])
def test_each_change_of_the_data_has_another_version(scope, four_claims, change):
    before = version(scope)

    change(four_claims[0])

    assert version(scope) != before


def test_what_happens_in_another_campaign_changes_no_version(scope, four_claims):
    before = version(scope)

    labelled(make_wave(make_campaign(slug="autumn", corpus=make_corpus())), "SR")

    assert version(scope) == before


def test_stored_figures_are_shown_while_nothing_changed(scope, four_claims):
    stored = snapshots.store(KIND.AGREEMENT, scope, FEW)

    shown = snapshots.shown(KIND.AGREEMENT, scope, FEW)

    assert shown.computed_at == stored.computed_at
    assert not shown.is_stale
    assert shown.figures == stored.figures == agreement_figures(scope, FEW)


def test_stored_labels_keep_their_order(scope, wave):
    labelled(wave, "SRN")
    snapshots.store(KIND.AGREEMENT, scope, FEW)

    labels = snapshots.shown(KIND.AGREEMENT, scope, FEW).figures["labels"]

    assert list(labels) == ["SUPPORTS", "REFUTES", "NOT ENOUGH INFO"]


def test_figures_that_are_not_there_have_to_be_asked_for(scope, four_claims):
    shown = snapshots.shown(KIND.AGREEMENT, scope, FEW)

    assert (shown.figures, shown.is_stale, shown.job) == (None, True, None)


def test_old_figures_are_shown_and_called_stale_once_the_sweep_saw_it(scope, wave, four_claims):
    snapshots.store(KIND.AGREEMENT, scope, FEW)
    labelled(wave, "SN")
    assert not snapshots.shown(KIND.AGREEMENT, scope, FEW).is_stale

    snapshots.renew_stale()

    shown = snapshots.shown(KIND.AGREEMENT, scope, FEW)
    assert shown.is_stale
    assert shown.figures["n_units"] == 4


def test_new_figures_are_not_stale(scope, wave, four_claims):
    snapshots.store(KIND.AGREEMENT, scope, FEW)
    labelled(wave, "SN")
    snapshots.renew_stale()

    snapshots.store(KIND.AGREEMENT, scope, FEW)

    shown = snapshots.shown(KIND.AGREEMENT, scope, FEW)
    assert not shown.is_stale
    assert shown.figures["n_units"] == 5


def test_showing_figures_is_two_queries_however_many_labels(
    scope, four_claims, django_assert_num_queries
):
    snapshots.store(KIND.AGREEMENT, scope, FEW)

    with django_assert_num_queries(2):  # the figures, and a job that is at them
        snapshots.shown(KIND.AGREEMENT, scope, FEW)


def test_a_page_gets_few_of_many_pairs_and_a_file_gets_all(scope, wave):
    people = [f"w{number:02}" for number in range(20)]
    labelled(wave, "SR" * 10, people=people)

    snapshots.store(KIND.AGREEMENT, scope, FEW)

    drawn = snapshots.shown(KIND.AGREEMENT, scope, FEW).figures
    whole = snapshots.shown(KIND.AGREEMENT, scope, FEW, whole=True).figures
    assert len(whole["cohen"]["pairs"]) == 190
    assert 50 <= len(drawn["cohen"]["pairs"]) <= 78  # those of the table, and of eight people
    assert whole == agreement_figures(scope, FEW)


def test_a_key_names_what_differs_from_the_usual_and_is_never_too_long(scope, wave):
    many = AgreementSettings(
        duplicates="first", own="when-alone", conditional="as-is", resample="sources",
        since="2024-01-01", until="2024-12-31", subset="rule", bound="at-most", marks=3, among=5,
    )  # fmt: skip

    assert snapshots.key_of(scope, AgreementSettings()) == "all"
    assert snapshots.key_of(scope, AgreementSettings(own="vote")) == "all, own=vote"
    assert snapshots.key_of(Scope(wave.campaign, wave), FEW) == f"wave {wave.pk}, n_samples=200"
    assert len(snapshots.key_of(scope, many)) <= snapshots.LONGEST_KEY


def test_the_sweep_asks_once_for_the_first_figures_of_a_campaign(scope, four_claims):
    make_campaign(slug="empty")

    assert snapshots.renew_stale() == 1
    assert snapshots.renew_stale() == 0
    run_due_jobs()

    assert snapshots.shown(KIND.AGREEMENT, scope, AgreementSettings()).figures["n_units"] == 4
    assert snapshots.renew_stale() == 0


def test_scope_and_settings_have_figures_of_their_own(scope, wave, four_claims):
    snapshots.store(KIND.AGREEMENT, scope, FEW)
    snapshots.store(KIND.AGREEMENT, Scope(wave.campaign, wave), FEW)
    snapshots.store(KIND.AGREEMENT, scope, AgreementSettings(own="vote", n_samples=200))
    snapshots.store(KIND.AGREEMENT, scope, FEW)

    assert FigureSnapshot.objects.count() == 3


def test_a_job_makes_the_figures_that_a_person_asked_for(scope, four_claims):
    job = snapshots.ask(
        kind=KIND.AGREEMENT, scope=scope, settings=FEW, by=make_user(username="manager")
    )
    assert snapshots.ask(kind=KIND.AGREEMENT, scope=scope, settings=FEW) == job
    assert snapshots.shown(KIND.AGREEMENT, scope, FEW).job == job

    run_due_jobs()

    job.refresh_from_db()
    assert job.state == Job.State.DONE, job.error
    assert job.result["url"].startswith("/agreement/campaigns/spring/?wave=&duplicates=last")
    assert FigureSnapshot.objects.get().figures["n_units"] == 4


def age(**fields):
    long_ago = {name: timezone.now() - value for name, value in fields.items()}
    FigureSnapshot.objects.update(**long_ago)


def test_the_sweep_renews_what_went_stale(scope, wave, four_claims):
    snapshots.store(KIND.AGREEMENT, scope, FEW)
    age(computed_at=timedelta(hours=1))
    assert snapshots.renew_stale() == 0
    labelled(wave, "SN")

    assert snapshots.renew_stale() == 1
    run_due_jobs()

    assert FigureSnapshot.objects.get().figures["n_units"] == 5


@pytest.mark.parametrize(
    "ages",
    [
        {"computed_at": timedelta(minutes=1)},
        {"computed_at": timedelta(days=90), "asked_at": timedelta(days=90)},
    ],
)
def test_the_sweep_rests_and_forgets(scope, wave, four_claims, ages):
    snapshots.store(KIND.AGREEMENT, scope, FEW)
    labelled(wave, "SN")
    age(**ages)

    assert snapshots.renew_stale() == 0


def test_old_figures_are_called_old_and_are_renewed_once_somebody_looks(scope, wave, four_claims):
    snapshots.store(KIND.AGREEMENT, scope, FEW)
    labelled(wave, "SN")
    age(computed_at=timedelta(days=90), asked_at=timedelta(days=90))
    snapshots.renew_stale()

    assert snapshots.shown(KIND.AGREEMENT, scope, FEW).is_stale
    assert snapshots.renew_stale() == 1


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


def test_doctor_names_figures_of_another_campaigns_wave(scope, wave, four_claims):
    row = snapshots.store(KIND.AGREEMENT, Scope(wave.campaign, wave), FEW)
    assert list(doctor.figures_of_another_campaigns_wave()) == []

    FigureSnapshot.objects.update(campaign=make_campaign(slug="autumn"))

    assert f"figures {row.pk}" in next(doctor.figures_of_another_campaigns_wave())
