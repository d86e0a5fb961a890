"""Splits that are there: what leaks between them, and the records that lines of each form give."""

import pytest

from datasets.splits import SplitRecord, check_splits, make_splits, record_of_line
from datasets.splits.records import roots_of
from tests.datasets.splitting import LONG, THIRDS, N, R, S, read, record, rng


def test_leaks_are_found_by_kind_with_examples():
    one = record(
        1, LONG, claim_id="1", source_article="a", source_paragraph="a_1", initial_claim="9"
    )
    same = record(
        2, LONG, claim_id="1", source_article="a", source_paragraph="a_1", initial_claim="9"
    )
    near = record(3, LONG.replace("spring", "autumn"), evidence=(("z", "z_1"),))
    other = record(4, evidence=(("z", "z_1"),))

    found = check_splits({"train": [one, other], "test": [same, near]})

    assert found["counts"] == {"train": 2, "test": 2}
    assert found["leaks"] == {
        "source_paragraph": 1, "source_article": 1, "initial_claim": 1, "claim_id": 1,
        "claim_text": 1, "near_duplicate": 1, "evidence_article": 1,
        "cited_source": 0,
    }  # fmt: skip
    assert found["examples"]["source_article"][0]["claims"] == {"train": ["1"], "test": ["1"]}
    assert found["shared_evidence_paragraphs"] == {"train, test": 1}


def test_a_source_that_a_claim_of_another_split_cites_is_a_leak():
    written = record(1, source_article="a", claim_id="1")
    citing = record(2, evidence=(("a", "a_3"),), claim_id="2")
    beside = record(3, source_article="b", evidence=(("a", "a_3"),), claim_id="3")

    found = check_splits({"train": [citing], "test": [written, beside]})
    together = check_splits({"train": [written, citing], "test": [beside]})

    assert {kind: n for kind, n in found["leaks"].items() if n} == {"cited_source": 1}
    assert found["examples"]["cited_source"] == [
        {"value": "a", "splits": ["train", "test"], "claims": {"train": ["2"], "test": ["1"]}}
    ]
    assert set(together["leaks"].values()) == {0}


def test_claims_about_one_abstract_without_evidence_are_a_leak():
    def line(number):
        return record_of_line(
            {"id": number, "claim": f"claim {number}", "evidence": {}, "cited_doc_ids": [9]}
        )

    found = check_splits({"train": [line(0)], "test": [line(1)]})

    assert found["leaks"]["evidence_article"] == 1
    assert found["examples"]["evidence_article"][0]["claims"] == {"train": ["0"], "test": ["1"]}
    assert found["shared_evidence_paragraphs"] == {"train, test": 0}


def test_a_mutation_of_a_mutation_goes_back_to_the_first_claim():
    line = {"claim": "c", "source": None}
    first = record_of_line({**line, "id": 1, "mutated_from": None, "claim": "a"})
    second = record_of_line({**line, "id": 2, "mutated_from": 1, "claim": "b"})
    third = record_of_line({**line, "id": 3, "mutated_from": 2})

    apart = check_splits({"train": [second], "test": [third]})
    all_apart = check_splits({"train": [first], "dev": [second], "test": [third]})

    for found in (apart, all_apart):
        assert found["leaks"]["initial_claim"] == 1
        assert found["examples"]["initial_claim"][0]["value"] == "1"
    split_of = make_splits([second, third], {"a": 0.5, "b": 0.5}, rng=rng()).split_of
    assert split_of["2"] == split_of["3"]


@pytest.mark.parametrize(
    ("parents", "roots"),
    [
        ({2: 1, 3: 2}, {2: 1, 3: 1}),
        ({7: 8, 8: 7, 6: 8, 9: 6}, {7: 7, 8: 7, 6: 7, 9: 7}),
        ({"4": "4"}, {"4": "4"}),
        ({}, {}),
    ],
)
def test_the_first_of_a_line_is_found_in_circles_too(parents, roots):
    assert roots_of(parents) == roots


def test_deviation_is_the_largest_difference_of_a_labels_share():
    found = check_splits(
        {"train": [record(1, label=S), record(2, label=R)], "test": [record(3, label=S)]}
    )

    assert found["deviation"] == pytest.approx({"train": 1 / 6, "test": 1 / 3})


