"""One's own work: unfinished on top, what was done by task, and claims that can be changed."""

import re
from datetime import timedelta
from uuid import uuid4

import pytest
from django.urls import reverse
from django.utils import timezone

from annotation.answering import report_claim, skip_work
from annotation.drafts import save_draft
from annotation.giving import ask_for_work, close_run_out
from annotation.models import Claim
from annotation.writing import extract_claims, mutate_claim, preselect
from tests.annotation.pages import HTMX, count_queries, page_of, read
from tests.factories import (
    make_article,
    make_campaign,
    make_claim,
    make_corpus,
    make_item,
    make_member,
    make_participant,
    make_source,
    make_wave,
    make_work,
    paragraph_of,
    run_out,
    submit,
)

pytestmark = pytest.mark.django_db
URL = "/my-work/"
CLAIM = "The Norvell bridge opened in May 2022."


@pytest.fixture
def wave():
    return make_wave(make_campaign(corpus=make_corpus()))


@pytest.fixture
def ada(wave):
    return make_participant(wave, "ada")


@pytest.fixture
def client(sign_in, ada):
    return sign_in(ada)


def ask(user, wave, task):
    return ask_for_work(user=user, wave=wave, task=task)


def write(user, wave, *texts):
    """The T1a assignment in which `user` wrote these claims."""
    make_source(wave)
    assignment = ask(user, wave, "T1a")
    extract_claims(assignment=assignment, texts=list(texts), submission=uuid4())
    return assignment


def label(user, wave, label="NOT ENOUGH INFO"):
    make_work(wave, author="cyn")
    assignment = ask(user, wave, "T2")
    submit(assignment, label)
    return assignment


def part(html, heading):
    return html[html.index(f'id="{heading}"') :].split("</section>")[0]


# What is unfinished


def test_nothing_was_done_yet(client):
    assert "What you submit, skip or report is listed here." in read(client.get(URL))


def test_open_work_stands_on_top(client, wave, ada):
    label(ada, wave)
    make_source(wave, paragraph_of(make_article(wave.campaign.corpus, "A source.")))
    assignment = ask(ada, wave, "T1a")

    html = read(client.get(URL))

    assert "A source." in part(html, "unfinished")
    assert f'href="{page_of(assignment)}"' in part(html, "unfinished")
    assert html.index('id="unfinished"') < html.index('id="done"')


def test_what_ran_out_is_unfinished_where_its_draft_was_kept(client, wave, ada):
    make_work(wave, 1, author="cyn")
    assignment = ask(ada, wave, "T2")
    save_draft(assignment=assignment, data={"label": ["SUPPORTS"]}, revision=0)
    run_out(assignment)
    close_run_out(wave=wave)

    html = read(client.get(URL))

    assert "time ran out; your draft is kept" in part(html, "unfinished")


def test_what_ran_out_with_nothing_typed_is_not_listed(client, wave, ada):
    make_work(wave, 1, author="cyn")
    run_out(ask(ada, wave, "T2"))
    close_run_out(wave=wave)

    assert page_of(ada.assignments.get()) not in read(client.get(URL))


def test_claims_without_a_mutation_are_reminded_of(client, wave, ada):
    write(ada, wave, CLAIM, "The bridge is long.")

    html = read(client.get(URL))

    assert "2 of your claims have no mutation yet" in html
    assert CLAIM in part(html, "without-mutation")


def test_the_first_page_reminds_of_them_too(client, wave, ada):
    write(ada, wave, CLAIM)

    assert "One of your claims has no mutation yet." in read(client.get("/"))


def test_a_skipped_claim_is_not_reminded_of(client, wave, ada):
    write(ada, wave, CLAIM)
    skip_work(assignment=ask(ada, wave, "T1b"), reason="too hard")

    assert "no mutation yet" not in read(client.get(URL))


def test_there_is_no_reminder_where_the_wave_mutates_nothing(client, wave, ada):
    write(ada, wave, CLAIM)
    wave.mutations = []
    wave.save()

    assert "no mutation yet" not in read(client.get(URL))


# What was done


