"""T1a in the browser: a source, one claim per line, hints that never block, on to T1b."""

import re
from datetime import timedelta
from uuid import uuid4

import pytest
from django.urls import reverse

from annotation.drafts import save_draft
from annotation.giving import ask_for_work
from annotation.models import Assignment, Claim
from tests.annotation.pages import HTMX, count_queries, page_of, read
from tests.factories import (
    A_DAY,
    make_article,
    make_campaign,
    make_claim,
    make_corpus,
    make_dictionary,
    make_participant,
    make_source,
    make_wave,
    paragraph_of,
    run_out,
)

pytestmark = pytest.mark.django_db
EARLIER = A_DAY - timedelta(days=30)
CLAIM = "The Norvell bridge opened in May 2022."
OTHER = "The Norvell bridge cost 412 million crowns."


@pytest.fixture
def wave():
    return make_wave(make_campaign(corpus=make_corpus()))


@pytest.fixture
def article(wave):
    texts = ("Pavel Orst opened the Norvell bridge.", "It had cost 412 million.", "People cheered.")
    return make_article(wave.campaign.corpus, *texts)


@pytest.fixture
def older(wave):
    texts = ("Work on the bridge began.", "Steel is dear.")
    return make_article(wave.campaign.corpus, *texts, published_at=EARLIER)


@pytest.fixture
def assignment(wave, article, older):
    dictionary = make_dictionary(article.corpus, paragraph_of(older))
    make_source(wave, paragraph_of(article), dictionary=dictionary)
    return ask_for_work(user=make_participant(wave, "ada"), wave=wave, task="T1a")


@pytest.fixture
def client(sign_in):
    return sign_in("ada")


def lines(*texts):
    return {f"claim-{number}": text for number, text in enumerate(texts, start=1)}


def send(client, assignment, *texts, action="next", submission=None, **options):
    data = lines(*texts) | {"action": action, "submission": submission or uuid4(), "revision": 0}
    return client.post(page_of(assignment), data, follow=True, **options)


def check(client, assignment, *texts):
    url = reverse("annotation:check-claims", args=[assignment.pk])
    return read(client.post(url, lines(*texts), headers=HTMX))


def stored():
    return list(Claim.objects.order_by("number").values_list("text", flat=True))


# What is read


def test_heading_date_and_source_stand_open(client, assignment, article):
    html = read(client.get(page_of(assignment)))

    source = html[html.index('<section class="source"') :].split("</section>")[0]
    assert article.title in source
    assert paragraph_of(article).text in source
    assert 'class="badge badge-date"' in source


def test_names_are_hints(client, assignment):
    html = read(client.get(page_of(assignment)))

    hints = html[html.index('<ul class="hints"') :].split("</ul>")[0]
    assert "Pavel Orst" in hints


def test_dictionary_articles_are_folded_with_what_was_retrieved(client, assignment, older):
    html = read(client.get(page_of(assignment)))

    folded = html[html.index(f'id="article-{older.pk}@1"') :].split("</details>")[0]
    assert not folded.startswith(f'id="article-{older.pk}@1" open')
    assert paragraph_of(older, 1).text in folded
    assert 'class="badge badge-date"' in folded


def test_other_paragraphs_are_not_on_the_page_before_they_are_opened(
    client, assignment, article, older
):
    html = read(client.get(page_of(assignment)))

    assert paragraph_of(older, 2).text not in html
    assert paragraph_of(article, 3).text not in html


def test_an_article_is_opened_and_what_was_typed_is_kept(client, assignment, older):
    data = lines(CLAIM) | {"open_article": older.pk, "revision": 0}

    html = read(client.post(page_of(assignment), data, follow=True))

    assert paragraph_of(older, 2).text in html
    assert CLAIM in html


def test_htmx_gets_the_opened_article_alone(client, assignment, article):
    data = lines(CLAIM) | {"open_article": article.pk, "revision": 0}

    response = client.post(page_of(assignment), data, headers=HTMX)

    html = read(response)
    assert "<form" not in html
    assert paragraph_of(article, 3).text in html
    assert paragraph_of(article, 1).text not in html
    assert response["HX-Trigger"] == '{"draft-stored": {"revision": 1}}'


