"""The form in which every measure takes annotations, and the policies that lead to it."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

NOT_ENOUGH_INFO = "NOT ENOUGH INFO"
DUPLICATES = ("first", "last", "all")
OWN_LABELS = ("never", "when-alone", "vote")
CONDITIONAL_LABELS = ("nei", "drop", "as-is")


@dataclass(frozen=True)
class AnnotationTable:
    """One row per label that counts: `unit[i]` got `label[i]` from `annotator[i]`.

    unit, annotator, label: (n,) positions in `units`, `annotators`, `labels`, which hold the
        names in a stable order; each name is used by at least one row.
    left_out: how many rows each policy took away (missing, own, duplicates, conditional).
    """

    units: list
    annotators: list
    labels: list
    unit: np.ndarray
    annotator: np.ndarray
    label: np.ndarray
    left_out: dict[str, int] = field(default_factory=dict)

    @cached_property
    def counts(self) -> np.ndarray:
        """(n_units, n_labels): how many annotators gave each unit each label."""
        shape = len(self.units), len(self.labels)
        cells = self.unit * shape[1] + self.label
        return np.bincount(cells, minlength=shape[0] * shape[1]).reshape(shape)

    def rows(self, keep: np.ndarray) -> "AnnotationTable":
        """The table of the rows where `keep` is true; names without a row go."""
        unit, annotator, label = self.unit[keep], self.annotator[keep], self.label[keep]
        units, unit = in_use(self.units, unit)
        annotators, annotator = in_use(self.annotators, annotator)
        labels, label = in_use(self.labels, label)
        return AnnotationTable(units, annotators, labels, unit, annotator, label, self.left_out)

    def with_labels_in(self, order: list) -> "AnnotationTable":
        """The same table with `labels` in another order."""
        place = {label: code for code, label in enumerate(order)}
        codes = np.array([place[label] for label in self.labels], dtype=np.int64)
        label = codes[self.label] if len(codes) else self.label
        return replace(self, labels=list(order), label=label)

    def of_units(self, wanted: np.ndarray) -> "AnnotationTable":
        """The table of the units where `wanted`: (n_units,) is true: a subset to measure alone."""
        return self.rows(np.asarray(wanted, dtype=bool)[self.unit])


def annotation_table(
    units: Sequence,
    annotators: Sequence,
    labels: Sequence,
    *,
    own: Sequence | None = None,
    conditional: Sequence | None = None,
    duplicates: str = "last",
    own_labels: str = "never",
    conditional_labels: str = "nei",
    label_order: Sequence | None = None,
) -> AnnotationTable:
    """Rows of (unit, annotator, label), oldest first, as a table under the named policies.

    units, annotators, labels: (n,) names or integers; an empty label is a missing one.
    own, conditional: (n,) whether the label is of the claim's author; whether it holds only
        under a condition.
    Raises ValueError for an unknown policy and for columns that differ in length.
    """
    check_columns(units, annotators, labels, own, conditional)
    check_policies(duplicates, own_labels, conditional_labels)
    present = np.array([not is_missing(label) for label in labels], dtype=bool)
    keep = np.flatnonzero(present)
    unit_names, unit = encode(units)
    annotator_names, annotator = encode(annotators)
    label_names, label = encode_labels(labels, present, label_order)

    left_out = {"missing": len(present) - len(keep)}
    keep, left_out["own"] = without_own(keep, unit, flags(own, present), own_labels)
    keep, left_out["duplicates"] = without_duplicates(keep, unit, annotator, duplicates)
    conditions = flags(conditional, present)
    if conditions.any() and conditional_labels == "nei":
        label_names, label = conditional_as_nei(label_names, label, conditions)
    keep, left_out["conditional"] = without_conditional(keep, unit, conditions, conditional_labels)
    return AnnotationTable(
        unit_names, annotator_names, label_names, unit, annotator, label, left_out
    ).rows(keep)


def check_columns(units, annotators, labels, own, conditional):
    lengths = [len(column) for column in (units, annotators, labels, own, conditional)
               if column is not None]  # fmt: skip
    if len(set(lengths)) > 1:
        raise ValueError(f"columns have {lengths} rows; give each the same number.")


def check_policies(duplicates, own_labels, conditional_labels):
    for name, value, allowed in (
        ("duplicates", duplicates, DUPLICATES),
        ("own_labels", own_labels, OWN_LABELS),
        ("conditional_labels", conditional_labels, CONDITIONAL_LABELS),
    ):
        if value not in allowed:
            raise ValueError(f"{name} is {value!r}; use one of {', '.join(allowed)}.")


def is_missing(label) -> bool:
    return label is None or label == "" or (isinstance(label, float) and math.isnan(label))


def flags(column, present) -> np.ndarray:
    return np.zeros(len(present), dtype=bool) if column is None else np.asarray(column, dtype=bool)


def encode(names: Sequence) -> tuple[list, np.ndarray]:
    """The distinct names in order, and for each row its name's position: (n,)."""
    if isinstance(names, np.ndarray) and names.dtype != object:
        distinct, codes = np.unique(names, return_inverse=True)
        return distinct.tolist(), codes
    seen: dict = {}
    codes = np.fromiter((seen.setdefault(name, len(seen)) for name in names), np.int64, len(names))
    ordered = in_order(seen)
    positions = np.empty(len(seen), dtype=np.int64)
    for position, name in enumerate(ordered):
        positions[seen[name]] = position
    return ordered, positions[codes] if len(codes) else codes


