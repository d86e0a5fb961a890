"""What an answer has to be before it is stored: each rule with its kind message."""

from collections.abc import Iterable
from dataclasses import replace

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.evidence import MOST_ITEMS, MOST_SETS, Part, containing_sets, merged_sets
from annotation.models import Assignment, Label
from annotation.scope import knowledge_scope
from annotation.typed import typed_text

VERDICTS = {Label.SUPPORTS, Label.REFUTES}


def check_answer(answer, assignment: Assignment):
    """The answer in its clean form. Raises ValidationError with the messages of each field."""
    sets = merged_sets(answer.evidence_sets)
    errors: dict[str, list[str]] = {}
    texts = {}
    for name in ["condition", "note"]:
        try:
            texts[name] = typed_text(getattr(answer, name), field=name)
        except ValidationError as error:
            errors |= error.message_dict
    if message := label_error(answer):
        errors["label"] = [message]
    if messages := list(evidence_errors(answer, sets, assignment)):
        errors["evidence_sets"] = messages
    errors |= {name: [message] for name, message in mark_errors(answer)}
    if errors:
        raise ValidationError(errors)
    return replace(answer, evidence_sets=sets, **texts)


def label_error(answer) -> str:
    return "" if answer.label in Label.values else _("Please choose a verdict first.")


def mark_errors(answer) -> Iterable[tuple[str, str]]:
    """Marks that do not go with the verdict."""
    if answer.label == Label.NOT_ENOUGH_INFO:
        if answer.is_uncertain:
            yield "is_uncertain", _("Only Supports and Refutes can be uncertain.")
        if answer.condition.strip():
            yield "condition", _("Only Supports and Refutes can hold under a condition.")
    elif answer.is_relevant:
        yield "is_relevant", _("Only Not enough information can be marked as relevant.")


def evidence_errors(answer, sets: list[list[Part]], assignment: Assignment) -> Iterable[str]:
    if answer.label in VERDICTS and not sets:
        yield _(
            "Please tick the evidence: at least one set of paragraphs that suffice for your "
            "verdict. If there is none, the verdict is Not enough information."
        )
    if answer.label == Label.NOT_ENOUGH_INFO and sets:
        yield _(
            "Not enough information has no evidence. Please untick the paragraphs, or choose "
            "Supports or Refutes if they are evidence."
        )
    yield from size_errors(sets)
    if sets:
        yield from scope_errors(sets, assignment)


def size_errors(sets: list[list[Part]]) -> Iterable[str]:
    if len(sets) > MOST_SETS:
        yield _("There are %(size)d evidence sets; please keep to %(most)d.") % {
            "size": len(sets),
            "most": MOST_SETS,
        }
    largest = max(map(len, sets), default=0)
    if largest > MOST_ITEMS:
        yield _("An evidence set has %(size)d items; please keep to %(most)d.") % {
            "size": largest,
            "most": MOST_ITEMS,
        }


def scope_errors(sets: list[list[Part]], assignment: Assignment) -> Iterable[str]:
    """Citations of what the annotator did not have before them."""
    known = knowledge_scope(assignment).paragraphs
    cited = {part for items in sets for part in items}
    if outside := sum(paragraph not in known for paragraph, _unit in cited):
        yield ngettext(
            "%(n)d ticked paragraph is not among the texts you had here. Please untick it.",
            "%(n)d ticked paragraphs are not among the texts you had here. Please untick them.",
            outside,
        ) % {"n": outside}
    for paragraph, unit in sorted(cited):
        if unit and paragraph in known and unit not in unit_ids(known[paragraph]):
            yield _("The part %(unit)s is not in the paragraph %(paragraph)s.") % {
                "unit": unit,
                "paragraph": known[paragraph].public_id,
            }


def unit_ids(paragraph) -> set[str]:
    return {unit["id"] for unit in paragraph.units}


def evidence_hints(sets: list[list[Part]]) -> list[str]:
    """What to point out about evidence sets without refusing them."""
    return [
        _("Set %(larger)d contains all of set %(smaller)d, which suffices by itself.")
        % {"larger": larger, "smaller": smaller}
        for larger, smaller in containing_sets(sets)
    ]
