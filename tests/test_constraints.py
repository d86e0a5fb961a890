"""What the database itself refuses: SQL lets a check pass that a missing value leaves undecided."""

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from annotation.models import Claim, Wave, WaveItem
from corpus.models import Article, Paragraph
from dictionaries.models import DictionaryEntry
from tests.factories import (
    make_article,
    make_campaign,
    make_claim,
    make_corpus,
    make_dictionary,
    make_wave,
    make_work,
    paragraph_of,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def wave():
    return make_wave(make_campaign(corpus=make_corpus()))


def refuses(rows, **values):
    """Whether the database keeps `rows` as they are, naming the constraint that says so."""
    with pytest.raises(IntegrityError) as refusal, transaction.atomic():
        rows.update(**values)
    return str(refusal.value)


@pytest.mark.parametrize("missing", ["published_at", "available_at"])
def test_a_text_has_both_of_its_times_or_none(missing):
    make_article()

    assert "article_has_both_times" in refuses(Article.objects, **{missing: None})
    assert "paragraph_has_both_times" in refuses(Paragraph.objects, **{missing: None})
    Article.objects.update(published_at=None, available_at=None)


def test_a_dated_dictionary_holds_no_undated_paragraph(wave):
    make_dictionary(wave.campaign.corpus, paragraph_of(make_article()), as_of=timezone.now())

    assert "is_older_than_its_as_of" in refuses(DictionaryEntry.objects, available_at=None)


def test_a_claim_of_a_dated_source_has_an_as_of_date(wave):
    make_claim(wave)

    assert "judged_no_earlier" in refuses(Claim.objects, as_of=None)
    Claim.objects.update(source_published_at=None, as_of=None)


def test_a_wave_that_closes_has_opened_before(wave):
    assert "closes_after_it_opens" in refuses(Wave.objects, opens_at=None, closes_at=timezone.now())


def test_an_item_is_given_out_no_oftener_than_it_is_wanted(wave):
    make_work(wave)

    assert "at_most_as_often_as_wanted" in refuses(WaveItem.objects, taken=3)
