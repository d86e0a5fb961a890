"""Work that is submitted from a page or a device that is behind another one."""

import re
from uuid import uuid4

import pytest

from annotation.drafts import draft_of, save_draft
from annotation.giving import ask_for_work
from annotation.models import Annotation, Assignment
from tests.annotation.pages import HTMX, page_of, read
from tests.factories import make_article, make_member, paragraph_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def preselecting(wave):
    make_article(wave.campaign.corpus, "One source.", "Another source.")
    return ask_for_work(
        user=make_member(wave.campaign, "cyn", role="curator"), wave=wave, task="T0"
    )


def paragraph_ids(assignment):
    return [str(paragraph_of(assignment.article, n).pk) for n in (1, 2)]


def sendings_of(assignment):
    """Two forms that could be submitted: what stands on a laptop, and the fuller one of a phone."""
    if assignment.task == "T0":
        ids = paragraph_ids(assignment)
        return {"accept": ids[:1]}, {"accept": ids}
    if assignment.task == "T1a":
        return {"claim-1": ["On both."]}, {"claim-1": ["On both."], "claim-2": ["On the phone."]}
    if assignment.task == "T1b":
        fuller = {"rephrase": ["The bridge was opened."], "negate": ["No bridge opened."]}
        return {"rephrase": fuller["rephrase"]}, fuller
    return {"label": ["NOT ENOUGH INFO"]}, {"label": ["NOT ENOUGH INFO"], "note": ["On the phone."]}


@pytest.fixture(params=["preselecting", "writing", "mutating", "labelling"])
def behind(request, sign_in):
    """Work whose draft a phone has saved for the ninth time; a client, and the laptop's form."""
    assignment = request.getfixturevalue(request.param)
    laptop, phone = sendings_of(assignment)
    for revision in range(9):
        save_draft(assignment=assignment, data=phone, revision=revision)
    return sign_in(assignment.user.username), assignment, {**laptop, "revision": 2}


def hidden_fields(html):
    return dict(re.findall(r'<input type="hidden" name="(revision|replaces)" value="(\d*)">', html))


def is_submitted(assignment):
    assignment.refresh_from_db()
    return assignment.outcome == Assignment.Outcome.SUBMITTED


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_a_form_that_is_behind_another_device_asks_once_before_it_submits(behind, headers):
    client, assignment, form = behind

    html = read(client.post(page_of(assignment), {**form, "action": "stop"}, headers=headers))

    assert "changed in another tab" in html
    assert f'<a href="{page_of(assignment)}">Show the newer version</a>' in html
    assert not is_submitted(assignment)
    assert draft_of(assignment).revision == 9
    assert hidden_fields(html) == {"revision": "2", "replaces": "9"}
    client.post(page_of(assignment), {**form, **hidden_fields(html), "action": "stop"})
    assert is_submitted(assignment)
    assert draft_of(assignment) is None


def test_a_draft_that_is_newer_still_is_asked_about_again(behind):
    client, assignment, form = behind
    told = {"revision": 2, "replaces": 8, "action": "stop"}

    html = read(client.post(page_of(assignment), {**form, **told}))

    assert hidden_fields(html) == {"revision": "2", "replaces": "9"}
    assert not is_submitted(assignment)


def test_what_the_page_saved_on_its_way_is_no_other_device(behind):
    client, assignment, _form = behind
    _laptop, phone = sendings_of(assignment)

    client.post(page_of(assignment), {**phone, "revision": 8, "action": "stop"})

    assert is_submitted(assignment)


def test_the_script_of_a_form_that_is_behind_replaces_nothing(behind):
    client, assignment, form = behind

    told = {**form, "replaces": 9}

    assert client.post(f"{page_of(assignment)}draft/", told).status_code == 409
    assert draft_of(assignment).revision == 9


def test_saving_again_replaces_the_draft_that_one_was_told_of(behind):
    client, assignment, form = behind

    client.post(page_of(assignment), {**form, "replaces": 9, "action": "save"})

    assert draft_of(assignment).revision == 10


@pytest.mark.parametrize("action", [{"action": "add_set"}, {"action": "enter"}])
def test_going_on_replaces_no_draft_that_one_was_told_of(ben_client, labelling, action):
    for revision in range(5):
        save_draft(assignment=labelling, data={"note": ["On the phone."]}, revision=revision)

    ben_client.post(page_of(labelling), {"revision": 2, "replaces": 5, **action})

    assert draft_of(labelling).data == {"note": ["On the phone."]}


def test_an_answer_sent_again_is_the_first_one_whatever_was_drafted_since(ben_client, labelling):
    form = {"label": "NOT ENOUGH INFO", "submission": str(uuid4()), "action": "stop"}
    ben_client.post(page_of(labelling), form)
    save_draft(assignment=labelling, data={"note": ["An edit."]}, revision=0)

    response = ben_client.post(page_of(labelling), form)

    assert response.status_code == 302
    assert Annotation.objects.count() == 1
