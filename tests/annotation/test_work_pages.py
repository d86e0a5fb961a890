"""What all pages of work have in common: bad input is refused kindly, what was typed stays."""

import json
import re
from datetime import timedelta

import pytest
from django.http import HttpResponse
from django.test import Client

from annotation.drafts import draft_of, save_draft
from annotation.giving import ask_for_work, close_run_out
from annotation.models import Annotation, Assignment, Claim, Instance, OpenedArticle, Report
from annotation.people import end_membership
from annotation.views.results import tell_stored
from tests.annotation.pages import HTMX, page_of, read
from tests.factories import (
    A_DAY,
    PASSWORD,
    add_paragraphs,
    make_article,
    make_claim,
    make_dictionary,
    make_item,
    make_participant,
    paragraph_of,
    run_out,
    submit,
)

pytestmark = pytest.mark.django_db
HUGE = "9" * 5000


def source_of(assignment):
    return assignment.item.instance.claim.source


# Numbers that no column could hold


@pytest.mark.parametrize("name", ["drawn_from", "revision", "columns", "active"])
@pytest.mark.parametrize("number", [HUGE, "-1", "x", "²", "1.5"])
def test_a_forged_number_is_no_number(ben_client, labelling, name, number):
    response = ben_client.post(page_of(labelling), {"label": "NOT ENOUGH INFO", name: number})

    assert response.status_code == 302
    assert Annotation.objects.count() == 1


@pytest.mark.parametrize("number", [HUGE, "-1", "x", "²", "1@", "1@x", "@1", "1@" + HUGE])
def test_an_article_that_cannot_be_is_not_opened(ben_client, labelling, writing, number):
    for assignment in [labelling, writing]:
        response = ben_client.post(page_of(assignment), {"open_article": number})

        assert response.status_code == 404


@pytest.mark.parametrize("seconds", [HUGE, "-1", "x", "²", ""])
def test_a_forged_heartbeat_counts_nothing(ben_client, labelling, seconds):
    ben_client.post(f"{page_of(labelling)}beat/", {"seconds": seconds})

    labelling.refresh_from_db()
    assert labelling.active_seconds <= 30


def test_more_sets_than_allowed_are_refused_and_not_left_out(ben_client, labelling):
    source = source_of(labelling)
    title = source.article.paragraphs.get(rank=0)
    ticks = {f"set-{number}": [source.pk, title.pk + number] for number in range(1, 22)}

    data = {"label": "SUPPORTS", "asked": "several contains", **ticks}
    html = read(ben_client.post(page_of(labelling), data))

    assert "There are 21 evidence sets; please keep to 20." in html
    assert not Annotation.objects.exists()


def test_two_names_of_one_set_are_one_set(ben_client, labelling):
    source = source_of(labelling)

    ben_client.post(page_of(labelling), {"label": "SUPPORTS", "set-1": source.pk, "set-01": ""})

    assert Annotation.objects.get().evidence_sets.get().items.get().paragraph == source


def test_what_is_wrong_with_a_text_names_its_field(ben_client, labelling):
    data = {"label": "REFUTES", "set-1": source_of(labelling).pk, "note": "n" * 2001}

    html = read(ben_client.post(page_of(labelling), {**data, "condition": "one\u200bdeck"}))

    assert "Note: This text has 2001 characters" in html
    assert "It holds only if …: This text has characters that cannot be seen" in html


def test_a_draft_with_a_null_character_is_kept_without_it(labelling):
    save_draft(assignment=labelling, data={"no\0te": ["a\0b", "c"]}, revision=0)

    assert draft_of(labelling).data == {"note": ["ab", "c"]}


# Opening articles


def test_of_a_changed_article_the_version_that_is_asked_for_is_opened(ben_client, wave):
    earlier = A_DAY - timedelta(days=9)
    article = make_article(wave.campaign.corpus, "As it was.", "Secret once.", published_at=earlier)
    before = paragraph_of(article)
    article.version = 2
    article.save()
    add_paragraphs(article, "As it is now.", "Secret today.")
    dictionary = make_dictionary(wave.campaign.corpus, before, paragraph_of(article))
    make_item(make_claim(wave, dictionary=dictionary), wave)
    assignment = ask_for_work(user=make_participant(wave, "ben"), wave=wave, task="T2")

    for version, shown in [(1, "Secret once."), (2, "Secret today.")]:
        data = {"open_article": f"{article.pk}@{version}", "revision": version - 1}
        html = read(ben_client.post(page_of(assignment), data, headers=HTMX))

        assert shown in html
        assert OpenedArticle.objects.last().version == version


