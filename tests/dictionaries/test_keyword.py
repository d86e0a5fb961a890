import numpy as np
import pytest

from dictionaries.analysis import analyser_for
from dictionaries.backends.keyword_hits import BOTH, keyword_part
from dictionaries.keyword import KeywordIndex, KeywordSearch, KeywordWriter

CZECH = [
    "Zemana včera potkal Babiš v Praze",
    "Babišovi je zima",
    "Praha je krásná",
    "Miloš Zeman mluví",
    "Ceska banka zvysila sazby",
]


def open_index(folder, texts, language="en"):
    """Paragraph i of article i, available at i."""
    writer, analyser = KeywordWriter(folder), analyser_for(language)
    for number, text in enumerate(texts):
        writer.add(analyser.terms(text), paragraph=number, article=number, available_at=number)
    writer.finish()
    return KeywordIndex(folder)


class Searching:
    """The keyword part of dictionaries from an index; `copies` are positions not to be chosen."""

    def __init__(self, index, language="en", *, before=None, article=None, copies=()):
        self._copies = list(copies)
        self._search = KeywordSearch(
            index,
            analyser_for(language),
            before=before,
            left_out_article=article,
            positions=lambda ids: np.array(ids, dtype=np.int64),
        )

    def retrieve(self, text, entities, n, **options):
        def usable(positions):
            return ~np.isin(positions, self._copies)

        return keyword_part(self._search, usable, text, entities, n=n, **options).hits


def make_search(folder, texts, language="en", **scope):
    return Searching(open_index(folder, texts, language), language, **scope)


def positions(hits):
    return [hit.position for hit in hits]


def test_a_paragraph_with_both_names_comes_before_one_with_a_longer_name(tmp_path):
    texts = [
        "The Organisation for the Prohibition of Chemical Weapons",
        "Syria joined the Organisation for the Prohibition of Chemical Weapons after many years"
        " of talks about this and that and other things of no great weight",
        "Syria Syria Syria",
    ]
    search = make_search(tmp_path, texts)

    hits = search.retrieve("", ["Syria", "Organisation for the Prohibition of Chemical Weapons"], 3)

    assert positions(hits)[0] == 1
    assert hits[0].score > BOTH > hits[1].score


def test_results_of_all_pairs_are_selected_by_score(tmp_path):
    texts = ["Alba Borg", "Alba Corn Corn", "Borg Corn and a long tail of words that dilute it"]
    hits = make_search(tmp_path, texts).retrieve("", ["Alba", "Borg", "Corn"], 4)

    scores = [hit.score for hit in hits]
    assert scores == sorted(scores, reverse=True)
    assert sorted(positions(hits)) == [0, 1, 2]
    assert {hit.position: hit.query for hit in hits} == {
        0: "Alba + Borg",
        1: "Alba + Corn",
        2: "Borg + Corn",
    }


def test_a_paragraph_with_three_names_keeps_its_best_pair_only(tmp_path):
    hits = make_search(tmp_path, ["Alba Borg Corn", "Corn", "Corn x", "Alba y"]).retrieve(
        "", ["Alba", "Borg", "Corn"], 1
    )

    assert [(hit.position, hit.query) for hit in hits] == [(0, "Alba + Borg")]


def test_the_option_takes_the_best_of_each_pair_in_turn(tmp_path):
    texts = ["Alba Borg", "Alba Borg", "Corn", "Alba Corn and more words of a longer text"]
    search = make_search(tmp_path, texts)

    assert 3 not in positions(search.retrieve("", ["Alba", "Borg", "Corn"], 2))
    assert 3 in positions(search.retrieve("", ["Alba", "Borg", "Corn"], 2, per_pair=True))


def test_a_phrase_scores_higher_than_its_words_apart(tmp_path):
    texts = ["Bank of Japan x", "Japan has a bank"]

    assert positions(make_search(tmp_path, texts).retrieve("", ["Bank of Japan"], 2)) == [0, 1]


