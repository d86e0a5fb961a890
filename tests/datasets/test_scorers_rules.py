"""Rules of the scorers on claims worked out by hand."""

import pytest

from datasets.scorers import BadInput, score_records

S, R, NEI = "SUPPORTS", "REFUTES", "NOT ENOUGH INFO"


def fever_gold(key, label, *groups):
    return {"id": key, "label": label, "evidence": [[[1, 2, *item] for item in g] for g in groups]}


def fever_told(key, label, *items):
    return {"id": key, "predicted_label": label, "predicted_evidence": [list(i) for i in items]}


def test_each_claim_has_its_own_result():
    gold = [
        fever_gold(1, S, [("A", 0), ("B", 1)]),
        fever_gold(2, R, [("C", 3)]),
        fever_gold(3, NEI, [(None, None)]),
    ]
    told = [
        fever_told(1, S, ("A", 0), ("B", 1), ("X", 9)),
        fever_told(2, S, ("C", 3)),
        fever_told(3, NEI),
    ]

    claims = score_records("fever", gold, told).scores.claims

    assert [claim["id"] for claim in claims] == ["1", "2", "3"]
    assert [claim["strict"] for claim in claims] == [True, False, True]
    assert [claim["precision"] for claim in claims] == [pytest.approx(2 / 3), 1, None]
    assert [claim["recall"] for claim in claims] == [1, 1, None]


def test_the_claims_behind_each_cell_are_named():
    gold = [fever_gold(key, label, [("A", 0)]) for key, label in ((7, S), (8, S), (9, R))]
    told = [fever_told(7, "supports"), fever_told(8, R), fever_told(9, R)]

    confusion = score_records("fever", gold, told).as_json()["confusion"]

    assert confusion["gold"] == confusion["predicted"] == [S, R, NEI]
    assert confusion["counts"] == [[1, 1, 0], [0, 1, 0], [0, 0, 0]]
    assert {"gold": S, "predicted": R, "n": 1, "claims": ["8"]} in confusion["cells"]


def test_predictions_in_another_order_score_the_same():
    gold = [fever_gold(key, S, [("A", key)]) for key in range(4)]
    told = [fever_told(key, S, ("A", key)) for key in (2, 0, 3, 1)]

    report = score_records("fever", gold, told)

    assert report.scores.figures["strict_score"] == 1
    assert report.matching.by == "id"


def test_a_claim_without_a_prediction_is_wrong_and_named():
    gold = [fever_gold(1, S, [("A", 0)]), fever_gold(2, NEI, [(None, None)])]

    report = score_records("fever", gold, [fever_told(1, S, ("A", 0)), fever_told(5, S)])

    assert report.matching.missing == ["2"]
    assert report.matching.extra == ["5"]
    assert report.scores.figures["label_accuracy"] == 0.5
    assert report.as_json()["confusion"]["counts"][2] == [0, 0, 0, 1]
    assert report.as_json()["confusion"]["predicted"][3] == "(none)"


@pytest.mark.parametrize("label", [NEI, "not enough info"])
def test_a_claim_without_enough_info_needs_no_predicted_evidence(label):
    gold = [fever_gold(1, S, [("A", 0)]), fever_gold(2, label, [(None, None)])]
    bare = {"id": 2, "predicted_label": NEI}
    other = {"id": 9, "predicted_label": S}  # for no claim

    report = score_records("fever", gold, [fever_told(1, S, ("A", 0)), bare, other])

    assert report.scores.figures["strict_score"] == 1
    assert report.scores.figures["precision"] == report.scores.figures["recall"] == 1


@pytest.mark.parametrize("label", [S, NEI])
def test_a_verdict_needs_predicted_evidence(label):
    gold = [fever_gold(1, NEI), fever_gold(2, R, [("A", 0)])]
    told = [{"id": number, "predicted_label": label} for number in (1, 2)]

    with pytest.raises(BadInput, match=r"^predictions:2:1: there is no .*_evidence.*REFUTES"):
        score_records("fever", gold, told)


def test_two_predictions_for_one_claim_are_refused():
    gold = [fever_gold(1, S, [("A", 0)]), fever_gold(2, S, [("A", 0)])]
    told = [fever_told(1, S), fever_told(2, S), fever_told(1, R)]

    with pytest.raises(BadInput, match=r"predictions: 1 line .* 1 \(lines 1 and 3\)"):
        score_records("fever", gold, told)


