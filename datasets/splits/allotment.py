"""Which group goes to which split, so that sizes and label shares come out as asked."""

from itertools import compress

import numpy as np


def parse_sizes(text: str) -> dict[str, float | int | None]:
    """{name: size} of a text such as train=0.8,dev=0.1,test=0.1 or train=rest,dev=500,test=500.

    Raises ValueError for anything else.
    """
    sizes: dict[str, float | int | None] = {}
    for part in text.split(","):
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if not (name and equals and value) or name in sizes:
            raise ValueError(f"split {part!r} is not name=size, each name once.")
        sizes[name] = None if value == "rest" else number(part, value)
    return sizes


def number(part: str, value: str) -> float | int:
    try:
        return int(value) if value.isdigit() and value != "1" else float(value)
    except ValueError:
        raise ValueError(f"split {part!r}: give a fraction, a count or rest.") from None


def as_written(sizes: dict) -> str:
    """The sizes as people write them."""
    return ",".join(f"{name}={'rest' if size is None else size}" for name, size in sizes.items())


def target_sizes(sizes: dict, n_records: int) -> dict[str, float]:
    """The number of records that each split should have.

    Fractions add up to 1; counts leave the rest to the one split of size None.
    Raises ValueError where they do not.
    """
    if not sizes:
        raise ValueError("no splits are named; use for example train=0.8,dev=0.1,test=0.1.")
    given = {name: size for name, size in sizes.items() if size is not None}
    open_names = [name for name in sizes if name not in given]
    if any(size < 0 for size in given.values()) or len(open_names) > 1:
        raise ValueError(
            f"sizes are {as_written(sizes)}; give none below 0 and leave at most one open."
        )
    fractions = all(is_fraction(size) for size in given.values())
    if not fractions and any(size != int(size) for size in given.values()):
        raise ValueError(
            f"sizes are {as_written(sizes)}; give all as fractions, or all as whole counts."
        )
    total = sum(given.values())
    whole = 1 if fractions else n_records
    if total > whole + 1e-9 or (not open_names and abs(total - whole) > 1e-9):
        wanted = "1" if fractions else f"the {n_records} records"
        raise ValueError(
            f"{as_written(sizes)} add up to {total:g}, not to {wanted}; "
            "give others, or one of them as “rest”."
        )
    filled = given | dict.fromkeys(open_names, whole - total)
    scale = n_records if fractions else 1
    return {name: filled[name] * scale for name in sizes}


def is_fraction(size: float | int) -> bool:
    return size == 0 or (isinstance(size, float) and size <= 1)


def allot(
    group: np.ndarray,
    labels: np.ndarray,
    counted: np.ndarray,
    targets: np.ndarray,
    fixed: dict[int, int],
    rng: np.random.Generator,
) -> np.ndarray:
    """(n_groups,): the split of each group, stratified by label.

    group, labels: (n_records,) codes; counted: (n_labels,) whether sizes count the label's
    records; targets: (n_splits,) wanted records; fixed: split of groups that are not free. Large
    groups are placed first, equal ones in random order, each where it brings size and label
    counts nearest to their targets, relative to what is wanted.
    Source: Sechidis et al., "On the stratification of multi-label data" (2011), for groups.
    """
    n_groups, n_labels = int(group.max(initial=-1)) + 1, len(counted)
    counts = np.bincount(group * n_labels + labels, minlength=n_groups * n_labels)
    counts = counts.reshape(n_groups, n_labels)
    wanted = np.outer(targets, counts.sum(axis=0) / max(counts[:, counted].sum(), 1))
    held = np.zeros_like(wanted)
    chosen = np.full(n_groups, -1)
    for number, split in fixed.items():
        chosen[number] = split
        held[split] += counts[number]
    shuffled = rng.permutation(n_groups)
    order = shuffled[np.argsort(-counts[shuffled].sum(axis=1), kind="stable")]
    free = [number for number in order.tolist() if chosen[number] < 0]
    place_groups(free, counts.tolist(), wanted.tolist(), held.tolist(), counted.tolist(), chosen)
    movable = np.isin(np.arange(n_groups), list(fixed), invert=True)
    even_out(chosen, counts, counted, whole_targets(targets), wanted, movable)
    return chosen


def place_groups(free, counts, wanted, held, counted, chosen):
    """Place each free group in turn; plain lists, as the loop is long and the rows are short."""
    sizes, targets = ([sum(compress(row, counted)) for row in rows] for rows in (held, wanted))
    for number in free:
        row = [(label, n) for label, n in enumerate(counts[number]) if n]
        size = sum(n for label, n in row if counted[label])
        costs = [
            cost(size, sizes[split], targets[split])
            + sum(cost(n, held[split][label], wanted[split][label]) for label, n in row)
            for split in range(len(held))
        ]
        best = costs.index(min(costs))
        chosen[number] = best
        sizes[best] += size
        for label, n in row:
            held[best][label] += n


def whole_targets(targets: np.ndarray) -> np.ndarray:
    """Targets as whole numbers with the same sum: largest remainders first, then in order."""
    whole = np.floor(targets + 1e-9).astype(np.int64)
    missing = round(float(targets.sum())) - int(whole.sum())
    whole[np.argsort(whole - targets, kind="stable")[:missing]] += 1
    return whole


def even_out(chosen, counts, counted, targets, wanted, movable):
    """Move groups from splits that are too large to those that are too small, while any fits.

    The largest group that fits goes, and of equals the one that suits the label counts best.
    """
    sizes = counts[:, counted].sum(axis=1)
    while True:
        held = np.bincount(chosen, sizes, minlength=len(targets)).astype(np.int64)
        excess = held - targets
        rich, poor = int(excess.argmax()), int(excess.argmin())
        room = min(excess[rich], -excess[poor])
        fits = np.flatnonzero(movable & (chosen == rich) & (sizes > 0) & (sizes <= room))
        if room < 1 or not len(fits):
            return
        fits = fits[sizes[fits] == sizes[fits].max()]
        have = counts[chosen == rich].sum(axis=0), counts[chosen == poor].sum(axis=0)
        leaving = cost(-counts[fits], have[0], wanted[rich]).sum(axis=1)
        arriving = cost(counts[fits], have[1], wanted[poor]).sum(axis=1)
        chosen[fits[(leaving + arriving).argmin()]] = poor


def cost(added, held, wanted):
    """How the squared distance from `wanted` changes when so many are added, relative to it."""
    return added * (2 * (held - wanted) + added) / (wanted + 1e-9)


def balance(
    members: np.ndarray, labels: np.ndarray, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """(kept, left out) positions of one split, with as many of each label as its rarest has."""
    codes = np.unique(labels[members])
    groups = [members[labels[members] == code] for code in codes]
    size = min((len(each) for each in groups), default=0)
    drawn = [rng.choice(each, size=size, replace=False) for each in groups]
    kept = np.sort(np.concatenate(drawn)) if drawn else members
    return kept, np.setdiff1d(members, kept)
