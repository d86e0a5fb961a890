"""The committed sample corpora hold what the demo and the guides promise about them."""

import json
import re
from datetime import UTC, datetime, time
from itertools import combinations
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from corpus.duplicates import near_duplicates
from corpus.records import ParagraphRecord
from corpus.tables import is_tabular

SAMPLES = Path(__file__).resolve().parents[2] / "samples"
PRAGUE = ZoneInfo("Europe/Prague")
ENGLISH, CZECH = "norvell-en.jsonl", "orlavsko-cs.jsonl"
LABELS = {"SUPPORTS", "REFUTES", "NOT ENOUGH INFO"}
MUTATIONS = {
    "rephrase",
    "negate",
    "substitute_similar",
    "substitute_dissimilar",
    "generalise",
    "specify",
}
TABLES = {"npa-026", "npa-042"}
NEAR_COPIES = {
    ("npa-012", "npa-013"),
    ("npa-017", "npa-018"),
    ("npa-043", "npa-044"),
    ("npa-069", "npa-070"),
}
both_corpora = pytest.mark.parametrize("name", [ENGLISH, CZECH])


def read(name):
    return [json.loads(line) for line in (SAMPLES / name).read_text("utf-8").splitlines()]


def articles():
    return {article["id"]: article for article in read(ENGLISH)}


def is_a_day(article):
    return len(article["published_at"]) == len("2022-05-14")


def published(article):
    """The first instant at which the article may have been out."""
    when = datetime.fromisoformat(article["published_at"])
    return (when.replace(tzinfo=PRAGUE) if is_a_day(article) else when).astimezone(UTC)


def available(article):
    """The instant from which the article was certainly out: for a day, its end."""
    when = published(article)
    if not is_a_day(article):
        return when
    return datetime.combine(when.astimezone(PRAGUE), time.max, PRAGUE).astimezone(UTC)


def statements():
    """Every claim and mutation of the demo script with its source line."""
    for source in read("demo-claims.jsonl"):
        for claim in source["claims"]:
            yield source, claim
            for mutation in claim["mutations"]:
                yield source, mutation


def answers():
    for source, statement in statements():
        yield source, statement
        if "disagree" in statement:
            yield source, statement["disagree"]


def cited():
    """Every cited (source line, article id, rank)."""
    for source, answer in answers():
        for evidence_set in answer["evidence"]:
            for article, rank in evidence_set:
                yield source, article, rank


def tokens(article):
    words = " ".join(article["paragraphs"]).lower().split()
    return {tuple(words[start : start + 3]) for start in range(len(words) - 2)}


def overlap(first, second):
    return len(tokens(first) & tokens(second)) / len(tokens(first) | tokens(second))


def as_records(article):
    return [ParagraphRecord(rank=n, text=text) for n, text in enumerate(article["paragraphs"], 1)]


def paragraph_exists(corpus, article, rank):
    return article in corpus and 0 <= rank <= len(corpus[article]["paragraphs"])


def test_the_corpora_have_the_promised_sizes():
    sizes = {name: len(read(name)) for name in (ENGLISH, CZECH)}

    assert sizes == {ENGLISH: 83, CZECH: 20}


@both_corpora
def test_ids_are_unique(name):
    ids = [article["id"] for article in read(name)]

    assert len(set(ids)) == len(ids)


@both_corpora
def test_articles_follow_one_another_over_two_years(name):
    times = [published(article) for article in read(name)]

    assert times == sorted(times)
    assert 700 < (times[-1] - times[0]).days <= 731


@both_corpora
def test_some_articles_state_only_a_day(name):
    stated = [is_a_day(article) for article in read(name)]

    assert 1 < sum(stated) < len(stated) / 4


@both_corpora
def test_every_article_has_four_to_eight_paragraphs(name):
    assert {len(article["paragraphs"]) for article in read(name)} <= set(range(4, 9))


@both_corpora
def test_prose_paragraphs_can_stand_alone(name):
    shortest = 20 if name == ENGLISH else 15  # Czech says the same in fewer words
    paragraphs = [text for a in read(name) if a["id"] not in TABLES for text in a["paragraphs"]]

    assert [text for text in paragraphs if not shortest <= len(text.split()) <= 70] == []


@both_corpora
def test_every_field_is_filled(name):
    for article in read(name):
        assert article["title"]
        assert article["section"]
        assert article["keywords"]
        assert article["language"] == name.removesuffix(".jsonl")[-2:]