def test_a_label_is_summed_up_and_can_be_changed(client, wave, ada):
    assignment = label(ada, wave, "SUPPORTS")

    done = part(read(client.get(URL)), "done")

    assert "Supports · set 1: one paragraph" in done
    assert re.search(rf'href="{page_of(assignment)}">Change', done)


def test_a_label_is_only_looked_at_once_the_wave_is_closed(client, wave, ada):
    assignment = label(ada, wave)
    wave.closes_at = timezone.now() - timedelta(minutes=1)
    wave.save()

    done = part(read(client.get(URL)), "done")

    assert "Change" not in done
    assert f'href="{page_of(assignment)}"' in done


def test_claims_and_mutations_are_listed_with_links_to_edit_them(client, wave, ada):
    write(ada, wave, CLAIM)
    assignment = ask(ada, wave, "T1b")
    texts = {"negate": "The Norvell bridge stayed closed in May 2022."}
    mutate_claim(assignment=assignment, texts=texts, submission=uuid4())

    done = part(read(client.get(URL)), "done")

    assert "1 claim" in done
    assert "1 mutation" in done
    assert 'data-mutation="negate"' in done
    for claim in Claim.objects.all():
        assert reverse("annotation:edit-claim", args=[claim.pk]) in done


def test_a_claim_that_is_being_labelled_has_no_link_to_edit_it(client, wave, ada):
    write(ada, wave, CLAIM)
    claim = Claim.objects.get()
    make_item(claim, wave)
    ask(make_participant(wave, "ben"), wave, "T2")

    done = part(read(client.get(URL)), "done")

    assert "is being labelled" in done
    assert reverse("annotation:edit-claim", args=[claim.pk]) not in done


def test_sources_that_were_preselected_are_counted(sign_in, wave):
    article = make_article(wave.campaign.corpus, "One.", "Two.", "Three.")
    assignment = ask(make_member(wave.campaign, "cyn", role="curator"), wave, "T0")
    accepted, rejected = [paragraph_of(article)], [paragraph_of(article, 2)]
    preselect(assignment=assignment, accepted=accepted, rejected=rejected)

    assert "1 paragraph accepted" in part(read(sign_in("cyn").get(URL)), "done")


def test_what_was_skipped_or_reported_says_why(client, wave, ada):
    make_work(wave, 2, author="cyn")
    skip_work(assignment=ask(ada, wave, "T2"), reason="too hard")
    report_claim(assignment=ask(ada, wave, "T2"), reason="It is about two bridges.")

    done = part(read(client.get(URL)), "done")

    assert "It is too hard for me" in done
    assert "It is about two bridges." in done


def test_the_list_can_be_narrowed_to_a_task(client, wave, ada):
    write(ada, wave, CLAIM)
    label(ada, wave)

    html = read(client.get(URL, {"task": "T2"}))

    assert "Not enough information" in part(html, "done")
    assert CLAIM not in part(html, "done")


@pytest.mark.parametrize("task", ["T9", "'", "T0"])
def test_an_unknown_task_or_one_never_done_is_no_error(client, wave, ada, task):
    label(ada, wave)

    assert client.get(URL, {"task": task}).status_code == 200


def test_others_work_is_not_listed(client, wave):
    ben = make_participant(wave, "ben")
    write(ben, wave, "Ben wrote this about the bridge.")

    assert "Ben wrote this" not in read(client.get(URL))


def test_the_list_is_cut_into_pages(client, wave, ada):
    for _ in range(26):
        label(ada, wave)

    html = read(client.get(URL))

    assert html.count('class="work-entry"') == 25
    assert "Page 1 of 2" in html
    assert read(client.get(URL, {"page": 2})).count('class="work-entry"') == 1


def leave(user):
    user.memberships.update(ended_at=timezone.now())


def linked(html):
    """The pages that a list links to, of work and of claims."""
    return set(re.findall(r'href="((?:/assignments|/claims)/[^"]+)"', html))


def test_who_left_a_campaign_reads_nothing_of_it(client, wave, ada):
    write(ada, wave, CLAIM)
    label(ada, wave)
    make_work(wave, author="cyn")
    ask(ada, wave, "T2")
    before = linked(read(client.get(URL)))
    leave(ada)

    html = read(client.get(URL))

    assert len(before) == 4  # the claim, where it was written, a label, and what is open
    assert [client.get(page).status_code for page in before] == [404] * 4
    assert linked(html) == set()
    assert "bridge" not in html
    assert "What you submit, skip or report is listed here." in html


