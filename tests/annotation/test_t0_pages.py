"""T0 in the browser: one article, a suggestion, accept some or reject all, on to the next."""

import re

import pytest

from annotation.drafts import save_draft
from annotation.giving import ask_for_work
from annotation.models import Preselection
from tests.annotation.pages import HTMX, count_queries, page_of, read
from tests.factories import (
    add_paragraphs,
    make_article,
    make_campaign,
    make_corpus,
    make_member,
    make_participant,
    make_source,
    make_wave,
    paragraph_of,
)

pytestmark = pytest.mark.django_db
LONG = "The Norvell bridge cost {} million crowns, minister Pavel Orst told reporters in Kestrin."


@pytest.fixture
def wave():
    return make_wave(make_campaign(corpus=make_corpus()))


@pytest.fixture
def article(wave):
    return make_article(wave.campaign.corpus, *(LONG.format(n) for n in range(3)))


@pytest.fixture
def assignment(wave, article):
    return ask_for_work(
        user=make_member(wave.campaign, "cyn", role="curator"), wave=wave, task="T0"
    )


def send(client, assignment, *paragraphs, action="next", **fields):
    data = {"accept": [each.pk for each in paragraphs], "action": action, "revision": 0, **fields}
    return client.post(page_of(assignment), data, follow=True)


def states():
    return list(Preselection.objects.order_by("paragraph__rank").values_list("state", flat=True))


def test_the_guidelines_of_the_task_stand_beside(sign_in, assignment):
    html = read(sign_in("cyn").get(page_of(assignment)))

    assert "Guidelines for T0" in html
    assert "Tick the paragraphs from which others will write claims" in html
    assert "Before you choose REFUTES" not in html


def test_the_article_is_shown_with_the_suggested_paragraph_marked(sign_in, assignment, article):
    html = read(sign_in("cyn").get(page_of(assignment)))

    assert article.title in html
    suggested = f'is-suggested" id="paragraph-{assignment.suggested_id}"'
    assert html.count("is-suggested") == 1
    assert suggested in html
    assert [f'data-key="Digit{n}"' in html for n in (1, 2, 3, 4)] == [True, True, True, False]


def test_more_than_nine_paragraphs_are_numbered_without_keys(sign_in, wave):
    make_article(wave.campaign.corpus, *(LONG.format(n) for n in range(11)))
    cyn = make_member(wave.campaign, "cyn", role="curator")
    assignment = ask_for_work(user=cyn, wave=wave, task="T0")

    html = read(sign_in("cyn").get(page_of(assignment)))

    assert html.count('name="accept"') == 11
    assert "Digit10" not in html
    assert 'data-key="KeyJ"' in html


def test_a_table_can_be_no_source(sign_in, assignment, article):
    article.paragraphs.filter(rank=2).update(kind="table")

    html = read(sign_in("cyn").get(page_of(assignment)))

    assert html.count('name="accept"') == 2
    assert f'value="{paragraph_of(article, 2).pk}"' not in html


def test_what_is_ticked_is_accepted_and_the_rest_rejected(sign_in, assignment, article):
    response = send(sign_in("cyn"), assignment, paragraph_of(article, 1), paragraph_of(article, 3))

    assert states() == ["accepted", "rejected", "accepted"]
    assert "Accepted: 2 sources." in read(response)


def test_accept_and_next_shows_the_next_article(sign_in, wave, assignment, article):
    make_article(wave.campaign.corpus, LONG.format(8), title="Second article")

    html = read(send(sign_in("cyn"), assignment, paragraph_of(article)))

    assert "Second article" in html
    assert 'name="accept"' in html


def test_all_can_be_rejected(sign_in, assignment):
    response = send(sign_in("cyn"), assignment, action="reject")

    assert states() == ["rejected"] * 3
    assert "Rejected: all paragraphs." in read(response)


def test_nothing_is_stored_where_no_paragraph_is_ticked(sign_in, assignment):
    html = read(send(sign_in("cyn"), assignment))

    assert "No paragraph is ticked." in html
    assert states() == []


def test_rejecting_all_asks_where_something_is_ticked(sign_in, assignment, article):
    ticked = paragraph_of(article, 2)

    html = read(send(sign_in("cyn"), assignment, ticked, action="reject"))

    assert "One paragraph is ticked." in html
    assert re.search(rf'value="{ticked.pk}" checked', html)
    assert states() == []


