"""The CTKFacts pipeline: labels with and without evidence, and retrieval, by hand and on files."""

import gzip
import json

import pytest

from datasets.scorers import BadInput, score_files, score_records
from tests.shared import shared_data

S, R, NEI = "SUPPORTS", "REFUTES", "NOT ENOUGH INFO"
GOLD = [
    {"id": 1, "label": S, "evidence": [["a_1", "a_2"], ["b_1"]]},
    {"id": 2, "label": R, "evidence": [["c_1"]]},
    {"id": 3, "label": NEI, "evidence": []},
]


def told(key, label, *pages):
    return {"id": key, "predicted_label": label, "predicted_pages": list(pages)}


def figures(*predictions, gold=GOLD):
    return score_records("ctkfacts", gold, predictions).scores.figures


def test_labels_alone_need_no_evidence():
    found = figures(told(1, S), told(2, R), told(3, NEI))

    assert found["nse"]["macro_f1"] == found["nse"]["accuracy"] == 1


def test_a_label_with_evidence_needs_one_whole_set_among_the_first_k():
    found = figures(told(1, S, "a_1", "x_1", "a_2"), told(2, R, "c_1"), told(3, NEI))

    assert found["se"]["1"]["f1_by_label"] == {S: 0, R: 1, NEI: 1}
    assert found["se"]["1"]["macro_f1"] == pytest.approx(2 / 3)
    assert found["se"]["5"]["macro_f1"] == 1


def test_not_enough_info_needs_no_evidence():
    found = figures(told(1, S), told(2, R), told(3, NEI, "z_1"))

    assert found["se"]["20"]["f1_by_label"] == {S: 0, R: 0, NEI: 1}
    assert found["se"]["20"]["accuracy"] == pytest.approx(1 / 3)


def test_a_wrong_label_stays_a_false_alarm():
    found = figures(told(1, S, "b_1"), told(2, S, "x_1"), told(3, NEI))

    assert found["se"]["1"]["f1_by_label"][S] == pytest.approx(2 / 3)


def test_retrieval_is_judged_on_claims_with_evidence():
    found = figures(told(1, S, "x_1", "a_1", "x_2", "x_3", "x_4", "a_2"), told(2, R, "c_1"))

    assert found["retrieval_claims"] == 2
    assert found["mrr"] == {"1": 0.5, "5": 0.75, "10": 0.75, "20": 0.75}
    assert found["full_support"] == {"1": 0.5, "5": 0.5, "10": 1, "20": 1}


def test_retrieval_is_undefined_without_evidence():
    found = figures(told(3, NEI), gold=GOLD[2:])

    assert found["mrr"] is None
    assert found["retrieval_claims"] == 0


@pytest.mark.parametrize("evidence", [[], [[]], [[[1, 1, None, None]]], [[], [[1, 1, None, 0]]]])
@pytest.mark.parametrize("pages", [(), ("a_1",)])
def test_a_verdict_without_gold_evidence_cannot_be_supported(evidence, pages):
    found = figures(told(1, S, *pages), gold=[{"id": 1, "label": S, "evidence": evidence}])

    assert [found["se"][k]["accuracy"] for k in ("1", "5", "10", "20")] == [0, 0, 0, 0]
    assert found["retrieval_claims"] == 0


def test_an_empty_set_beside_others_supports_nothing():
    gold = [{"id": 1, "label": S, "evidence": [[], ["a_1"]]}]

    assert figures(told(1, S, "x_1"), gold=gold)["se"]["20"]["accuracy"] == 0
    assert figures(told(1, S, "a_1"), gold=gold)["se"]["20"]["accuracy"] == 1


def test_both_forms_of_the_gold_file_score_the_same():
    fever = [
        one | {"evidence": [[[1, 1, page, 0] for page in group] for group in one["evidence"]]}
        for one in GOLD
    ]
    answers = [told(1, S, "b_1"), told(2, R, "x_1"), told(3, S)]

    assert figures(*answers, gold=fever) == figures(*answers)


def test_an_unknown_label_in_the_gold_file_is_refused():
    with pytest.raises(BadInput, match="the label is 'MAYBE'"):
        figures(gold=[{"id": 1, "label": "maybe", "evidence": []}])


def test_pages_are_ids_and_not_pairs():
    with pytest.raises(BadInput, match="use ids of paragraphs"):
        figures(told(1, S, ["a", 1]))


def test_the_published_validation_file_scores_its_own_evidence_fully(tmp_path):
    path = shared_data("ctkfacts", "fever_ctkId", "validation.jsonl.gz")
    claims = [json.loads(line) for line in gzip.decompress(path.read_bytes()).splitlines()]
    predictions = tmp_path / "predictions.jsonl"
    with predictions.open("w") as file:
        for claim in claims:
            first = claim["evidence"][0] if claim["evidence"] else []
            pages = [item[2] for item in first]
            file.write(json.dumps(told(claim["id"], claim["label"], *pages)) + "\n")

    found = score_files("ctkfacts", path, predictions).scores.figures

    bare = sum(claim["label"] != NEI and not claim["evidence"] for claim in claims)
    verdicts = sum(claim["label"] != NEI for claim in claims)
    assert found["nse"]["macro_f1"] == 1
    assert found["se"]["20"]["accuracy"] == pytest.approx((332 - bare) / 332)
    assert found["retrieval_claims"] == verdicts - bare
    assert found["full_support"]["20"] == found["mrr"]["1"] == 1