def test_the_tables_are_tables():
    for table in TABLES:
        rows = "\n".join(articles()[table]["paragraphs"]).splitlines()

        assert len(rows) >= 12
        assert all(len(re.split(r"\s{2,}", row)) >= 4 for row in rows)


@both_corpora
def test_the_import_sees_the_tables_and_no_others(name):
    tabular = {article["id"] for article in read(name) if is_tabular(as_records(article))}

    assert tabular == (TABLES if name == ENGLISH else set())


def test_the_league_table_adds_up():
    rows = "\n".join(articles()["npa-026"]["paragraphs"]).splitlines()[1:]
    played, won, drawn, lost, points = (
        [int(re.split(r"\s{2,}", row)[column]) for row in rows] for column in (2, 3, 4, 5, 7)
    )

    assert set(played) == {22}
    assert sum(won) == sum(lost)
    assert points == [3 * w + d for w, d in zip(won, drawn, strict=True)]


def test_one_article_was_sent_twice():
    corpus = articles()

    assert corpus["npa-036"]["paragraphs"] == corpus["npa-037"]["paragraphs"]


def test_only_the_listed_articles_are_near_copies():
    corpus = articles()
    close = {pair for pair in combinations(corpus, 2) if overlap(*map(corpus.get, pair)) > 0.5}

    assert close == NEAR_COPIES | {("npa-036", "npa-037")}


@both_corpora
def test_the_duplicate_search_finds_the_copies_and_no_others(name):
    corpus = read(name)
    found = near_duplicates("\n".join(article["paragraphs"]) for article in corpus)
    copies = {(corpus[first]["id"], corpus[second]["id"]) for first, second, _ in found}

    assert copies == (NEAR_COPIES | {("npa-036", "npa-037")} if name == ENGLISH else set())


def test_the_demo_script_is_long_enough():
    sources = read("demo-claims.jsonl")
    claims = [claim for source in sources for claim in source["claims"]]

    assert len(sources) >= 30
    assert len(claims) >= 60
    assert sum(len(claim["mutations"]) for claim in claims) >= 150


def test_each_source_has_one_to_three_claims_and_is_prose():
    for source in read("demo-claims.jsonl"):
        assert 1 <= len(source["claims"]) <= 3
        assert source["rank"] >= 1
        assert source["article"] not in TABLES


def test_demo_sources_and_evidence_resolve():
    corpus = articles()

    assert all(paragraph_exists(corpus, s["article"], s["rank"]) for s in read("demo-claims.jsonl"))
    assert all(paragraph_exists(corpus, article, rank) for _, article, rank in cited())


def test_demo_evidence_is_the_sources_article_or_older():
    corpus = articles()
    newer = [
        (source["article"], article)
        for source, article, _ in cited()
        if article != source["article"]
        and available(corpus[article]) >= published(corpus[source["article"]])
    ]

    assert newer == []


def test_demo_evidence_is_what_dictionaries_may_hold():
    left_out = TABLES | {article for pair in NEAR_COPIES for article in pair} | {"npa-037"}

    assert not left_out & {article for _, article, _ in cited()}


def test_demo_answers_have_evidence_unless_there_is_not_enough():
    for _, answer in answers():
        assert answer["label"] in LABELS
        assert bool(answer["evidence"]) == (answer["label"] != "NOT ENOUGH INFO")
        assert all(answer["evidence"])


def test_no_demo_evidence_set_contains_another():
    for _, answer in answers():
        sets = [{tuple(item) for item in group} for group in answer["evidence"]]

        assert not [pair for pair in combinations(sets, 2) if pair[0] <= pair[1]]
        assert not [pair for pair in combinations(sets, 2) if pair[0] >= pair[1]]


def test_demo_texts_are_short_and_differ_from_one_another():
    texts = [statement["text"] for _, statement in statements()]

    assert len({text.casefold() for text in texts}) == len(texts)
    assert max(map(len, texts)) <= 200


def test_a_demo_claim_has_each_mutation_type_once():
    for source in read("demo-claims.jsonl"):
        for claim in source["claims"]:
            types = [mutation["type"] for mutation in claim["mutations"]]

            assert len(set(types)) == len(types)
            assert set(types) <= MUTATIONS


def test_demo_labels_are_mixed_and_some_are_disputed():
    labels = [statement["label"] for _, statement in statements()]
    disputed = [statement for _, statement in statements() if "disagree" in statement]

    assert min(labels.count(label) for label in LABELS) >= 40
    assert 0.15 < len(disputed) / len(labels) < 0.25
    assert all(statement["disagree"]["label"] != statement["label"] for statement in disputed)
