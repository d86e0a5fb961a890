"""FEVEROUS, AmbiFC, AVeriTeC and plain claims."""

import pytest

from datasets.readers.dispatch import read_claims
from datasets.records import LABELS
from tests.datasets.reading import label_in, one, one_problem, places, read, summary
from tests.shared import shared_data

FEVEROUS = {
    "id": 3, "label": "REFUTES", "claim": "He played.", "challenge": "Multi-hop Reasoning",
    "evidence": [{"content": ["A_B_cell_0_6_1", "C_sentence_1"], "context": {"C_sentence_1": []}}],
    "annotator_operations": [],
}  # fmt: skip
AMBIFC = {
    "claim": "It is long.", "claim_id": 12, "wiki_page": "a", "wiki_section": "s",
    "wiki_passage": 3, "entity": "Bridge", "labels": {"method": "m", "passage": "supporting"},
    "passage_annotations": [
        {"label": "supporting", "worker": "w1", "certain": False, "relevant": True},
        {"label": "neutral", "worker": "w2", "certain": True, "relevant": True},
    ],
    "sentences": {"0": "It is long.", "1": "It is new.", "10": "End."},
    "sentence_annotations": {
        "0": [{"annotator": "w1", "annotation": "neutral"}],
        "1": [{"annotator": "w1", "annotation": "supporting"}],
        "10": [{"annotator": "w1", "annotation": "supporting"}],
    },
}  # fmt: skip


@pytest.mark.parametrize(
    ("element", "place"),
    [
        ("A_title", ("A", "title")),
        ("A_section_4", ("A", "section_4")),
        ("A_sentence_0", ("A", "sentence_0")),
        ("A_table_caption_2", ("A", "table_caption_2")),
        ("A_cell_0_6_1", ("A", "cell_0_6_1")),
        ("A_header_cell_0_6_1", ("A", "header_cell_0_6_1")),
        ("A_item_1_2", ("A", "item_1_2")),
        ("List_of_cell_0_1_2_cell_3_4_5", ("List_of_cell_0_1_2", "cell_3_4_5")),
        ("The_sentence_1_title", ("The_sentence_1", "title")),
    ],
)
def test_an_element_is_a_page_and_a_part(tmp_path, element, place):
    claim = one(tmp_path, "feverous", {**FEVEROUS, "evidence": [{"content": [element]}]})

    assert places(label_in(claim)) == [[(*place, "")]]


def test_contexts_and_steps_stay_in_the_record(tmp_path):
    claim = one(tmp_path, "feverous", FEVEROUS)

    assert label_in(claim).challenge == "Multi-hop Reasoning"
    assert claim.record["contexts"] == [{"C_sentence_1": []}]
    assert claim.record["annotator_operations"] == []


def test_more_than_three_sets_are_counted(tmp_path):
    sets = [{"content": [f"A_sentence_{n}"], "context": {}} for n in range(4)]

    claim = one(tmp_path, "feverous", {**FEVEROUS, "evidence": sets})

    assert len(label_in(claim).evidence) == 4
    assert claim.violations["too_many_sets"] == 1


def test_the_official_file_begins_with_an_empty_record():
    counts, labels, _ = summary(
        shared_data("feverous", "feverous_official_shape.jsonl"), format="feverous"
    )

    assert counts == {"claims": 1, "instances": 1, "sets": 1}
    assert labels == {"SUPPORTS": 1}


def test_each_worker_has_a_label_of_the_passage(tmp_path):
    claim = one(tmp_path, "ambifc", AMBIFC)

    (instance,) = claim.instances
    first, second = instance.annotations
    assert (instance.kind, instance.target.paragraph, instance.name) == ("passage", "a", "3")
    assert instance.target.text == "It is long. It is new. End."
    assert (first.annotator, first.label, first.is_uncertain) == ("w1", "SUPPORTS", True)
    assert (second.label, second.is_relevant) == ("NOT ENOUGH INFO", True)
    assert not first.is_relevant
    assert not second.is_uncertain


