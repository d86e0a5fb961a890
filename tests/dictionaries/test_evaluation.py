"""Measures of retrieval by hand, and the command on small sets."""

import json

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from dictionaries.evaluation import (
    Judged,
    full_support_at,
    fused,
    overlap,
    recall_at,
    reciprocal_rank,
    summary,
)
from dictionaries.known_evidence import known_claim, read_claims
from tests.dictionaries.corpora import small_corpus


def judged(retrieved, *sets):
    return Judged(tuple(retrieved), tuple(frozenset(names) for names in sets))


def test_recall_is_over_the_evidence_of_all_sets():
    claim = judged("xaybz", "ab", "c")

    assert recall_at(claim, 1) == 0
    assert recall_at(claim, 2) == pytest.approx(1 / 3)
    assert recall_at(claim, 4) == recall_at(claim, None) == pytest.approx(2 / 3)


def test_reciprocal_rank_is_that_of_the_first_evidence():
    assert reciprocal_rank(judged("xyab", "ab")) == pytest.approx(1 / 3)
    assert reciprocal_rank(judged("xy", "ab")) == 0
    assert reciprocal_rank(judged("", "ab")) == 0


@pytest.mark.parametrize(("k", "supported"), [(1, False), (2, False), (3, True), (None, True)])
def test_full_support_needs_all_of_one_set(k, supported):
    assert full_support_at(judged("axb", "ab", "cd"), k) is supported


def test_a_summary_is_the_mean_over_claims():
    found = summary([judged("ab", "a"), judged("xyc", "cd"), judged("x", "e")], cutoffs=[1, 3])

    assert found == {
        "claims": 3,
        "retrieved": 2,
        "recall": pytest.approx({"1": 1 / 3, "3": 1 / 2, "all": 1 / 2}),
        "full_support": pytest.approx({"1": 1 / 3, "3": 1 / 3, "all": 1 / 3}),
        "mrr": pytest.approx((1 + 1 / 3 + 0) / 3),
    }


def test_nothing_is_measured_without_evidence():
    with pytest.raises(ValueError, match="without evidence"):
        judged("ab")
    with pytest.raises(ValueError, match="empty set"):
        judged("ab", "a", "")
    with pytest.raises(ValueError, match="no claim has evidence"):
        summary([])


def test_rankings_are_fused_by_reciprocal_ranks():
    # b: 1/62 + 1/61; a: 1/61; c: 1/62; d: 1/63, as e has, which comes later.
    assert fused(["abd", "bce"], 4) == ["b", "a", "c", "d"]


def test_overlap_is_the_share_of_the_longer_list():
    assert overlap([1, 2, 3, 4], [4, 1]) == 0.5
    with pytest.raises(ValueError, match="undefined"):
        overlap([], [])


@pytest.mark.parametrize(
    ("evidence", "sets"),
    [
        ([["a_1", "a_2"], ["b_1"], ["b_1"]], [{"a_1", "a_2"}, {"b_1"}]),
        ([[[1, 2, "Page_A", 3], [1, 2, "Page_B", 0]], [[1, 2, "Page_A", 5]]], None),
        ([[[1, 2, None, None]]], []),
        ({"4983": [{"sentences": [1, 3], "label": "SUPPORT"}], "7": []}, [{"4983"}, {"7"}]),
        ({}, []),
        ([], []),
    ],
)
def test_evidence_is_read_in_the_forms_of_the_field(evidence, sets):
    if sets is None:
        sets = [{"Page_A", "Page_B"}, {"Page_A"}]

    found = known_claim({"claim": "C.", "evidence": evidence})

    assert found.evidence == tuple(frozenset(names) for names in sets)


@pytest.mark.parametrize("line", ["{", "[]", '{"evidence": []}', '{"claim": "c", "evidence": [1]}'])
def test_a_line_that_is_no_claim_is_named(line):
    with pytest.raises(ValueError, match="line 2 is no claim"):
        list(read_claims(['{"claim": "c"}', line]))


TEXTS = (
    "Pavel Orst opened the bridge in Norvell.",
    "Mayor Quist sailed the ferry to Sael.",
    "It rained on the hills of Kestrin for a week.",
    "Minister Orst said that the bridge of Norvell cost a fortune.",
)


def claims_file(folder, *records):
    path = folder / "claims.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


def evaluate(capsys, corpus, *arguments):
    call_command("evaluate_retrieval", corpus.slug, *map(str, arguments), "--json")
    return json.loads(capsys.readouterr().out)


