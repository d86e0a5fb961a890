import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.texts import clean_text, forbidden_characters, normalised, one_line, text_hash


def test_clean_text_composes_trims_and_unifies_line_ends():
    assert clean_text("  Re\u0301va\r\nroste\rdnes\u2028. ") == "Réva\nroste\ndnes\n."


def test_clean_text_removes_what_cannot_be_seen():
    assert clean_text("a\0b\x07c\u202ed\u200be\ufefff\ud800g") == "abcdefg"


def test_clean_text_keeps_the_joiners_that_scripts_need():
    persian = "می\u200cخواهم"

    assert clean_text(persian) == persian


def test_one_line_joins_lines_and_blanks():
    assert one_line(" A \n title\twith\xa0blanks ") == "A title with blanks"


@given(st.text(alphabet=st.characters(exclude_categories=()), max_size=60))
def test_clean_text_is_stable_composed_and_without_controls(text):
    clean = clean_text(text)

    assert clean_text(clean) == clean
    assert unicodedata.is_normalized("NFC", clean)
    assert not [c for c in clean if unicodedata.category(c) in {"Cc", "Cs"} and c != "\n"]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("a\0b", "NULL (U+0000)"),
        ("a\x07b", "CONTROL CHARACTER (U+0007)"),
        ("a\tb", "CHARACTER TABULATION (U+0009)"),
        ("a\x7fb", "DELETE (U+007F)"),
        ("a\u202eb", "RIGHT-TO-LEFT OVERRIDE (U+202E)"),
        ("a\u2066b", "LEFT-TO-RIGHT ISOLATE (U+2066)"),
        ("a\u200bb", "ZERO WIDTH SPACE (U+200B)"),
        ("a\u200db", "ZERO WIDTH JOINER (U+200D)"),
        ("a\ufeffb", "ZERO WIDTH NO-BREAK SPACE (U+FEFF)"),
        ("a\ud800b", "LONE SURROGATE (U+D800)"),
    ],
)
def test_forbidden_characters_are_named(text, name):
    assert forbidden_characters(text) == [name]


@pytest.mark.parametrize(
    "text", ["Žlutý kůň\r\nběží.", "می\u200cخواهم", "👩\u200d💻", "क्\u200dष", "‘quoted’ – 5 °C"]
)
def test_what_people_type_is_not_forbidden(text):
    assert forbidden_characters(text) == []


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("The Bridge opened.", "the  bridge opened"),
        ("“Quoted” – so", '"quoted" - so'),
        ("Straße", "STRASSE"),
        ("café", "cafe\u0301"),
    ],
)
def test_texts_that_read_alike_share_a_hash(left, right):
    assert text_hash(left) == text_hash(right)


@pytest.mark.parametrize(
    ("left", "right"), [("1.5 million", "15 million"), ("no", "not"), ("Why?", "Why"), ("a", "á")]
)
def test_texts_that_differ_do_not_share_a_hash(left, right):
    assert text_hash(left) != text_hash(right)


def test_normalising_twice_changes_nothing():
    once = normalised("  ‘ẞtraße’ ﬁnal …. ")

    assert normalised(once) == once
