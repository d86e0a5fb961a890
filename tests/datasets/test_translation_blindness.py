"""Who judges a translated claim learns neither its label nor what others say of it."""

import re

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse

from annotation.models import Annotation, Membership
from datasets.models import TranslationAnswer, TranslationItem
from tests.annotation.pages import read
from tests.datasets.translating import (
    NO,
    YES,
    R,
    S,
    answer,
    item_of,
    item_page,
    make_sample,
)
from tests.factories import make_campaign, make_member, make_user


def test_nothing_of_a_page_follows_from_the_label(ben, campaign):
    """The same claim with the same evidence, labelled otherwise, looks the same."""
    sample = make_sample(campaign, 8)
    item = item_of(sample, label=S)
    before = without_token(read(ben.get(item_page(sample, item.number))))

    Annotation.objects.filter(item__instance__claim=item.claim).update(label=R)
    TranslationItem.objects.filter(pk=item.pk).update(label=R)

    assert without_token(read(ben.get(item_page(sample, item.number)))) == before


def without_token(page):
    return re.sub(r'name="csrfmiddlewaretoken" value="[^"]*"', "", page)


def test_a_manager_learns_no_label_before_the_sample_is_closed(mia, campaign):
    sample = make_sample(campaign)
    answer(sample, 1, YES)

    page = mia.get(reverse("datasets:translation-sample", args=[sample.pk]))

    assert page.context["results"] is None
    assert "1 of 4" in read(page)
    for name in ("csv", "json"):
        address = reverse(f"datasets:translation-sample-{name}", args=[sample.pk])
        assert mia.get(address).status_code == 404


def test_others_answers_are_not_shown(ben, campaign):
    sample = make_sample(campaign)
    before = without_token(read(ben.get(item_page(sample, 1))))

    answer(sample, 1, NO, by="cyn")

    assert without_token(read(ben.get(item_page(sample, 1)))) == before


@pytest.mark.parametrize("name", ["mia", "cyn", "sue"])
def test_who_can_read_labels_elsewhere_judges_nothing(campaign, sign_in, name):
    """Curators read imported labels beside conflicts; a person of a role may have judged before."""
    make_member(campaign, "cyn", role="curator")
    make_user(username="sue", is_superuser=True)
    sample = make_sample(campaign)
    client = sign_in(name)
    begun = reverse("datasets:judge-translations", args=[sample.pk])

    page = client.post(item_page(sample, 1), {"verdict": YES}, follow=True)

    assert page.redirect_chain == [(begun, 302)]
    assert "Curators and managers judge no claims" in read(page)
    assert client.get(item_page(sample, 1))["Location"] == begun
    home = read(client.get(reverse("annotation:campaign", args=["spring"])))
    assert "Translations to judge" not in home
    with pytest.raises(ValidationError, match="Curators and managers"):
        answer(sample, 1, YES, by=name)
    assert not TranslationAnswer.objects.exists()


def test_who_becomes_a_curator_changes_no_answer_any_more(ben, campaign):
    sample = make_sample(campaign)
    ben.post(item_page(sample, 1), {"verdict": YES})
    Membership.objects.filter(user__username="ben").update(role="curator")

    ben.post(item_page(sample, 1), {"verdict": NO})

    assert TranslationAnswer.objects.get().verdict == YES


def test_a_curator_of_another_campaign_judges(ben, campaign):
    make_member(make_campaign(slug="autumn"), "ben", role="curator")

    ben.post(item_page(make_sample(campaign), 1), {"verdict": YES})

    assert TranslationAnswer.objects.get().verdict == YES


def test_managers_are_told_who_judges(mia, campaign):
    page = read(mia.get(reverse("datasets:translation-samples", args=["spring"])))

    assert "Members judge who are neither curators nor managers" in page
