"""How alpha grew while labels came in. Pure: no Django."""

from collections.abc import Callable, Sequence

import numpy as np

from agreement.measures import AnnotationTable
from agreement.measures.report import alpha_figure

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
    clusters_of: Callable[[AnnotationTable], np.ndarray | None],
    kalpha: bool = False,
) -> list[dict]:
    """Alpha of all labels up to the end of each day: {day, n_annotations, value, ci, undefined}.

    days: (n,) the day of each row, oldest first; table_of_first: the table of the first n rows;
    clusters_of: (n_units,) what is drawn together of a table; kalpha: as in `report_of`.
    """
    rows = []
    for day, n in ends_of_days(days):
        table = table_of_first(n)
        alpha = alpha_figure(
            table.counts, rng, "nominal", None, clusters_of(table), SAMPLES, kalpha
        )
        shown = {name: alpha[name] for name in ("value", "ci", "undefined")}
        rows.append({"day": day, "n_annotations": n} | shown)
    return rows
