"""FEVER, CsFEVER and both CTKFacts forms: what their lines say, and what real files break."""

import pytest

from tests.datasets.reading import label_in, one, one_problem, places, read, summary
from tests.shared import shared_data

CTKFACTS = {
    "id": 7, "label": "SUPPORTS", "claim": "Most se otevřel.",
    "evidence": [["a_1", "a_2"], ["b_4"]], "source": "a_1", "mutated_from": 3,
    "verifiable": "VERIFIABLE",
}  # fmt: skip
FEVER = {
    "id": 5, "verifiable": "VERIFIABLE", "label": "REFUTES", "claim": "Oslo is a lake.",
    "evidence": [[[11, 12, "Oslo", 0], [11, 13, "Lake_-LRB-water-RRB-", 4]]],
}  # fmt: skip


def test_a_group_cites_pages_and_lines(tmp_path):
    claim = one(tmp_path, "fever", FEVER)

    assert (claim.external_id, claim.number, claim.text) == ("5", 5, "Oslo is a lake.")
    assert label_in(claim).label == "REFUTES"
    assert places(label_in(claim)) == [[("Oslo", "0", ""), ("Lake_-LRB-water-RRB-", "4", "")]]
    assert claim.record == {"evidence_ids": [[[11, 12], [11, 13]]]}


def test_ids_as_we_give_them_need_no_keeping(tmp_path):
    ours = {**FEVER, "evidence": [[[5001, 5001, "Oslo", 0]], [[5002, 5002, "Lake", 4]]]}

    assert one(tmp_path, "fever", ours).record == {}


def test_an_item_without_a_page_is_no_evidence(tmp_path):
    line = {**FEVER, "label": "NOT ENOUGH INFO", "verifiable": "NOT VERIFIABLE",
            "evidence": [[[9, None, None, None]]]}  # fmt: skip

    claim = one(tmp_path, "fever", line)

    assert label_in(claim).evidence == ()
    assert claim.violations["nei_with_evidence"] == 0
    assert claim.record == {"evidence_ids": [[[9, None]]]}


def test_a_blind_line_has_an_instance_without_a_label(tmp_path):
    claim = one(tmp_path, "fever", {"id": 5, "claim": "Oslo is a lake."})

    assert [instance.annotations for instance in claim.instances] == [[]]


def test_what_is_no_label_stays_in_the_record(tmp_path):
    claim = one(tmp_path, "fever", {**FEVER, "label": "DISPUTED"})

    assert claim.instances[0].annotations == []
    assert claim.record["label"] == "DISPUTED"
    assert claim.record["evidence"] == FEVER["evidence"]
    assert claim.violations["unknown_label"] == 1


def test_a_translated_claim_keeps_the_english_one_and_the_pages_titles(tmp_path):
    line = {**FEVER, "claim": "Oslo je jezero.", "claim_en": "Oslo is a lake.",
            "evidence": [[[5001, 5001, "Oslo_(město)", 0, "Oslo"]]]}  # fmt: skip

    claim = one(tmp_path, "csfever", line)

    assert (claim.text, claim.original_text) == ("Oslo je jezero.", "Oslo is a lake.")
    assert claim.record["evidence_ids"] == [[[5001, 5001, "Oslo"]]]


@pytest.mark.parametrize("format", ["ctkfacts", "fever"])
def test_the_fever_form_of_ctkfacts_cites_paragraphs(tmp_path, format):
    evidence = [[[7001, 7001, "a_1", 0], [7002, 7002, "a_2", 0]]]

    claim = one(tmp_path, format, {**CTKFACTS, "evidence": evidence})

    assert places(label_in(claim)) == [[("a_1", "", ""), ("a_2", "", "")]]
    assert (claim.source, claim.parent, claim.record) == ("a_1", "3", {})


@pytest.mark.parametrize("nobody", [None, 0, ""])
def test_a_claim_may_have_neither_source_nor_parent(tmp_path, nobody):
    claim = one(tmp_path, "ctkfacts", {**CTKFACTS, "source": nobody, "mutated_from": nobody})

    assert (claim.source, claim.parent) == ("", "")


def test_sets_of_paragraphs_keep_their_order(tmp_path):
    claim = one(tmp_path, "ctkfacts", CTKFACTS)

    assert places(label_in(claim)) == [[("a_1", "", ""), ("a_2", "", "")], [("b_4", "", "")]]
    assert (claim.source, claim.parent, claim.record) == ("a_1", "3", {})


