"""Splitting a dataset: groups, sizes, and the report on how it came out."""

from collections import Counter
from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from datasets.splits.allotment import allot, balance, target_sizes
from datasets.splits.groups import Groups, group_records
from datasets.splits.leaks import check_splits
from datasets.splits.likeness import THRESHOLD, Tell
from datasets.splits.records import SplitRecord
from datasets.untold import untold

OVERSIZED = 0.1
OVERSIZED_CHOICES = ("train", "cut")


@dataclass(frozen=True)
class Splits:
    """Where each record went.

    split_of: the split of each key, in order of the keys; left_out: keys that no split got, by
    reason; report: sizes, labels, leaks, groups, ready for JSON; records, near: what it is made
    of, near duplicates as pairs of positions.
    """

    split_of: dict[Hashable, str]
    left_out: dict[str, list[Hashable]]
    report: dict
    records: Sequence[SplitRecord] = ()
    near: np.ndarray | None = field(default=None, compare=False)

    def report_on(self, keys: Collection[Hashable]) -> dict:
        """The report of these records alone; groups and targets stay those of all."""
        held = {key: name for key, name in self.split_of.items() if key in keys}
        if self.near is None or len(held) == len(self.split_of):
            return self.report
        names = list(self.report["counts"])
        return self.report | split_report(self.records, held, names, self.near)


def make_splits(
    records: Sequence[SplitRecord],
    sizes: Mapping[str, float | int | None],
    *,
    rng: np.random.Generator,
    oversized: str = "train",
    balanced: Sequence[str] = (),
    undecided: str | None = None,
    threshold: float = THRESHOLD,
    tell: Tell = untold,
) -> Splits:
    """Split records so that no group stands in two splits, stratified by label.

    sizes: fractions that add up to 1, or counts with one split left open (None). oversized: what
    becomes of a group of more than a tenth of the records: whole to train (the split of that
    name, else the largest), or cut at near-duplicate edges first. balanced: splits that get as
    many of each label, by leaving claims out. undecided: what stands for the label of records
    that have none; sizes and balance are of the others, as long as there are any, and these get
    their share beside them. tell: see `near_duplicates`. The order of `records` does not matter.
    Raises ValueError for keys that come twice, and for sizes or names that do not fit.
    """
    records = in_order_of_keys(records)
    labels, counted = label_codes(records), counted_labels(records, undecided)
    has_label = counted[labels]
    targets = target_sizes(dict(sizes), int(has_label.sum()))
    check_names(oversized, balanced, targets)
    group = group_records(records, threshold=threshold, tell=tell)
    numbers, large = split_groups(group, oversized)
    names = list(targets)
    fixed = {int(number): names.index(train_name(targets)) for number in large}
    chosen = allot(numbers, labels, counted, np.array(list(targets.values())), fixed, rng)
    of_record = chosen[numbers] if len(records) else numbers
    left = leave_out(of_record, labels, has_label, [names.index(name) for name in balanced], rng)
    split_of, left_out = named_splits(records, names, of_record, left)
    report = split_report(records, split_of, names, group.near) | {
        "targets": {name: round(target, 1) for name, target in targets.items()},
        "groups": group_report(records, numbers, large, of_record, names),
    }
    return Splits(split_of, left_out, report, records, group.near)


def in_order_of_keys(records: Sequence[SplitRecord]) -> list[SplitRecord]:
    """Records by key: numbers by size, then texts. Raises ValueError where a key comes twice."""
    twice = [key for key, n in Counter(record.key for record in records).items() if n > 1]
    if twice:
        raise ValueError(f"the key {twice[0]!r} comes twice; give each record its own.")
    return sorted(records, key=lambda record: key_order(record.key))


def key_order(key) -> tuple:
    return (0, key, "") if isinstance(key, (int, float)) else (1, 0, str(key))


def check_names(oversized, balanced, targets):
    if oversized not in OVERSIZED_CHOICES:
        raise ValueError(f"oversized is {oversized!r}; use one of {', '.join(OVERSIZED_CHOICES)}.")
    for name in balanced:
        if name not in targets:
            raise ValueError(f"balanced names {name!r}; the splits are {', '.join(targets)}.")


def train_name(targets: Mapping[str, float]) -> str:
    """The split for what is too large: train, else the largest (the first of equals)."""
    return "train" if "train" in targets else max(targets, key=lambda name: targets[name])


def label_codes(records: Sequence[SplitRecord]) -> np.ndarray:
    names = {label: code for code, label in enumerate(label_names(records))}
    return np.array([names[record.label] for record in records], dtype=np.int64)


def counted_labels(records: Sequence[SplitRecord], undecided: str | None) -> np.ndarray:
    """(n_labels,): whether sizes count the label of each code; all where there is no other."""
    found = np.array([label != undecided for label in label_names(records)], dtype=bool)
    return found if found.any() else ~found


def label_names(records: Sequence[SplitRecord]) -> list[str]:
    return sorted({record.label for record in records})


def split_groups(groups: Groups, oversized: str) -> tuple[np.ndarray, np.ndarray]:
    """(n_records,) the groups to place, and the numbers of those that are too large."""
    numbers = groups.group
    large = too_large(numbers)
    if oversized == "cut" and len(large):
        inside = np.isin(numbers, large)
        pieces = groups.without_near + numbers.max() + 1
        numbers = np.unique(np.where(inside, pieces, numbers), return_inverse=True)[1]
        large = too_large(numbers)
    return numbers, large


def too_large(numbers: np.ndarray) -> np.ndarray:
    """The groups with more than a tenth of all records, and more than one."""
    sizes = np.bincount(numbers)
    return np.flatnonzero((sizes > OVERSIZED * len(numbers)) & (sizes > 1))


def leave_out(of_record, labels, has_label, balanced, rng) -> np.ndarray:
    """(n,) positions that go, so that the splits named have as many of each label."""
    left = [
        balance(np.flatnonzero((of_record == split) & has_label), labels, rng)[1]
        for split in balanced
    ]
    return np.concatenate(left) if left else np.zeros(0, dtype=np.int64)


def named_splits(records, names, of_record, left) -> tuple[dict, dict]:
    """{key: split} of the records that stay, and the keys left out by reason."""
    gone = set(left.tolist())
    split_of = {
        record.key: names[split]
        for position, (record, split) in enumerate(zip(records, of_record.tolist(), strict=True))
        if position not in gone
    }
    return split_of, {"label_balance": [records[position].key for position in sorted(gone)]}


def split_report(records, split_of, names, near) -> dict:
    """What `check_splits` finds; the near duplicates are known from grouping."""
    parts: dict[str, list[SplitRecord]] = {name: [] for name in names}
    for record in records:
        if record.key in split_of:
            parts[split_of[record.key]].append(record)
    pairs = [(records[first], records[second]) for first, second in near.tolist()]
    kept = [pair for pair in pairs if all(record.key in split_of for record in pair)]
    return check_splits(parts, near=kept)


def group_report(records, numbers, large, of_record, names) -> dict:
    """How many groups there are, how large the largest is, and which were too large to place."""
    sizes = np.bincount(numbers) if len(numbers) else np.zeros(0, dtype=np.int64)
    oversized = []
    for number in large.tolist():
        members = np.flatnonzero(numbers == number)
        oversized.append(
            {
                "n_records": len(members),
                "share": len(members) / len(records),
                "split": names[of_record[members[0]]],
                "first_keys": [records[position].key for position in members[:5].tolist()],
            }
        )
    return {"n": len(sizes), "largest": int(sizes.max(initial=0)), "oversized": oversized}
