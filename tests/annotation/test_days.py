"""A text of which only the day is known is shown under that day, wherever the reader works."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from django.urls import reverse

from annotation.models import Campaign, Claim
from tests.agreement.labels import labelled
from tests.annotation.asking import ask
from tests.annotation.pages import page_of, read
from tests.annotation.test_t2_search import found, give, search
from tests.dictionaries.corpora import small_corpus
from tests.factories import (
    make_article,
    make_campaign,
    make_claim,
    make_corpus,
    make_dictionary,
    make_item,
    make_member,
    make_participant,
    make_source,
    make_wave,
    paragraph_of,
)

pytestmark = pytest.mark.django_db
# 14 May in Prague, which begins on the 13th in UTC, where the campaign is.
BEGINS = datetime(2022, 5, 13, 22, tzinfo=UTC)
DAY = {"published_at": BEGINS, "available_at": BEGINS + timedelta(days=1, microseconds=-1)}
SHOWN = [("2022-05-14", "14 May 2022")]
BADGE = re.compile(r'<time class="badge badge-date" datetime="([^"]+)">([^<]+)</time>')


@pytest.fixture
def wave():
    return make_wave(make_campaign(corpus=make_corpus(time_zone="Europe/Prague")))


@pytest.fixture
def paragraph(wave):
    return paragraph_of(make_article(wave.campaign.corpus, **DAY))


def dates_on(html):
    """What programs and people read, each date once."""
    return sorted(set(BADGE.findall(html)))


def test_an_article_from_which_sources_are_chosen(sign_in, wave, paragraph):
    make_member(wave.campaign, "cyn", role="curator")
    assignment = ask(make_participant(wave, "cyn"), wave, "T0")

    assert dates_on(read(sign_in("cyn").get(page_of(assignment)))) == SHOWN


def test_a_source(sign_in, wave, paragraph):
    make_source(wave, paragraph)
    assignment = ask(make_participant(wave, "ben"), wave, "T1a")
    client = sign_in("ben")
    assert dates_on(read(client.get(page_of(assignment)))) == SHOWN

    client.post(page_of(assignment), {"claim-1": "A bridge opened.", "action": "stop"})

    assert "You wrote claims from this source" in (html := read(client.get(page_of(assignment))))
    assert dates_on(html) == SHOWN


def test_a_claim_that_is_mutated_or_edited(sign_in, wave, paragraph):
    claim = make_claim(wave, author=make_participant(wave, "ben"), source=paragraph)
    client = sign_in("ben")

    mutating = read(client.get(page_of(ask(claim.author, wave, "T1b"))))
    editing = read(client.get(reverse("annotation:edit-claim", args=[claim.pk])))

    assert dates_on(mutating) == dates_on(editing) == SHOWN


def test_a_claim_that_is_labelled_and_what_is_cited(sign_in, wave, paragraph):
    earlier = make_article(
        wave.campaign.corpus, **{name: at - timedelta(days=1) for name, at in DAY.items()}
    )
    dictionary = make_dictionary(wave.campaign.corpus, paragraph_of(earlier), as_of=BEGINS)
    make_item(make_claim(wave, source=paragraph, dictionary=dictionary), wave)
    assignment = ask(make_participant(wave, "ben"), wave)

    html = read(sign_in("ben").get(page_of(assignment)))

    assert dates_on(html) == [("2022-05-13", "13 May 2022"), *SHOWN]
    assert f"judge it as of {BADGE.search(html)[0]}" in " ".join(html.split())
    assert BADGE.search(html).groups() == SHOWN[0]


def test_what_a_search_found(sign_in):
    corpus = small_corpus("The Norvell bridge opens.", *["Other."] * 3, time_zone="Asia/Tokyo")
    day = datetime(2021, 5, 13, 15, tzinfo=UTC)
    article = corpus.articles.get(external_id="a0")
    for rows in (corpus.articles.filter(pk=article.pk), article.paragraphs):
        rows.update(published_at=day, available_at=day + timedelta(hours=23))
    assignment = give(corpus)

    html = read(search(sign_in("ben"), assignment))

    assert found(html) == [str(article.pk)]
    assert dates_on(html) == [("2021-05-14", "14 May 2021")]


def test_a_conflict(sign_in, wave, paragraph):
    item = labelled(wave, "SR", source=paragraph)
    client = sign_in("manager-of-spring")

    html = read(client.get(reverse("agreement:conflict", args=[item.instance_id])))

    assert dates_on(html) == SHOWN


def test_a_moment_is_one_of_the_campaigns_zone(sign_in, wave):
    Campaign.objects.update(time_zone="Asia/Tokyo")
    source = paragraph_of(make_article(wave.campaign.corpus, published_at=BEGINS))
    make_item(make_claim(wave, source=source), wave)

    html = read(sign_in("ben").get(page_of(ask(make_participant(wave, "ben"), wave))))

    assert dates_on(html) == [("2022-05-14T07:00:00+09:00", "14 May 2022, 07:00")]


def test_a_later_day_that_an_import_stated_is_one_of_the_campaigns_zone(sign_in, wave, paragraph):
    Campaign.objects.update(time_zone="Asia/Tokyo")
    make_item(make_claim(wave, source=paragraph), wave)
    Claim.objects.update(as_of=datetime(2022, 5, 19, 15, tzinfo=UTC))  # the 20th begins in Tokyo

    html = read(sign_in("ben").get(page_of(ask(make_participant(wave, "ben"), wave))))

    assert dates_on(html) == [*SHOWN, ("2022-05-20", "20 May 2022")]
