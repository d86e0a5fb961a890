"""Labels as columns, and which of them figures are asked for. Pure: no Django."""

from dataclasses import dataclass, fields, replace
from functools import cached_property
from itertools import compress

import numpy as np

from agreement.measures import AnnotationTable, annotation_table
from agreement.measures.annotations import (
    check_policies,
    encode,
    without_conditional,
    without_duplicates,
    without_own,
)

TASKS = ("all", "T2b", "T2a")
SUBSETS = ("all", "certain", "uncertain", "rule")
BOUNDS = ("at-least", "at-most")


@dataclass(frozen=True)
class AnnotationRows:
    """Columns (n,) of labels, oldest first.

    unit: instance ids; annotator: pseudonyms, or the names of an import; own: whether the
    claim's author gave it; conditional: whether it holds under a condition only; doubtful:
    whether its annotator was not certain, or found something relevant without enough of it;
    source: the article's id that the claim is from, or minus the claim's without one;
    day: ISO dates; annotation: ids; label_order: the labels in the order of tables.
    """

    unit: np.ndarray
    annotator: list[str]
    label: list[str]
    own: np.ndarray
    conditional: np.ndarray
    doubtful: np.ndarray
    source: np.ndarray
    day: list[str]
    annotation: np.ndarray
    label_order: tuple[str, ...] = ()

    def __len__(self):
        return len(self.label)

    def table(self, *, first: int | None = None, **policies) -> AnnotationTable:
        """The table of the `first` rows (all by default) under policies of `annotation_table`."""
        part = slice(first)
        return annotation_table(
            self.unit[part],
            self.annotator[part],
            self.label[part],
            own=self.own[part],
            conditional=self.conditional[part],
            label_order=self.label_order,
            **policies,
        )

    def where(self, wanted: np.ndarray) -> "AnnotationRows":
        """The rows at which `wanted`: (n,) is true."""
        if wanted.all():
            return self
        columns = {field.name: getattr(self, field.name) for field in fields(self)}
        del columns["label_order"]
        return replace(
            self,
            **{
                name: column[wanted]
                if isinstance(column, np.ndarray)
                else list(compress(column, wanted.tolist()))
                for name, column in columns.items()
            },
        )

    @cached_property
    def unit_codes(self) -> np.ndarray:
        return encode(self.unit)[1]

    def kept(self, *, duplicates="last", own_labels="never", conditional_labels="nei"):
        """(m,) the places of the rows that are in the table under these policies."""
        check_policies(duplicates, own_labels, conditional_labels)
        unit, annotator = self.unit_codes, encode(self.annotator)[1]
        keep, _ = without_own(np.arange(len(self)), unit, self.own, own_labels)
        keep, _ = without_duplicates(keep, unit, annotator, duplicates)
        return without_conditional(keep, unit, self.conditional, conditional_labels)[0]


def of_task(rows: AnnotationRows, task: str) -> AnnotationRows:
    """Labels of others' claims (T2b), of one's own (T2a), or all."""
    if task not in TASKS:
        raise ValueError(f"task is {task!r}; use one of {', '.join(TASKS)}.")
    return rows if task == "all" else rows.where(rows.own == (task == "T2a"))


def ends_before_it_begins(since, until) -> bool:
    """Whether a period has no day; two dates, or two ISO days, of which either may be missing."""
    return bool(since and until and until < since)


def of_period(rows: AnnotationRows, since: str, until: str) -> AnnotationRows:
    """Labels from one day to another, both included; an empty text is no bound."""
    if not (since or until):
        return rows
    last = until or "9999-12-31"
    return rows.where(np.array([since <= day <= last for day in rows.day], dtype=bool))


def of_subset(
    rows: AnnotationRows, subset: str, *, bound: str, marks: int, among: int, **policies
) -> AnnotationRows:
    """The labels of the instances in a subset, by the marks on the labels that count.

    certain, uncertain: no mark, one or more; rule: `bound` (at-least or at-most) so many
    `marks` among so many labels or more. The whole instance is in or out, so that expected
    disagreement is that of the subset. Source: Glockner et al., "AmbiFC" (2024), section 3.
    """
    if subset not in SUBSETS or bound not in BOUNDS:
        raise ValueError(f"There is no subset {subset!r} with bound {bound!r}.")
    if subset == "all" or not len(rows):
        return rows
    keep, unit = rows.kept(**policies), rows.unit_codes
    n = np.bincount(unit[keep], minlength=unit.max() + 1)
    doubts = np.bincount(unit[keep], weights=rows.doubtful[keep], minlength=unit.max() + 1)
    if subset == "rule":
        held = doubts >= marks if bound == "at-least" else doubts <= marks
        chosen = held & (n >= among)
    else:
        chosen = (doubts > 0) == (subset == "uncertain")
    return rows.where((chosen & (n > 0))[unit])
