"""SciFact claims: one instance an abstract, whatever its file says of it."""

import pytest

from tests.datasets.reading import one, one_problem, places, summary
from tests.shared import shared_data

LINE = {
    "id": 0,
    "claim": "Aspirin cures.",
    "evidence": {"31": [{"sentences": [2, 4], "label": "SUPPORT"}]},
    "cited_doc_ids": [30, 31],
}


def labels_of(claim):
    return {i.name: [a.label for a in i.annotations] for i in claim.instances}


def test_each_cited_abstract_has_its_label(tmp_path):
    claim = one(tmp_path, "scifact", LINE)

    assert claim.number == 0
    assert claim.is_citance
    assert labels_of(claim) == {"30": ["NOT ENOUGH INFO"], "31": ["SUPPORTS"]}
    assert places(claim.instances[1].annotations[0]) == [[("31", "2", ""), ("31", "4", "")]]


def test_a_blind_line_has_instances_without_labels(tmp_path):
    blind = {name: LINE[name] for name in ("id", "claim", "cited_doc_ids")}

    assert labels_of(one(tmp_path, "scifact", blind)) == {"30": [], "31": []}


def test_evidence_from_an_abstract_that_is_not_cited_is_kept_and_counted(tmp_path):
    claim = one(tmp_path, "scifact", {**LINE, "cited_doc_ids": [30]})

    assert labels_of(claim) == {"30": ["NOT ENOUGH INFO"], "31": ["SUPPORTS"]}
    assert claim.violations["evidence_not_cited"] == 1
    assert claim.record == {"cited_doc_ids": [30]}


def test_refute_is_read_as_contradict_and_its_spelling_kept(tmp_path):
    evidence = {"31": [{"sentences": [2], "label": "REFUTE"}]}

    claim = one(tmp_path, "scifact", {**LINE, "evidence": evidence})

    assert labels_of(claim)["31"] == ["REFUTES"]
    assert claim.violations["label_respelt"] == 1
    assert claim.instances[1].record == {"label": "REFUTE"}


def test_rationales_that_differ_are_kept_as_they_stand(tmp_path):
    rationales = [{"sentences": [2], "label": "SUPPORT"}, {"sentences": [2], "label": "CONTRADICT"}]

    claim = one(tmp_path, "scifact", {**LINE, "evidence": {"31": rationales}})

    assert labels_of(claim)["31"] == ["SUPPORTS"]
    assert claim.violations["labels_differ"] == claim.violations["shared_sentences"] == 1
    assert claim.instances[1].record == {"evidence": rationales}


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"evidence": []}, "evidence is []; it is an object"),
        ({"evidence": {"31": [3]}}, "a rationale is 3; it is an object"),
        ({"evidence": {"31": [{"sentences": [-1], "label": "SUPPORT"}]}}, "sentences holds -1"),
        ({"evidence": {"31": [{"sentences": [1]}]}}, "there is no label"),
        ({"cited_doc_ids": [1.5]}, "a document's id is 1.5"),
    ],
)
def test_a_line_that_makes_no_claim_is_named(tmp_path, change, reason):
    assert one_problem(tmp_path, "scifact", {**LINE, **change}).reason.startswith(reason)


def test_the_published_files_are_read_whole():
    train = summary(shared_data("scifact", "claims_train.jsonl"), format="scifact")
    test = summary(shared_data("scifact", "claims_test.jsonl"), format="scifact")

    assert train[0] == {"claims": 809, "instances": 919, "sets": 957}
    assert train[1] == {"NOT ENOUGH INFO": 355, "REFUTES": 194, "SUPPORTS": 370}
    assert test[0]["instances"] == 328
    assert test[2] == {"evidence_not_cited": 28, "label_respelt": 179}
