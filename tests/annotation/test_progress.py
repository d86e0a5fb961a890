"""Progress against quota: for oneself on every page, for managers by person and task."""

import csv
import io
from datetime import timedelta

import pytest
from django.template import Context, Template
from django.urls import reverse
from django.utils import timezone

from annotation import progress
from annotation.giving import ask_for_work
from annotation.models import Assignment, Wave
from annotation.spreadsheets import csv_text
from tests.factories import (
    make_campaign,
    make_claim,
    make_corpus,
    make_participant,
    make_source,
    make_user,
    make_wave,
    make_work,
    submit,
)


@pytest.fixture
def wave(db):
    return make_wave(make_campaign(corpus=make_corpus()), quota_t1a=4, quota_t2=10)


def work_on(wave, user, task="T2", **fields):
    """An assignment that has ended, as a row: what it is about does not matter here."""
    about = {"T2": "item", "T1a": "preselection", "T1b": "claim"}[task]
    make = {
        "T2": lambda: make_work(wave)[0],
        "T1a": lambda: make_source(wave),
        "T1b": lambda: make_claim(wave, author=user),
    }
    fields = {"outcome": "submitted", "ended_at": timezone.now(), **fields}
    return Assignment.objects.create(
        user=user,
        wave=wave,
        task=task,
        given_at=timezone.now(),
        leased_until=timezone.now(),
        shuffle_seed=1,
        **{about: make[task](), **fields},
    )


def row_of(wave, user, task="T2"):
    waves = Wave.objects.filter(pk=wave.pk)
    rows = progress.with_minutes(progress.rows_of(waves), waves)
    (row,) = [row for row in rows if row.person == user and row.task == task]
    return row


def test_outcomes_are_counted_apart(wave):
    ben = make_participant(wave, "ben")
    work_on(wave, ben)
    work_on(wave, ben, surplus=True)
    work_on(wave, ben, is_own=True)
    work_on(wave, ben, outcome="skipped", reason="too hard")
    work_on(wave, ben, outcome="reported", reason="nonsense")
    work_on(wave, ben, outcome="expired")
    work_on(wave, ben, outcome="", ended_at=None)

    row = row_of(wave, ben)

    assert (row.given, row.submitted, row.own, row.skipped) == (7, 2, 1, 1)
    assert (row.reported, row.expired, row.surplus) == (1, 1, 1)


@pytest.mark.parametrize(
    ("factor", "quota", "percent"), [("1", 10, 20), ("0.5", 5, 40), ("0", 0, None)]
)
def test_a_factor_changes_what_is_asked_of_a_person(wave, factor, quota, percent):
    ben = make_participant(wave, "ben", quota_factor=factor)
    for _ in range(2):
        work_on(wave, ben)

    row = row_of(wave, ben)

    assert (row.quota, row.percent) == (quota, percent)


def test_a_task_without_a_quota_has_no_percentage(wave):
    ben = make_participant(wave, "ben")
    work_on(wave, ben, "T1b")

    row = row_of(wave, ben, "T1b")

    assert (row.submitted, row.quota, row.percent) == (1, None, None)


def test_the_median_is_of_active_minutes_of_what_was_submitted(wave):
    ben = make_participant(wave, "ben")
    for seconds in (60, 120, 600):
        work_on(wave, ben, active_seconds=seconds)
    work_on(wave, ben, outcome="skipped", reason="too hard", active_seconds=9000)

    assert row_of(wave, ben).minutes == 2


def test_who_has_done_nothing_yet_is_listed_with_the_quota(wave):
    ben = make_participant(wave, "ben")

    row = row_of(wave, ben)

    assert (row.given, row.quota, row.percent, row.minutes) == (0, 10, 0, None)


def test_nothing_is_asked_of_who_left(wave):
    ben = make_participant(wave, "ben", status="left")
    work_on(wave, ben)

    assert row_of(wave, ben).quota is None


def test_a_label_after_the_wave_closed_is_late(wave):
    ben = make_participant(wave, "ben")
    make_work(wave)
    assignment = ask_for_work(user=ben, wave=wave, task="T2")
    Wave.objects.update(closes_at=timezone.now() - timedelta(minutes=5))

    submit(assignment)

    assert (row_of(wave, ben).submitted, row_of(wave, ben).late) == (1, 1)


def test_claims_after_the_wave_closed_are_late(wave):
    ben = make_participant(wave, "ben")
    Wave.objects.update(closes_at=timezone.now() - timedelta(minutes=5))
    work_on(wave, ben, "T1a")

    assert row_of(wave, ben, "T1a").late == 1


def test_quotas_of_several_waves_add_up(wave):
    other = make_wave(wave.campaign, name="Second wave", quota_t2=5)
    for one in (wave, other):
        make_participant(one, "ben")

    rows = progress.rows_of(wave.campaign.waves.all())

    assert [(row.task, row.quota) for row in rows] == [("T1a", 4), ("T1b", None), ("T2", 15)]