@pytest.mark.parametrize("kind", ["passage", "article"])
def test_a_narrow_scope_offers_nothing_to_open(ben_client, labelling, kind):
    source = source_of(labelling)
    narrow = {
        "passage": {"passage": source},
        "article": {"article": source.article, "article_version": source.version},
    }
    Instance.objects.update(scope_kind=kind, **narrow[kind])

    assert "Open article" not in read(ben_client.get(page_of(labelling)))
    response = ben_client.post(page_of(labelling), {"open_article": source.article_id})
    assert response.status_code == 404


# Signed out in the middle


def signed_out(client, assignment, path="", **fields):
    """A form of the page is sent without a session; its person signs in and goes on."""
    page = page_of(assignment)
    client = Client(headers={"Referer": f"http://testserver{page}"})
    response = client.post(f"{page}{path}", fields)
    form = {"username": "ben", "password": PASSWORD}
    form["next"] = re.search(r"next=(.*)", response["Location"])[1]
    return client, client.post("/accounts/sign-in/", form, follow=True)


@pytest.mark.parametrize("path", ["", "skip/", "report/", "draft/", "beat/", "check/"])
def test_signing_in_leads_to_the_page_that_the_form_stood_on(client, writing, path):
    _client, response = signed_out(client, writing, path, reason="other")

    assert response.status_code == 200
    assert response.wsgi_request.path == page_of(writing)


def test_a_form_that_names_no_page_of_ours_leads_home(client, labelling):
    client = Client(headers={"Referer": "http://evil.example/assignments/1/"})

    response = client.post(f"{page_of(labelling)}skip/", {"reason": "other"})

    assert response["Location"] == "/accounts/sign-in/?next=/"


def test_what_was_sent_in_vain_survives_a_second_look(client, labelling):
    client, first = signed_out(client, labelling, note="typed in vain")

    assert 'value="typed in vain"' in read(first)
    assert 'value="typed in vain"' in read(client.get(page_of(labelling)))


def test_what_was_stored_since_goes_before_what_was_sent_in_vain(client, labelling):
    client, _page = signed_out(client, labelling, note="typed in vain")
    client.post(page_of(labelling), {"note": "typed since", "action": "save"})

    assert 'value="typed since"' in read(client.get(page_of(labelling)))


def test_the_answer_stored_since_goes_before_what_was_sent_in_vain(client, labelling):
    client, _page = signed_out(client, labelling, note="typed in vain")
    submit(labelling, note="the answer")

    assert 'value="the answer"' in read(client.get(page_of(labelling)))


def test_claims_sent_in_vain_are_shown_once_beside_what_was_written(client, writing):
    client, _page = signed_out(client, writing, **{"claim-1": "Typed in vain."})
    client.post(page_of(writing), {"claim-1": "Stored.", "action": "stop"})

    assert "Typed in vain." in read(client.get(page_of(writing)))
    assert "Typed in vain." not in read(client.get(page_of(writing)))


def test_a_report_that_was_sent_while_signed_out_is_there_to_send_again(client, labelling):
    _client, response = signed_out(client, labelling, "report/", reason="It is two claims.")

    assert "It is two claims.</textarea>" in read(response)
    assert not Report.objects.exists()


def test_a_report_that_is_refused_stays_typed(ben_client, labelling):
    reason = "It is\u200b an opinion."

    html = read(ben_client.post(f"{page_of(labelling)}report/", {"reason": reason}, follow=True))

    assert "ZERO WIDTH SPACE" in html
    assert f"{reason}</textarea>" in html


# What changed meanwhile


