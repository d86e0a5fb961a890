"""AmbiFC's published lines and predictions, in the small."""

import pytest

from datasets.scorers import BadInput, score_records


def gold(passage="p:0", *, labels=("supporting", "neutral"), marked="1", **fields):
    return {
        "claim_id": 5,
        "wiki_passage": passage,
        "labels": {"method": "dawid-skene", "passage": labels[0]},
        "passage_annotations": [{"label": label, "worker": 1} for label in labels],
        "sentences": {"0": "One.", "1": "Two.", "2": ""},
        "sentence_annotations": {
            key: [{"annotator": 1, "annotation": "supporting" if key == marked else "neutral"}]
            for key in "012"
        },
        **fields,
    }


def told(passage="p:0", *, shares=(0.0, 0.5, 0.5), sentences=("1",), **fields):
    return {
        "claim_id": 5,
        "passage": passage,
        "predicted": "supporting",
        "predicted_distribution": list(shares),
        "sentence_keys": list(sentences),
        **fields,
    }


def test_published_lines_are_read():
    report = score_records("ambifc", [gold()], [told()])

    assert report.scores.figures["DistCS"] == 1
    assert report.scores.figures["EntCE"] == pytest.approx(0)
    assert report.scores.figures["w_DistCS"] == 1


def test_a_claim_stands_against_several_passages():
    lines = [gold("p:0"), gold("p:1", labels=("refuting", "refuting"))]
    answers = [told("p:1", shares=(1.0, 0.0, 0.0)), told("p:0")]

    report = score_records("ambifc", lines, answers)

    assert report.matching.by == "id"
    assert report.scores.figures["DistCS"] == 1
    assert [claim["id"] for claim in report.scores.claims] == ["5 p:0", "5 p:1"]


def test_blank_sentences_do_not_count_as_evidence():
    report = score_records("ambifc", [gold()], [told(sentences=("1", "2"))])

    assert report.scores.claims[0]["evidence_f1"] == 1


def test_a_distribution_may_name_its_labels():
    named = {"supporting": 0.5, "neutral": 0.5, "refuting": 0.0}

    report = score_records("ambifc", [gold()], [told() | {"predicted_distribution": named}])

    assert report.scores.figures["DistCS"] == 1


def test_the_aggregate_label_stands_in_the_matrix():
    cells = score_records("ambifc", [gold()], [told()]).as_json()["confusion"]["cells"]

    assert cells == [{"gold": "supporting", "predicted": "supporting", "n": 1, "claims": ["5 p:0"]}]


def test_votes_that_tie_are_no_label_of_the_matrix():
    line = gold()
    del line["labels"]

    cells = score_records("ambifc", [line], [told()]).as_json()["confusion"]["cells"]

    assert cells[0]["gold"] == "(tied)"


def test_nothing_stands_in_for_a_missing_distribution():
    with pytest.raises(BadInput, match=r"1 instance without a prediction.*5 p:1"):
        score_records("ambifc", [gold("p:0"), gold("p:1")], [told("p:0"), told("p:2")])


@pytest.mark.parametrize(
    ("shares", "reason"),
    [
        ((0.5, 0.5), "three shares"),
        ((0.5, 0.6, 0.5), "adds up to 1.600"),
        ((1.5, -0.5, 0.0), "three shares of 0 to 1"),
        ((True, 0.0, 0.0), "three shares"),
    ],
)
def test_what_is_no_distribution_is_refused(shares, reason):
    with pytest.raises(BadInput, match=reason):
        score_records("ambifc", [gold()], [told(shares=shares)])


def test_an_instance_that_nobody_labelled_is_refused():
    with pytest.raises(BadInput, match="nobody labelled"):
        score_records("ambifc", [gold() | {"passage_annotations": []}], [told()])
