import pytest
from django.db import connection
from django.db.models.functions import Now
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import Event
from operations.jobs import claim_job, queue_job
from operations.models import Job


@pytest.fixture
def job(ada):
    return queue_job(kind="probe_things", key="corpus norvell", by=ada)


def url(job, name="job"):
    return reverse(f"operations:{name}", args=[job.pk])


def test_people_see_their_own_jobs(sign_in, ada, ben, job):
    queue_job(kind="probe_things", key="corpus of ben", by=ben)

    page = sign_in(ada).get(reverse("operations:jobs")).text

    assert "corpus norvell" in page
    assert "corpus of ben" not in page


def test_a_superuser_sees_all_jobs(sign_in, root, job):
    assert "corpus norvell" in sign_in(root).get(reverse("operations:jobs")).text


def queries_of_the_list(client):
    with CaptureQueriesContext(connection) as queries:
        client.get(reverse("operations:jobs"))
    return len(queries)


def test_the_list_asks_a_constant_number_of_queries(sign_in, ada):
    client = sign_in(ada)
    queue_job(kind="probe_things", key="first", by=ada)
    with_one = queries_of_the_list(client)

    for number in range(20):
        queue_job(kind="probe_things", key=str(number), by=ada)

    assert queries_of_the_list(client) == with_one


@pytest.mark.parametrize("method", ["get", "post"])
def test_an_outsider_has_no_page_of_a_job(sign_in, eve, job, method):
    name = "job" if method == "get" else "cancel"

    assert getattr(sign_in(eve), method)(url(job, name)).status_code == 404


def test_a_live_job_asks_for_itself_again_and_has_a_link_for_it(sign_in, ada, job):
    fragment = sign_in(ada).get(url(job), headers={"HX-Request": "true"})

    assert fragment.text.lstrip().startswith("<section")
    assert 'hx-trigger="every 2s"' in fragment.text
    assert f'href="{url(job)}"' in fragment.text


def test_an_ended_job_stops_asking(sign_in, ada, job):
    client = sign_in(ada)
    client.post(url(job, "cancel"))

    page = client.get(url(job)).text

    assert "cancelled" in page
    assert "every 2s" not in page


def test_a_running_job_shows_how_far_it_is(sign_in, ada, job):
    claim_job(job.pk, worker="w1")
    Job.objects.update(done=1200, total=4800, message="paragraphs read")

    page = sign_in(ada).get(url(job)).text

    assert '<progress max="100" value="25"' in page
    assert "1,200 of 4,800" in page
    assert "paragraphs read" in page


def test_a_result_leads_to_where_it_is_seen(sign_in, ada, job):
    Job.objects.update(
        state="done", ended_at=job.created_at, result={"url": "/corpora/1/", "bad": 3}
    )

    page = sign_in(ada).get(url(job)).text

    assert 'href="/corpora/1/"' in page
    assert "<dt>bad</dt>" in page


def test_an_error_is_shown_as_text(sign_in, ada, job):
    Job.objects.update(state="failed", ended_at=job.created_at, error="<b>Line 3</b>")

    assert "&lt;b&gt;Line 3" in sign_in(ada).get(url(job)).text


def test_cancelling_is_a_post(sign_in, ada, job):
    assert sign_in(ada).get(url(job, "cancel")).status_code == 405


def test_cancelling_by_htmx_answers_with_the_changed_part(sign_in, ada, job):
    response = sign_in(ada).post(url(job, "cancel"), headers={"HX-Request": "true"})

    assert response.status_code == 200
    assert 'data-state="cancelled"' in response.text


@pytest.fixture
def failed(ada, monkeypatch):
    monkeypatch.setattr("operations.jobs.REPEATABLE", {"probe_dictionary"}, raising=False)
    job = queue_job(kind="probe_dictionary", key="7:1", by=ada)
    Job.objects.filter(pk=job.pk).update(state="failed", ended_at=Now(), error="Milvus is away.")
    return job


def test_a_failed_job_is_run_again_by_who_started_it(sign_in, ada, failed):
    client = sign_in(ada)
    assert "Run again" in client.get(url(failed)).text

    page = client.post(url(failed, "run-again"), follow=True).text

    assert "It waits for its turn." in page
    assert "Run again" not in page
    assert Job.objects.get().state == "queued"
    event = Event.objects.get()
    assert (event.actor, event.verb) == (ada, "ran job again")


def test_a_superuser_runs_a_failed_job_again_by_htmx(sign_in, root, failed):
    client = sign_in(root)

    for _ in range(2):  # a double click
        part = client.post(url(failed, "run-again"), headers={"HX-Request": "true"}).text

    assert part.lstrip().startswith("<section")
    assert 'data-state="queued"' in part
    assert Event.objects.count() == 1


def test_an_outsider_cannot_run_a_job_again(sign_in, eve, failed):
    assert sign_in(eve).post(url(failed, "run-again")).status_code == 404
    assert Job.objects.get().state == "failed"


def test_what_its_own_page_starts_again_has_no_button(sign_in, ada, job):
    Job.objects.update(state="failed", ended_at=Now())
    client = sign_in(ada)

    assert "Run again" not in client.get(url(job)).text
    assert client.post(url(job, "run-again")).status_code == 404
