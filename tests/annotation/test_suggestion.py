"""Which paragraph of an article is suggested as a source."""

import pytest

from annotation.suggestion import is_eligible, names_in, score_of, suggest

PLAIN = "the work goes on as it did and nobody in town expects that to change any time soon."
NAMED = (
    "The Norvell bridge, first promised by Alda Renn for the autumn of 2021, will cost Torvik "
    "Steel some 30 million, the ministry in Dalby said in a statement on 14 May."
)
QUOTED = "“We are late by four months and that is that, and we are sorry for it.”"


def test_names_numbers_and_length_decide():
    suggestion = suggest([(PLAIN, False), (NAMED, False)], draw=0.9)

    assert (suggestion.index, suggestion.was_drawn) == (1, False)
    assert suggestion.score == score_of(NAMED)


def test_tables_and_quotations_alone_are_never_suggested():
    paragraphs = [(NAMED, True), (QUOTED, False), (PLAIN, False)]

    assert {suggest(paragraphs, draw=step / 20).index for step in range(20)} == {2}


def test_one_in_five_is_drawn_at_random():
    paragraphs = [(PLAIN, False), (NAMED, False)]
    suggestions = [suggest(paragraphs, draw=step / 100) for step in range(100)]

    drawn = [one for one in suggestions if one.was_drawn]
    assert len(drawn) == 20
    assert {one.index for one in drawn} == {0, 1}


def test_nothing_is_suggested_where_nothing_is_eligible():
    assert suggest([("Too short.", False), (NAMED, True)], draw=0.5) is None
    assert suggest([], draw=0.1) is None


def test_ties_go_to_the_earlier_paragraph():
    assert suggest([(NAMED, False), (NAMED, False)], draw=0.5).index == 0


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (QUOTED, False),
        ("„Máme čtyři měsíce zpoždění a je nám to všem opravdu velmi líto.“", False),
        ('"We are late by four months and very sorry," said the engineer.', True),
        ("word " * 121, False),
    ],
)
def test_eligible_paragraphs(text, expected):
    assert is_eligible(text) is expected


def test_names_do_not_begin_a_sentence():
    text = "The bridge of Norvell is late. Trains to Dalby stop. J. K. Torvik waits, Renn hopes."

    assert {"Norvell", "Dalby", "Renn"} <= names_in(text)
    assert not {"The", "Trains"} & names_in(text)
