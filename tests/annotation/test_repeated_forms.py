"""Forms that come twice: a repetition stores nothing, and nothing that was changed is lost."""

from dataclasses import replace
from uuid import uuid4

import pytest
from django.core.exceptions import ValidationError

from annotation.answering import AnsweredElsewhere, submit_annotation
from annotation.giving import ask_for_work
from annotation.models import Annotation, Claim
from annotation.writing import extract_claims, mutate_claim
from tests.factories import (
    answer_of,
    make_participant,
    submit,
)

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    "change",
    [
        {"label": "SUPPORTS"},
        {"note": "Look at the date."},
        {"is_relevant": True},
        {"evidence_sets": [[(1, "")]]},
    ],
)
def test_an_answer_that_was_changed_after_going_back_is_no_repetition(labelling, change):
    answer = answer_of(labelling)
    stored = submit_annotation(assignment=labelling, answer=answer)

    with pytest.raises(AnsweredElsewhere) as elsewhere:
        submit_annotation(assignment=labelling, answer=replace(answer, **change))

    assert elsewhere.value.existing == stored
    assert Annotation.objects.count() == 1


def test_blanks_and_the_order_of_ticks_make_no_other_answer(labelling):
    source = labelling.item.instance.claim.source
    title = source.article.paragraphs.get(rank=0)
    labelling.opened.create(article=source.article, version=source.version)
    sets = [[(source.pk, ""), (title.pk, "")], [(source.pk, "")]]
    answer = answer_of(labelling, note="Seen.")
    answer = replace(answer, label="SUPPORTS", evidence_sets=sets)
    stored = submit_annotation(assignment=labelling, answer=answer)

    turned = [[(source.pk, "")], [(title.pk, ""), (source.pk, "")]]
    again = replace(answer, note=" Seen. ", evidence_sets=turned)

    assert submit_annotation(assignment=labelling, answer=again) == stored


def test_a_changed_old_form_is_shown_the_answer_that_stands_now(labelling):
    answer = answer_of(labelling)
    first = submit_annotation(assignment=labelling, answer=answer)
    second = submit(labelling, "SUPPORTS", drawn_from=first.pk)

    with pytest.raises(AnsweredElsewhere) as elsewhere:
        submit_annotation(assignment=labelling, answer=replace(answer, label="REFUTES"))

    assert elsewhere.value.existing == second


def test_claims_that_were_changed_after_going_back_are_no_repetition(writing):
    form = {"assignment": writing, "submission": uuid4()}
    written = extract_claims(texts=["The bridge opened."], **form)

    with pytest.raises(AnsweredElsewhere) as elsewhere:
        extract_claims(texts=["The bridge opened in May."], **form)

    assert elsewhere.value.existing == written


def test_claims_that_were_edited_since_are_still_the_same_form(writing):
    form = {"assignment": writing, "submission": uuid4(), "texts": [" The bridge  opened. "]}
    written = extract_claims(**form)
    Claim.objects.update(text="The bridge opened in May.")

    assert extract_claims(**form) == written


def test_mutations_that_changed_places_after_going_back_are_no_repetition(mutating):
    form = {"assignment": mutating, "submission": uuid4()}
    mutate_claim(texts={"negate": "It stayed closed.", "specify": "It opened in May."}, **form)

    with pytest.raises(AnsweredElsewhere):
        mutate_claim(texts={"specify": "It stayed closed.", "negate": "It opened in May."}, **form)


def test_the_form_of_somebody_else_writes_nothing(wave, writing):
    used = uuid4()
    extract_claims(assignment=writing, texts=["The bridge opened."], submission=used)
    theirs = ask_for_work(user=make_participant(wave, "dan"), wave=wave, task="T1a")

    with pytest.raises(ValidationError, match="used already"):
        extract_claims(assignment=theirs, texts=["It cost ten million."], submission=used)

    assert Claim.objects.count() == 1


def test_a_form_that_wrote_claims_mutates_none(wave, annotator, writing):
    used = uuid4()
    extract_claims(assignment=writing, texts=["The bridge opened."], submission=used)
    mutating = ask_for_work(user=annotator, wave=wave, task="T1b")

    with pytest.raises(ValidationError, match="used already"):
        mutate_claim(assignment=mutating, texts={"negate": "It is closed."}, submission=used)
