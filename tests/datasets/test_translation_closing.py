"""A sample that is closed, and what came of it."""

import csv
import io
from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse
from django.utils import timezone

from accounts.models import Event
from annotation.pseudonyms import pseudonym_of
from datasets import doctor
from datasets.models import TranslationAnswer
from datasets.validating.services import answer_item, close_sample
from tests.annotation.pages import read
from tests.datasets.test_round_trips import exported
from tests.datasets.translating import (
    BAD,
    DUNNO,
    NO,
    YES,
    N,
    R,
    S,
    answer,
    item_page,
    make_sample,
)
from tests.factories import make_user


def test_before_a_sample_is_closed_it_is_said_how_far_people_are(mia, campaign):
    sample = make_sample(campaign)
    for number, name in [(1, "ben"), (1, "dan"), (3, "ben")]:
        answer(sample, number, YES, by=name)
    address = reverse("datasets:close-translation-sample", args=[sample.pk])

    asked = mia.get(address)
    sample.refresh_from_db()

    assert (asked.context["judged"], asked.context["people"]) == (2, 2)
    assert "2 of 4" in read(asked)
    assert sample.is_open
    shown = read(mia.get(reverse("datasets:translation-sample", args=[sample.pk])))
    assert f'href="{address}"' in shown
    assert f'action="{address}"' not in shown


def test_a_closed_sample_takes_no_answer(ben, campaign):
    sample = make_sample(campaign)
    row = answer(sample, 1, YES)
    close_sample(sample=sample, by=make_user(username="mia"))

    page = ben.post(item_page(sample, 1), {"verdict": NO}, follow=True)

    assert "This sample is closed" in read(page)
    with pytest.raises(ValidationError, match="closed"):
        answer_item(item=row.item, verdict=NO, by=row.user)
    assert TranslationAnswer.objects.get().verdict == YES


def judged_sample(campaign):
    """All eight claims: supported ones judged supported but for one that is unusable, refuted
    ones one refuted and one not decided, those without enough info as such by two people."""
    sample = make_sample(campaign, 8)
    said = {S: [YES, YES, YES, BAD], R: [NO, None], N: [DUNNO, DUNNO]}
    for label, verdicts in said.items():
        items = sample.items.filter(label=label).order_by("claim__number")
        for item, verdict in zip(items, verdicts, strict=True):
            answer(sample, item.number, verdict or NO)
            if verdict in (None, DUNNO):
                answer(sample, item.number, verdict or YES, by="cyn")
    return sample


def test_the_results_hold_labels_against_verdicts(mia, campaign):
    sample = judged_sample(campaign)

    page = mia.post(reverse("datasets:close-translation-sample", args=[sample.pk]), follow=True)

    found = page.context["results"]
    assert found["matrix"] == {S: [3, 0, 0, 1], R: [0, 1, 0, 0], N: [0, 0, 2, 0]}
    assert (found["undecided"], found["answers"]) == (1, 11)
    precision = found["precision"]
    assert {name: (row["right"], row["n"]) for name, row in precision.items()} == {
        S: (3, 4), R: (1, 1), N: (2, 2), "all": (6, 7),
    }  # fmt: skip
    text = read(page)
    assert "86 %" in text
    assert "6/7" in text
    assert Event.objects.filter(verb="closed translation sample").count() == 1


def test_the_answers_leave_under_pseudonyms(mia, campaign):
    sample = judged_sample(campaign)
    close_sample(sample=sample, by=make_user(username="mia"))

    text = mia.get(reverse("datasets:translation-sample-csv", args=[sample.pk])).content.decode()
    told = mia.get(reverse("datasets:translation-sample-json", args=[sample.pk])).json()

    rows = list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"))))
    ben = pseudonym_of(campaign, make_user(username="ben").pk)
    assert len(rows) == 11
    assert {row["annotator"] for row in rows} > {ben}
    assert "ben" not in text
    assert told["results"]["precision"]["all"]["right"] == 6
    assert told["sample"] == {"number": 1, "size": 8, "labels": [S, R, N], "stratified": False,
                              "seed": 1}  # fmt: skip
    assert [each["verdicts"][ben] for each in told["claims"]] == [
        row["verdict"] for row in rows if row["annotator"] == ben
    ]


def test_answers_are_no_labels_of_the_campaign(campaign, tmp_path):
    before = exported(campaign, tmp_path / "before", "raw").read_bytes()

    judged_sample(campaign)

    assert exported(campaign, tmp_path / "after", "raw").read_bytes() == before


def test_the_doctor_finds_answers_after_closing_and_claims_that_are_gone(campaign):
    sample = judged_sample(campaign)
    make_sample(campaign)
    close_sample(sample=sample, by=make_user(username="mia"))
    assert [*doctor.answers_after_closing(), *doctor.sizes_of_samples()] == []

    late = sample.items.get(number=3).answers.first()
    later = timezone.now() + timedelta(hours=1)
    TranslationAnswer.objects.filter(pk=late.pk).update(changed_at=later)
    gone = sample.items.get(number=8)
    gone.answers.all().delete()
    gone.delete()

    title = f"translation sample {sample.pk}"
    assert list(doctor.answers_after_closing()) == [
        f"{title}: the answer of user {late.user_id} to claim 3"
    ]
    assert list(doctor.sizes_of_samples()) == [f"{title} has 7 claims instead of 8"]
