"""Samples of translated claims: drawn, told of, and found by who judges."""

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse
from django.utils import timezone

from accounts.models import Event, User
from annotation.models import Annotation
from datasets.models import TranslationItem, TranslationSample
from tests.annotation.pages import count_queries, read
from tests.datasets.importing import import_lines
from tests.datasets.translating import (
    YES,
    N,
    R,
    S,
    answer,
    make_sample,
    translated_line,
)
from tests.factories import make_claim, make_wave


def test_a_manager_draws_a_sample_of_the_translated_claims(mia, campaign):
    make_claim(make_wave(campaign), source=None)
    chosen = {"size": 6, "labels": [S, R, N], "seed": 5}

    page = mia.post(reverse("datasets:translation-samples", args=["spring"]), chosen, follow=True)

    sample = TranslationSample.objects.get()
    assert "The sample is drawn" in read(page)
    assert (sample.number, sample.size, sample.items.count()) == (1, 6, 6)
    labels = dict(Annotation.objects.values_list("item__instance__claim", "label"))
    for item in sample.items.all():
        assert (item.claim.origin, item.label) == ("translated", labels[item.claim_id])
    assert Event.objects.get(verb="drew translation sample").data["seed"] == 5


def test_more_claims_than_there_are_is_refused(mia, campaign):
    chosen = {"size": 5, "labels": [R, N], "seed": 0}

    page = mia.post(reverse("datasets:translation-samples", args=["spring"]), chosen)

    assert "5 claims are asked for, and 4 translated ones are there" in read(page)
    assert not TranslationSample.objects.exists()


def test_a_claim_without_evidence_to_show_is_left_out_and_told(mia, campaign, tmp_path):
    """Eight claims with evidence, two that cite Hrad alone, which the corpus lacks, one without."""
    lost = [[[1, 1, "Hrad", 1, "Castle"]]]
    lines = [{**translated_line(n, S), "evidence": lost} for n in (60, 61)]
    import_lines(tmp_path, campaign, *lines, translated_line(62, N), format="csfever",
                 lines="ranks")  # fmt: skip
    address = reverse("datasets:translation-samples", args=["spring"])

    refused = mia.post(address, {"size": 10, "labels": [S, R, N], "seed": 1})
    page = mia.post(address, {"size": 9, "labels": [S, R, N], "seed": 1}, follow=True)

    assert "Of 2 more the corpus has no evidence to show." in read(refused)
    assert "2 claims were left out of the draw" in read(page)
    # Of claims 1 to 8 the odd ones cite Hrad as well: 1, 3, 5 and 7, of which 1 and 5 are refuted.
    assert "4 drawn claims also cite pages that the corpus lacks" in read(page)
    numbers = TranslationItem.objects.values_list("claim__number", flat=True)
    assert sorted(numbers) == [*range(1, 9), 62]


def test_a_manager_is_told_who_can_judge_what_was_drawn(mia, campaign):
    address = reverse("datasets:translation-samples", args=["spring"])
    chosen = {"size": 3, "labels": [S, R, N], "seed": 1}

    one = mia.post(address, chosen, follow=True)
    campaign.memberships.filter(user__username="ben").update(ended_at=timezone.now())
    none = mia.post(address, chosen, follow=True)

    assert "1 member can judge it" in read(one)
    assert "nobody may judge it yet" in read(none)


def test_an_open_sample_says_how_large_it_is_and_gives_the_link_for_judges(mia, campaign):
    sample = make_sample(campaign, 3)
    answer(sample, 1, YES)
    User.objects.filter(username="ben").update(name="Benedikt Novák")

    page = read(mia.get(reverse("datasets:translation-sample", args=[sample.pk])))

    begin = reverse("datasets:judge-translations", args=[sample.pk])
    assert "3 claims" in page
    assert f"http://testserver{begin}</a>" in page
    assert "One member can judge" in page
    assert "Benedikt Novák" in page


def test_home_shows_what_is_left_to_judge(ben, campaign):
    sample = make_sample(campaign)
    answer(sample, 1, YES)
    home = reverse("annotation:home")

    page = read(ben.get(home))
    for number in (2, 3, 4):
        answer(sample, number, YES)

    begin = reverse("datasets:judge-translations", args=[sample.pk])
    assert "3 claims are left" in page
    assert begin in page
    assert "No wave is open to you" not in page
    assert begin not in read(ben.get(home))


def test_home_shows_no_sample_to_whom_it_is_not_for(mia, campaign, sign_in):
    begin = reverse("datasets:judge-translations", args=[make_sample(campaign).pk])

    assert begin not in read(mia.get(reverse("annotation:home")))
    assert begin not in read(sign_in("eve").get(reverse("annotation:home")))


def test_home_costs_the_same_however_many_samples_are_open(ben, campaign):
    home = reverse("annotation:home")
    make_sample(campaign)
    few = count_queries(ben, home)
    for _number in range(4):
        make_sample(campaign)

    assert count_queries(ben, home) == few


@pytest.mark.parametrize("size", [0, 5001])
def test_a_sample_of_none_or_too_many_is_refused(campaign, size):
    with pytest.raises(ValidationError, match="a sample has 1 to 5000 of them"):
        make_sample(campaign, size)

    assert not TranslationSample.objects.exists()


def test_an_annotator_draws_none(ben, campaign):
    response = ben.post(
        reverse("datasets:translation-samples", args=["spring"]), {"size": 1, "labels": [S]}
    )

    assert response.status_code == 404
    assert not TranslationSample.objects.exists()
