"""Words that many refuted claims have, by language."""

import pytest

from annotation.telling_words import telling_word


@pytest.mark.parametrize(
    ("text", "language", "word"),
    [
        ("The bridge ONLY opened in May.", "en-GB", "only"),
        ("He wasn’t there, only she was.", "en", "wasn’t"),
        ("Odmítli to pouze v Praze.", "cs", "odmítli"),
        ("Most není otevřen.", "cs", "není"),
        ("Nur die Brücke ist nicht offen.", "de", ""),
        ("The lonely bridge has a knot.", "en", ""),
        ("", "en", ""),
    ],
)
def test_the_first_telling_word_is_found(text, language, word):
    assert telling_word(text, original="", language=language) == word


def test_what_the_original_has_and_what_may_deny_are_passed_over():
    text = "It never opened, only closed."

    assert telling_word(text, original="It Never closed.", language="en") == "only"
    assert telling_word(text, original="", language="en", may_deny=True) == "only"
