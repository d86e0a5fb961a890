"""Sources are preselected, claims extracted, mutated and edited."""

from uuid import uuid4

import pytest
from django.core.exceptions import ValidationError

from annotation.answering import AnsweredElsewhere
from annotation.giving import ask_for_work, close_run_out
from annotation.models import Claim, Preselection
from annotation.readiness import make_item
from annotation.writing import edit_claim, extract_claims, mutate_claim, preselect
from tests.factories import (
    make_article,
    make_campaign,
    make_claim,
    make_corpus,
    make_member,
    make_participant,
    make_source,
    make_wave,
    paragraph_of,
    run_out,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def wave():
    return make_wave(make_campaign(corpus=make_corpus()))


@pytest.fixture
def ben(wave):
    return make_participant(wave, "ben")


def ask(user, wave, task):
    return ask_for_work(user=user, wave=wave, task=task)


def extract(assignment, *texts, submission=None):
    texts = list(texts) or ["The bridge opened in May."]
    return extract_claims(assignment=assignment, texts=texts, submission=submission or uuid4())


def mutate(assignment, submission=None, **texts):
    return mutate_claim(assignment=assignment, texts=texts, submission=submission or uuid4())


# T0


@pytest.fixture
def chosen(wave):
    """A T0 assignment of a curator."""
    make_article(wave.campaign.corpus, "One.", "Two.", "Three.")
    return ask(make_member(wave.campaign, "cyn", role="curator"), wave, "T0")


def test_accepted_paragraphs_become_sources(wave, chosen):
    first, second, third = (paragraph_of(chosen.article, rank) for rank in [1, 2, 3])

    preselect(assignment=chosen, accepted=[first, third], rejected=[second])

    states = dict(wave.preselections.values_list("paragraph", "state"))
    assert states == {first.pk: "accepted", second.pk: "rejected", third.pk: "accepted"}
    chosen.refresh_from_db()
    assert chosen.outcome == "submitted"


def test_sources_are_ready_at_once_where_the_corpus_has_no_index(wave, chosen):
    (source,) = preselect(assignment=chosen, accepted=[paragraph_of(chosen.article)], rejected=[])

    source.refresh_from_db()
    assert (source.is_ready, source.dictionary, source.wanted) == (True, None, 3)


@pytest.mark.parametrize(("accepted", "rejected"), [([], []), ([0], []), ([1], [1])])
def test_what_cannot_be_preselected(chosen, accepted, rejected):
    rows = list(chosen.article.paragraphs.order_by("rank"))

    with pytest.raises(ValidationError):
        preselect(
            assignment=chosen,
            accepted=[rows[rank] for rank in accepted],
            rejected=[rows[rank] for rank in rejected],
        )


def test_paragraphs_of_another_article_are_refused(wave, chosen):
    other = paragraph_of(make_article(wave.campaign.corpus))

    with pytest.raises(ValidationError, match="not of the article"):
        preselect(assignment=chosen, accepted=[other], rejected=[])


def test_an_article_of_a_corpus_that_the_campaign_had_before_makes_no_source(wave, chosen):
    close_run_out(wave=run_out(chosen).wave)
    wave.campaign.corpus = make_corpus(slug="other")
    wave.campaign.save()

    with pytest.raises(ValidationError, match="another corpus"):
        preselect(assignment=chosen, accepted=[paragraph_of(chosen.article)], rejected=[])
    assert not Preselection.objects.exists()


def test_preselecting_twice_shows_what_was_decided(chosen):
    paragraph = paragraph_of(chosen.article)
    first = preselect(assignment=chosen, accepted=[paragraph], rejected=[])

    with pytest.raises(AnsweredElsewhere) as elsewhere:
        preselect(assignment=chosen, accepted=[], rejected=[paragraph])

    assert elsewhere.value.existing == first


def test_the_article_that_was_done_is_given_to_nobody(wave, chosen):
    preselect(assignment=chosen, accepted=[paragraph_of(chosen.article)], rejected=[])

    with pytest.raises(Exception, match="done"):
        ask(make_member(wave.campaign, "dan", role="curator"), wave, "T0")


# T1a


def test_claims_get_the_next_numbers_of_their_campaign(wave, ben):
    make_claim(wave)
    make_source(wave)

    claims = extract(ask(ben, wave, "T1a"), "One is true.", "Two is true.")

    assert [claim.number for claim in claims] == [2, 3]
    assert [claim.revisions.get().text for claim in claims] == ["One is true.", "Two is true."]


def test_a_claim_carries_its_source_and_the_time_to_judge_it_by(wave, ben):
    source = make_source(wave)

    (claim,) = extract(ask(ben, wave, "T1a"))

    assert (claim.source, claim.author, claim.origin) == (source.paragraph, ben, "extracted")
    assert claim.as_of == claim.source_published_at == source.paragraph.published_at


def test_the_same_form_writes_its_claims_once(wave, ben):
    make_source(wave)
    assignment = ask(ben, wave, "T1a")
    submission = uuid4()

    first = extract(assignment, submission=submission)

    assert extract(assignment, submission=submission) == first
    assert Claim.objects.count() == 1


def test_another_form_is_shown_what_was_written(wave, ben):
    make_source(wave)
    assignment = ask(ben, wave, "T1a")
    first = extract(assignment)

    with pytest.raises(AnsweredElsewhere) as elsewhere:
        extract(assignment, "Something else.")

    assert elsewhere.value.existing == first


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (["", " "], "at least one claim"),
        (["A claim."] * 6, "6 claims"),
        (["word " * 101], "characters; please keep to 500"),
        (["hidden\u200b"], r"ZERO WIDTH SPACE \(U\+200B\)"),
        (["nul\x00"], r"NULL \(U\+0000\)"),
    ],
)
def test_claims_that_are_refused(wave, ben, texts, message):
    make_source(wave)
    assignment = ask(ben, wave, "T1a")

    with pytest.raises(ValidationError, match=message):
        extract(assignment, *texts)

    assert not Claim.objects.exists()
    wave.campaign.refresh_from_db()
    assert wave.campaign.last_claim_number == 0