def test_what_stands_twice_is_kept_once_in_a_set_and_counted(tmp_path):
    line = {**CTKFACTS, "evidence": [["a_1", "a_1"], ["a_1"], ["b_4"], ["b_4"]]}

    claim = one(tmp_path, "ctkfacts", line)

    assert [len(group) for group in label_in(claim).evidence] == [1, 1, 1, 1]
    assert claim.violations["repeated_items"] == 1
    assert claim.violations["repeated_groups"] == 1


def test_a_text_is_cleaned_and_the_files_own_is_kept(tmp_path):
    claim = one(tmp_path, "ctkfacts", {**CTKFACTS, "claim": " Most\u200b se otevřel. "})

    assert claim.text == "Most se otevřel."
    assert claim.record == {"claim": " Most\u200b se otevřel. "}
    assert claim.violations["text_cleaned"] == 1


def test_lines_of_one_claim_are_its_sets(tmp_path):
    line = {**CTKFACTS, "evidence": "The bridge opened."}
    other = {**line, "id": 8, "evidence": ["It cost ten.", "It is long."]}

    first, second = read(tmp_path, "nli", line, {**line, "evidence": "It is open."}, other)

    assert places(label_in(first)) == [[("", "", "The bridge opened.")], [("", "", "It is open.")]]
    assert places(label_in(second)) == [[("", "", "It cost ten."), ("", "", "It is long.")]]


def test_a_list_of_lists_is_a_whole_claim_and_ids_are_told_from_texts(tmp_path):
    claim = one(tmp_path, "nli", {**CTKFACTS, "evidence": [["a_1", "a_2"], ["It is open."]]})

    assert places(label_in(claim)) == [
        [("a_1", "", ""), ("a_2", "", "")],
        [("", "", "It is open.")],
    ]


@pytest.mark.parametrize(
    ("evidence", "place"),
    [
        (["Algebraic logic_1"], ("Algebraic logic_1", "", "")),
        (["Algebraic logic@2_11"], ("Algebraic logic@2_11", "", "")),
        ([["Film (2006 film)_0"]], ("Film (2006 film)_0", "", "")),
        ("a_1", ("a_1", "", "")),
        ("It is as in figure_1", ("", "", "It is as in figure_1")),
        (["It is long._"], ("", "", "It is long._")),
        (["Two lines,\nsee figure_1"], ("", "", "Two lines,\nsee figure_1")),
        (["It is as in figure " + 230 * "x" + "_1"],
         ("", "", "It is as in figure " + 230 * "x" + "_1")),
    ],
)  # fmt: skip
def test_ids_may_hold_blanks_where_a_set_is_a_list(tmp_path, evidence, place):
    claim = one(tmp_path, "nli", {**CTKFACTS, "evidence": evidence})

    assert places(label_in(claim)) == [[place]]


def test_the_text_of_a_source_is_no_evidence_of_not_enough_info(tmp_path):
    line = {**CTKFACTS, "label": "NOT ENOUGH INFO", "verifiable": "NOT VERIFIABLE"}

    claim = one(tmp_path, "nli", {**line, "evidence": "The bridge opened."})

    assert label_in(claim).evidence == ()
    assert claim.record == {"evidence": "The bridge opened.", "evidence_is": "text"}


NO_VERDICT = {**CTKFACTS, "label": "NOT ENOUGH INFO", "verifiable": "NOT VERIFIABLE"}
UNDECIDED = {**CTKFACTS, "label": None, "verifiable": None}


@pytest.mark.parametrize("line", [NO_VERDICT, UNDECIDED, {**CTKFACTS, "label": "DISPUTED"}])
@pytest.mark.parametrize(
    ("stated", "kept"),
    [
        (["It opened.", "It is long."], [["It opened."], ["It is long."]]),
        ([["It opened.", "It is."], ["It is long."]], [["It opened.", "It is."], ["It is long."]]),
        ([["a_1"], ["a_1"]], [["a_1"], ["a_1"]]),
        (["It opened.", "It is long.", "It opened."], [["It opened."], ["It is long."],
                                                       ["It opened."]]),
        ([[], ["It is long."]], [["It is long."]]),
    ],
)  # fmt: skip
def test_all_lines_of_a_claim_without_a_verdict_are_kept_as_its_sets(tmp_path, line, stated, kept):
    lines = [{**line, "evidence": each} for each in stated]

    (claim,) = read(tmp_path, "nli", *lines)

    assert claim.record["evidence"] == kept