def in_order(names) -> list:
    """Numbers by size, then everything else by its text."""
    return sorted(names, key=lambda name: (1, 0, str(name)) if not is_number(name) else (0, name))


def is_number(name) -> bool:
    return isinstance(name, (int, float, np.number))


def encode_labels(labels, present, label_order) -> tuple[list, np.ndarray]:
    """As `encode`, with the labels of `label_order` first and missing labels at -1."""
    plain = labels.tolist() if isinstance(labels, np.ndarray) else labels
    used = {label for label, here in zip(plain, present, strict=True) if here}
    ordered = [label for label in label_order or () if label in used]
    ordered += in_order(used.difference(ordered))
    position = {label: code for code, label in enumerate(ordered)}
    codes = (position[label] if here else -1 for label, here in zip(plain, present, strict=True))
    return ordered, np.fromiter(codes, np.int64, len(plain))


def without_own(keep, unit, own, policy) -> tuple[np.ndarray, int]:
    """The rows that count when the claim's author labelled it too, and how many do not."""
    if policy == "vote" or not own[keep].any():
        return keep, 0
    counts = ~own[keep]
    if policy == "when-alone":
        labelled = np.zeros(unit.max() + 1, dtype=bool)
        labelled[unit[keep[counts]]] = True
        counts |= ~labelled[unit[keep]]
    return keep[counts], int((~counts).sum())


def without_duplicates(keep, unit, annotator, policy) -> tuple[np.ndarray, int]:
    """The rows that count where an annotator labelled a unit again, and how many do not."""
    if policy == "all" or not len(keep):
        return keep, 0
    pairs = unit[keep] * (annotator.max() + 1) + annotator[keep]
    if policy == "first":
        chosen = np.sort(np.unique(pairs, return_index=True)[1])
    else:
        from_the_end = np.unique(pairs[::-1], return_index=True)[1]
        chosen = np.sort(len(pairs) - 1 - from_the_end)
    return keep[chosen], len(keep) - len(chosen)


def conditional_as_nei(names, label, conditions) -> tuple[list, np.ndarray]:
    """A label that needs a missing fact says that the known facts are not enough."""
    if NOT_ENOUGH_INFO not in names:
        names = [*names, NOT_ENOUGH_INFO]
    return names, np.where(conditions, names.index(NOT_ENOUGH_INFO), label)


def without_conditional(keep, unit, conditions, policy) -> tuple[np.ndarray, int]:
    """The rows that count beside conditional ones: with `nei`, those only where alone."""
    if policy == "as-is" or not conditions[keep].any():
        return keep, 0
    counts = ~conditions[keep]
    if policy == "nei":
        certain = np.zeros(unit.max() + 1, dtype=bool)
        certain[unit[keep[counts]]] = True
        counts |= ~certain[unit[keep]]
    return keep[counts], int((~counts).sum())


def in_use(names: list, codes: np.ndarray) -> tuple[list, np.ndarray]:
    """The names that `codes` still refers to, and the codes of the shorter list."""
    used = np.zeros(len(names), dtype=bool)
    used[codes] = True
    if used.all():
        return names, codes
    shorter = [name for name, here in zip(names, used.tolist(), strict=True) if here]
    return shorter, (np.cumsum(used) - 1)[codes]