@pytest.mark.django_db
def test_known_evidence_is_looked_for_by_every_method(tmp_path, capsys):
    corpus = small_corpus(*TEXTS)
    path = claims_file(
        tmp_path,
        {"claim": "The ferry sails to Sael.", "evidence": [["a1_1"]], "source": "a3_1"},
        {"claim": "The bridge is in Norvell.", "evidence": [["a0_1", "a3_1"]], "source": "a3_1"},
        {"claim": "Nobody knows.", "evidence": [], "source": "a3_1"},
    )

    found = evaluate(capsys, corpus, path, "--drqa")

    assert (found["claims"], found["with_evidence"], found["names"]) == (3, 2, "paragraphs")
    keyword, dictionary = found["methods"]["keyword"], found["methods"]["dictionary"]
    assert (keyword["mrr"], keyword["full_support"]["5"]) == (1, 1)
    assert keyword["recall"]["1"] == 0.75
    # The dictionary of the source has no paragraph of the source's own article, but all others.
    assert (dictionary["full_support"]["all"], dictionary["recall"]["all"]) == (0.5, 0.75)
    assert found["methods"]["dictionary + source article"]["full_support"]["all"] == 1
    in_reach = found["methods"]["dictionary, evidence in reach"]
    assert (in_reach["claims"], in_reach["full_support"]["all"]) == (1, 1)
    assert list(found["methods"]) == [
        "keyword",
        "semantic",
        "combined",
        "drqa",
        "dictionary",
        "dictionary + source article",
        "dictionary, evidence in reach",
    ]


@pytest.mark.django_db
@pytest.mark.parametrize(
    "evidence", [{"a2": [], "gone": []}, [[[1, 1, "a2", 0]], [[1, 2, "gone", 3]]]]
)
def test_evidence_may_be_articles_and_claims_may_have_no_source(tmp_path, capsys, evidence):
    corpus = small_corpus(*TEXTS)
    path = claims_file(tmp_path, {"claim": "Rain on Kestrin.", "evidence": evidence})

    found = evaluate(capsys, corpus, path)

    assert (found["names"], found["unknown"]) == ("articles", 1)
    assert found["methods"]["keyword"]["full_support"]["1"] == 1
    assert found["methods"]["dictionary"]["full_support"]["all"] == 1
    assert "drqa" not in found["methods"]


@pytest.mark.django_db
def test_a_claim_whose_source_is_unknown_has_no_dictionary(tmp_path, capsys):
    corpus = small_corpus(*TEXTS)
    known = {"claim": "The ferry sails.", "evidence": [["a1_1"]], "source": "a3_1"}
    path = claims_file(tmp_path, known, known | {"source": "gone_1"})

    found = evaluate(capsys, corpus, path)

    assert found["without_source"] == 1
    assert found["methods"]["dictionary"]["claims"] == 1
    assert found["methods"]["keyword"]["claims"] == 2


@pytest.mark.django_db
def test_a_sample_of_claims_is_the_same_for_the_same_seed(tmp_path, capsys):
    corpus = small_corpus(*TEXTS)
    records = [{"claim": text, "evidence": [[f"a{n}_1"]]} for n, text in enumerate(TEXTS)]
    path = claims_file(tmp_path, *records)

    first = evaluate(capsys, corpus, path, "--limit", 2, "--seed", 5)

    assert first == evaluate(capsys, corpus, path, "--limit", 2, "--seed", 5)
    assert first["methods"]["keyword"]["claims"] == 2


@pytest.mark.django_db
def test_mistakes_are_one_line(tmp_path):
    corpus = small_corpus(*TEXTS)
    path = claims_file(tmp_path, {"claim": "c", "evidence": [["nothing-like-this"]]})

    with pytest.raises(CommandError, match="has none of its 1 evidence names"):
        call_command("evaluate_retrieval", corpus.slug, str(path))
    with pytest.raises(CommandError, match="There is no file"):
        call_command("evaluate_retrieval", corpus.slug, str(tmp_path / "absent.jsonl"))


@pytest.mark.django_db
def test_the_table_has_a_line_for_each_method(tmp_path, capsys):
    corpus = small_corpus(*TEXTS)
    path = claims_file(tmp_path, {"claim": "The ferry sails to Sael.", "evidence": [["a1_1"]]})

    call_command("evaluate_retrieval", corpus.slug, str(path))

    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("1 of 1 claims have evidence, named by paragraphs; 0 names")
    assert [line.split()[0] for line in lines[1:]] == [
        "method",
        "keyword",
        "semantic",
        "combined",
        "dictionary",
    ]


@pytest.mark.django_db
def test_both_scorers_choose_the_same_of_a_small_corpus(capsys):
    rain = [f"It rained for {n} days." for n in range(8)]
    corpus = small_corpus(*TEXTS[:2], *rain, *TEXTS[3:])

    call_command("compare_scorers", corpus.slug, "--json")

    # Only the last has two names that an older one has too.
    expected = {"compared": 1, "overlap": 1, "same": 1, "same_first": 1, "sampled": 11, "n": 4}
    assert json.loads(capsys.readouterr().out) == expected


@pytest.mark.django_db
def test_scorers_are_not_compared_where_nothing_has_two_names():
    corpus = small_corpus("it rained.", "it snowed.")

    with pytest.raises(CommandError, match="no sampled paragraph has two entities"):
        call_command("compare_scorers", corpus.slug)
