"""From an article to a conflict and an export, by five people in a real browser."""

import pytest

from annotation.models import Annotation, Claim
from operations.worker import run_due_jobs
from tests.browser.people import ask, cell, sign_in
from tests.factories import (
    make_article,
    make_campaign,
    make_corpus,
    make_member,
    make_participant,
    make_wave,
)

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.browser]
SOURCE = "The Norvell bridge opened on 2 May 2022 after four years of work, minister Renn said."


@pytest.fixture
def wave(live_server):
    campaign = make_campaign(slug="spring", corpus=make_corpus(publishes_text=True))
    wave = make_wave(campaign, name="Spring wave")
    make_article(campaign.corpus, SOURCE, "Torvik Steel had asked for more time.", title="It opens")
    make_member(campaign, "cyn", role="curator")
    for username in ["ada", "ben", "dan"]:
        make_participant(wave, username)
    return wave


def preselect(page):
    ask(page, "T0")
    page.locator(".paragraph", has_text=SOURCE).locator("input").check()
    page.click("text=Accept and stop")


def extract(page):
    ask(page, "T1a")
    page.fill("[name=claim-1]", "The Norvell bridge opened in 2022.")
    page.click("text=Submit, then mutate them")


def mutate(page):
    page.wait_for_selector(".mutation-card")
    page.fill("[name=negate]", "The Norvell bridge was still closed in June 2022.")
    page.click("text=Submit and stop")


def label(page, verdict):
    ask(page, "T2")
    if verdict != "NOT ENOUGH INFO":
        cell(page, SOURCE).check()
    page.check(f"[name=label][value='{verdict}']", force=True)
    page.click("text=Submit and stop")
    page.wait_for_selector(".message:has-text('Stored:')")


def test_a_claim_goes_from_its_source_to_a_conflict_and_an_export(
    browser, live_server, wave, tmp_path
):
    preselect(sign_in(browser, live_server, "cyn"))
    ada = sign_in(browser, live_server, "ada")
    extract(ada)
    mutate(ada)
    ada.wait_for_selector(".message")
    run_due_jobs()
    label(sign_in(browser, live_server, "ben"), "REFUTES")
    label(sign_in(browser, live_server, "dan"), "NOT ENOUGH INFO")

    mutated = Claim.objects.get(mutation="negate")
    assert Annotation.objects.filter(item__instance__claim=mutated).count() == 2
    manager = sign_in(browser, live_server, "manager-of-spring")
    manager.goto("/agreement/campaigns/spring/conflicts/")
    assert mutated.text in manager.inner_text("main")
    assert mutated.text in exported(manager, tmp_path)


def exported(page, folder):
    """The raw annotations, started, waited for and downloaded on the page of exports."""
    page.goto("/exports/campaigns/spring/")
    page.select_option("[name=format]", "raw")
    page.click("main form .button-primary")
    run_due_jobs()
    page.goto("/exports/campaigns/spring/")
    with page.expect_download() as download:
        page.locator("main a", has_text=".jsonl").first.click()
    path = folder / "raw.jsonl"
    download.value.save_as(path)
    return path.read_text(encoding="utf-8")
