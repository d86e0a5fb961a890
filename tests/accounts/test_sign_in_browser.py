import pytest
from django.urls import reverse

from operations.jobs import claim_job, queue_job
from operations.models import Job
from tests.factories import PASSWORD, make_user

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_a_person_signs_in_and_out_and_finds_their_page_again(live_server, page):
    make_user(username="ada", name="Ada L.")
    page.goto(live_server.url + reverse("accounts:account"))

    page.fill("[name=username]", "ada")
    page.fill("[name=password]", PASSWORD)
    page.click("main button")

    assert page.locator("h1").inner_text() == "Your account"
    page.click("summary:has-text('Ada L.')")
    page.click("text=Sign out")
    assert page.locator("h1").inner_text() == "Sign in"


def test_signing_out_on_any_page_leaves_no_draft_in_the_browser(live_server, page):
    make_user(username="ada", name="Ada L.")
    page.goto(live_server.url + reverse("accounts:account"))
    page.fill("[name=username]", "ada")
    page.fill("[name=password]", PASSWORD)
    page.click("main button")
    page.wait_for_selector("h1:has-text('Your account')")
    page.evaluate("localStorage.setItem('draft:1:1', 'typed'); localStorage.setItem('x', 'other')")

    page.click("summary:has-text('Ada L.')")
    page.click("text=Sign out")

    page.wait_for_selector("h1:has-text('Sign in')")
    assert page.evaluate("Object.keys(localStorage)") == ["x"]


def test_without_scripts_a_person_signs_in(live_server, browser):
    make_user(username="ada")
    page = browser.new_context(java_script_enabled=False).new_page()
    page.goto(live_server.url + reverse("accounts:account"))

    page.fill("[name=username]", "ada")
    page.fill("[name=password]", PASSWORD)
    page.click("main button")

    assert page.locator("h1").inner_text() == "Your account"


def test_the_progress_of_a_job_moves_by_itself(live_server, page):

    ada = make_user(username="ada")
    job = claim_job(queue_job(kind="probe", key="1", by=ada).pk, worker="w1")
    page.goto(live_server.url + reverse("operations:job", args=[job.pk]))
    page.fill("[name=username]", "ada")
    page.fill("[name=password]", PASSWORD)
    page.click("main button")

    Job.objects.update(done=3, total=4)

    page.wait_for_selector("progress[value='75']")
