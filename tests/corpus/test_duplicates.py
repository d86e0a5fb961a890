from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
import pytest

from corpus.duplicates import content_hash, first_copies, near_duplicates, record_hash
from corpus.records import ArticleRecord, ParagraphRecord

WORDS = [f"word{number}" for number in range(2000)]


def make_text(seed, length=120):
    return " ".join(np.random.default_rng(seed).choice(WORDS, length))


def edited(text, changes):
    """The text with every n-th word replaced, `changes` in all."""
    words = text.split()
    for place in range(changes):
        words[place * len(words) // changes] = f"new{place}"
    return " ".join(words)


def make_article(*texts, **fields):
    paragraphs = tuple(ParagraphRecord(rank, text) for rank, text in enumerate(texts, 1))
    day = datetime(2019, 5, 7, tzinfo=UTC)
    return replace(ArticleRecord("a1", "A bridge", day, True, paragraphs), **fields)


def test_equal_texts_share_a_content_hash_whatever_their_title_ranks_and_blanks():
    left = make_article("It opened.", "It rained.")
    right = [ParagraphRecord(3, "It  opened."), ParagraphRecord(9, "It rained. ")]

    assert content_hash(left.paragraphs) == content_hash(right)
    assert content_hash(left.paragraphs) != content_hash(right[:1])


def test_articles_without_text_have_no_content_hash():
    assert content_hash([]) == ""


@pytest.mark.parametrize(
    "change",
    [
        {"title": "A road"},
        {"is_day": False},
        {"published_at": None},
        {"keywords": ("bridge",)},
        {"paragraphs": (ParagraphRecord(2, "It opened."),)},
    ],
)
def test_a_change_of_anything_stated_changes_the_record_hash(change):
    assert record_hash(make_article("It opened.", **change)) != record_hash(
        make_article("It opened.")
    )


def test_where_an_article_was_read_does_not_change_the_record_hash():
    here = make_article("It opened.")

    assert record_hash(replace(here, file="b.jsonl", line=7)) == record_hash(here)


def test_near_copies_are_found_and_others_are_not():
    texts = [make_text(seed) for seed in range(40)]
    texts.append(edited(texts[3], 2))

    pairs = near_duplicates(texts)

    assert [(i, j) for i, j, _ in pairs] == [(3, 40)]


def test_the_share_is_close_to_the_jaccard_index_of_the_word_triples():
    text = make_text(1)

    # 118 triples, of which two edits change 5 in each text: 113 / (118 + 5)
    ((_, _, share),) = near_duplicates([text, edited(text, 2)])

    assert share == pytest.approx(113 / 123, abs=0.08)


def test_texts_are_read_once_and_give_the_same_pairs_again():
    texts = [make_text(seed % 5) for seed in range(20)]

    assert near_duplicates(iter(texts)) == near_duplicates(texts) != []


def test_texts_without_words_match_nothing():
    assert near_duplicates(["", "...", "", "—"]) == []
    assert near_duplicates([]) == []


def test_texts_of_a_few_words_match_only_their_equals():
    assert near_duplicates(["Terms undisclosed", "terms undisclosed.", "Terms"]) == [(0, 1, 1.0)]


def test_texts_without_blanks_are_compared_by_their_characters():
    text = "中国人民银行今天宣布下调存款准备金率以支持经济增长并保持市场流动性合理充裕"

    assert [pair[:2] for pair in near_duplicates([text, text + "。", text[::-1]])] == [(0, 1)]


def test_a_thousand_copies_all_lead_to_the_first_without_all_pairs():
    pairs = near_duplicates([make_text(1)] * 1000)

    assert len(pairs) < 25_000
    assert first_copies(pairs) == dict.fromkeys(range(1, 1000), 0)


def test_first_copies_follow_a_chain_to_its_beginning():
    assert first_copies([(1, 4, 0.9), (4, 6, 0.9), (2, 3, 0.9)]) == {3: 2, 4: 1, 6: 1}