@pytest.mark.parametrize(
    "stated",
    [
        [["b_3"]],
        [["a_1", "b_3"]],
        [["a_1"], ["b_3"]],
        [["a_1"], ["a_1", "a_2"], ["b_3"]],
        [["b_3"], ["a_1"]],
    ],
)
def test_ids_other_than_the_source_are_evidence_of_not_enough_info(tmp_path, stated):
    (claim,) = read(tmp_path, "nli", *({**NO_VERDICT, "evidence": each} for each in stated))

    assert [[c.paragraph for c in group] for group in label_in(claim).evidence] == stated
    assert claim.record == {}
    assert claim.violations["nei_with_evidence"] == 1


def test_lines_that_say_different_labels_of_a_claim_are_not_one(tmp_path):
    lines = [{**CTKFACTS, "label": label, "evidence": "It."} for label in ("DISPUTED", None)]

    assert len(read(tmp_path, "nli", *lines)) == 2


@pytest.mark.parametrize(
    ("format", "change", "reason"),
    [
        ("fever", {"evidence": "none"}, "evidence is 'none'; it is a list"),
        ("fever", {"evidence": [[[1, 2, "Oslo"]]]}, "an evidence item is [1, 2, 'Oslo']"),
        ("fever", {"evidence": [[[1, 2, "Oslo", "x"]]]}, "evidence holds 'x'"),
        ("ctkfacts", {"evidence": [[5]]}, "a paragraph's id is 5"),
        ("ctkfacts", {"id": 1.5}, "id is 1.5; use a whole number or a text"),
        ("ctkfacts", {"id": -1}, "id is -1; a number is 0 or more"),
        ("ctkfacts", {"id": 2**63}, "the largest number is"),
        ("nli", {"evidence": 4}, "an evidence set is 4"),
        ("ctkfacts", {"claim": "  "}, "the claim has no text"),
        ("ctkfacts", {"claim": None}, "there is no claim"),
    ],
)
def test_a_line_that_makes_no_claim_is_named_with_the_field(tmp_path, format, change, reason):
    line = FEVER if format == "fever" else CTKFACTS

    problem = one_problem(tmp_path, format, {**line, **change})

    assert problem.reason.startswith(reason) or reason in problem.reason
    assert (problem.file, problem.line) == ("claims.jsonl", 1)
    (key,) = change
    if change[key] is not None:
        assert problem.excerpt[:60].find(f'"{key}"') >= 0


@pytest.mark.parametrize("label", ["NOT ENOUGH INFO", None])
@pytest.mark.parametrize(
    ("evidence", "reason"),
    [(4, "an evidence set is 4"), ([4], "a text of evidence is 4"), ([["a"], 4], "an evidence")],
)
def test_what_stands_beside_a_claim_without_a_verdict_is_text_too(
    tmp_path, label, evidence, reason
):
    line = {**CTKFACTS, "label": label, "verifiable": None, "evidence": evidence}

    assert one_problem(tmp_path, "nli", line).reason.startswith(reason)


def test_the_published_czech_files_break_the_rules_that_are_known():
    counts, labels, violations = summary(
        shared_data("ctkfacts", "fever_ctkId", "train.jsonl.gz"), format="ctkfacts"
    )

    assert counts == {"claims": 2383, "instances": 2383, "sets": 2908}
    assert labels == {"SUPPORTS": 1104, "REFUTES": 556, "NOT ENOUGH INFO": 723}
    assert violations == {"nei_with_evidence": 236, "verdict_without_evidence": 32}


def test_the_published_czech_validation_file_breaks_the_rules_that_are_known():
    path = shared_data("ctkfacts", "fever_ctkId", "validation.jsonl.gz")

    assert summary(path, format="fever")[2] == {
        "nei_with_evidence": 56,
        "verdict_without_evidence": 3,
    }


def test_the_published_pairs_have_one_line_a_claim():
    counts, _, violations = summary(
        shared_data("ctkfacts", "nli_text", "train.jsonl.gz"), format="nli"
    )

    assert counts["claims"] == 2383
    assert violations["nei_with_evidence"] == 236
    assert violations["verdict_without_evidence"] == 32


def test_the_english_claims_repeat_groups():
    counts, labels, violations = summary(
        shared_data("fever", "paper_dev_1-5000.jsonl.gz"), format="fever"
    )

    assert counts["claims"] == 5000
    assert labels == {"SUPPORTS": 1700, "REFUTES": 1668, "NOT ENOUGH INFO": 1632}
    assert violations == {"repeated_groups": 467}
