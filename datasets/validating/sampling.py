"""Which claims are judged: a seeded sample, of all alike or as many of each label. Pure."""

from collections.abc import Mapping, Sequence

import numpy as np


def draw(
    labels: Mapping[int, str], size: int, *, order: Sequence[str], is_stratified: bool, seed: int
) -> list[int]:
    """The drawn keys of `labels`, in the order in which they are asked for.

    labels: the label of each claim, by the claims' numbers; order: the labels to draw from.
    Stratified, each label gets an equal share, the first ones the rest of the division, and one
    with too few claims all of them. The order of `labels` does not matter, and the order of what
    is drawn says nothing of its labels. May be fewer than `size`.
    """
    rng = np.random.default_rng(seed)
    pools = [sorted(key for key, label in labels.items() if label == name) for name in order]
    if is_stratified:
        share, rest = divmod(size, max(len(pools), 1))
        sizes = [share + (place < rest) for place in range(len(pools))]
    else:
        pools, sizes = [sorted(key for pool in pools for key in pool)], [size]
    drawn = [
        key
        for pool, wanted in zip(pools, sizes, strict=True)
        for key in rng.choice(pool, size=min(wanted, len(pool)), replace=False).tolist()
    ]
    return [drawn[place] for place in rng.permutation(len(drawn)).tolist()]
