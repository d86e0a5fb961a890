"""T1b in the browser: the wave's mutation types, any subset, a warning at negation words."""

import re
from datetime import timedelta
from uuid import uuid4

import pytest
from django.urls import reverse

from annotation.drafts import save_draft
from annotation.giving import ask_for_work
from annotation.models import Claim
from annotation.writing import extract_claims
from corpus.models import Article
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
)

pytestmark = pytest.mark.django_db
CLAIM = "The Norvell bridge opened in May 2022."
OTHER = "The Norvell bridge cost 412 million crowns."
CLOSED = "The Norvell bridge stayed closed all through May 2022."
SIX = ["rephrase", "negate", "substitute_similar", "substitute_dissimilar", "generalise", "specify"]


@pytest.fixture
def wave():
    return make_wave(make_campaign(corpus=make_corpus()))


@pytest.fixture
def ada(wave):
    return make_participant(wave, "ada")


@pytest.fixture
def assignment(wave, ada):
    """T1b of the first of two claims that ada wrote from one source."""
    older = make_article(
        wave.campaign.corpus, "Work began.", "Steel is dear.", published_at=A_DAY - timedelta(1)
    )
    dictionary = make_dictionary(wave.campaign.corpus, paragraph_of(older))
    make_source(wave, dictionary=dictionary)
    source = ask_for_work(user=ada, wave=wave, task="T1a")
    extract_claims(assignment=source, texts=[CLAIM, OTHER], submission=uuid4())
    return ask_for_work(user=ada, wave=wave, task="T1b")


@pytest.fixture
def client(sign_in, ada):
    return sign_in(ada)


def send(client, assignment, *, action="next", submission=None, **texts):
    data = {"action": action, "submission": submission or uuid4(), "revision": 0, **texts}
    return client.post(page_of(assignment), data, follow=True)


def check(client, assignment, **texts):
    url = reverse("annotation:check-claims", args=[assignment.pk])
    return read(client.post(url, texts, headers=HTMX))


def hints_at(html, mutation):
    return re.search(rf'id="checks-{mutation}".*?</div>', html, re.S).group()


def stored():
    rows = Claim.objects.filter(parent__isnull=False).order_by("number")
    return list(rows.values_list("mutation", "text"))


# What is shown


def test_the_claim_and_its_place_among_those_just_written_are_shown(client, assignment):
    html = read(client.get(page_of(assignment)))

    assert f'lang="en">{CLAIM}</h1>' in html
    assert "Claim 1 of 2" in html


def test_each_type_of_the_wave_has_its_field_description_and_example(client, assignment):
    html = read(client.get(page_of(assignment)))

    assert re.findall(r'<textarea name="(\w+)"', html) == SIX
    assert html.count('class="mutation-card"') == 6
    assert html.count('class="example read"') == 6
    assert "Say less: what you write must follow from the claim." in html


def test_tense_shift_is_there_where_the_wave_has_it(client, wave, assignment):
    wave.mutations = ["negate", "tense_shift"]
    wave.save()

    html = read(client.get(page_of(assignment)))

    assert re.findall(r'<textarea name="(\w+)"', html) == ["negate", "tense_shift"]


def test_source_and_dictionary_are_folded_beside(client, assignment):
    html = read(client.get(page_of(assignment)))

    assert html.count('<details class="article"') == 2
    assert not re.search(r'<details class="article"[^>]* open', html)
    assert assignment.claim.source.text in html
    assert "Work began." in html
    assert "Steel is dear." not in html


def test_an_article_is_opened_and_what_was_typed_is_kept(client, assignment):
    article = Article.objects.get(paragraphs__text="Work began.")
    data = {"negate": CLOSED, "open_article": article.pk, "revision": 0}

    html = read(client.post(page_of(assignment), data, follow=True))

    assert "Steel is dear." in html
    assert CLOSED in html


def test_claims_without_a_mutation_are_reminded_of(client, assignment):
    html = read(client.get(page_of(assignment)))

    reminder = html[html.index('id="without-title"') :].split("</section>")[0]
    assert "One more claim has no mutation yet" in reminder
    assert OTHER in reminder
    assert CLAIM not in reminder


# What is written


def test_any_subset_is_stored_and_the_next_claim_follows(client, assignment):
    html = read(
        send(
            client, assignment, rephrase="The bridge at Norvell opened in May 2022.", negate=CLOSED
        )
    )

    assert stored() == [
        ("rephrase", "The bridge at Norvell opened in May 2022."),
        ("negate", CLOSED),
    ]
    assert "Stored: 2 mutations." in html
    assert "Claim 2 of 2" in html


def test_the_claim_that_is_done_is_linked_from_its_siblings(client, assignment):
    html = read(send(client, assignment, negate=CLOSED))

    assert f'<a class="sibling" href="{page_of(assignment)}"' in html
    assert "mutated" in html


def test_after_the_last_claim_the_next_source_follows(client, wave, assignment):
    make_source(wave, paragraph_of(make_article(wave.campaign.corpus, "A second source.")))
    send(client, assignment, negate=CLOSED)
    last = ask_for_work(user=assignment.user, wave=wave, task="T1b")

    html = read(send(client, last, negate="The Norvell bridge was free of charge."))

    assert "A second source." in html


def test_one_may_stop_after_submitting(client, wave, assignment):
    send(client, assignment, negate=CLOSED, action="stop")

    assert len(stored()) == 1
    assert assignment.user.assignments.filter(task="T1b").count() == 1


