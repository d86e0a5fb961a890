"""How alpha grew while labels came in. Pure: no Django."""

from collections.abc import Callable, Sequence

import numpy as np

from agreement.measures import AnnotationTable, Undefined, alpha_interval, krippendorff_alpha

MOST_POINTS = 20
SAMPLES = 1000


def ends_of_days(days: Sequence[str], most: int = MOST_POINTS) -> list[tuple[str, int]]:
    """(day, rows up to its end) in order of days; `most` of them, evenly spread, the last one too.

    days: (n,) the day of each row, oldest row first.
    """
    last = {day: place + 1 for place, day in enumerate(days)}
    ends = sorted(last.items())
    if len(ends) <= most:
        return ends
    chosen = np.unique(np.linspace(0, len(ends) - 1, most).round().astype(int))
    return [ends[place] for place in chosen]


def alpha_by_day(
    days: Sequence[str],
    table_of_first: Callable[[int], AnnotationTable],
    *,
    rng: np.random.Generator,
    most: int = MOST_POINTS,
    n_samples: int = SAMPLES,
) -> list[dict]:
    """Alpha of all labels up to the end of each day: {day, n_annotations, value, ci, undefined}.

    days: (n,) the day of each row, oldest first; table_of_first: the table of the first n rows.
    """
    return [
        {"day": day, "n_annotations": n} | alpha_with_band(table_of_first(n).counts, rng, n_samples)
        for day, n in ends_of_days(days, most)
    ]


def alpha_with_band(counts: np.ndarray, rng, n_samples) -> dict:
    try:
        value = krippendorff_alpha(counts)
    except Undefined as error:
        return {"value": None, "ci": None, "undefined": error.reason}
    interval = alpha_interval(counts, rng=rng, n_samples=n_samples)
    ci = None if interval.low is None else [interval.low, interval.high]
    return {"value": value, "ci": ci, "undefined": None}
