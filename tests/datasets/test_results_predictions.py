"""Predictions of models that a team brings: scored as others are, strictly, kept with a release."""

import gzip
from io import StringIO

import pytest
from django.core.exceptions import ValidationError
from django.core.files.base import ContentFile
from django.core.management import call_command
from django.urls import reverse

from accounts.models import Event
from datasets import doctor
from datasets.models import ReleaseResult
from datasets.results import services
from datasets.results.claims import released_claims
from datasets.results.predictions import MOST_BYTES
from datasets.results.services import remove_predictions, run_baselines, store_predictions
from datasets.results.words import claims_in
from tests.datasets.builders import label, make_item_of
from tests.datasets.releasing import make_release
from tests.datasets.results import (
    NEI,
    R,
    S,
    file_of,
    lines_for,
    make_predictions,
    make_searchable,
)
from tests.factories import make_claim, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def release():
    """Six claims, numbered from 1: SUPPORTS, REFUTES, NOT ENOUGH INFO and the same again."""
    return make_release(make_searchable(claims=6, indexed=False)[0])


def claims_of(release):
    return released_claims(release).splits["all"]


def test_figures_are_as_counted_by_hand(release):
    lines = lines_for(claims_of(release), pages={2: ["spring0_1", "spring1_1"]}, c4=R, c5=NEI)

    result = make_predictions(release, lines=lines)

    told, fever = result.figures["ctkfacts"], result.figures["fever"]
    # F1: SUPPORTS 2/3, REFUTES 1/2, NOT ENOUGH INFO 4/5.
    assert told["nse"]["macro_f1"] == pytest.approx((2 / 3 + 1 / 2 + 4 / 5) / 3)
    assert told["nse"]["accuracy"] == pytest.approx(4 / 6)
    # Among one page the evidence of claim 2 is missing: no REFUTES is right.
    assert told["se"]["1"]["macro_f1"] == pytest.approx((2 / 3 + 0 + 4 / 5) / 3)
    assert told["se"]["5"] == told["nse"]
    assert fever["strict_score"] == pytest.approx(4 / 6)
    assert fever["label_accuracy"] == pytest.approx(4 / 6)
    assert result.figures["n_claims"] == 6


def test_the_claims_of_each_cell_are_kept(release):
    result = make_predictions(release, lines=lines_for(claims_of(release), c4=R))

    assert claims_in(result, "predictions", S, S) == ["1"]
    assert claims_in(result, "predictions", S, R) == ["4"]
    assert claims_in(result, "predictions", NEI, S) is None
    assert claims_in(result, "nothing", S, S) is None


def test_a_packed_file_is_read_and_its_hash_kept(release):
    plain = file_of(lines_for(claims_of(release)))
    packed = ContentFile(gzip.compress(plain.read()), name="mine.jsonl.gz")

    result = store_predictions(
        release=release, name="packed", split="all", file=packed, by=make_user()
    )

    assert result.settings == {"split": "all", "file": "mine.jsonl.gz"}
    assert len(result.sha256) == 64


def test_a_claim_that_nobody_decided_may_be_predicted_and_does_not_count():
    campaign, wave = make_searchable(claims=3, indexed=False)
    item = make_item_of(make_claim(wave), wave)
    label(item, "ben", S)
    label(item, "cyn", R)
    release = make_release(campaign, ties="soft")
    lines = [*lines_for(claims_of(release)),
             {"id": 4, "predicted_label": S, "predicted_pages": []}]  # fmt: skip

    result = make_predictions(release, lines=lines)

    assert (result.figures["n_claims"], result.figures["undecided"]) == (3, 1)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda lines: lines[1:], "A claim has no prediction: 1."),
        (lambda lines: lines[2:], "2 claims have no prediction: 1, 2."),
        (lambda lines: [*lines[:-1], lines[-1] | {"id": "x"}], "for no claim of this split: x."),
        (lambda lines: [*lines, lines[0]], r"an id that stands before: 1 \(lines 1 and 7\)"),
        (lambda lines: [lines[0] | {"predicted_label": "TRUE"}, *lines[1:]], "TRUE.*use SUPPORTS"),
        (lambda lines: [{"id": 1, "predicted_label": S}, *lines[1:]], "no predicted_pages"),
        (lambda lines: [lines[0] | {"predicted_pages": [3]}, *lines[1:]], "a page is 3"),
        (lambda lines: [{**lines[0], "id": None}, *lines[1:]], "there is no id"),
        (lambda lines: ["{broken\n", *lines[1:]], r"mine\.jsonl:1:2: no JSON"),
        (lambda lines: [], "6 claims have no prediction"),
    ],
)
def test_a_mistake_is_one_line_and_nothing_is_stored(release, change, reason):
    lines = change(lines_for(claims_of(release)))

    with pytest.raises(ValidationError, match=reason) as refused:
        make_predictions(release, lines=lines)

    assert len(refused.value.messages) == 1
    assert not ReleaseResult.objects.exists()


