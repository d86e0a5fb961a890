"""The knowledge scope: what belongs to it, in which order, and how it grows."""

from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError

from annotation.giving import ask_for_work
from annotation.models import Instance, WaveItem
from annotation.readiness import make_item
from annotation.scope import knowledge_scope, open_article
from tests.factories import (
    A_DAY,
    add_paragraphs,
    make_article,
    make_campaign,
    make_claim,
    make_corpus,
    make_dictionary,
    make_participant,
    make_source,
    make_wave,
    paragraph_of,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def wave():
    return make_wave(make_campaign(corpus=make_corpus()))


@pytest.fixture
def source(wave):
    return paragraph_of(make_article(wave.campaign.corpus, "One.", "Two.", "Three."), 2)


def older(wave, number=1, *texts):
    when = A_DAY - timedelta(days=number)
    return make_article(wave.campaign.corpus, *texts, published_at=when, title=f"Older {number}")


def give(wave, source, *, of_source=(), of_claim=()):
    """The assignment of ben to a claim from `source` with these paragraphs in its dictionaries."""
    corpus = wave.campaign.corpus
    claim = make_claim(
        wave,
        source=source,
        source_dictionary=make_dictionary(corpus, *of_source),
        dictionary=make_dictionary(corpus, *of_claim, method="keyword"),
    )
    make_item(claim, wave)
    return ask_for_work(user=make_participant(wave, "ben"), wave=wave, task="T2")


def test_the_source_comes_first_and_then_both_dictionaries(wave, source):
    first, second = (paragraph_of(older(wave, number)) for number in [1, 2])

    scope = knowledge_scope(give(wave, source, of_source=[first], of_claim=[second]))

    assert scope.articles[0].is_source
    assert scope.articles[0].paragraphs == [source]
    assert set(scope.paragraphs) == {source.pk, first.pk, second.pk}


def test_a_paragraph_of_both_dictionaries_is_shown_once_with_both_badges(wave, source):
    both = paragraph_of(older(wave))

    scope = knowledge_scope(give(wave, source, of_source=[both], of_claim=[both]))

    (paragraph,) = scope.articles[1].paragraphs
    assert {(badge.method, badge.of) for badge in paragraph.badges} == {
        ("semantic", "source"),
        ("keyword", "claim"),
    }


def test_an_article_comes_with_heading_date_and_number_of_other_paragraphs(wave, source):
    article = older(wave, 1, "One.", "Two.", "Three.")

    scope = knowledge_scope(give(wave, source, of_claim=[paragraph_of(article, 2)]))

    shown = scope.articles[1]
    assert (shown.title, shown.published_at) == ("Older 1", article.published_at)
    assert (shown.hidden_count, shown.is_opened) == (2, False)


def test_the_others_stand_in_the_assignments_own_stable_order(wave, source):
    paragraphs = [paragraph_of(older(wave, number)) for number in range(1, 9)]
    assignment = give(wave, source, of_claim=paragraphs)

    def order(seed):
        assignment.shuffle_seed = seed
        return [article.article.pk for article in knowledge_scope(assignment).articles]

    assert order(1) == order(1)
    assert order(1) != order(2)
    assert order(1)[0] == order(2)[0] == source.article_id


def test_opening_an_article_adds_its_paragraphs_and_its_heading(wave, source):
    article = older(wave, 1, "One.", "Two.")
    assignment = give(wave, source, of_claim=[paragraph_of(article, 2)])

    open_article(assignment=assignment, article=article)

    opened = knowledge_scope(assignment).articles[1]
    assert [paragraph.rank for paragraph in opened.paragraphs] == [0, 1, 2]
    assert (opened.is_opened, opened.hidden_count) == (True, 0)
    assert assignment.operations.get().value == article.external_id


def test_opening_moves_no_article(wave, source):
    articles = [older(wave, number) for number in range(1, 7)]
    assignment = give(wave, source, of_claim=[paragraph_of(article) for article in articles])
    before = [row.article for row in knowledge_scope(assignment).articles]

    open_article(assignment=assignment, article=articles[3])

    assert [row.article for row in knowledge_scope(assignment).articles] == before


def test_opening_twice_is_opening_once(wave, source):
    assignment = give(wave, source)

    open_article(assignment=assignment, article=source.article)
    open_article(assignment=assignment, article=source.article)

    assert assignment.opened.count() == assignment.operations.count() == 1


def test_only_articles_of_the_scope_can_be_opened(wave, source):
    assignment = give(wave, source)

    with pytest.raises(ValidationError, match="not among those"):
        open_article(assignment=assignment, article=older(wave))


def test_the_version_that_was_cited_stays_readable(wave, source):
    article = source.article
    article.version, article.title = 2, "Changed"
    article.save()
    add_paragraphs(article, "New one.", "New two.")
    assignment = give(wave, source)

    open_article(assignment=assignment, article=article)

    shown = knowledge_scope(assignment).articles[0]
    assert [paragraph.text for paragraph in shown.paragraphs] == [
        "Bridge delayed again",
        "One.",
        "Two.",
        "Three.",
    ]


def test_the_scope_takes_a_constant_number_of_queries(wave, source, django_assert_max_num_queries):
    articles = [older(wave, number) for number in range(1, 9)]
    assignment = give(wave, source, of_claim=[paragraph_of(article) for article in articles])
    for article in articles:
        open_article(assignment=assignment, article=article)

    with django_assert_max_num_queries(10):
        knowledge_scope(assignment)


def test_a_writer_sees_the_source_and_its_dictionary(wave, source):
    found = paragraph_of(older(wave))
    make_source(wave, source, dictionary=make_dictionary(wave.campaign.corpus, found))
    assignment = ask_for_work(user=make_participant(wave, "ben"), wave=wave, task="T1a")

    scope = knowledge_scope(assignment)

    assert set(scope.paragraphs) == {source.pk, found.pk}


def test_the_scope_of_a_passage_is_the_passage_and_cannot_be_opened(wave, source):
    claim = make_claim(wave, source=source)
    passage = paragraph_of(older(wave))
    instance = Instance.objects.create(claim=claim, scope_kind="passage", passage=passage)
    WaveItem.objects.create(wave=wave, instance=instance, random_key=0.5)
    assignment = ask_for_work(user=make_participant(wave, "ben"), wave=wave, task="T2")

    assert set(knowledge_scope(assignment).paragraphs) == {passage.pk}
    with pytest.raises(ValidationError, match="nothing more"):
        open_article(assignment=assignment, article=passage.article)


def test_the_scope_of_an_article_is_all_of_that_version(wave, source):
    claim = make_claim(wave, source=source)
    article = older(wave, 1, "One.", "Two.")
    instance = Instance.objects.create(
        claim=claim, scope_kind="article", article=article, article_version=1
    )
    WaveItem.objects.create(wave=wave, instance=instance, random_key=0.5)
    assignment = ask_for_work(user=make_participant(wave, "ben"), wave=wave, task="T2")

    (shown,) = knowledge_scope(assignment).articles
    assert [paragraph.rank for paragraph in shown.paragraphs] == [0, 1, 2]