def test_nothing_is_refused_before_it_is_submitted(client, assignment):
    save_draft(assignment=assignment, data={"rephrase": [CLAIM]}, revision=0)

    html = read(client.get(page_of(assignment)))

    assert 'role="alert"' not in html.split("<dialog")[0]


def test_no_mutation_at_all_is_refused_kindly(client, assignment):
    html = read(send(client, assignment, negate=" "))

    assert "Write at least one mutation, or skip the claim." in html
    assert stored() == []


def test_the_claim_itself_is_refused_at_its_field(client, assignment):
    html = read(send(client, assignment, rephrase=f" {CLAIM.upper()} ", negate=CLOSED))

    error = re.search(r'id="id_rephrase_error".*?</div>', html, re.S).group()
    assert "This is the claim itself" in error
    assert "id_negate_error" not in html
    assert CLOSED in html
    assert stored() == []


def test_a_text_that_is_too_long_is_refused_at_its_field(client, assignment):
    html = read(send(client, assignment, specify="x" * 501))

    assert "501 characters" in re.search(r'id="id_specify_error".*?</div>', html, re.S).group()


def test_a_type_that_the_wave_has_not_is_not_stored(client, assignment):
    send(client, assignment, tense_shift="The bridge is going to open.", negate=CLOSED)

    assert stored() == [("negate", CLOSED)]


# Hints


@pytest.mark.parametrize(
    "text", ["The bridge did not open.", "It never opened.", "It hasn't opened."]
)
def test_a_negation_word_is_pointed_out_in_the_negation(client, assignment, text):
    html = check(client, assignment, negate=text, specify=text)

    assert "gives the negation away" in hints_at(html, "negate")
    assert "gives the negation away" not in hints_at(html, "specify")


@pytest.mark.parametrize("text", ["Most není otevřen.", "Ministr neodstoupil."])
def test_a_czech_negation_word_is_pointed_out(client, assignment, text):
    Claim.objects.update(language="cs")

    assert "gives the negation away" in hints_at(check(client, assignment, negate=text), "negate")


def test_a_negation_without_such_words_has_no_hint(client, assignment):
    assert "<li>" not in check(client, assignment, negate=CLOSED)


def test_a_text_that_exists_is_pointed_out(client, wave, assignment):
    make_claim(wave, CLOSED)

    html = check(client, assignment, negate=CLOSED)

    assert "There is a claim with the same text" in hints_at(html, "negate")


def test_each_hint_is_swapped_in_beside_its_field(client, assignment):
    html = check(client, assignment, negate="It is not open.")

    assert html.count('hx-swap-oob="true"') == 6


# Nothing is lost


def test_the_same_form_sent_twice_is_stored_once(client, assignment):
    submission = uuid4()

    send(client, assignment, negate=CLOSED, submission=submission)
    send(client, assignment, negate=CLOSED, submission=submission)

    assert stored() == [("negate", CLOSED)]


def test_a_second_tab_sees_what_is_stored_and_what_is_not(client, assignment):
    send(client, assignment, negate=CLOSED)

    html = read(send(client, assignment, specify="The Norvell bridge opened on 3 May 2022."))

    assert stored() == [("negate", CLOSED)]
    assert "You submitted this already" in html
    assert "on 3 May 2022" in html


def test_the_back_button_shows_what_was_written(client, assignment):
    send(client, assignment, negate=CLOSED)

    html = read(client.get(page_of(assignment)))

    assert "You mutated this claim" in html
    assert CLOSED in html
    assert "One more claim has no mutation yet" in html


def test_the_draft_is_typed_again_with_its_hints(client, assignment):
    save_draft(assignment=assignment, data={"negate": ["It is not open."]}, revision=0)

    html = read(client.get(page_of(assignment)))

    assert "It is not open.</textarea>" in html
    assert "gives the negation away" in hints_at(html, "negate")


def test_an_older_tab_replaces_no_newer_draft(client, assignment):
    save_draft(assignment=assignment, data={"negate": [CLOSED]}, revision=0)

    html = read(send(client, assignment, negate="It is shut.", action="save"))

    assert "changed in another tab" in html
    assert "It is shut." in html


def test_what_was_sent_while_signed_out_is_typed_again(client, assignment):
    client.logout()
    send(client, assignment, negate=CLOSED)

    client.force_login(assignment.user)
    html = read(client.get(page_of(assignment)))

    assert "You were signed out" in html
    assert f"{CLOSED}</textarea>" in html


def test_a_claim_that_was_withdrawn_meanwhile_is_not_mutated(client, assignment):
    Claim.objects.filter(pk=assignment.claim_id).update(withdrawn_at=A_DAY)

    html = read(send(client, assignment, negate=CLOSED))

    assert "This claim was withdrawn" in html
    assert CLOSED in html


# Who sees it


@pytest.mark.parametrize("name", ["ben", "eve"])
def test_it_is_nobody_elses(sign_in, wave, assignment, name):
    make_participant(wave, "ben")

    assert sign_in(name).get(page_of(assignment)).status_code == 404


def test_many_claims_take_no_more_queries(client, wave, assignment):
    few = count_queries(client, page_of(assignment))
    source = assignment.claim.source
    for _ in range(8):
        make_claim(wave, author="ada", source=source, written_in=assignment.claim.written_in)

    assert count_queries(client, page_of(assignment)) == few
