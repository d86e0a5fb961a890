"""Agreement and cues over HTTP: the figures of the pages, under the policies that were asked."""

import json
from io import StringIO

import pytest
from django.core.management import call_command
from django.test import Client

from accounts.tokens import issue_token
from agreement import snapshots
from agreement.cue_forms import CueForm
from agreement.figures import Scope
from agreement.forms import AgreementForm
from agreement.models import FigureSnapshot
from operations.models import Job
from operations.worker import run_due_jobs
from tests.agreement.labels import label, labelled
from tests.agreement.stored import store_figures
from tests.annotation.pages import count_queries
from tests.factories import make_campaign, make_member, make_wave

pytestmark = pytest.mark.django_db
AGREEMENT = "/api/v1/campaigns/spring/agreement/"
CUES = "/api/v1/campaigns/spring/cues/"
MANAGER = "mara"


def figures(response):
    assert response.status_code == 200
    return response.json()["figures"]


def stored(client, wave, **query):
    """The figures that the API gives once a job made them."""
    store_figures(wave.campaign, **query)
    return figures(client.get(AGREEMENT, query))


def test_alpha_is_that_of_the_dashboard(sign_in, wave, four_claims):
    answer = stored(sign_in(MANAGER), wave)

    form = AgreementForm({}, campaign=wave.campaign)
    shown = snapshots.shown("agreement", form.scope, form.settings).figures
    assert answer["alpha"]["value"] == pytest.approx(1 - (2 / 8) / (30 / 56))
    assert answer == {name: value for name, value in shown.items() if name != "hardest"}


def test_alpha_is_that_of_the_command(sign_in, wave, four_claims):
    out = StringIO()
    call_command("agreement", campaign="spring", as_json=True, stdout=out)

    assert stored(sign_in(MANAGER), wave)["alpha"] == json.loads(out.getvalue())["alpha"]


def test_cues_are_those_of_the_page(sign_in, wave, four_claims):
    form = CueForm({}, campaign=wave.campaign)

    assert figures(sign_in(MANAGER).get(CUES)) == (
        snapshots.shown("cues", form.scope, form.settings).figures
    )


def test_policies_are_chosen_in_the_address(sign_in, wave):
    item = labelled(wave, "SR")
    label(item, "fay", "R", condition="If the bridge is the new one.")

    nei = stored(sign_in(MANAGER), wave)
    as_is = stored(sign_in(MANAGER), wave, conditional="as-is")

    assert nei["policies"]["conditional"] == "nei"
    assert as_is["policies"]["conditional"] == "as-is"
    assert nei["labels"] != as_is["labels"]


def test_a_wave_is_named_by_its_name(sign_in, wave, four_claims):
    second = make_wave(wave.campaign, name="Second wave")
    labelled(second, "SS")

    store_figures(wave.campaign, wave=second.pk)
    assert figures(sign_in(MANAGER).get(f"{AGREEMENT}?wave=Second+wave"))["n_annotations"] == 2


@pytest.mark.parametrize(
    ("query", "field", "reason"),
    [
        ("own=always", "own", "is not a valid choice"),
        ("since=May", "since", "Date has wrong format"),
        ("since=2026-03-02&until=2026-03-01", "until", "This day is before the first one"),
        ("marks=-1", "marks", "greater than or equal to 0"),
        ("wave=Third", "wave", "its waves are 'First wave'"),
        ("wave=Practice", "wave", "is a sandbox"),
        ("wave=a%00", "wave", "Null characters"),
    ],
)
def test_an_unknown_choice_is_refused_with_the_known_ones(sign_in, wave, query, field, reason):
    make_wave(wave.campaign, name="Practice", is_sandbox=True)

    response = sign_in(MANAGER).get(f"{AGREEMENT}?{query}")

    assert response.status_code == 400
    assert reason in response.json()[field][0]


def test_figures_are_asked_for_and_kept(sign_in, wave, four_claims):
    client = sign_in(MANAGER)

    before = client.get(AGREEMENT).json()
    asked = client.post(AGREEMENT)
    waiting = client.get(AGREEMENT).json()
    run_due_jobs()
    after = client.get(AGREEMENT).json()

    assert (before["figures"], before["is_stale"], before["job"]) == (None, True, None)
    assert asked.status_code == 202
    assert waiting["job"]["id"] == asked.json()["id"]
    assert after["figures"]["n_annotations"] == 8
    assert (after["is_stale"], after["job"]) == (False, None)


def test_reading_figures_stores_nothing(sign_in, wave, four_claims):
    sign_in(MANAGER).get(AGREEMENT)
    sign_in(MANAGER).get(CUES)

    assert not FigureSnapshot.objects.exists()
    assert not Job.objects.exists()


def test_the_job_is_the_one_of_the_page(sign_in, wave, four_claims):
    form = AgreementForm({"own": "vote"}, campaign=wave.campaign)
    job = snapshots.ask(kind="agreement", scope=Scope(wave.campaign), settings=form.settings)

    assert sign_in(MANAGER).post(f"{AGREEMENT}?own=vote").json()["id"] == job.pk


def test_annotators_are_told_by_pseudonyms(sign_in, wave, four_claims):
    store_figures(wave.campaign)
    text = sign_in(MANAGER).get(AGREEMENT).content.decode()

    assert len(json.loads(text)["figures"]["annotators"]) == 2
    assert "cleo" not in text


@pytest.mark.parametrize("path", [AGREEMENT, CUES])
def test_only_who_looks_after_a_campaign_reads_figures(sign_in, wave, path):
    make_member(wave.campaign, "ben")
    make_campaign(slug="autumn")

    for name in ["ben", "eve", "manager-of-autumn"]:
        assert sign_in(name).get(path).status_code == 404
        assert sign_in(name).post(path).status_code == 404


def test_curators_read_the_figures_of_managers(sign_in, wave, four_claims):
    make_member(wave.campaign, "cyn", role="curator")

    assert stored(sign_in("cyn"), wave) == figures(sign_in(MANAGER).get(AGREEMENT))


def test_a_subset_is_measured_by_a_rule_of_ones_own(sign_in, wave, four_claims):
    four_claims[0].annotations.update(is_uncertain=True)

    two = stored(sign_in(MANAGER), wave, subset="rule", bound="at-least", marks=2, among=2)

    assert two["labels"] == {"SUPPORTS": 2}
    assert two["n_filtered"] == 6
    assert {name: two["policies"][name] for name in ("bound", "marks", "among")} == {
        "bound": "at-least", "marks": 2, "among": 2,
    }  # fmt: skip


def test_a_token_reads_with_one_scope_and_computes_with_another(wave):
    client = Client()
    manager = wave.campaign.memberships.get(role="manager").user
    _, secret = issue_token(user=manager, name="r", scopes=["read"], days=1)
    headers = {"Authorization": f"Bearer {secret}"}

    assert client.get(AGREEMENT, headers=headers).status_code == 200
    assert client.post(AGREEMENT, headers=headers).status_code == 403


def test_figures_take_as_many_queries_with_many_labels(sign_in, wave, four_claims):
    few = count_queries(sign_in(MANAGER), AGREEMENT)
    for _ in range(3):
        labelled(wave, "SRN")

    assert count_queries(sign_in(MANAGER), AGREEMENT) == few
