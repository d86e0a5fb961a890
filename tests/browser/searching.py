"""A wave that allows searching, with one claim to label."""

from tests.annotation.test_t2_search import TEXTS, paragraph
from tests.dictionaries.corpora import small_corpus
from tests.factories import make_campaign, make_claim, make_item, make_participant, make_wave


def searched_corpus():
    """The corpus of the wave, in which ben takes part."""
    corpus = small_corpus(*TEXTS)
    wave = make_wave(make_campaign(slug="spring", corpus=corpus), allows_search=True)
    make_participant(wave, "ben")
    make_item(make_claim(wave, "It opens.", source=paragraph(corpus, 3)), wave)
    return corpus
