"""Typical words of clusters: what sets one apart, as it is mostly spelled."""

from dictionaries.analysis import analyser_for
from dictionaries.typical import typical_words

ENGLISH = analyser_for("en")


def test_the_words_of_one_cluster_alone_are_typical_of_it():
    texts = ["bridge steel", "steel bridge", "vote mayor", "mayor vote"]

    typical = typical_words(texts, [1, 1, 2, 2], ENGLISH)

    assert typical == {1: ["bridge", "steel"], 2: ["mayor", "vote"]}


def test_a_word_of_every_text_is_typical_of_none():
    texts = ["Dalby bridge", "Dalby bridge", "Dalby vote", "Dalby vote"]

    assert typical_words(texts, [1, 1, 2, 2], ENGLISH) == {1: ["bridge"], 2: ["vote"]}


def test_a_word_of_one_text_alone_stands_for_no_cluster():
    texts = ["bridge steel", "bridge rust", "vote mayor", "vote mayor"]

    assert typical_words(texts, [1, 1, 2, 2], ENGLISH)[1] == ["bridge"]


def test_the_rarer_word_is_the_more_typical_by_its_weight():
    # In four texts: idf of bridge ln(4/3), of steel ln(4/2). Lengths 1, so steel weighs
    # 0.924 and bridge 0.383 where they stand together; bridge also stands outside.
    texts = ["bridge steel", "bridge steel", "bridge vote", "vote mayor"]

    assert typical_words(texts, [1, 1, 2, 2], ENGLISH) == {1: ["steel", "bridge"], 2: ["vote"]}


def test_forms_of_a_word_count_together_and_are_spelled_as_mostly():
    texts = ["Bridges, bridges, bridge", "bridges", "vote", "vote"]

    assert typical_words(texts, [1, 1, 2, 2], ENGLISH)[1] == ["bridges"]


def test_numbers_and_stop_words_are_not_typical():
    texts = ["the 2022 bridge", "the 2022 bridge", "vote", "vote"]

    assert typical_words(texts, [1, 1, 2, 2], ENGLISH)[1] == ["bridge"]


def test_a_lone_cluster_shows_its_weightiest_words():
    assert typical_words(["bridge steel", "bridge vote", "rust"], [1, 1, 1], ENGLISH) == {
        1: ["bridge"]
    }


def test_a_lone_text_shows_its_own_words():
    assert typical_words(["The bridge rusts"], [1], ENGLISH) == {1: ["bridge", "rusts"]}


def test_nothing_has_no_clusters():
    assert typical_words([], [], ENGLISH) == {}


def test_at_most_so_many_words():
    texts = ["bridge steel rust", "bridge steel rust", "vote", "vote"]

    assert typical_words(texts, [1, 1, 2, 2], ENGLISH, n=2)[1] == ["bridge", "rust"]
