"""What an annotator ticked and unticked, and when: the history of a draft's evidence."""

from annotation.models import Assignment, Operation
from annotation.sheets import sheet_from_fields
from corpus.models import Paragraph

LONGEST_VALUE = 300


def record_ticks(*, assignment: Assignment, before: dict, after: dict) -> list[Operation]:
    """Write down what changed between two drafts: ticks, unticks and sets that were added.

    before, after: the fields of the form, {name: [values]}. A value names set and paragraph.
    """
    old, new = sheet_from_fields(before), sheet_from_fields(after)
    ticked, unticked = ticks_of(new) - ticks_of(old), ticks_of(old) - ticks_of(new)
    names = names_of(ticked | unticked)
    rows = [(Operation.Kind.TICK, names[tick]) for tick in sorted(ticked & set(names))]
    rows += [(Operation.Kind.UNTICK, names[tick]) for tick in sorted(unticked & set(names))]
    if new.drawn_columns > old.drawn_columns:
        rows.append((Operation.Kind.ADD_SET, str(new.drawn_columns)))
    return Operation.objects.bulk_create(
        Operation(assignment=assignment, kind=kind, value=value[:LONGEST_VALUE])
        for kind, value in rows
    )


def ticks_of(sheet) -> set[tuple[int, int, str]]:
    """(set, paragraph, unit) of every tick."""
    return {(number, *part) for number, parts in sheet.sets.items() for part in parts}


def names_of(ticks) -> dict[tuple, str]:
    """How each tick is written down: by public id; a forged one has no name."""
    known = Paragraph.objects.in_bulk({paragraph for _, paragraph, _ in ticks})
    return {
        (number, paragraph, unit): f"{number}: {known[paragraph].public_id} {unit}".rstrip()
        for number, paragraph, unit in ticks
        if paragraph in known
    }