def test_no_article_outside_of_the_scope_is_opened(client, assignment, wave):
    stranger = make_article(wave.campaign.corpus)

    response = client.post(page_of(assignment), {"open_article": stranger.pk, "revision": 0})

    assert response.status_code == 404


def test_the_guidelines_of_the_task_stand_beside(client, assignment):
    html = read(client.get(page_of(assignment)))

    assert "Write one to five claims that follow from it" in html
    assert "Before you choose REFUTES" not in html


# What is written


def test_claims_are_stored_and_their_first_is_mutated_next(client, assignment):
    assert "Submit, then mutate them" in read(client.get(page_of(assignment)))
    html = read(send(client, assignment, CLAIM, "", OTHER))

    assert stored() == [CLAIM, OTHER]
    assert "Stored: 2 claims." in html
    assert "Claim 1 of 2" in html
    assert f'lang="en">{CLAIM}</h1>' in html


def test_without_mutations_the_next_source_follows(client, wave, assignment):
    make_source(wave, paragraph_of(make_article(wave.campaign.corpus, "A second source.")))
    wave.mutations = []
    wave.save()

    assert "Submit, then the next source" in read(client.get(page_of(assignment)))
    html = read(send(client, assignment, CLAIM))

    assert "A second source." in html


def test_one_may_stop_after_submitting(client, assignment):
    send(client, assignment, CLAIM, action="stop")

    assert stored() == [CLAIM]
    assert not Assignment.objects.filter(task="T1b").exists()


def test_lines_in_one_field_are_claims_of_their_own(client, assignment):
    send(client, assignment, f"{CLAIM}\r\n{OTHER}")

    assert stored() == [CLAIM, OTHER]


def test_more_than_five_claims_are_refused_and_none_is_lost(client, assignment):
    texts = [f"The bridge has {n} lanes." for n in range(1, 7)]

    html = read(send(client, assignment, "\n".join(texts)))

    assert "You wrote 6 claims; please keep to the 5 best." in html
    assert all(text in html for text in texts)
    assert stored() == []


def test_nothing_typed_is_refused_kindly(client, assignment):
    assert "Please write at least one claim" in read(send(client, assignment, " ", ""))


def test_what_is_wrong_is_said_at_its_field(client, assignment):
    html = read(send(client, assignment, CLAIM, "", "x" * 501))

    assert re.search(r'id="id_claim-3_error" role="alert">.*?501 characters', html, re.S)
    assert 'aria-invalid="true"' in html
    assert CLAIM in html
    assert stored() == []


def test_typed_text_is_escaped(client, assignment):
    html = read(send(client, assignment, "</textarea><script>alert(1)</script>" + "x" * 500))

    assert "<script>alert" not in html


# Hints


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("He opened the bridge.", "Claim 1: It begins with “he”"),
        ("Is the bridge open?", "Claim 1: It asks a question"),
        ("The bridge is long. The bridge is new.", "Claim 1: It has several sentences"),
        ("The bridge has many lanes.", "Claim 1: “many” cannot be checked"),
        ("The bridge may open.", "Claim 1: “may” leaves it open"),
    ],
)
def test_a_claim_is_pointed_out_while_it_is_typed(client, assignment, text, hint):
    assert hint in check(client, assignment, text)


def test_good_claims_have_no_hints(client, assignment):
    assert "<li>" not in check(client, assignment, CLAIM, OTHER)


def test_a_claim_that_exists_is_pointed_out(client, wave, assignment):
    make_claim(wave, CLAIM.upper())

    assert "Claim 2: There is a claim with the same text" in check(client, assignment, OTHER, CLAIM)


def test_an_empty_line_between_claims_is_pointed_out(client, assignment):
    assert "Claim 2: It is empty" in check(client, assignment, CLAIM, "", OTHER)


def test_hints_never_block(client, assignment):
    send(client, assignment, "He may open many bridges.")

    assert stored() == ["He may open many bridges."]


