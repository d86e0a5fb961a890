"""DrQA's scorer, by hand."""

from math import log

import numpy as np
import pytest

from dictionaries.drqa import BUCKETS, DrqaScorer, bucket, inverse_frequency, ngrams

ALL = np.ones(5, dtype=bool)
TEXTS = ["red bridge", "red ferry", "grey ferry ferry", "blue hill", "green hill"]


def test_ngrams_are_unigrams_and_bigrams_in_order_of_their_start():
    found = ngrams("Old Norvell Bridge")

    assert found == ["old", "old norvell", "norvell", "norvell bridge", "bridge"]


def test_an_ngram_with_a_stop_word_or_punctuation_is_dropped():
    found = ngrams("Port of Sael, open", frozenset({"of"}))

    assert found == ["port", "sael", "open"]


def test_symbols_are_no_punctuation():
    assert ngrams("5 + 3") == ["5", "5 +", "+", "+ 3", "3"]


def test_a_decomposed_letter_does_not_split_its_word():
    assert [len(ngram.split()) for ngram in ngrams("čtvrť Žižkov")] == [1, 2, 1]
    assert ngrams("čtvrť") == ngrams("c\u030ctvrt\u030c") == ["c\u030ctvrt\u030c"]


@pytest.mark.parametrize(
    ("ngram", "murmur3"),  # unsigned values of the reference implementation with seed 0
    [("hello", 0x248BFA47), ("", 0), ("hello, world", 0x149BBB7F)],
)
def test_the_bucket_is_unsigned_murmur3_modulo_2_to_24(ngram, murmur3):
    assert bucket(ngram) == murmur3 % BUCKETS


def test_inverse_frequencies_by_hand():
    found = inverse_frequency(5, np.array([1, 2, 3, 5]))

    assert found.tolist() == pytest.approx([log(4.5 / 1.5), log(3.5 / 2.5), 0, 0])


def test_scores_by_hand():
    # N = 5. "red" and "ferry" stand in two texts, "red ferry" in one.
    twice, once = log(3.5 / 2.5), log(4.5 / 1.5)

    found = DrqaScorer(TEXTS).scores("red red ferry")

    red = log(1 + 2) * log(2) * twice**2
    ferry = log(2) * log(2) * twice**2
    both = log(2) * log(2) * once**2
    assert found.tolist() == pytest.approx(
        [red, red + ferry + both, log(2) * log(1 + 2) * twice**2, 0, 0]
    )


def test_longer_texts_are_not_scored_lower():
    short, long = DrqaScorer([*TEXTS, "xylem", "xylem of a tall old oak tree"]).scores("xylem")[5:]

    assert short == long > 0


def test_what_half_of_the_texts_hold_scores_nothing():
    assert DrqaScorer(["red a", "red b", "c", "d"]).scores("red").tolist() == [0, 0, 0, 0]


def test_stop_words_may_be_composed_letters():
    scorer = DrqaScorer(["že most", "loď", "kopec"], stop_words=["že"])

    assert scorer.scores("že").tolist() == [0, 0, 0]


def test_the_best_are_eligible_and_ties_go_to_the_larger_place():
    scorer = DrqaScorer(TEXTS)

    assert [place for place, _ in scorer.best("hill", 4, eligible=ALL)] == [4, 3]
    assert [place for place, _ in scorer.best("red", 1, eligible=ALL)] == [1]
    assert [place for place, _ in scorer.best("red", 4, eligible=np.arange(5) < 1)] == [0]


def test_a_query_that_no_text_shares_has_no_best():
    assert DrqaScorer(TEXTS).best("quartz", 4, eligible=ALL) == []
    assert DrqaScorer([]).scores("quartz").tolist() == []
