"""T2 in the browser: read, tick, judge, submit; nothing that was typed is lost."""

import re
import uuid

import pytest
from django.db.models import F

from annotation.giving import ask_for_work
from annotation.models import Annotation, Assignment, OpenedArticle, Report
from tests.annotation.pages import HTMX, count_queries, page_of, read
from tests.factories import (
    A_DAY,
    make_article,
    make_campaign,
    make_claim,
    make_corpus,
    make_dictionary,
    make_item,
    make_participant,
    make_wave,
    paragraph_of,
    run_out,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def wave():
    return make_wave(make_campaign(corpus=make_corpus()))


@pytest.fixture
def source(wave):
    return paragraph_of(make_article(wave.campaign.corpus, "It opens.", "It is red.", "It cost."))


@pytest.fixture
def older(wave):
    before = A_DAY.replace(year=A_DAY.year - 1)
    return make_article(
        wave.campaign.corpus, "Work began.", "A secret.", title="Work begins", published_at=before
    )


@pytest.fixture
def assignment(wave, source, older):
    dictionary = make_dictionary(wave.campaign.corpus, paragraph_of(older))
    make_item(make_claim(wave, "The bridge opened.", source=source, dictionary=dictionary), wave)
    return ask_for_work(user=make_participant(wave, "ben"), wave=wave, task="T2")


@pytest.fixture
def ben_client(sign_in, assignment):
    return sign_in("ben")


def send(client, assignment, label="", *, sets=(), action="submit", **fields):
    data = {"label": label, "action": action, "submission": uuid.uuid4(), "revision": 0, **fields}
    for number, paragraphs in enumerate(sets, start=1):
        data[f"set-{number}"] = [each.pk for each in paragraphs]
    return client.post(page_of(assignment), data, follow=True)


def hidden(html, name):
    return re.search(rf'name="{name}" value="([^"]*)"', html)[1]


def test_the_guidelines_of_the_task_stand_beside(ben_client, assignment):
    html = read(ben_client.get(page_of(assignment)))

    assert "Guidelines for T2" in html
    assert "Before you choose REFUTES" in html
    assert "Write one to five claims that follow from it" not in html


def test_guidelines_that_were_unfolded_stay_so_when_the_form_is_drawn_anew(ben_client, assignment):
    html = read(ben_client.post(page_of(assignment), {"action": "save"}, headers=HTMX))

    assert re.search('<details [^>]*id="guidelines"[^>]*hx-preserve="true"', html)


def test_the_source_is_open_and_the_dictionary_collapsed(ben_client, assignment, source, older):
    html = read(ben_client.get(page_of(assignment)))

    first, second = re.findall(r'<details class="article"[^>]*>', html)
    assert f"article-{source.article_id}" in first
    assert " open" in first
    assert f"article-{older.pk}" in second
    assert " open" not in second


def test_paragraphs_outside_of_the_scope_are_not_on_the_page(ben_client, assignment):
    html = read(ben_client.get(page_of(assignment)))

    assert "It opens." in html
    assert "Work began." in html
    assert "A secret." not in html
    assert "It is red." not in html


def test_opening_an_article_shows_its_paragraphs_and_keeps_what_was_ticked(
    ben_client, assignment, source, older
):
    html = read(send(ben_client, assignment, "REFUTES", sets=[[source]], open_article=older.pk))

    assert "A secret." in html
    assert OpenedArticle.objects.get().article == older
    assert re.search(rf'name="set-1" value="{source.pk}" checked', html)
    assert re.search(r'value="REFUTES"[^>]*checked', html)


def test_opening_by_htmx_returns_the_article_alone(ben_client, assignment, older):
    response = ben_client.post(
        page_of(assignment), {"open_article": older.pk, "revision": 0}, headers=HTMX
    )

    html = read(response)
    assert html.lstrip().startswith("<details")
    assert "A secret." in html
    assert "draft-stored" in response["HX-Trigger"]


def test_an_article_outside_of_the_scope_cannot_be_opened(ben_client, assignment, wave):
    other = make_article(wave.campaign.corpus)

    assert send(ben_client, assignment, open_article=other.pk).status_code == 404


def test_add_a_set_draws_one_more_column(ben_client, assignment):
    before = read(ben_client.get(page_of(assignment)))

    after = read(send(ben_client, assignment, action="add_set", columns=2))

    assert 'name="set-3"' not in before
    assert 'name="set-3"' in after


@pytest.mark.parametrize("label", ["SUPPORTS", "REFUTES"])
def test_a_verdict_is_stored_with_its_evidence(ben_client, assignment, source, label):
    html = read(send(ben_client, assignment, label, sets=[[source]]))

    annotation = Annotation.objects.get()
    assert annotation.label == label
    assert annotation.evidence_sets.get().items.get().paragraph == source
    assert "Stored:" in html


def test_not_enough_info_is_stored_without_evidence(ben_client, assignment):
    send(ben_client, assignment, "NOT ENOUGH INFO", is_relevant="1", is_uncertain="1")

    annotation = Annotation.objects.get()
    assert (annotation.label, annotation.is_relevant) == ("NOT ENOUGH INFO", True)
    assert not annotation.is_uncertain  # it does not belong to this verdict


def test_a_verdict_without_evidence_is_refused_and_nothing_typed_is_lost(ben_client, assignment):
    html = read(send(ben_client, assignment, "SUPPORTS", condition="It has one deck"))

    assert "Please tick the evidence" in html
    assert 'value="It has one deck"' in html
    assert not Annotation.objects.exists()


def test_a_set_of_several_is_asked_about_once(ben_client, assignment, source, older):
    sets = [[source, paragraph_of(older)]]

    asked = read(send(ben_client, assignment, "SUPPORTS", sets=sets))
    assert "only enough together" in asked
    assert not Annotation.objects.exists()

    send(ben_client, assignment, "SUPPORTS", sets=sets, asked=hidden(asked, "asked"))
    assert Annotation.objects.get().evidence_sets.get().items.count() == 2


def test_a_set_that_contains_another_is_pointed_out_once(ben_client, assignment, source, older):
    sets = [[source], [source, paragraph_of(older)]]

    asked = read(send(ben_client, assignment, "SUPPORTS", sets=sets))
    assert "Set 2 contains all of set 1" in asked

    send(ben_client, assignment, "SUPPORTS", sets=sets, asked=hidden(asked, "asked"))
    assert Annotation.objects.get().evidence_sets.count() == 2


def test_the_newest_paragraph_of_a_set_is_marked(ben_client, assignment, source, older):
    sets = [[source, paragraph_of(older)]]

    html = read(send(ben_client, assignment, "SUPPORTS", sets=sets, action="save"))

    newest = html.split(f'id="paragraph-{source.pk}"')[1].split('class="paragraph"')[0]
    assert "newest of set 1" in newest
    assert html.count("newest of set 1") == 1


def test_the_same_form_sent_twice_is_stored_once(ben_client, assignment, source):
    once = uuid.uuid4()

    send(ben_client, assignment, "SUPPORTS", sets=[[source]], submission=once)
    send(ben_client, assignment, "SUPPORTS", sets=[[source]], submission=once)

    assert Annotation.objects.count() == 1


def test_a_second_tab_is_shown_both_answers_and_asked(ben_client, assignment, source):
    send(ben_client, assignment, "SUPPORTS", sets=[[source]])

    html = read(send(ben_client, assignment, "NOT ENOUGH INFO"))

    assert "Which answer is yours?" in html
    assert Annotation.objects.live().get().label == "SUPPORTS"
    drawn_from = hidden(html, "drawn_from")
    send(ben_client, assignment, "NOT ENOUGH INFO", drawn_from=drawn_from)
    assert Annotation.objects.live().get().label == "NOT ENOUGH INFO"


def test_an_answer_is_edited_until_the_wave_closes(ben_client, assignment, source):
    send(ben_client, assignment, "SUPPORTS", sets=[[source]])

    html = read(ben_client.get(page_of(assignment)))
    assert re.search(r'value="SUPPORTS"[^>]*checked', html)
    send(
        ben_client,
        assignment,
        "REFUTES",
        sets=[[source]],
        drawn_from=hidden(html, "drawn_from"),
    )

    assert Annotation.objects.count() == 2
    assert Annotation.objects.live().get().label == "REFUTES"


def test_what_was_sent_while_signed_out_is_there_after_signing_in(
    client, sign_in, assignment, source
):
    from tests.factories import PASSWORD

    send(client, assignment, "REFUTES", sets=[[source]], condition="It has one deck")
    client.post("/accounts/sign-in/", {"username": "ben", "password": PASSWORD})
    html = read(client.get(page_of(assignment)))

    assert 'value="It has one deck"' in html
    assert re.search(rf'name="set-1" value="{source.pk}" checked', html)
    assert not Annotation.objects.exists()


def test_a_signed_out_fragment_gets_401_instead_of_a_login_form(client, assignment):
    response = client.post(page_of(assignment), {"action": "save"}, headers=HTMX)

    assert response.status_code == 401
    assert response["HX-Trigger"] == "signed-out"


def test_a_draft_is_saved_and_a_second_tab_gets_409(ben_client, assignment):
    url = f"/assignments/{assignment.pk}/draft/"

    first = ben_client.post(url, {"label": "SUPPORTS", "revision": 0})
    second = ben_client.post(url, {"label": "REFUTES", "revision": 0})

    assert first.json()["revision"] == 1
    assert first.json()["summary"] == "Supports"
    assert second.status_code == 409
    assert re.search(r'value="SUPPORTS"[^>]*checked', read(ben_client.get(page_of(assignment))))


def test_a_heartbeat_slides_the_lease_and_counts_the_time(ben_client, assignment):
    run_out(assignment, minutes=2)
    Assignment.objects.update(given_at=F("leased_until"))

    answer = ben_client.post(f"/assignments/{assignment.pk}/beat/", {"seconds": 42})

    assert answer.json() == {"has_slot": True}
    before = assignment.leased_until
    assignment.refresh_from_db()
    assert assignment.leased_until > before
    assert assignment.active_seconds == 42


def test_a_skip_needs_a_reason(ben_client, assignment):
    url = f"/assignments/{assignment.pk}/skip/"

    html = read(ben_client.post(url, {"reason": ""}, follow=True))
    assert "Choose why you skip it" in html

    ben_client.post(url, {"reason": "too hard"})
    assignment.refresh_from_db()
    assert assignment.outcome == Assignment.Outcome.SKIPPED
    assert "You skipped this" in read(ben_client.get(page_of(assignment)))


def test_a_report_reaches_the_curators(ben_client, assignment):
    ben_client.post(f"/assignments/{assignment.pk}/report/", {"reason": "It is an opinion."})

    assert Report.objects.get().reason == "It is an opinion."


def test_submit_and_next_goes_to_the_next_claim(ben_client, assignment, wave):
    make_item(make_claim(wave, "Another claim."), wave)

    html = read(send(ben_client, assignment, action="next", label="NOT ENOUGH INFO"))

    assert "Another claim." in html


@pytest.mark.parametrize("method", ["get", "post"])
def test_others_cannot_see_or_answer_an_assignment(sign_in, assignment, wave, method):
    make_participant(wave, "dan")

    for username in ["eve", "dan", f"manager-of-{wave.campaign.slug}"]:
        assert getattr(sign_in(username), method)(page_of(assignment)).status_code == 404


def test_the_page_takes_as_many_queries_with_many_paragraphs(ben_client, assignment, wave):
    few = count_queries(ben_client, page_of(assignment))
    before = A_DAY.replace(year=A_DAY.year - 2)
    articles = [make_article(wave.campaign.corpus, published_at=before) for _ in range(8)]
    dictionary = make_dictionary(wave.campaign.corpus, *(paragraph_of(each) for each in articles))
    Assignment.objects.filter(pk=assignment.pk).update(claim_dictionary=dictionary)

    assert count_queries(ben_client, page_of(assignment)) == few


@pytest.mark.parametrize("junk", ["x", "-1", "99999999999999999999", "1:", "1:s0:x", ""])
def test_forged_ticks_store_nothing(ben_client, assignment, junk):
    html = read(ben_client.post(page_of(assignment), {"label": "SUPPORTS", "set-1": junk}))

    assert 'id="errors"' in html
    assert not Annotation.objects.exists()
