"""Warnings while a claim is written, in English and Czech."""

import pytest

from annotation.claim_checks import check_claim, negation_word, warn_negation


def kinds(text, language="en", **more):
    return [hint.kind for hint in check_claim(text, language=language, **more)]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The Norvell bridge was opened on 5 May 2022.", "en"),
        ("Dr. Alda Renn of Torvik Steel Inc. met J. K. Rowling in the U.S. on Monday.", "en"),
        ("The No. 5 tram cost 3.5 million.", "en"),
        ("Most přes Norvell otevřel 5. května 2022 prezident.", "cs"),
        ("Ministryní dopravy je od 1. ledna Ing. Alda Renn.", "cs"),
        ("Die Brücke wurde 2022 eröffnet.", "de"),
    ],
)
def test_a_good_claim_has_no_warning(text, language):
    assert kinds(text, language) == []


@pytest.mark.parametrize(
    ("text", "language", "kind"),
    [
        ("", "en", "empty"),
        (" \n ", "en", "empty"),
        ("He resigned in May.", "en", "pronoun"),
        ("It's the longest bridge.", "en", "pronoun"),
        ("Tato dohoda platí od května.", "cs", "pronoun"),
        ("Was the bridge opened?", "en", "question"),
        ("The bridge opened. Trains crossed it.", "en", "sentences"),
        ("The bridge opened in 2021. Trains crossed it.", "en", "sentences"),
        ("Most byl otevřen v roce 2021. Řidiči jej používají.", "cs", "sentences"),
        ("Several ministers resigned.", "en", "vague"),
        ("A lot of people came.", "en", "vague"),
        ("Vláda jednala s několik zeměmi.", "cs", "vague"),
        ("The bridge will probably open.", "en", "hedge"),
        ("Most se údajně otevře v květnu.", "cs", "hedge"),
    ],
)
def test_each_warning(text, language, kind):
    assert kinds(text, language) == [kind]


def test_a_word_is_shown_with_its_warning():
    (hint,) = check_claim("Nearly all agree that several ministers resigned.")

    assert hint.word == "several"


def test_an_equal_claim_is_pointed_out():
    others = ["the bridge OPENED in May"]

    assert kinds("The bridge opened in May.", others=others) == ["equal"]
    assert kinds("The bridge opened in June.", others=others) == []


@pytest.mark.parametrize(
    ("text", "language", "word"),
    [
        ("The bridge was not opened.", "en", "not"),
        ("The bridge wasn't opened.", "en", "wasn't"),
        ("Renn never resigned.", "en", "never"),
        ("The bridge was closed.", "en", ""),
        ("The knot was tied.", "en", ""),
        ("Most není otevřen.", "cs", "není"),
        ("Most se neotevřel.", "cs", "neotevřel"),
        ("Nejdelší most stojí v Norvellu.", "cs", ""),
        ("Nemocnice byla otevřena v neděli.", "cs", ""),
        ("Nedaleko mostu stojí nemocnice.", "cs", ""),
    ],
)
def test_words_that_deny(text, language, word):
    assert negation_word(text, language=language) == word


def test_a_denying_word_is_a_warning():
    (hint,) = warn_negation("The bridge was never opened.")

    assert (hint.kind, hint.word) == ("negation", "never")