@pytest.mark.parametrize("path", ["", "draft/", "beat/", "skip/", "report/", "check/"])
def test_who_was_removed_from_the_campaign_reads_its_texts_no_more(ben_client, writing, path):
    membership = writing.wave.campaign.memberships.get(user=writing.user)
    end_membership(membership=membership, actor=writing.wave.campaign.memberships.first().user)

    response = ben_client.post(page_of(writing) + path, {"claim-1": "A claim."})

    assert response.status_code == 404
    assert ben_client.get(page_of(writing)).status_code == 404
    assert not Claim.objects.exists()


def test_a_paused_person_finishes_what_they_have(ben_client, labelling):
    labelling.wave.participations.update(status="paused")

    html = read(ben_client.post(page_of(labelling), {"label": "NOT ENOUGH INFO"}, follow=True))

    assert "Stored:" in html
    assert Annotation.objects.live().exists()


def test_somebody_deactivated_is_signed_out_and_stores_nothing(ben_client, labelling):
    labelling.user.is_active = False
    labelling.user.save()

    response = ben_client.post(page_of(labelling), {"label": "NOT ENOUGH INFO"})

    assert "sign-in" in response["Location"]
    assert not Annotation.objects.exists()


def test_the_page_says_that_its_claim_was_withdrawn(ben_client, labelling):
    Claim.objects.update(withdrawn_at=labelling.given_at)

    assert "A curator withdrew this claim." in read(ben_client.get(page_of(labelling)))


def test_an_answer_that_can_be_changed_has_not_lost_its_slot(ben_client, labelling):
    submit(labelling)

    assert ben_client.post(f"{page_of(labelling)}beat/").json() == {"has_slot": True}


def test_a_page_whose_lease_was_closed_hears_of_it(ben_client, labelling):
    close_run_out(wave=run_out(labelling).wave)

    assert ben_client.post(f"{page_of(labelling)}beat/").json() == {"has_slot": False}
    assert Assignment.objects.get().outcome == "expired"


# A second tab, by htmx


@pytest.fixture
def other_tab(labelling):
    """Another tab stored a draft that this page does not know of."""
    save_draft(assignment=labelling, data={"note": ["typed there"]}, revision=0)


@pytest.mark.parametrize(
    "button", [{"open_article": "1"}, {"action": "save"}, {"action": "add_set"}]
)
def test_a_newer_draft_takes_the_place_of_the_form_alone(ben_client, labelling, other_tab, button):
    data = {"note": "typed here", "revision": 0, **button}

    response = ben_client.post(page_of(labelling), data, headers=HTMX)

    assert "changed in another tab" in read(response)
    assert 'value="typed here"' in read(response)
    assert response["HX-Retarget"] == "#work"
    assert "HX-Trigger" not in response


@pytest.mark.parametrize("action", ["save", "add_set"])
def test_a_draft_that_was_stored_is_told_to_the_page(ben_client, labelling, action):
    data = {"note": "typed here", "revision": 0, "action": action}

    response = ben_client.post(page_of(labelling), data, headers=HTMX)

    assert json.loads(response["HX-Trigger"]) == {"draft-stored": {"revision": 1}}


def test_a_draft_that_another_tab_submitted_in_between_is_not_told(labelling):
    response = tell_stored(HttpResponse("drawn"), labelling)

    assert "HX-Trigger" not in response


def test_what_is_typed_after_another_tab_skipped_is_shown_to_copy(ben_client, labelling):
    ben_client.post(f"{page_of(labelling)}skip/", {"reason": "other"})
    data = {"label": "REFUTES", "set-1": "1", "note": "typed there", "condition": ""}

    response = ben_client.post(page_of(labelling), data, headers=HTMX)

    assert '<li dir="auto">typed there</li>' in read(response)
    assert read(response).count("<li") == 1
    assert "<html" not in read(response)


def test_what_another_tab_wrote_takes_the_place_of_the_form(ben_client, writing):
    ben_client.post(page_of(writing), {"claim-1": "Stored.", "action": "stop"})
    data = {"claim-1": "Typed there.", "open_article": "1"}

    response = ben_client.post(page_of(writing), data, headers=HTMX)

    assert "Typed there." in read(response)
    assert response["HX-Retarget"] == "#work"
