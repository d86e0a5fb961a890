"""Splits of a localised dataset: grouped by article, or dealt claim by claim as in the paper."""

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from datasets.splits import SplitRecord, Splits, make_splits, near_duplicates
from datasets.splits.allotment import target_sizes, whole_targets
from datasets.splits.likeness import Tell
from datasets.splits.split import check_names, in_order_of_keys, label_codes, split_report
from datasets.untold import untold

GROUPS = ("article", "none")


def localised_splits(
    records: Sequence[SplitRecord],
    sizes: Mapping[str, float | int | None],
    *,
    group: str,
    balanced: Sequence[str],
    seed: int,
    tell: Tell = untold,
) -> Splits:
    """Where each claim goes, and in the report how claims share articles over the splits.

    group: article keeps together what cites an article or is worded alike, and no article stands
    in two splits; none deals the claims one by one, and the report says what leaked. balanced:
    splits with as many claims of each label; grouped, the surplus is left out, ungrouped it goes
    to the other splits. tell: see `near_duplicates`. The order of `records` does not matter.
    Raises ValueError for sizes and names that do not fit.
    """
    rng = np.random.default_rng(seed)
    if group == "article":
        splits = make_splits(records, sizes, rng=rng, balanced=balanced, tell=tell)
    else:
        splits = dealt(records, sizes, rng=rng, balanced=balanced, tell=tell)
    splits.report["articles"] = shared_articles(records, splits.split_of)
    return splits


def dealt(records, sizes, *, rng: np.random.Generator, balanced: Sequence[str], tell) -> Splits:
    """Claims dealt to the splits one by one, each label by itself."""
    records = in_order_of_keys(records)
    targets = target_sizes(dict(sizes), len(records))
    check_names("train", balanced, targets)
    names = list(targets)
    of_record = deal(
        label_codes(records),
        np.array(list(targets.values())),
        [names.index(name) for name in balanced],
        rng,
    ).tolist()
    placed = list(zip(records, of_record, strict=True))
    split_of = {record.key: names[split] for record, split in placed if split >= 0}
    left_out = {"label_balance": [record.key for record, split in placed if split < 0]}
    near = near_duplicates([record.text for record in records], tell=tell)
    report = split_report(records, split_of, names, near) | {
        "targets": {name: round(target, 1) for name, target in targets.items()},
    }
    return Splits(split_of, left_out, report)


def deal(
    labels: np.ndarray, targets: np.ndarray, balanced: Sequence[int], rng: np.random.Generator
) -> np.ndarray:
    """(n,): the split of each record, -1 for those that none gets.

    labels: (n,) codes; targets: (n_splits,) wanted records. A balanced split gets as many of each
    label, its target divided by their number; where the rarest label has too few for all of
    those, they shrink alike. The others share what is left of each label by their targets.
    """
    n_labels = int(labels.max(initial=-1)) + 1
    chosen = np.full(len(labels), -1)
    waiting = [rng.permutation(np.flatnonzero(labels == code)) for code in range(n_labels)]
    each = per_label(targets, balanced, min(map(len, waiting), default=0), n_labels)
    others = [split for split in range(len(targets)) if split not in balanced]
    for rows in waiting:
        start = 0
        for split in balanced:
            chosen[rows[start : start + each[split]]] = split
            start += each[split]
        rest = rows[start:]
        for split, part in zip(others, parts_of(rest, targets[others]), strict=True):
            chosen[part] = split
    return chosen


def per_label(targets, balanced: Sequence[int], rarest: int, n_labels: int) -> dict[int, int]:
    """{balanced split: records of each label}."""
    wanted = {split: int(targets[split]) // max(n_labels, 1) for split in balanced}
    total = sum(wanted.values())
    if total <= rarest:
        return wanted
    return {split: size * rarest // total for split, size in wanted.items()}


def parts_of(rows: np.ndarray, targets: np.ndarray) -> list[np.ndarray]:
    """The rows in parts as large to each other as the targets; none for no target."""
    if not len(targets):
        return []
    shares = targets / targets.sum() if targets.sum() else np.full(len(targets), 1 / len(targets))
    ends = np.cumsum(whole_targets(shares * len(rows)))
    return np.split(rows, ends[:-1])


def shared_articles(records: Sequence[SplitRecord], split_of: Mapping) -> dict:
    """For each split how many of its claims cite an article that another split cites, too.

    {split: {"claims": with evidence, "leaking": of those, "articles": cited, "shared": of those}}
    """
    placed = [(split_of[record.key], record) for record in records if record.key in split_of]
    where: dict[str, set[str]] = {}
    for split, record in placed:
        for article in record.evidence_articles:
            where.setdefault(article, set()).add(split)
    counts: Counter = Counter()
    for split, record in placed:
        if cited := record.evidence_articles:
            counts[split, "claims"] += 1
            counts[split, "leaking"] += any(len(where[article]) > 1 for article in cited)
    for splits in where.values():
        for split in splits:
            counts[split, "articles"] += 1
            counts[split, "shared"] += len(splits) > 1
    columns = ("claims", "leaking", "articles", "shared")
    names = dict.fromkeys(split_of.values())
    return {name: {column: counts[name, column] for column in columns} for name in sorted(names)}