@pytest.mark.parametrize(
    ("before", "expected"), [(0, []), (1, [0]), (2, [1, 0]), (None, [2, 1, 0])]
)
def test_only_strictly_older_paragraphs_are_found_newest_first_at_equal_scores(
    tmp_path, before, expected
):
    search = make_search(tmp_path, ["Alba Borg"] * 3, before=before)

    assert positions(search.retrieve("", ["Alba", "Borg"], 4)) == expected


def test_dates_before_1970_count(tmp_path):
    writer, analyser = KeywordWriter(tmp_path), analyser_for("en")
    writer.add(analyser.terms("Alba Borg"), paragraph=0, article=0, available_at=-(10**15))
    writer.finish()
    search = Searching(KeywordIndex(tmp_path), before=-(10**15) + 1)

    assert positions(search.retrieve("", ["Alba", "Borg"], 4)) == [0]


def test_the_left_out_article_is_replaced_by_the_next_best(tmp_path):
    search = make_search(tmp_path, ["Alba Borg"] * 5, article=4)

    assert positions(search.retrieve("", ["Alba", "Borg"], 4)) == [3, 2, 1, 0]


def test_copies_do_not_shorten_the_result(tmp_path):
    search = make_search(tmp_path, ["Alba Borg"] * 60, copies=range(8, 60))

    assert positions(search.retrieve("", ["Alba", "Borg"], 4)) == [7, 6, 5, 4]


def test_many_equal_scores_are_all_seen_before_the_newest_are_taken(tmp_path):
    search = make_search(tmp_path, ["Alba Borg"] * 500)

    assert positions(search.retrieve("", ["Alba", "Borg"], 4)) == [499, 498, 497, 496]


def test_czech_case_forms_and_missing_accents_are_found(tmp_path):
    search = make_search(tmp_path, CZECH, "cs")

    assert set(positions(search.retrieve("", ["Zemanem"], 4))) == {0, 3}
    assert set(positions(search.retrieve("", ["Prahou"], 4))) == {0, 2}
    assert positions(search.retrieve("", ["Česká banka"], 1)) == [4]
    assert set(positions(search.retrieve("", ["Babisem"], 4))) == {0, 1}


def test_one_entity_is_searched_alone_and_words_fill_up(tmp_path):
    texts = ["Alba won", "bridges are delayed", "nothing"]
    hits = make_search(tmp_path, texts).retrieve("Alba delayed the bridge", ["Alba"], 4)

    assert [(hit.position, hit.query) for hit in hits] == [(0, "Alba"), (1, "Alba delayed bridge")]


def test_a_text_without_entities_is_searched_by_its_rarest_words(tmp_path):
    texts = ["the common tower fell", "common", "common", "a rare word", "common rare"]
    hits = make_search(tmp_path, texts).retrieve("a rare common sight", [], 4)

    assert positions(hits)[0] == 4
    assert hits[0].query == "rare common"


def test_two_entities_that_nobody_mentions_find_nothing(tmp_path):
    assert make_search(tmp_path, ["x y", "z"]).retrieve("x", ["Alba", "Borg"], 4) == []


def test_entities_of_stop_words_only_are_passed_over(tmp_path):
    search = make_search(tmp_path, ["Alba Borg"])

    assert search.retrieve("", ["The", "A"], 4) == []
    assert positions(search.retrieve("", ["The", "Alba", "Borg"], 4)) == [0]


def test_thirty_entities_work(tmp_path):
    entities = [f"Name{number}" for number in range(30)]
    search = make_search(tmp_path, ["Name3 Name29", "Name1", "x"])

    hits = search.retrieve("", entities, 2)

    assert positions(hits) == [0, 1]
    assert hits[0].query == "Name3 + Name29"


def test_an_empty_index_and_no_wish_give_nothing(tmp_path):
    assert make_search(tmp_path / "a", []).retrieve("x", ["Alba", "Borg"], 4) == []
    assert make_search(tmp_path / "b", ["Alba"]).retrieve("x", ["Alba"], 0) == []
