"""Answers are stored once, checked kindly, edited by new rows, and never lost."""

from uuid import uuid4

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotation.answering import (
    Answer,
    AnsweredElsewhere,
)
from annotation.models import Annotation, EvidenceItem
from tests.annotation.asking import ask, close, send
from tests.factories import (
    answer_of,
    make_answer,
    make_article,
    make_participant,
    make_work,
    paragraph_of,
    submit,
)

pytestmark = pytest.mark.django_db


def source_of(assignment):
    return assignment.item.instance.claim.source


def errors_of(assignment, answer):
    with pytest.raises(ValidationError) as refused:
        send(assignment, answer)
    assert not Annotation.objects.exists()
    return refused.value.message_dict


# What an answer has to be


def test_an_answer_is_stored_with_its_evidence(assignment):
    annotation = submit(assignment, "SUPPORTS", is_uncertain=True, condition=" if it is open ")

    (evidence,) = annotation.evidence_sets.all()
    assert [item.paragraph for item in evidence.items.all()] == [source_of(assignment)]
    assert (annotation.condition, annotation.revision) == ("if it is open", assignment.revision)
    assert annotation.is_uncertain


def test_a_verdict_needs_evidence(assignment):
    assert (
        "tick the evidence" in errors_of(assignment, make_answer("REFUTES", []))["evidence_sets"][0]
    )


def test_not_enough_info_has_no_evidence(assignment):
    answer = make_answer("NOT ENOUGH INFO", [source_of(assignment)])

    assert "has no evidence" in errors_of(assignment, answer)["evidence_sets"][0]


def test_every_cited_paragraph_lies_in_the_scope(assignment):
    outside = paragraph_of(make_article(), 1)

    errors = errors_of(assignment, make_answer("SUPPORTS", [source_of(assignment), outside]))

    assert "1 ticked paragraph is not among the texts" in errors["evidence_sets"][0]


def test_a_cited_part_exists_in_its_paragraph(assignment):
    source = source_of(assignment)
    answer = Answer(label="SUPPORTS", evidence_sets=[[(source.pk, "s9")]], submission=uuid4())

    assert errors_of(assignment, answer)["evidence_sets"] == [
        f"The part s9 is not in the paragraph {source.public_id}."
    ]


def test_a_part_of_a_paragraph_can_be_cited(assignment):
    sets = [[(source_of(assignment).pk, "s0")]]

    annotation = send(assignment, Answer("SUPPORTS", uuid4(), sets))

    assert EvidenceItem.objects.get(evidence_set__annotation=annotation).unit == "s0"


def test_equal_sets_are_merged(assignment):
    source = source_of(assignment)

    annotation = send(assignment, make_answer("SUPPORTS", [source], [], [source, source]))

    assert annotation.evidence_sets.count() == 1


@pytest.mark.parametrize(
    ("label", "field", "marks"),
    [
        ("NOT ENOUGH INFO", "is_uncertain", {"is_uncertain": True}),
        ("NOT ENOUGH INFO", "condition", {"condition": "if it rains"}),
        ("SUPPORTS", "is_relevant", {"is_relevant": True}),
        ("", "label", {}),
        ("MAYBE", "label", {}),
    ],
)
def test_marks_go_with_their_verdicts(assignment, label, field, marks):
    sets = [] if label == "NOT ENOUGH INFO" else [[source_of(assignment)]]

    assert list(errors_of(assignment, make_answer(label, *sets, **marks))) == [field]


def test_the_database_refuses_marks_that_do_not_fit(assignment):
    annotation = submit(assignment)

    with pytest.raises(IntegrityError), transaction.atomic():
        Annotation.objects.filter(pk=annotation.pk).update(is_uncertain=True)


def test_forbidden_characters_are_named(assignment):
    answer = answer_of(assignment, "SUPPORTS", condition="so\u202e")

    assert "RIGHT-TO-LEFT OVERRIDE (U+202E)" in errors_of(assignment, answer)["condition"][0]