def test_ids_that_are_all_alike_match_by_position():
    gold = [fever_gold(0, S, [("A", 0)]), fever_gold(0, R, [("B", 0)])]
    told = [fever_told(0, S, ("A", 0)), fever_told(0, R, ("B", 0))]

    report = score_records("fever", gold, told)

    assert report.matching.by == "position"
    assert report.scores.figures["strict_score"] == 1


def test_positions_need_as_many_predictions_as_claims():
    told = fever_told(1, S)
    del told["id"]

    with pytest.raises(BadInput, match="2 claims and 1 predictions"):
        score_records("fever", [fever_gold(1, S), fever_gold(2, S)], [told])


def test_an_id_may_be_a_number_here_and_a_text_there():
    gold = [fever_gold(1, S, [("A", 0)]), fever_gold(2, S, [("A", 0)])]

    report = score_records("fever", gold, [fever_told("2", S), fever_told("1", S)])

    assert report.matching.missing == []


def test_feverous_elements_are_read_from_their_names():
    content = ["A_b_header_cell_0_1_2", "Song_title_(2)_sentence_3", "X_table_caption_0", "X_title"]
    gold = {"id": 4, "label": NEI, "evidence": [{"content": content, "context": {}}]}
    told = fever_told(4, NEI, ("A_b", "header_cell", "0_1_2"), ("Song_title_(2)", "sentence", "3"),
                      ("X", "table_caption", "0"), ("X", "title", ""))  # fmt: skip
    empty = dict.fromkeys(("id", "label", "claim", "evidence"), "")

    report = score_records("feverous", [empty, gold], [told])

    assert report.scores.figures["strict_score"] == 1
    assert report.scores.figures["precision"] == 1


def test_an_unknown_element_is_refused():
    gold = {"id": 4, "label": S, "evidence": [{"content": ["A_picture_0"], "context": {}}]}

    with pytest.raises(BadInput, match="'A_picture_0' is no element"):
        score_records("feverous", [gold], [])


def scifact_gold(key, label, *rationales):
    return {"id": key, "evidence": {"11": [{"sentences": r, "label": label} for r in rationales]}}


def scifact_told(key, label, *sentences):
    return {"id": key, "evidence": {"11": {"sentences": list(sentences), "label": label}}}


def test_refute_is_another_word_for_contradict():
    report = score_records(
        "scifact", [scifact_gold(1, "REFUTE", [0])], [scifact_told(1, "CONTRADICT", 0)]
    )

    assert report.scores.figures["abstract_rationalized_f1"] == 1


def test_abstracts_and_not_claims_stand_in_the_cells_of_scifact():
    gold = [scifact_gold(1, "SUPPORT", [0]), {"id": 2, "evidence": {}}]
    told = [scifact_told(1, "CONTRADICT", 0), scifact_told(2, "SUPPORT", 4)]

    cells = score_records("scifact", gold, told).as_json()["confusion"]["cells"]

    assert cells == [
        {"gold": "SUPPORT", "predicted": "CONTRADICT", "n": 1,
         "claims": [{"id": "1", "abstract": "11"}]},
        {"gold": "NOT_ENOUGH_INFO", "predicted": "SUPPORT", "n": 1,
         "claims": [{"id": "2", "abstract": "11"}]},
    ]  # fmt: skip


def test_a_missing_scifact_prediction_finds_nothing():
    gold = [scifact_gold(1, "SUPPORT", [0]), scifact_gold(2, "SUPPORT", [1])]

    report = score_records("scifact", gold, [scifact_told(1, "SUPPORT", 0)])

    assert report.scores.figures["abstract_label_only_recall"] == 0.5
    assert report.scores.figures["abstract_label_only_precision"] == 1


def test_no_claims_are_refused():
    with pytest.raises(BadInput, match="no gold claims"):
        score_records("fever", [], [])


@pytest.mark.parametrize("task", ["fever", "feverous", "scifact", "ctkfacts"])
def test_scoring_changes_nothing_that_it_was_given(task):
    gold = scifact_gold(1, "SUPPORT", [0]) if task == "scifact" else {
        "id": 1, "label": S, "evidence": []}  # fmt: skip
    told = scifact_told(1, "SUPPORT", 0) | {
        "predicted_label": S, "predicted_evidence": [], "predicted_pages": ["a_1"]}  # fmt: skip
    before = repr((gold, told))

    score_records(task, [gold], [told])

    assert repr((gold, told)) == before
