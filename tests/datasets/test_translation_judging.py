"""Judging translated claims in the browser, one after the other."""

import re

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from datasets.models import TranslationAnswer
from datasets.validating.reading import shown_sets
from datasets.validating.tasks import samples_for
from tests.annotation.pages import read
from tests.datasets.importing import import_lines
from tests.datasets.translating import (
    BAD,
    NO,
    YES,
    S,
    answer,
    item_of,
    item_page,
    make_sample,
    translated_line,
)
from tests.factories import make_user


def test_a_claim_stands_beside_its_original_and_its_evidence(ben, campaign):
    sample = make_sample(campaign, 8)
    item = item_of(sample, label=S, odd=1)

    page = read(ben.get(item_page(sample, item.number)))

    assert item.claim.text in page
    assert item.claim.original_text in page
    assert "Most v Dolanech" in page
    assert "Most vede přes řeku." in page
    assert "Hrad" in page  # the second set, which the corpus lacks
    assert "Castle" in page


def test_of_a_cited_title_the_paragraph_below_it_is_shown(ben, campaign, tmp_path):
    cites_title = {**translated_line(50, S), "evidence": [[[1, 1, "Most", 0, "Bridge"]]]}
    import_lines(tmp_path, campaign, cites_title, format="csfever", lines="ranks")
    sample = make_sample(campaign, 9)
    item = sample.items.get(claim__number=50)

    (shown,) = shown_sets(item)

    assert [paragraph.text for paragraph in shown.paragraphs] == ["Most vede přes řeku."]
    assert shown.originals == ["Bridge"]


def test_no_pages_of_the_original_are_shown_where_it_cannot_be_told_whose(campaign, tmp_path):
    groups = [[[1, 1, None, None, "Tower"]], [[2, 2, "Most", 1, "Bridge"]]]
    import_lines(
        tmp_path, campaign, {**translated_line(51, S), "evidence": groups},
        format="csfever", lines="ranks",
    )  # fmt: skip

    (shown,) = shown_sets(make_sample(campaign, 9).items.get(claim__number=51))

    assert [paragraph.text for paragraph in shown.paragraphs] == ["Most vede přes řeku."]
    assert shown.originals == []


def test_an_answer_leads_to_the_next_claim_that_waits(ben, campaign):
    sample = make_sample(campaign, 3)

    first = ben.post(item_page(sample, 2), {"verdict": YES})
    second = ben.post(item_page(sample, 3), {"verdict": NO})
    third = ben.post(item_page(sample, 1), {"verdict": BAD}, follow=True)

    assert first["Location"] == item_page(sample, 3)
    assert second["Location"] == item_page(sample, 1)
    assert "You have judged all claims" in read(third)
    begun = ben.get(reverse("datasets:judge-translations", args=[sample.pk]))
    assert begun.status_code == 200


def test_another_answer_takes_the_place_of_the_first(ben, campaign):
    sample = make_sample(campaign)

    ben.post(item_page(sample, 1), {"verdict": YES})
    ben.post(item_page(sample, 1), {"verdict": BAD})

    assert TranslationAnswer.objects.get().verdict == BAD
    page = read(ben.get(item_page(sample, 1)))
    assert re.search(r'value="UNUSABLE TRANSLATION"[^>]*aria-pressed="true"', page)


def test_the_database_keeps_one_answer_of_each_person(campaign):
    sample = make_sample(campaign)
    row = answer(sample, 1, YES)

    with pytest.raises(IntegrityError), transaction.atomic():
        TranslationAnswer.objects.create(item=row.item, user=row.user, verdict=NO)


@pytest.mark.parametrize("data", [{}, {"verdict": "SUPPORTS"}, {"verdict": "x" * 100}])
def test_what_is_no_verdict_is_refused(ben, campaign, data):
    sample = make_sample(campaign)

    page = ben.post(item_page(sample, 1), data)

    assert "Choose one of the four answers." in read(page)
    assert not TranslationAnswer.objects.exists()


def test_the_campaigns_page_leads_to_what_waits(ben, campaign):
    home = reverse("annotation:campaign", args=["spring"])
    assert "Translations to judge" not in read(ben.get(home))
    sample = make_sample(campaign)
    answer(sample, 1, YES)

    page = read(ben.get(home))

    assert "You judged 1 of 4 claims." in page
    assert reverse("datasets:judge-translations", args=[sample.pk]) in page


def test_each_person_has_their_own_count(campaign):
    first, second = make_sample(campaign), make_sample(campaign)
    for number, name in [(1, "ben"), (2, "ben"), (1, "dan")]:
        answer(first, number, YES, by=name)
    answer(second, 1, YES, by="ben")

    found = {
        name: [sample.mine for sample in samples_for(make_user(username=name), campaign)]
        for name in ("ben", "dan", "eve")
    }

    assert found == {"ben": [1, 2], "dan": [0, 1], "eve": [0, 0]}


def test_an_outsider_reaches_nothing(campaign, sign_in):
    sample = make_sample(campaign)
    eve = sign_in("eve")

    assert eve.get(item_page(sample, 1)).status_code == 404
    assert eve.post(item_page(sample, 1), {"verdict": YES}).status_code == 404
    assert not TranslationAnswer.objects.exists()


def test_a_page_of_the_task_asks_a_constant_number_of_queries(ben, campaign):
    sample = make_sample(campaign, 8)
    few, many = item_of(sample, label=S, odd=0), item_of(sample, label=S, odd=1)

    assert queries(ben, sample, few) == queries(ben, sample, many)


def queries(client, sample, item):
    client.get(item_page(sample, item.number))
    with CaptureQueriesContext(connection) as counted:
        read(client.get(item_page(sample, item.number)))
    return len(counted)
