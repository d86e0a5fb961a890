"""Claims as texts: where cues stand in them, and which language they are in."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement.cues.language import guessed_language
from agreement.cues.places import PLACES, cue_places, marked_parts
from agreement.cues.report import TOKENS


def found(text, cue, kind="unigrams", tokens="published"):
    places = cue_places(text, cue, kind=kind, tokens=tokens)
    return [text[start:end] for start, end in places]


@pytest.mark.parametrize("tokens", ["published", "words"])
@given(text=st.text("ab .,'Č-", max_size=20))
def test_places_are_those_of_the_tokens(tokens, text):
    assert [token for token, _, _ in PLACES[tokens](text)] == TOKENS[tokens](text)
    for token, start, end in PLACES[tokens](text):
        assert text[start:end].casefold() == token.casefold()


def test_a_word_is_found_as_its_figures_count_it():
    text = "Never say never, it never. ends"

    assert found(text, "never") == ["never"]
    assert found(text, "never", tokens="words") == ["Never", "never", "never"]


def test_a_pair_is_found_with_what_lies_between():
    assert found("It was not, was not so", "was not", "bigrams", "words") == ["was not", "was not"]
    assert found("It was. not here", "was not", "bigrams") == ["was. not"]


def test_an_empty_cue_is_nowhere():
    assert found("big . town", "") == []


def test_the_parts_of_a_text_are_marked_and_make_it_up():
    text = "no no no way"
    places = cue_places(text, "no no", kind="bigrams", tokens="words")

    parts = marked_parts(text, places)

    assert "".join(part for part, _ in parts) == text
    assert [part for part, is_marked in parts if not is_marked] == [" way"]


@pytest.mark.parametrize(
    ("claims", "language"),
    [
        (["The tower is in Prague.", "Prague has a bridge.", "Nobody knows it."], "en"),
        (["Věž stojí v Praze.", "Most byl zavřen.", "Praha má most."], "cs"),
        (["Most byl zavřen.", "The tower was closed."], ""),
        (["Die Brücke ist nicht in Prag.", "Der Turm war hoch."], ""),
        (["Prezydent urodził się w Gdańsku.", "Rząd nie przyjął ustawy."], ""),
        (["Prezident sa narodil v Košiciach.", "Mesto leží pri rieke Dunaj."], ""),
        ([], ""),
    ],
)
def test_a_language_is_guessed_where_it_is_clear(claims, language):
    assert guessed_language(claims) == language
