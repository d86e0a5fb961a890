"""What a person has on the labelling form: read from the form, a draft or an annotation."""

import re
from dataclasses import dataclass, field

from annotation.evidence import MOST_SETS

SET_FIELD = re.compile(r"set-(\d{1,2})")
CITATION = re.compile(r"(\d{1,18})(?::(.{1,60}))?")
NOT_KEPT = {
    *("csrfmiddlewaretoken", "submission", "revision", "drawn_from", "action", "open_article"),
    *("replaces", "open_found", "search-text", "search-method", "searched"),
}


@dataclass
class Sheet:
    """The state of a labelling form. Sets keep the number of the column they stand in."""

    label: str = ""
    sets: dict[int, list[tuple[int, str]]] = field(default_factory=dict)
    columns: int = 2
    active: int = 1
    is_uncertain: bool = False
    is_relevant: bool = False
    condition: str = ""
    note: str = ""
    asked: frozenset[str] = frozenset()

    @property
    def evidence_sets(self):
        """The non-empty sets, in the order of their columns."""
        return [items for _, items in sorted(self.sets.items()) if items]

    @property
    def drawn_columns(self):
        """How many columns to draw: one more than is used, so that ticking it adds a set."""
        used = max((number for number, items in self.sets.items() if items), default=0)
        return min(MOST_SETS, max(2, self.columns, used + 1))

    def whole_paragraphs(self, number):
        """The ids of the paragraphs that are in a set as a whole."""
        return {paragraph for paragraph, unit in self.sets.get(number, []) if not unit}


def kept_fields(data):
    """What a draft keeps of a posted form: {name: [values]}, without what is drawn anew."""
    return {name: values for name, values in sorted(data.lists()) if name not in NOT_KEPT}


def sheet_from_fields(fields):
    """Read a form's fields ({name: [values]}); what is no valid tick is left out."""
    return Sheet(
        label=_first(fields, "label"),
        sets=_sets(fields),
        columns=_number(fields, "columns", default=2),
        active=_number(fields, "active", default=1),
        is_uncertain=bool(_first(fields, "is_uncertain")),
        is_relevant=bool(_first(fields, "is_relevant")),
        condition=_first(fields, "condition"),
        note=_first(fields, "note"),
        asked=frozenset(_first(fields, "asked").split()),
    )


def sheet_from_annotation(annotation):
    """The form as it was submitted, with its sets numbered from 1."""
    sets = {
        number: [(item.paragraph_id, item.unit) for item in each.items.all()]
        for number, each in enumerate(annotation.evidence_sets.all(), start=1)
    }
    return Sheet(
        label=annotation.label,
        sets=sets,
        is_uncertain=annotation.is_uncertain,
        is_relevant=annotation.is_relevant,
        condition=annotation.condition,
        note=annotation.note,
    )


def _first(fields, name):
    values = fields.get(name) or [""]
    return str(values[0])


def _number(fields, name, *, default):
    value = _first(fields, name)
    return min(MOST_SETS, max(1, int(value))) if re.fullmatch(r"\d{1,3}", value) else default


def _sets(fields):
    sets = {}
    for name, values in fields.items():
        match = SET_FIELD.fullmatch(name)
        if match and int(match[1]):
            items = [citation for value in values if (citation := _citation(value))]
            sets.setdefault(int(match[1]), []).extend(items)
    return sets


def _citation(value):
    match = CITATION.fullmatch(str(value))
    return (int(match[1]), match[2] or "") if match else None