def test_sentences_that_agree_with_a_worker_are_evidence_alone(tmp_path):
    first, second = one(tmp_path, "ambifc", AMBIFC).instances[0].annotations

    assert places(first) == [[("3", "1", "It is new.")], [("3", "10", "End.")]]
    assert places(second) == []


def test_what_is_said_of_a_claim_and_of_its_passage_is_kept_apart(tmp_path):
    claim = one(tmp_path, "ambifc", AMBIFC)

    assert claim.record == {"entity": "Bridge"}
    assert claim.instances[0].record["labels"] == AMBIFC["labels"]
    assert claim.instances[0].record["sentence_annotations"] == AMBIFC["sentence_annotations"]


def test_a_file_without_workers_has_its_aggregate_label(tmp_path):
    claim = one(tmp_path, "ambifc", {**AMBIFC, "passage_annotations": []})

    assert (label_in(claim).annotator, label_in(claim).label) == ("(aggregate)", "SUPPORTS")


def test_conflicting_evidence_is_no_label(tmp_path):
    line = {"claim": "A.", "label": "Conflicting Evidence/Cherrypicking", "claim_date": "9-10-2020"}

    claim = one(tmp_path, "averitec", line)

    assert claim.instances[0].annotations == []
    assert claim.record["label"] == "Conflicting Evidence/Cherrypicking"
    assert claim.day == (2020, 10, 9)


@pytest.mark.parametrize(
    "day",
    ["25-8-20", "2_5-08-2020", "+5-08-2020", " 5-08-2020", "٥-08-2020", "30-02-2020", 25082020],
)
def test_a_day_has_a_year_of_four_digits_and_nothing_but_digits(tmp_path, day):
    line = {"claim": "A.", "label": "Supported", "claim_date": day}

    problem = one_problem(tmp_path, "averitec", line)

    assert problem.reason == f"claim_date is {day!r}; it is dd-mm-yyyy"
    assert (problem.line, problem.column) == (1, 39)
    assert '"claim_date"' in problem.excerpt


@pytest.mark.parametrize("day", ["1-1-0001", "31-12-9999"])
def test_a_day_at_the_ends_of_the_calendar_is_refused(tmp_path, day):
    line = {"claim": "A.", "label": "Supported", "claim_date": day}

    told = one_problem(tmp_path, "averitec", line).reason
    assert told == f"claim_date is {day!r}; it is dd-mm-yyyy, with a year from 1000 to 9000"


def test_the_published_array_keeps_its_days_and_its_four_labels():
    path = shared_data("averitec", "dev_1-250.json.gz")

    counts, labels, violations = summary(path, format="averitec")

    assert counts == {"claims": 250, "instances": 250}
    assert labels == {"REFUTES": 139, "SUPPORTS": 71, "NOT ENOUGH INFO": 24}
    assert violations == {"unknown_label": 16}
    claims = list(read_claims([path], "averitec"))
    assert len({claim.external_id for claim in claims}) == 250
    assert claims[0].day == (2020, 10, 31)
    assert all(claim.day for claim in claims)


def test_a_claim_without_an_id_is_known_by_its_text(tmp_path):
    first, second, third = read(
        tmp_path, "claims", {"text": "A."}, {"text": "A.", "gold_label": "REFUTES"}, {"claim": "B."}
    )

    assert first.external_id == second.external_id != third.external_id
    assert first.number is None
    assert label_in(second).label == "REFUTES"
    assert first.instances[0].annotations == []


@pytest.mark.parametrize("empty", [None, ""])
@pytest.mark.parametrize("name", ["id", "claim_id", "uid"])
def test_an_id_that_says_nothing_is_none(tmp_path, name, empty):
    first, second = read(tmp_path, "claims", {name: empty, "claim": "A."}, {"claim": "A."})

    assert first.external_id == second.external_id


def test_an_empty_id_gives_way_to_one_that_says_something(tmp_path):
    claim = one(tmp_path, "claims", {"id": None, "uid": "c-4", "claim": "A."})

    assert claim.external_id == "c-4"


