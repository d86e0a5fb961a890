"""Cues as their page draws them."""

from agreement import charts
from agreement.templatetags.agreement_tags import decimals

CUES_IN_CHART = 15


def cue_bars(rows, figure):
    """The strongest cues, as long as the figure that they are ordered by."""
    return charts.bars(
        [
            (row["cue"], max(row[figure], 0), decimals(row[figure]), row["label"])
            for row in rows[:CUES_IN_CHART]
        ],
        row_height=26,
    )
