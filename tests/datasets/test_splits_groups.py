"""What has to stay together: claims of one article, one initial claim, nearly one text."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from datasets.splits import group_records, near_duplicates, normalised
from tests.datasets.splitting import LONG, record


def groups_of(records):
    found = {}
    for each, number in zip(records, group_records(records).group.tolist(), strict=True):
        found.setdefault(number, set()).add(each.key)
    return sorted(found.values(), key=min)


@pytest.mark.parametrize(
    "tie",
    [
        {"source_article": "a1"},
        {"source_article": "", "initial_claim": "c1"},
        {"evidence": (("a1", "a1_2"),)},
        {"claim_id": "7"},
    ],
)
def test_claims_that_share_something_are_one_group(tie):
    assert groups_of([record(1, **tie), record(2, **tie), record(3)]) == [{1, 2}, {3}]


def test_groups_are_joined_through_a_third_claim():
    records = [
        record(1, source_article="a1"),
        record(2, source_article="a1", initial_claim="c1"),
        record(3, source_article="a2", initial_claim="c1"),
    ]

    assert groups_of(records) == [{1, 2, 3}]


def test_cited_articles_join_only_claims_without_a_source():
    evidence = (("a9", "a9_1"),)
    records = [
        record(1, source_article="a1", evidence=evidence),
        record(2, source_article="a2", evidence=evidence),
        record(3, evidence=evidence),
    ]

    assert groups_of(records) == [{1}, {2}, {3}]


def test_an_article_is_one_tie_as_a_source_and_where_it_is_cited():
    records = [
        record(1, source_article="a1"),
        record(2, evidence=(("a1", "a1_2"), ("a2", "a2_1"))),
        record(3, source_article="a2"),
        record(4, source_article="a3", evidence=(("a1", "a1_2"),)),
    ]

    assert groups_of(records) == [{1, 2, 3}, {4}]


def test_equal_words_join_claims_whatever_their_case_and_marks():
    assert groups_of([record(1, "Praha je velká."), record(2, "praha je VELKÁ")]) == [{1, 2}]


def test_claims_without_any_word_are_not_alike():
    assert groups_of([record(1, "..."), record(2, "!?")]) == [{1}, {2}]


def test_a_changed_word_in_a_long_claim_is_a_near_duplicate():
    records = [
        record(1, LONG, source_article="a1"),
        record(2, LONG.replace("spring", "autumn"), source_article="a2"),
        record(3, "A new bridge opens in the spring", source_article="a3"),
    ]

    assert groups_of(records) == [{1, 2}, {3}]


def test_likeness_by_hand():
    # Of the pairs of adjacent words three of five are shared: (., a), (a, b), (d, .) and not c.
    texts = ["a b d", "a b c d"]

    assert near_duplicates(texts, threshold=3 / 6).tolist() == [[0, 1]]
    assert near_duplicates(texts, threshold=3 / 6 + 0.01).tolist() == []


def test_texts_with_equal_words_are_compared_once():
    assert near_duplicates([LONG, LONG.upper(), LONG + " soon"]).tolist() == [[0, 2]]


@pytest.mark.parametrize("threshold", [0, -1, 1.1])
def test_an_impossible_threshold_is_refused(threshold):
    with pytest.raises(ValueError, match=f"threshold is {threshold}; use more than 0"):
        near_duplicates([], threshold=threshold)


TEXTS = st.lists(st.lists(st.sampled_from("abcd"), max_size=7).map(" ".join), max_size=14)


@settings(deadline=None)
@given(TEXTS, st.sampled_from([0.3, 0.5, 0.8, 1.0]))
def test_every_near_duplicate_is_found_and_no_other(texts, threshold):
    def pairs_of_words(text):
        words = text.split()
        return set(zip(["", *words], [*words, ""], strict=True)) if words else set()

    firsts = [place for place, text in enumerate(texts) if text and texts.index(text) == place]
    expected = []
    for place, first in enumerate(firsts):
        for second in firsts[place + 1 :]:
            one, other = pairs_of_words(texts[first]), pairs_of_words(texts[second])
            if len(one & other) / len(one | other) >= threshold:
                expected.append([first, second])

    assert near_duplicates(texts, threshold=threshold).tolist() == expected


def test_many_candidates_are_compared_in_parts(monkeypatch):
    texts = [LONG.replace("spring", f"week{number}") for number in range(40)]
    whole = near_duplicates(texts)

    monkeypatch.setattr("datasets.splits.likeness.CHUNK", 50)

    assert near_duplicates(texts).tolist() == whole.tolist()
    assert len(whole) == 40 * 39 / 2


def test_the_search_for_near_duplicates_tells_how_far_it_is(monkeypatch):
    monkeypatch.setattr("datasets.splits.likeness.BETWEEN", 10)
    monkeypatch.setattr("datasets.splits.likeness.CHUNK", 50)
    texts = [LONG.replace("spring", f"week{number}") for number in range(40)]
    told = []

    near_duplicates(texts, tell=lambda *step: told.append(step))

    assert {total for _, total in told} == {120}
    done = [done for done, _ in told]
    assert done == sorted(done)
    assert done[:9] == [0, 10, 20, 30, 40, 50, 60, 70, 80]
    assert len(done) > 9
    assert done[-1] < 120


@pytest.mark.parametrize("step", [0, 1, 2])
def test_what_is_raised_where_it_is_told_ends_the_search(step):
    def tell(done, total):
        if done * 3 >= step * total:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        group_records([record(number) for number in range(9)], tell=tell)


def test_words_are_normalised_over_forms_of_unicode():
    assert normalised("„Příliš“  ŽLUŤ\u00a0kůň!") == "příliš žluť kůň"