def test_each_wrong_line_is_named(wave, ben):
    make_source(wave)

    with pytest.raises(ValidationError) as refused:
        extract(ask(ben, wave, "T1a"), "Good.", "bad\u202e")

    assert list(refused.value.message_dict) == ["2"]


def test_a_claim_is_stored_clean(wave, ben):
    make_source(wave)

    (claim,) = extract(ask(ben, wave, "T1a"), "  The  cafe\u0301\r\nopened. ")

    assert claim.text == "The café opened."


def test_claims_written_after_the_slot_was_taken_are_kept_as_surplus(wave, ben):
    source = make_source(wave, wanted=1)
    lost = run_out(ask(ben, wave, "T1a"))
    other = ask(make_participant(wave, "dan"), wave, "T1a")

    claims = extract(lost)
    extract(other)

    lost.refresh_from_db()
    source.refresh_from_db()
    assert len(claims) == 1
    assert (lost.outcome, lost.surplus, source.taken) == ("submitted", True, 1)


def test_claims_written_after_the_lease_take_the_slot_back_if_it_is_free(wave, ben):
    source = make_source(wave, wanted=1)
    lost = run_out(ask(ben, wave, "T1a"))
    close_run_out(wave=wave)

    extract(lost)

    lost.refresh_from_db()
    source.refresh_from_db()
    assert (lost.surplus, source.taken) == (False, 1)


# T1b


@pytest.fixture
def parent(wave, ben):
    return make_claim(wave, "The bridge opened in May.", author=ben)


def test_any_subset_of_mutations_is_stored(wave, ben, parent):
    claims = mutate(
        ask(ben, wave, "T1b"), negate="It stayed closed.", specify="", rephrase="It was opened."
    )

    assert [(claim.mutation, claim.parent) for claim in claims] == [
        ("rephrase", parent),
        ("negate", parent),
    ]
    assert {claim.source for claim in claims} == {parent.source}


def test_the_same_form_mutates_once(wave, ben, parent):
    assignment = ask(ben, wave, "T1b")
    submission = uuid4()

    first = mutate(assignment, submission, negate="It stayed closed.")

    assert mutate(assignment, submission, negate="It stayed closed.") == first


def test_only_mutations_of_the_wave_are_taken(wave, ben, parent):
    with pytest.raises(ValidationError, match="tense_shift"):
        mutate(ask(ben, wave, "T1b"), tense_shift="The bridge will open in May.")


def test_a_mutation_needs_at_least_one_text(wave, ben, parent):
    with pytest.raises(ValidationError, match="at least one"):
        mutate(ask(ben, wave, "T1b"), negate=" ")


def test_mutations_are_put_to_work(wave, ben, parent):
    mutate(ask(ben, wave, "T1b"), negate="It stayed closed.")

    (item,) = wave.items.all()
    assert item.instance.claim.mutation == "negate"


# Edits


def test_the_author_edits_until_the_first_lease(wave, ben, parent):
    revision = edit_claim(claim=parent, text="The bridge opened in June.", by=ben)

    parent.refresh_from_db()
    assert (revision.number, revision.kind) == (2, "author")
    assert parent.text == "The bridge opened in June."


def test_nobody_else_edits_a_claim(parent):
    with pytest.raises(ValidationError, match="Only its author"):
        edit_claim(claim=parent, text="Other.", by=make_participant(parent.wave, "dan"))


def test_a_claim_that_was_given_out_is_not_edited(wave, ben, parent):
    make_item(parent, wave)
    ask(make_participant(wave, "dan"), wave, "T2")

    with pytest.raises(ValidationError, match="only a curator"):
        edit_claim(claim=parent, text="Other.", by=ben)


def test_an_edit_without_a_change_makes_no_revision(ben, parent):
    edit_claim(claim=parent, text=f" {parent.text} ", by=ben)

    assert parent.revisions.count() == 1


def test_a_verdict_on_a_paragraph_stands(wave, chosen):
    paragraph = paragraph_of(chosen.article)
    make_source(wave, paragraph)

    preselect(assignment=chosen, accepted=[], rejected=[paragraph])

    assert Preselection.objects.get(paragraph=paragraph).state == "accepted"
