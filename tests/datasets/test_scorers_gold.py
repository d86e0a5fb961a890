"""Every scorer case of the gold files: the values of the official scripts, and their refusals."""

import copy

import pytest

from datasets.scorers import BadInput, score_records
from tests.gold_cases import cases

NAMES = {"id", "label", "predicted_label"}


def valid(case):
    return "error" not in case["expected"]


def invalid(case):
    return not valid(case)


def verdicts(task, case):
    """The claims of a case as gold and predictions; they have no ids and match by position."""
    given = case["input"]
    gold = [{key: one[key] for key in ("label", "evidence")} for one in given["instances"]]
    told = [
        {key: one[key] for key in ("predicted_label", "predicted_evidence") if key in one}
        for one in given["instances"]
    ]
    options = {"max_evidence": given["max_evidence"]}
    if "max_evidence_cell" in given:
        options["max_cells"] = given["max_evidence_cell"]
    return score_records(task, gold, told, **options)


@pytest.mark.parametrize("case", cases("fever_score", where=valid))
def test_fever_scores_as_the_official_script(case):
    report = verdicts("fever", case)

    assert report.scores.figures == pytest.approx(case["expected"], abs=1e-12)
    assert report.matching.by == "position"


@pytest.mark.parametrize("case", cases("fever_score", where=invalid))
def test_fever_refuses_what_the_official_script_refuses(case):
    with pytest.raises(BadInput, match=r"^predictions(, object 1|:1:1): "):
        verdicts("fever", case)


@pytest.mark.parametrize("case", cases("feverous_score"))
def test_feverous_scores_as_the_official_script(case):
    report = verdicts("feverous", case)

    assert report.scores.figures == pytest.approx(case["expected"], abs=1e-12)


@pytest.mark.parametrize("case", cases("scifact", where=valid))
def test_scifact_scores_as_the_official_script(case):
    given = copy.deepcopy(case["input"])

    report = score_records("scifact", given["gold"], given["pred"])

    assert report.scores.figures == pytest.approx(case["expected"], abs=1e-12)
    assert given == case["input"]


@pytest.mark.parametrize("case", cases("scifact", where=invalid))
def test_scifact_refuses_what_the_official_script_refuses(case):
    """Another order is refused where the official rule is asked for; by itself ids decide."""
    with pytest.raises(BadInput):
        score_records("scifact", case["input"]["gold"], case["input"]["pred"], by="order")


@pytest.mark.parametrize(
    "case", cases("scifact", where=lambda case: case["name"] == "invalid_order_mismatch")
)
def test_scifact_matches_another_order_by_id(case):
    report = score_records("scifact", case["input"]["gold"], case["input"]["pred"])

    assert report.matching.by == "id"
    assert report.scores.figures["abstract_label_only_recall"] == 0


@pytest.mark.parametrize("case", cases("ambifc_soft_metrics"))
def test_ambifc_scores_as_paper_and_code(case):
    report = score_records("ambifc", *ambifc_lines(case))

    assert report.scores.figures == pytest.approx(case["expected"], abs=case["tolerance"])


@pytest.mark.parametrize("case", cases("ambifc_soft_metrics"))
def test_ambifc_scores_each_instance_as_expected(case):
    report = score_records("ambifc", *ambifc_lines(case))

    found = report.scores.claims
    assert len(found) == 60
    for claim, instance in zip(found, case["input_and_instance_expected"], strict=True):
        expected = {name: instance[name] for name in claim if name not in NAMES}
        assert {name: claim[name] for name in expected} == pytest.approx(expected, abs=1e-9)


def ambifc_lines(case):
    instances = case["input_and_instance_expected"]
    gold = [
        {key: instance[key] for key in ("annotations", "gold_evidence")} | {"id": number}
        for number, instance in enumerate(instances)
    ]
    told = [
        {key: instance[key] for key in ("predicted", "predicted_evidence")} | {"id": number}
        for number, instance in enumerate(instances)
    ]
    return gold, told[::-1]