@pytest.mark.parametrize("empty", [None, ""])
def test_a_claim_of_averitec_whose_id_says_nothing_is_known_by_its_object(tmp_path, empty):
    claim = one(tmp_path, "averitec", {"claim_id": empty, "claim": "A.", "label": "Supported"})

    assert claim.external_id.startswith("record-")


def test_rows_of_a_table_are_claims(tmp_path):
    text = "id;claim;label;topic".replace(";", ",")

    (claim,) = read(tmp_path, "claims", text, '5,"A, b.",refuted,roads', name="claims.csv")

    assert (claim.number, claim.text, claim.record) == (
        5, "A, b.", {"topic": "roads", "label": "refuted"},
    )  # fmt: skip
    assert label_in(claim).label == "REFUTES"


COLUMNS = ",".join(["claim", *LABELS])


@pytest.mark.parametrize("row", ["0.33,0.33,0.33", "0.34,0.34,0.34", "1,0,0", "0.2,0.3,0.5"])
def test_columns_called_as_labels_are_shares_where_they_come_to_1(tmp_path, row):
    (claim,) = read(
        tmp_path, "claims", ",".join(("claim", *LABELS)), f"A.,{row}", name="claims.csv"
    )

    assert claim.record == {"soft_label": dict(zip(LABELS, map(float, row.split(",")),
                                                   strict=True))}  # fmt: skip


@pytest.mark.parametrize("row", ["1,1,1", "0,0,0", "0.4,0.3,0.2", "1,0,", "nan,0,1", "2,-1,0"])
def test_columns_called_as_labels_that_are_no_shares_stay_as_they_are(tmp_path, row):
    (claim,) = read(
        tmp_path, "claims", ",".join(("claim", *LABELS)), f"A.,{row}", name="claims.csv"
    )

    assert "soft_label" not in claim.record
    assert [claim.record[name] for name in LABELS[:2]] == row.split(",")[:2]


def test_claims_with_sentences_beside_are_plain_claims():
    path = shared_data("fever_symmetric", "fever_symmetric_full.jsonl.gz")

    counts, labels, _ = summary(path, format="claims")

    assert counts == {"claims": 956, "instances": 956}
    assert labels == {"SUPPORTS": 478, "REFUTES": 478}


@pytest.mark.parametrize(
    ("format", "line", "reason"),
    [
        ("feverous", {**FEVEROUS, "evidence": [{"content": ["A_b"]}]}, "an element is 'A_b'"),
        ("feverous", {**FEVEROUS, "evidence": [[]]}, "an evidence set is []"),
        ("ambifc", {**AMBIFC, "wiki_page": None}, "wiki_page is None"),
        ("ambifc", {**AMBIFC, "passage_annotations": [{"label": "yes", "worker": "w"}]},
         "label is 'yes'; it is none of three"),
        ("ambifc", {**AMBIFC, "sentence_annotations": []}, None),
        ("averitec", {"claim": "A.", "claim_date": "2020-10-09"}, "claim_date is '2020-10-09'"),
        ("claims", {"label": "SUPPORTS"}, "there is no claim; the fields are label"),
    ],
)  # fmt: skip
def test_what_makes_no_claim_is_named(tmp_path, format, line, reason):
    if reason is None:
        assert one(tmp_path, format, line).instances[0].annotations[0].evidence == ()
    else:
        assert one_problem(tmp_path, format, line).reason.startswith(reason)


@pytest.mark.parametrize("format", ["ctkfacts", "nli", "claims", "fever"])
def test_a_source_is_as_long_as_paragraphs_are_called(tmp_path, format):
    source = f"{'x' * 238}_1"
    line = {"id": 7, "label": "SUPPORTS", "claim": "A.", "evidence": [], "source": source}

    assert one(tmp_path, format, line).source == source
    assert (
        "1 to 240 characters"
        in one_problem(tmp_path, format, {**line, "source": f"x{source}"}).reason
    )
    assert (
        "1 to 200 characters"
        in one_problem(tmp_path, format, {**line, "mutated_from": source}).reason
    )
