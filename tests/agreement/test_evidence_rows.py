"""Who cited which parts, read from the database."""

from datetime import timedelta

import pytest

from agreement import tables
from agreement.evidence_rows import evidence_answers
from annotation.answering import store_evidence
from annotation.models import Instance
from tests.agreement.labels import label, labelled
from tests.factories import (
    A_DAY,
    make_article,
    make_dictionary,
    paragraph_of,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def item(wave):
    return labelled(wave, "")


def cite(item, person, letter, *parts, **fields):
    """A label with one evidence set of (paragraph, unit)."""
    annotation = label(item, person, letter, **fields)
    store_evidence(annotation, [[(paragraph.pk, unit) for paragraph, unit in parts]])
    return annotation


def answers_of(wave, **policies):
    rows = tables.annotation_rows(wave.campaign)
    as_nei = policies.get("conditional_labels", "nei") == "nei"
    return evidence_answers(rows, rows.kept(**policies), conditional_as_nei=as_nei)


def shape(answers):
    """(label, how many parts were cited, of how many), by label."""
    return sorted((answer.label, len(answer.parts), answer.n_parts) for answer in answers)


def units_of(paragraph, n):
    paragraph.units = [
        {"id": f"s{place}", "kind": "sentence", "start": place, "end": place + 1}
        for place in range(n)
    ]
    paragraph.save()


def test_of_the_whole_scope_the_parts_are_source_dictionaries_and_what_was_cited(wave, item):
    claim, corpus = item.instance.claim, wave.campaign.corpus
    before = A_DAY - timedelta(days=1)
    shared, other, opened = (
        paragraph_of(make_article(corpus, published_at=before)) for _ in range(3)
    )
    claim.source_dictionary = make_dictionary(corpus, shared)
    claim.dictionary = make_dictionary(corpus, shared, other)
    claim.save()
    cite(item, "ben", "S", (claim.source, "s0"), (claim.source, ""))
    cite(item, "cleo", "S", (claim.source, "s0"), (opened, ""))

    first, second = answers_of(wave)

    assert first.n_parts == second.n_parts == 4
    assert (len(first.parts), len(second.parts)) == (1, 2)
    assert len(first.parts & second.parts) == 1


def test_of_an_article_the_parts_are_its_sentences_and_its_title(wave, item):
    article = make_article(wave.campaign.corpus, "A. B. C.", "D.")
    long, short = paragraph_of(article, 1), paragraph_of(article, 2)
    units_of(long, 3)
    Instance.objects.filter(pk=item.instance_id).update(
        scope_kind="article", article=article, article_version=1
    )
    cite(item, "ben", "S", (long, "s0"), (long, "s2"), (short, "s0"))
    cite(item, "cleo", "R", (long, ""))

    assert shape(answers_of(wave)) == [("REFUTES", 3, 5), ("SUPPORTS", 3, 5)]


def test_of_a_passage_the_parts_are_its_sentences(wave, item):
    passage = paragraph_of(make_article(wave.campaign.corpus))
    units_of(passage, 4)
    Instance.objects.filter(pk=item.instance_id).update(scope_kind="passage", passage=passage)
    cite(item, "ben", "S", (passage, "s1"))
    label(item, "cleo", "N")

    assert shape(answers_of(wave)) == [("NOT ENOUGH INFO", 0, 4), ("SUPPORTS", 1, 4)]


def test_a_label_under_a_condition_cites_nothing_where_it_counts_as_not_enough(wave, item):
    for person in ("ben", "cleo"):
        cite(item, person, "S", (item.instance.claim.source, ""), condition="If it rains.")

    assert shape(answers_of(wave)) == [("NOT ENOUGH INFO", 0, 1)] * 2
    assert shape(answers_of(wave, conditional_labels="as-is")) == [("SUPPORTS", 1, 1)] * 2


def test_who_labelled_alone_is_compared_with_nobody(wave, item):
    cite(item, "ben", "S", (item.instance.claim.source, ""))

    assert answers_of(wave) == []


def test_all_instances_are_read_by_a_constant_number_of_queries(
    wave, django_assert_max_num_queries
):
    for _ in range(4):
        claimed = labelled(wave, "")
        for person in ("ben", "cleo"):
            cite(claimed, person, "S", (claimed.instance.claim.source, ""))
    rows = tables.annotation_rows(wave.campaign)

    with django_assert_max_num_queries(3):  # instances, dictionaries, what was cited
        assert len(evidence_answers(rows, rows.kept(), conditional_as_nei=True)) == 8
