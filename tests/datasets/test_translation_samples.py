"""Translated claims judged in the browser: drawn, judged blindly, closed, held against labels."""

import csv
import io
import re
from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts.models import Event, User
from annotation.models import Annotation
from annotation.pseudonyms import pseudonym_of
from datasets import doctor
from datasets.models import TranslationAnswer, TranslationItem, TranslationSample
from datasets.validating.reading import shown_sets
from datasets.validating.services import answer_item, close_sample
from datasets.validating.tasks import samples_for
from tests.annotation.pages import count_queries, read
from tests.datasets.importing import import_lines
from tests.datasets.test_round_trips import exported
from tests.datasets.translating import (
    N,
    R,
    S,
    answer,
    make_sample,
    make_translated,
    translated_line,
)
from tests.factories import make_claim, make_member, make_user, make_wave

YES, NO, DUNNO, BAD = "SUPPORTED", "REFUTED", "NOT ENOUGH INFO", "UNUSABLE TRANSLATION"


@pytest.fixture
def campaign(db):
    campaign = make_translated()
    make_member(campaign, "mia", role="manager")
    make_member(campaign, "ben")
    return campaign


@pytest.fixture
def mia(campaign, sign_in):
    return sign_in("mia")


@pytest.fixture
def ben(campaign, sign_in):
    return sign_in("ben")


def item_page(sample, number):
    return reverse("datasets:judge-translation", args=[sample.pk, number])


def item_of(sample, *, label, odd=None):
    """An item of the sample with this label, of an odd or even claim."""
    items = TranslationItem.objects.filter(sample=sample, label=label).select_related("claim")
    return next(i for i in items if odd is None or i.claim.number % 2 == odd)


# Drawing


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


# The task


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


# Closing, and what came of it


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