def test_checking_stores_nothing(client, assignment):
    check(client, assignment, CLAIM)

    assert stored() == []
    assert not hasattr(Assignment.objects.get(pk=assignment.pk), "draft")


# Nothing is lost


def test_the_same_form_sent_twice_is_stored_once(client, assignment):
    submission = uuid4()

    send(client, assignment, CLAIM, submission=submission)
    html = read(send(client, assignment, CLAIM, submission=submission))

    assert stored() == [CLAIM]
    assert "Claim 1 of 1" in html


def test_a_second_tab_sees_what_is_stored_and_what_is_not(client, assignment):
    send(client, assignment, CLAIM)

    html = read(send(client, assignment, CLAIM, OTHER))

    assert stored() == [CLAIM]
    assert "You submitted this already" in html
    in_vain = html[html.index("You submitted this already") :].split("</ul>")[0]
    assert OTHER in in_vain
    assert CLAIM not in in_vain


def test_the_back_button_shows_what_was_written(client, assignment):
    send(client, assignment, CLAIM)

    html = read(client.get(page_of(assignment)))

    assert "You wrote claims from this source" in html
    assert CLAIM in html
    assert reverse("annotation:edit-claim", args=[Claim.objects.get().pk]) in html


def test_the_draft_is_typed_again_with_its_hints(client, assignment):
    save_draft(assignment=assignment, data={"claim-2": ["Is it open?"]}, revision=0)

    html = read(client.get(page_of(assignment)))

    assert "Is it open?</textarea>" in html
    assert "Claim 2: It asks a question" in html
    assert 'name="revision" value="1"' in html


def test_a_draft_can_be_saved_without_scripts(client, assignment):
    html = read(send(client, assignment, CLAIM, action="save"))

    assert f"{CLAIM}</textarea>" in html
    assert stored() == []


def test_an_older_tab_replaces_no_newer_draft(client, assignment):
    save_draft(assignment=assignment, data={"claim-1": [OTHER]}, revision=0)

    html = read(send(client, assignment, CLAIM, action="save"))

    assert "changed in another tab" in html
    assert CLAIM in html
    assignment.draft.refresh_from_db()
    assert assignment.draft.data == {"claim-1": [OTHER]}


def test_what_was_sent_while_signed_out_is_typed_again(client, assignment):
    client.logout()
    send(client, assignment, CLAIM)

    client.force_login(assignment.user)
    html = read(client.get(page_of(assignment)))

    assert "You were signed out" in html
    assert f"{CLAIM}</textarea>" in html


def test_what_ran_out_is_still_taken(client, wave, assignment):
    run_out(assignment)
    ask_for_work(user=make_participant(wave, "ben"), wave=wave, task="T1a")

    html = read(client.get(page_of(assignment)))
    send(client, assignment, CLAIM)

    assert not re.search(r"data-lease-notice hidden", html)
    assert stored() == [CLAIM]


def test_a_skipped_source_is_not_written_from(client, assignment):
    skip = reverse("annotation:skip", args=[assignment.pk])
    client.post(skip, {"reason": "no facts"})

    assert "You skipped this" in read(client.get(page_of(assignment)))


# Who sees it


@pytest.mark.parametrize("name", ["ben", "eve"])
def test_it_is_nobody_elses(sign_in, wave, assignment, name):
    make_participant(wave, "ben")
    client = sign_in(name)

    assert client.get(page_of(assignment)).status_code == 404
    url = reverse("annotation:check-claims", args=[assignment.pk])
    assert client.post(url, lines(CLAIM)).status_code == 404


def test_a_large_dictionary_takes_no_more_queries(sign_in, wave, article, assignment):
    articles = [make_article(article.corpus, published_at=EARLIER) for _ in range(8)]
    dictionary = make_dictionary(article.corpus, *(paragraph_of(each) for each in articles))
    make_source(wave, paragraph_of(article, 2), dictionary=dictionary)
    other = ask_for_work(user=make_participant(wave, "ben"), wave=wave, task="T1a")
    few = count_queries(sign_in("ada"), page_of(assignment))

    assert count_queries(sign_in("ben"), page_of(other)) == few