def test_the_manager_of_many_people_costs_no_more_queries(wave, django_assert_num_queries):
    for number in range(12):
        work_on(wave, make_participant(wave, f"person{number}"))

    waves = Wave.objects.filter(pk=wave.pk)

    with django_assert_num_queries(6):
        progress.with_minutes(progress.rows_of(waves), waves)


def header_for(user, rf):
    request = rf.get("/")
    request.user = user
    template = Template("{% load annotation_tags %}{% work_progress %}")
    return template.render(Context({"request": request}))


def test_the_header_shows_progress_by_one_query(wave, rf, django_assert_num_queries):
    ben = make_participant(wave, "ben")
    for _ in range(12):
        work_on(wave, ben)
    work_on(wave, ben, "T1a")

    with django_assert_num_queries(1):
        drawn = header_for(ben, rf)

    assert "11 of 14" in drawn  # two labels over the quota make up for no claim


def test_the_header_leaves_out_sandboxes_and_closed_waves(wave, rf):
    ben = make_participant(wave, "ben")
    make_participant(make_wave(wave.campaign, name="Try", is_sandbox=True, quota_t2=50), ben)
    closed = timezone.now() - timedelta(minutes=1)
    make_participant(make_wave(wave.campaign, name="Old", closes_at=closed, quota_t2=50), ben)

    assert "0 of 14" in header_for(ben, rf)


def test_the_header_is_empty_for_who_has_no_quota(rf, eve):
    assert "of" not in header_for(eve, rf)


def progress_page(client, **query):
    url = reverse("annotation:campaign-progress", args=["spring"])
    return client.get(url, query)


def test_sandboxes_are_shown_only_when_asked_for(wave, sign_in):
    sandbox = make_wave(wave.campaign, name="Try it", is_sandbox=True)
    work_on(sandbox, make_participant(sandbox, "zoe"))
    client = sign_in("manager-of-spring")

    assert not progress_page(client).context["page"].object_list
    asked = progress_page(client, wave=sandbox.pk)
    assert {row.person.username for row in asked.context["page"]} == {"zoe"}


def test_a_page_has_the_minutes_of_its_people_and_reads_no_others(wave, sign_in, monkeypatch):
    monkeypatch.setattr("annotation.views.progress.ROWS_PER_PAGE", 3)
    for name, seconds in (("ann", 120), ("zoe", 240)):
        work_on(wave, make_participant(wave, name), active_seconds=seconds)
    read, medians_of = [], progress.medians_of
    monkeypatch.setattr(progress, "medians_of", lambda work: read.extend(work) or medians_of(work))

    page = progress_page(sign_in("manager-of-spring"), page=2).context["page"]

    assert [(row.person.username, row.minutes) for row in page if row.task == "T2"] == [("zoe", 4)]
    assert [assignment.user.username for assignment in read] == ["zoe"]


@pytest.mark.parametrize("asked", ["999999", "x", "9" * 40, "-1"])
def test_a_wave_that_is_not_there_is_not_asked_for(wave, sign_in, asked):
    assert progress_page(sign_in("manager-of-spring"), wave=asked).status_code == 200


def rows_of_csv(client, **query):
    url = reverse("annotation:progress-csv", args=["spring"])
    text = client.get(url, query).content.decode("utf-8-sig")
    return list(csv.DictReader(io.StringIO(text)))


def test_the_same_figures_come_as_csv(wave, sign_in):
    ben = make_participant(wave, "ben")
    for _ in range(3):
        work_on(wave, ben, active_seconds=90)

    rows = rows_of_csv(sign_in("manager-of-spring"), task="T2")

    assert [(row["Username"], row["Submitted"], row["Quota"], row["Percent"]) for row in rows] == [
        ("ben", "3", "10", "30")
    ]
    assert rows[0]["Median active minutes"] == "1.5"


def test_a_name_in_the_csv_is_no_formula(wave, sign_in):
    make_participant(wave, make_user(username="ben", name="=1+1"))

    rows = rows_of_csv(sign_in("manager-of-spring"))

    assert rows[0]["Name"] == "'=1+1"


@pytest.mark.parametrize("text", ["=1", "+1", "-1", "@x", "\tx", "\rx", "  =1", "＝1"])
def test_formulas_are_neutralised(text):
    assert next(csv.reader(io.StringIO(csv_text([text], []), newline="")))[0] == f"'{text}"


def test_numbers_and_plain_texts_stay_as_they_are():
    assert csv_text(["a"], [[-1], [None], ["x=1"], [0.5]]) == 'a\r\n-1\r\n""\r\nx=1\r\n0.5\r\n'


def test_my_progress_has_every_wave_that_i_took_part_in(wave, sign_in):
    ben = make_participant(wave, "ben")
    work_on(wave, ben)

    page = sign_in(ben).get(reverse("annotation:my-progress")).content.decode()

    assert "First wave" in page
    assert "1 of 10" in page
