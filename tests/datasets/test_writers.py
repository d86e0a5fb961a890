"""Writers: each format's exact line, as written by hand from its description."""

import json

import pytest

from datasets.records import Cited, LabelledClaim, RawAnnotation
from datasets.splits import record_of_line
from datasets.writers import ctkfacts, fever, nli, raw

S, R, N = "SUPPORTS", "REFUTES", "NOT ENOUGH INFO"
FIRST, SECOND = Cited("a1_1", "The bridge opened."), Cited("a1_2", "It cost ten million.")
OTHER = Cited("b@2_3", "It is red.")
STRANGE = "Most přes Loučnou, جسر, 🌉 a\u2028konec"


def claim(label=S, *evidence, **fields):
    values = {"number": 7, "text": "The bridge is open.", "source": FIRST, "mutated_from": 3}
    return LabelledClaim(label=label, evidence=evidence, **{**values, **fields})


def written(writer, record, **options):
    return list(writer.lines(record, **options))


def test_fever_counts_items_over_the_sets_and_names_article_and_rank():
    assert written(fever, claim(S, (FIRST, OTHER), (SECOND,))) == [
        '{"id": 7, "verifiable": "VERIFIABLE", "label": "SUPPORTS", '
        '"claim": "The bridge is open.", "evidence": [[[7001, 7001, "a1", 1], '
        '[7002, 7002, "b@2", 3]], [[7003, 7003, "a1", 2]]]}'
    ]


def test_fever_has_one_empty_item_where_there_is_not_enough_info():
    assert written(fever, claim(N)) == [
        '{"id": 7, "verifiable": "NOT VERIFIABLE", "label": "NOT ENOUGH INFO", '
        '"claim": "The bridge is open.", "evidence": [[[7001, 7001, null, null]]]}'
    ]


def test_fever_escapes_what_is_not_ascii():
    (line,) = written(fever, claim(N, text=STRANGE))

    assert line.isascii()
    assert json.loads(line)["claim"] == STRANGE


def test_ctkfacts_names_paragraphs_source_and_parent():
    assert written(ctkfacts, claim(R, (FIRST, OTHER), (SECOND,))) == [
        '{"id": 7, "label": "REFUTES", "claim": "The bridge is open.", '
        '"evidence": [["a1_1", "b@2_3"], ["a1_2"]], "source": "a1_1", "mutated_from": 3, '
        '"verifiable": "VERIFIABLE"}'
    ]


def test_ctkfacts_keeps_letters_as_they_are_on_one_line():
    (line,) = written(ctkfacts, claim(N, text=STRANGE))

    assert STRANGE in line
    assert "\n" not in line
    assert json.loads(line)["evidence"] == []


def test_a_claim_without_source_and_parent_has_nulls():
    (line,) = written(ctkfacts, claim(N, source=None, mutated_from=None))

    assert json.loads(line)["source"] is None
    assert json.loads(line)["mutated_from"] is None


def test_nli_has_a_line_for_each_set_with_its_texts_joined():
    assert written(nli, claim(S, (FIRST, OTHER), (SECOND,))) == [
        '{"id": 7, "label": "SUPPORTS", "claim": "The bridge is open.", '
        '"evidence": "The bridge opened. It is red.", "source": "a1_1", "mutated_from": 3, '
        '"verifiable": "VERIFIABLE"}',
        '{"id": 7, "label": "SUPPORTS", "claim": "The bridge is open.", '
        '"evidence": "It cost ten million.", "source": "a1_1", "mutated_from": 3, '
        '"verifiable": "VERIFIABLE"}',
    ]


@pytest.mark.parametrize(
    ("options", "evidence"),
    [
        ({"is_joined": False}, [["The bridge opened.", "It is red."], ["It cost ten million."]]),
        ({"evidence": "ids"}, [["a1_1", "b@2_3"], ["a1_2"]]),
        (
            {"per": "claim"},
            [[["The bridge opened.", "It is red."], ["It cost ten million."]]],
        ),
        ({"per": "claim", "evidence": "ids"}, [[["a1_1", "b@2_3"], ["a1_2"]]]),
    ],
)
def test_nli_has_other_forms_of_evidence(options, evidence):
    lines = written(nli, claim(S, (FIRST, OTHER), (SECOND,)), **options)

    assert [json.loads(line)["evidence"] for line in lines] == evidence


@pytest.mark.parametrize(
    ("options", "evidence"),
    [
        ({}, "The bridge opened."),
        ({"per": "claim"}, [["The bridge opened."]]),
        ({"evidence": "ids"}, ["a1_1"]),
    ],
)
def test_nli_takes_the_source_where_there_is_not_enough_info(options, evidence):
    (line,) = written(nli, claim(N), **options)

    assert json.loads(line)["evidence"] == evidence


@pytest.mark.parametrize(
    ("options", "evidence"), [({}, ""), ({"per": "claim"}, []), ({"evidence": "ids"}, [])]
)
def test_nli_keeps_a_claim_that_has_nothing_beside_it(options, evidence):
    (line,) = written(nli, claim(N, source=None), **options)

    assert json.loads(line)["evidence"] == evidence


@pytest.mark.parametrize("stated", [4, {"a": 1}, [4], ["a", 4], [["a"], 4], [[4]], [["a"], [None]]])
def test_nli_has_no_evidence_that_is_no_text(stated):
    (line,) = written(nli, claim(N, source=None, format="claims", extra={"evidence": stated}))

    assert json.loads(line)["evidence"] == ""


@pytest.mark.parametrize("writer", [fever, ctkfacts, nli])
def test_soft_labels_stand_at_the_end_of_a_line(writer):
    shares = {S: 0.5, R: 0.5, N: 0.0}

    (line,) = written(writer, claim(None, shares=shares))

    assert line.endswith(
        ', "soft_label": {"SUPPORTS": 0.5, "REFUTES": 0.5, "NOT ENOUGH INFO": 0.0}}'
    )
    assert json.loads(line)["label"] is None
    assert json.loads(line)["verifiable"] is None


def test_lines_say_to_splits_what_they_come_from():
    (line,) = written(ctkfacts, claim(S, (OTHER,)))

    record = record_of_line(json.loads(line))

    assert (record.source_article, record.initial_claim) == ("a1", "3")
    assert record.evidence == (("b", "b@2_3"),)


def test_raw_has_texts_and_times_only_where_they_are():
    annotation = RawAnnotation(
        instance="7",
        number=7,
        claim=STRANGE,
        source=None,
        mutated_from=None,
        annotator="0a1b2c3d4e5f",
        wave="First wave",
        kind="cross",
        label=S,
        flags=["uncertain"],
        evidence=[["a1_1"]],
        scope={"dictionaries": ["b@2_3"], "opened": ["a1"]},
    )

    assert written(raw, annotation) == [
        '{"instance": "7", "claim_id": 7, "claim": "' + STRANGE + '", "source": null, '
        '"mutated_from": null, "annotator": "0a1b2c3d4e5f", "wave": "First wave", '
        '"kind": "cross", "label": "SUPPORTS", "flags": ["uncertain"], "evidence": [["a1_1"]], '
        '"scope": {"dictionaries": ["b@2_3"], "opened": ["a1"]}}'
    ]