def test_the_published_czech_splits_share_one_article():
    splits = {
        name: [record_of_line(line) for line in read("ctkfacts", "fever_ctkId", f"{name}.jsonl.gz")]
        for name in ("train", "validation")
    }

    found = check_splits(splits)

    assert {kind: n for kind, n in found["leaks"].items() if n} == {"source_article": 1}
    assert found["examples"]["source_article"][0]["value"] == "20030130E01450"
    assert found["counts"] == {"train": 2383, "validation": 332}


def test_the_published_czech_claims_split_again_share_nothing():
    lines = [
        line
        for name in ("train", "validation")
        for line in read("ctkfacts", "fever_ctkId", f"{name}.jsonl.gz")
    ]

    splits = make_splits([record_of_line(line) for line in lines], THIRDS, rng=rng())

    assert set(splits.report["leaks"].values()) == {0}
    assert max(splits.report["deviation"].values()) < 0.005
    assert splits.report["counts"]["dev"] == pytest.approx(len(lines) / 10, abs=3)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (
            {"id": 5, "label": S, "claim": "c", "evidence": [["F1_2", "F1_0"], ["F2@3_4"]],
             "source": "F1_2", "mutated_from": 3},
            SplitRecord("5", "c", S, "5", "F1", "F1_2", "3",
                        (("F1", "F1_2"), ("F1", "F1_0"), ("F2", "F2@3_4"))),
        ),
        (
            {"id": 5, "label": S, "claim": "c", "evidence": [[[5001, 5001, "F1_2", 0]]],
             "source": "F1_2", "mutated_from": 0},
            SplitRecord("5", "c", S, "5", "F1", "F1_2", "5", (("F1", "F1_2"),)),
        ),
        (
            {"id": 5, "label": N, "claim": "c", "evidence": [[[1, None, None, None]]]},
            SplitRecord("5", "c", N, "5"),
        ),
        (
            {"id": 5, "label": R, "claim": "c", "evidence": [[[1, 2, "A_Page_1", 7]]]},
            SplitRecord("5", "c", R, "5", evidence=(("A_Page_1", "A_Page_1_7"),)),
        ),
        (
            {"id": 5, "claim": "c", "cited_doc_ids": [9],
             "evidence": {"9": [{"sentences": [1, 2], "label": "CONTRADICT"}]}},
            SplitRecord("5", "c", "CONTRADICT", "5", evidence=(("9", "9_1"), ("9", "9_2"))),
        ),
        (
            {"id": 0, "claim": "c", "cited_doc_ids": [9, 7],
             "evidence": {"9": [{"sentences": [1], "label": "SUPPORT"}]}},
            SplitRecord("0", "c", "SUPPORT", "0", evidence=(("9", "9_1"), ("7", ""))),
        ),
        (
            {"id": 5, "claim": "c", "label": S,
             "evidence": [{"content": ["A_Page_header_cell_0_1_2", "A_Page_title", "B_sentence_3"],
                           "context": {}}]},
            SplitRecord("5", "c", S, "5", evidence=(("A_Page", "A_Page_header_cell_0_1_2"),
                        ("A_Page", "A_Page_title"), ("B", "B_sentence_3"))),
        ),
        (
            {"claim_id": 8, "claim": "c", "wiki_page": "Page", "labels": {"passage": "neutral"}},
            SplitRecord("8", "c", "neutral", "8", "Page"),
        ),
    ],
)  # fmt: skip
def test_a_line_of_each_form_gives_a_record(line, expected):
    assert record_of_line(line) == expected


@pytest.mark.parametrize(
    "path",
    [
        ("fever", "paper_dev_1-5000.jsonl.gz"),
        ("ctkfacts", "nli_text", "validation.jsonl.gz"),
    ],
)
def test_real_files_are_split_without_a_leak(path):
    records = [record_of_line(line, key=number) for number, line in enumerate(read(*path))]

    splits = make_splits(records, THIRDS, rng=rng())

    assert set(splits.report["leaks"].values()) == {0}


@pytest.mark.parametrize("cited", ["123", 123, {"1": 2}, True, None])
def test_only_lists_cite_documents(cited):
    assert record_of_line({"id": 5, "claim": "c", "cited_doc_ids": cited}).evidence == ()


@pytest.mark.parametrize(
    "evidence",
    [{"9": [{"sentences": "12", "label": "SUPPORT"}]}, [{"content": "Oslo_sentence_0"}]],
)
def test_a_text_is_no_list_of_what_is_cited(evidence):
    with pytest.raises(TypeError, match="is no list"):
        record_of_line({"id": 5, "claim": "c", "label": "SUPPORTS", "evidence": evidence})
