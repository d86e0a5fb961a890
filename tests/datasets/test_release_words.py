"""What pages of releases say: names of figures, settings, times, ends of jobs, how sure it is."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.formats import date_format

from datasets.models import ReleaseResult
from datasets.releases.measures import measure_called
from datasets.releases.services import cancel_release, unfinished_jobs_of
from datasets.releases.words import setting_words
from datasets.results.services import JOB, cancel_baselines, key_of, shown_job_of
from datasets.results.words import verdict_rows
from operations.jobs import claim_next_job, queue_job, run_job
from operations.models import Job
from tests.datasets.releasing import make_labelled_campaign, make_release, make_release_job
from tests.datasets.results import make_predictions
from tests.datasets.test_release_forms import campaign, mia  # noqa: F401 - fixtures
from tests.factories import make_user

pytestmark = pytest.mark.django_db
LATE = datetime(2026, 11, 29, 23, 30, tzinfo=UTC)


def page(release):
    return reverse("datasets:release", args=[release.pk])


def test_every_figure_of_a_release_has_a_name_in_czech():
    rows = make_release(make_labelled_campaign(n=4)[0]).contents["figures"]

    with translation.override("cs"):
        named = {row["name"]: measure_called(row["name"]) for row in rows}

    assert all(named.values())
    assert not {row["title"] for row in rows} & set(named.values())
    assert named["alpha_per_label.SUPPORTS"].startswith("Krippendorffova alfa, SUPPORTS")
    assert measure_called("of tomorrow") == ""


@pytest.mark.parametrize(
    ("value", "words"),
    [(["ctkfacts", "beir"], "ctkfacts, beir"), ([], "–"), ("", "–"), (None, "–"), (0, 0),
     (True, "yes"), (False, "no")],
)  # fmt: skip
def test_settings_are_words_and_no_lists_of_python(value, words):
    assert setting_words(value) == words


def test_a_comparison_writes_formats_as_people_do(campaign, mia):  # noqa: F811
    old = make_release(campaign, formats=("fever",))
    new = make_release(campaign, "1.1.0")

    html = mia.get(reverse("datasets:release-diff", args=[new.pk, old.pk])).content.decode()

    assert '<dd dir="auto">ctkfacts, fever → ctkfacts</dd>' in html


def test_times_are_those_of_the_campaign(campaign, mia):  # noqa: F811
    campaign.time_zone = "Pacific/Kiritimati"  # 14 hours ahead: another day than in UTC
    campaign.save()
    release = make_release(campaign)
    result = make_predictions(release)
    listed = mia.get(reverse("datasets:releases", args=[campaign.slug])).content.decode()
    alone = mia.get(reverse("datasets:result", args=[result.pk])).content.decode()

    for html, moment in ((listed, release.created_at), (alone, result.created_at)):
        there = moment.astimezone(ZoneInfo("Pacific/Kiritimati"))
        assert date_format(there, "DATETIME_FORMAT") in html


def test_the_accuracy_of_a_model_stands_with_its_interval(campaign, mia):  # noqa: F811
    release = make_release(campaign)
    make_predictions(release)

    (row,) = verdict_rows(ReleaseResult.objects.all())
    html = mia.get(page(release)).content.decode()

    # 4 of 4 by Wilson: the lower bound is 1 / (1 + 1.96² / 4) = 0.510.
    assert row["interval"] == pytest.approx((0.51010, 1), abs=1e-5)
    assert "0.510 – 1.000" in html


def test_cells_of_result_tables_say_their_column_on_a_phone(campaign, mia):  # noqa: F811
    result = make_predictions(make_release(campaign))

    html = mia.get(reverse("datasets:result", args=[result.pk])).content.decode()

    for label in ("accuracy", "NSE", "SE@10", "FEVER", "REFUTES", "as SUPPORTS"):
        assert f'data-label="{label}"' in html


def test_a_cancel_of_a_release_that_was_made_is_told(campaign, mia):  # noqa: F811
    job = make_release_job(campaign, by=make_user(username="ann"))
    cancelled = reverse("datasets:cancel-release", args=[job.pk])
    run_job(claim_next_job(worker="test"))

    html = mia.post(cancelled, follow=True).content.decode()

    assert "It was too late to cancel" in html


def test_a_release_made_in_spite_of_a_cancel_says_so_and_leads_to_it(campaign, mia):  # noqa: F811
    job = make_release_job(campaign, by=make_user(username="ann"))
    Job.objects.update(state=Job.State.RUNNING, worker="w", started_at=LATE, heartbeat_at=LATE)
    job.refresh_from_db()
    assert cancel_release(job=job, by=make_user(username="bob"))
    end(job, reverse("datasets:releases", args=[campaign.slug]))

    html = mia.get(reverse("datasets:releases", args=[campaign.slug])).content.decode()

    assert list(unfinished_jobs_of(campaign)) == [job]
    assert "The cancel came too late" in html
    assert "Show it in the list" in html


def end(job, url):
    Job.objects.filter(pk=job.pk).update(
        state=Job.State.DONE, ended_at=timezone.now(), result={"url": url}
    )


def test_baselines_measured_in_spite_of_a_cancel_say_so(campaign, mia):  # noqa: F811
    release = make_release(campaign)
    job = queue_job(kind=JOB, key=key_of(release))
    Job.objects.update(state=Job.State.RUNNING, worker="w", started_at=LATE, heartbeat_at=LATE)
    assert cancel_baselines(release=release, by=make_user(username="bob"))
    end(job, "/")

    html = mia.get(page(release)).content.decode()

    assert shown_job_of(release) == job
    assert "The cancel came too late" in html
    assert not cancel_baselines(release=release, by=make_user(username="eve"))


def test_the_page_is_loaded_anew_when_baselines_end(campaign, mia):  # noqa: F811
    release = make_release(campaign)
    job = queue_job(kind=JOB, key=key_of(release))
    address = reverse("datasets:baselines", args=[release.pk])

    def polled(path):
        at = {"HX-Request": "true", "HX-Current-URL": f"http://testserver{path}#baselines-job"}
        return mia.get(address, headers=at)

    waiting = polled(page(release))
    end(job, "/")

    assert "HX-Refresh" not in waiting
    assert polled(page(release))["HX-Refresh"] == "true"
    # A refused form would be sent once more.
    assert "HX-Refresh" not in polled(reverse("datasets:predictions", args=[release.pk]))


def test_cancelling_baselines_works_without_scripts(campaign, mia):  # noqa: F811
    release = make_release(campaign)
    queue_job(kind=JOB, key=key_of(release))

    html = mia.get(page(release)).content.decode()

    form = html[html.index(reverse("datasets:cancel-baselines", args=[release.pk])) :]
    assert "csrfmiddlewaretoken" in form[: form.index("</form>")]