def test_all_that_is_listed_can_be_opened(client, wave, ada):
    label(ada, wave)
    leave(ada)
    other = make_wave(make_campaign(slug="autumn", corpus=wave.campaign.corpus))
    make_participant(other, ada)
    label(ada, other)
    make_work(other, author="cyn")
    ask(ada, other, "T2")

    pages = linked(read(client.get(URL)))

    assert len(pages) == 2
    assert [client.get(page).status_code for page in pages] == [200, 200]


def test_the_first_page_reminds_of_no_draft_in_a_campaign_that_was_left(client, wave, ada):
    make_work(wave, 1, author="cyn")
    assignment = ask(ada, wave, "T2")
    save_draft(assignment=assignment, data={"label": ["SUPPORTS"]}, revision=0)
    run_out(assignment)
    close_run_out(wave=wave)

    assert "what you typed is kept" in read(client.get("/"))
    leave(ada)
    assert "what you typed is kept" not in read(client.get("/"))


def test_a_long_list_takes_no_more_queries(client, wave, ada):
    write(ada, wave, CLAIM)
    label(ada, wave, "SUPPORTS")
    few = count_queries(client, URL)
    for number in range(5):
        write(ada, wave, f"The bridge has {number} lanes.", f"The bridge has {number} lamps.")
        label(ada, wave, "SUPPORTS")

    assert count_queries(client, URL) == few


# Changing a claim


@pytest.fixture
def claim(wave, ada):
    return make_claim(wave, CLAIM, author=ada)


def edit(client, claim, text, **options):
    url = reverse("annotation:edit-claim", args=[claim.pk])
    return client.post(url, {"text": text}, follow=True, **options)


def test_the_author_changes_a_claim(client, claim):
    html = read(edit(client, claim, "The Norvell bridge opened on 3 May 2022."))

    claim.refresh_from_db()
    assert claim.text == "The Norvell bridge opened on 3 May 2022."
    assert claim.revisions.count() == 2
    assert "The claim was changed." in html


@pytest.mark.parametrize(("text", "error"), [("", "needs a text"), ("x" * 501, "501 characters")])
def test_what_is_wrong_is_said_at_the_field(client, claim, text, error):
    html = read(edit(client, claim, text))

    assert error in re.search(r'id="id_text_error".*?</div>', html, re.S).group()
    claim.refresh_from_db()
    assert claim.text == CLAIM


def test_a_mutation_stays_unlike_its_parent(client, wave, claim):
    mutation = make_claim(wave, "The bridge opened.", author="ada", parent=claim)

    assert "the claim that it was made from" in read(edit(client, mutation, CLAIM))


def test_a_claim_that_was_given_out_stays_as_it_is(client, wave, claim):
    make_item(claim, wave)
    ask(make_participant(wave, "ben"), wave, "T2")

    html = read(edit(client, claim, "Something else is said here."))

    claim.refresh_from_db()
    assert claim.text == CLAIM
    assert "so it stays as it is" in html
    assert "Something else is said here." in html


def test_hints_come_while_a_claim_is_changed(client, claim):
    url = reverse("annotation:edit-claim", args=[claim.pk])

    html = read(client.post(url, {"text": "Did it open?", "check": "1"}, headers=HTMX))

    assert "It asks a question" in html
    assert "<html" not in html


def test_a_claim_is_not_equal_to_itself(client, claim):
    assert "same text" not in read(client.get(reverse("annotation:edit-claim", args=[claim.pk])))


@pytest.mark.parametrize("name", ["ben", "eve"])
def test_only_the_author_may(sign_in, wave, claim, name):
    make_participant(wave, "ben")

    assert edit(sign_in(name), claim, "Something else.").status_code == 404


def test_who_left_the_campaign_changes_nothing(client, claim, ada):
    ada.memberships.update(ended_at=timezone.now())

    assert edit(client, claim, "Something else.").status_code == 404
