"""What was ticked, when: each saved draft adds what changed since the last one."""

import pytest

from annotation.drafts import save_draft
from annotation.giving import ask_for_work
from annotation.models import Operation
from tests.factories import make_participant, make_wave, make_work

pytestmark = pytest.mark.django_db


@pytest.fixture
def assignment():
    wave = make_wave()
    make_work(wave)
    return ask_for_work(user=make_participant(wave, "ben"), wave=wave, task="T2")


def history():
    return list(Operation.objects.values_list("kind", "value"))


def test_ticks_and_unticks_are_written_down_by_public_id(assignment):
    source = assignment.item.instance.claim.source
    ticked = {"set-1": [str(source.pk)]}

    first = save_draft(assignment=assignment, data=ticked, revision=0)
    save_draft(assignment=assignment, data={}, revision=first.revision)

    name = f"1: {source.public_id}"
    assert history() == [("tick", name), ("untick", name)]


def test_a_set_that_was_added_is_written_down(assignment):
    save_draft(assignment=assignment, data={"columns": ["3"]}, revision=0)

    assert history() == [("add_set", "3")]


def test_what_did_not_change_adds_nothing(assignment):
    source = assignment.item.instance.claim.source
    for revision in range(2):
        data = {"set-1": [str(source.pk)], "note": [str(revision)]}
        save_draft(assignment=assignment, data=data, revision=revision)

    assert len(history()) == 1


def test_a_forged_tick_has_no_history(assignment):
    save_draft(assignment=assignment, data={"set-1": ["987654321"]}, revision=0)

    assert history() == []