def test_the_same_form_sent_twice_is_stored_once(sign_in, assignment, article):
    client, first = sign_in("cyn"), paragraph_of(article)

    send(client, assignment, first, action="stop")
    html = read(send(client, assignment, first, action="stop"))

    assert states() == ["accepted", "rejected", "rejected"]
    assert "was not stored" not in html


def test_another_choice_in_a_second_tab_changes_nothing(sign_in, assignment, article):
    client = sign_in("cyn")
    send(client, assignment, paragraph_of(article, 1))

    html = read(send(client, assignment, paragraph_of(article, 2)))

    assert states() == ["accepted", "rejected", "rejected"]
    assert "was not stored" in html


def test_the_back_button_shows_what_was_chosen(sign_in, assignment, article):
    client = sign_in("cyn")
    send(client, assignment, paragraph_of(article, 2))

    html = read(client.get(page_of(assignment)))

    assert "One paragraph of this article is accepted" in html
    assert paragraph_of(article, 2).text in html
    assert paragraph_of(article, 1).text not in html


def test_the_draft_is_ticked_again(sign_in, assignment, article):
    ticked = paragraph_of(article, 3)
    save_draft(assignment=assignment, data={"accept": [str(ticked.pk)]}, revision=0)

    html = read(sign_in("cyn").get(page_of(assignment)))

    assert re.findall(r'value="(\d+)" checked', html) == [str(ticked.pk)]
    assert 'name="revision" value="1"' in html


def test_a_draft_can_be_saved_without_scripts(sign_in, assignment, article):
    html = read(send(sign_in("cyn"), assignment, paragraph_of(article, 2), action="save"))

    assert f'value="{paragraph_of(article, 2).pk}" checked' in html
    assert states() == []


def test_an_older_tab_replaces_no_newer_draft(sign_in, assignment, article):
    newer = str(paragraph_of(article, 1).pk)
    save_draft(assignment=assignment, data={"accept": [newer]}, revision=0)

    html = read(send(sign_in("cyn"), assignment, paragraph_of(article, 2), action="save"))

    assert "changed in another tab" in html
    assignment.draft.refresh_from_db()
    assert assignment.draft.data == {"accept": [newer]}


def test_sources_are_counted(sign_in, wave, assignment):
    make_source(wave)
    make_source(wave, taken=1)

    html = read(sign_in("cyn").get(page_of(assignment)))

    assert re.findall(r"<dd>(\d+)</dd>", html)[:2] == ["2", "1"]


def test_an_article_that_changed_meanwhile_is_looked_at_again(sign_in, assignment, article):
    old = paragraph_of(article)
    add_paragraphs(make_next_version(article), LONG.format(9))

    html = read(send(sign_in("cyn"), assignment, old))

    assert "changed meanwhile" in html
    assert states() == []


def test_what_was_sent_while_signed_out_is_ticked_again(client, sign_in, assignment, article):
    ticked = paragraph_of(article, 2)
    send(client, assignment, ticked)

    client.force_login(assignment.user)
    html = read(client.get(page_of(assignment)))

    assert "You were signed out" in html
    assert f'value="{ticked.pk}" checked' in html


def test_htmx_gets_the_form_alone(sign_in, assignment):
    response = sign_in("cyn").post(page_of(assignment), {"action": "next"}, headers=HTMX)

    html = read(response)
    assert "<html" not in html
    assert '<form class="work" id="work"' in html


@pytest.mark.parametrize("name", ["ben", "eve"])
def test_it_is_nobody_elses(sign_in, wave, assignment, name):
    make_participant(wave, "ben")

    assert sign_in(name).get(page_of(assignment)).status_code == 404


def test_who_is_curator_no_more_chooses_no_sources(sign_in, wave, assignment, article):
    make_member(wave.campaign, "cyn", role="annotator")

    assert send(sign_in("cyn"), assignment, paragraph_of(article)).status_code == 404
    assert states() == []


def test_a_long_article_takes_no_more_queries(sign_in, wave, assignment):
    client = sign_in("cyn")
    few = count_queries(client, page_of(assignment))

    add_paragraphs(make_next_version(assignment.article), *(LONG.format(n) for n in range(30)))

    assert count_queries(client, page_of(assignment)) == few


def make_next_version(article):
    article.version += 1
    article.save()
    return article
