"""Answers in a sentence, for the line above "Submit" and for lists of past work."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.answer_checks import evidence_hints
from annotation.models import Label


def summary_of(sheet):
    """For example "Refutes · set 1: one paragraph · set 2: 2 paragraphs · not certain"."""
    label = Label(sheet.label).label if sheet.label in Label.values else _("No verdict yet")
    parts = [str(label), *_sets_in_words(sheet)]
    if sheet.is_uncertain and sheet.label != Label.NOT_ENOUGH_INFO:
        parts.append(_("not certain"))
    if sheet.is_relevant and sheet.label == Label.NOT_ENOUGH_INFO:
        parts.append(_("some of it relevant"))
    if sheet.condition and sheet.label != Label.NOT_ENOUGH_INFO:
        parts.append(_("under a condition"))
    return " · ".join(parts)


def _sets_in_words(sheet):
    if sheet.label == Label.NOT_ENOUGH_INFO:
        return [_("without evidence")] if not sheet.evidence_sets else [_("ticked paragraphs")]
    return [
        _("set %(number)d: %(size)s") % {"number": number, "size": _size(len(items))}
        for number, items in enumerate(sheet.evidence_sets, start=1)
    ]


def _size(n):
    return ngettext("one paragraph", "%(n)d paragraphs", n) % {"n": n}


def questions_about(sheet):
    """{name: sentence}: what is asked once before an answer is stored."""
    questions = {}
    if sheet.label in {Label.SUPPORTS, Label.REFUTES}:
        large = [n for n, items in enumerate(sheet.evidence_sets, start=1) if len(items) > 1]
        if large:
            questions["several"] = several_question(large)
        if hints := evidence_hints(sheet.evidence_sets):
            questions["contains"] = " ".join([*hints, _("Submit again to keep both.")])
    return questions


def several_question(numbers):
    return ngettext(
        "Set %(sets)s has several paragraphs: are they only enough together? If one would be "
        "enough alone, give it a set of its own. Submit again if they are needed together.",
        "Sets %(sets)s have several paragraphs each: are they only enough together? If one would "
        "be enough alone, give it a set of its own. Submit again if they are needed together.",
        len(numbers),
    ) % {"sets": ", ".join(str(number) for number in numbers)}