@pytest.fixture
def mia(release, sign_in):
    return sign_in("manager-of-spring")


HALF = {"id": "a\ud83c", "predicted_label": S, "predicted_pages": []}


def test_half_characters_of_ids_do_not_break_the_page(release, mia):
    asked = {"name": "x", "split": "all", "file": file_of([HALF, HALF])}

    page = mia.post(reverse("datasets:predictions", args=[release.pk]), asked)

    assert page.status_code == 200
    assert "an id that stands before: a? (lines 1 and 2)" in page.content.decode()


def test_half_characters_of_ids_do_not_break_the_answer(release, mia):
    address = reverse("api:release-predictions", args=[release.pk])
    body = {"name": "x", "split": "all", "records": [HALF, HALF]}

    answer = mia.post(address, body, content_type="application/json")

    assert answer.status_code == 400
    assert "an id that stands before: a? (lines 1 and 2)" in str(answer.json())


def test_a_long_id_is_not_echoed_whole(release):
    lines = [HALF | {"id": "x" * 5000}] * 2

    with pytest.raises(ValidationError) as refused:
        make_predictions(release, lines=lines)

    assert len(refused.value.messages[0]) < 200


def test_a_small_file_that_unpacks_to_a_large_one_is_refused(release):
    packed = ContentFile(gzip.compress(b" " * (MOST_BYTES + 1)), name="bomb.gz")

    with pytest.raises(ValidationError, match="more than 50 MB"):
        store_predictions(release=release, name="x", split="all", file=packed, by=make_user())


def test_what_takes_long_is_left_to_the_command(release, monkeypatch, tmp_path):
    monkeypatch.setattr(services, "CLAIMS_AT_ONCE", 5)
    path = tmp_path / "mine.jsonl"
    path.write_bytes(file_of(lines_for(claims_of(release))).read())

    with pytest.raises(ValidationError, match=r"has 6 claims.*by the command only"):
        make_predictions(release)
    out = StringIO()
    call_command("baselines", "spring", "1.0.0", predictions=path, name="XLM-R", split="all",
                 stdout=out)  # fmt: skip

    assert ReleaseResult.objects.get().figures["ctkfacts"]["nse"]["accuracy"] == 1
    assert "XLM-R" in out.getvalue().splitlines()[-1]


def test_a_name_is_given_once_in_a_release(release):
    make_predictions(release, "XLM-R")

    with pytest.raises(ValidationError, match="choose another name"):
        make_predictions(release, "xlm-r")


@pytest.mark.parametrize("name", ["", "  ", "x" * 61, "a\0b", "a\u202eb"])
def test_a_name_that_cannot_be_kept_is_refused(release, name):
    with pytest.raises(ValidationError):
        make_predictions(release, name)


@pytest.mark.parametrize("name", ["baselines-0", "Baselines-7-abc"])
def test_a_name_of_baselines_is_refused(release, name):
    with pytest.raises(ValidationError, match="“baselines-” are those of baselines"):
        make_predictions(release, name)


def test_a_split_that_is_not_there_is_refused(release):
    with pytest.raises(ValidationError, match="no split “test”; there are: all"):
        store_predictions(release=release, name="x", split="test", file=file_of([]), by=make_user())


def test_a_models_result_can_be_removed_and_baselines_stay(release):
    result, mia = make_predictions(release), make_user(username="mia")
    remove_predictions(result=result, by=mia)

    assert not ReleaseResult.objects.exists()
    assert Event.objects.get(verb="removed predictions").data == {"sha256": result.sha256}


def test_baselines_cannot_be_removed():
    release = make_release(make_searchable(claims=6)[0])
    result = run_baselines(release=release, seed=0)

    with pytest.raises(ValidationError, match="stay with their release"):
        remove_predictions(result=result, by=make_user())


def test_the_doctor_finds_results_of_other_claims(release):
    result = make_predictions(release)
    assert list(doctor.counts_of_results()) == []

    ReleaseResult.objects.create(
        release=release, kind="predictions", name="other", settings={"split": "all"},
        figures={**result.figures, "n_claims": 5}, confusions={}, sha256="0" * 64,
    )  # fmt: skip

    assert [line.partition(": ")[2] for line in doctor.counts_of_results()] == [
        "5 claims of all, the release has 6"
    ]
