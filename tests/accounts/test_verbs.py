"""The audit trail in words."""

import re

from django.conf import settings

from accounts.verbs import WORDS, in_words

RECORDED = re.compile(r'\b(?:verb=|record\(\w+, )"([^"{}]+)"')


def recorded_verbs():
    """The verbs that the code of all apps records, as far as they stand there as they are."""
    files = [path for app in settings.OUR_APPS for path in (settings.BASE_DIR / app).rglob("*.py")]
    return {verb for path in files for verb in RECORDED.findall(path.read_text(encoding="utf-8"))}


def test_every_recorded_verb_has_words():
    verbs = recorded_verbs()

    assert "made account" in verbs
    assert verbs - set(WORDS) == set()


def test_an_unknown_verb_stays_as_it_was_recorded():
    assert in_words("painted bridge") == "painted bridge"