def test_at_most_twenty_sets_of_fifty_items(assignment):
    sets = [[(1000 + number, "")] for number in range(21)]
    sets[0] = [(2000 + number, "") for number in range(51)]
    answer = Answer(label="SUPPORTS", evidence_sets=sets, submission=uuid4())

    errors = errors_of(assignment, answer)["evidence_sets"]

    assert errors[0] == "There are 21 evidence sets; please keep to 20."
    assert errors[1] == "An evidence set has 51 items; please keep to 50."


# The same form, another form


def test_the_same_form_sent_twice_is_stored_once(assignment):
    answer = answer_of(assignment)

    assert send(assignment, answer) == send(assignment, answer)
    assert Annotation.objects.count() == 1


def test_a_form_belongs_to_one_assignment(wave, assignment):
    answer = answer_of(assignment)
    send(assignment, answer)
    make_work(wave)
    other = ask(assignment.user, wave)

    with pytest.raises(ValidationError, match="used already"):
        send(other, answer)


def test_another_form_is_shown_the_answer_that_stands(assignment):
    first = submit(assignment)

    with pytest.raises(AnsweredElsewhere) as elsewhere:
        submit(assignment, "SUPPORTS")

    assert elsewhere.value.existing == first


def test_an_edit_supersedes_the_row_it_was_drawn_from(assignment):
    first = submit(assignment)

    second = submit(assignment, "SUPPORTS", drawn_from=first.pk)

    first.refresh_from_db()
    assert (second.supersedes, first.end_reason) == (first, "superseded")
    assert list(Annotation.objects.live()) == [second]


def test_the_first_form_still_returns_its_own_result_after_an_edit(assignment):
    answer = answer_of(assignment)
    first = send(assignment, answer)
    submit(assignment, "SUPPORTS", drawn_from=first.pk)

    assert send(assignment, answer) == first


def test_an_edit_of_what_was_edited_meanwhile_is_asked_about(assignment):
    first = submit(assignment)
    second = submit(assignment, "SUPPORTS", drawn_from=first.pk)

    with pytest.raises(AnsweredElsewhere) as elsewhere:
        submit(assignment, "REFUTES", drawn_from=first.pk)

    assert elsewhere.value.existing == second


def test_an_edit_changes_what_the_item_wants(wave):
    (item,) = make_work(wave)
    ben, dan = (make_participant(wave, name) for name in ["ben", "dan"])
    submit(ask(ben, wave), "SUPPORTS")
    assignment = ask(dan, wave)
    first = submit(assignment, "REFUTES")

    submit(assignment, "SUPPORTS", drawn_from=first.pk)

    item.refresh_from_db()
    assert (item.wanted, item.taken, item.state) == (2, 2, "complete")


def test_answers_cannot_be_changed_after_the_wave_closed(wave, assignment):
    first = submit(assignment)
    close(wave)

    with pytest.raises(ValidationError, match="closed"):
        submit(assignment, "SUPPORTS", drawn_from=first.pk)


def test_a_live_row_is_unique_per_item_and_person(assignment):
    first = submit(assignment)

    with pytest.raises(IntegrityError), transaction.atomic():
        Annotation.objects.create(
            item=first.item, user=first.user, kind="cross", label="SUPPORTS", submission=uuid4()
        )


def test_a_removed_answer_is_not_given_once_more(assignment):
    annotation = submit(assignment)
    Annotation.objects.filter(pk=annotation.pk).update(
        ended_at=timezone.now(), end_reason="removed"
    )

    with pytest.raises(ValidationError, match="removed"):
        submit(assignment)


# The work that one request does does not grow


def queries_of_next_and_submit(wave, person):
    with CaptureQueriesContext(connection) as asked:
        assignment = ask(person, wave)
    answer = answer_of(assignment, "SUPPORTS")
    with CaptureQueriesContext(connection) as sent:
        send(assignment, answer)
    return len(asked), len(sent)


def test_next_item_and_submit_take_a_constant_number_of_queries(wave):
    ben = make_participant(wave, "ben")
    make_work(wave, 8)
    submit(ask(ben, wave))
    few = queries_of_next_and_submit(wave, ben)
    make_work(wave, 32)
    for _ in range(10):
        submit(ask(ben, wave))

    many = queries_of_next_and_submit(wave, ben)

    assert abs(few[0] - many[0]) <= 1  # the stored order wraps once, or does not
    assert few[1] == many[1]
    assert max(many) <= 40
