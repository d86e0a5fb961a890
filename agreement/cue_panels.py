"""Cues as their page draws them."""

from django.contrib.humanize.templatetags.humanize import intcomma
from django.urls import reverse

from agreement import charts
from agreement.templatetags.agreement_tags import decimals

CUES_IN_CHART = 15
CUES_IN_TABLE = 20
CUES_IN_LIST = 10


def cue_panels(figures, form):
    """The charts, the tables and the two lists by information."""
    return {
        "charts": {
            kind: cue_bars(figures[kind], form.chosen("order_by"))
            for kind in ("unigrams", "bigrams")
        },
        "unigrams": cue_rows(figures["unigrams"], "unigrams", figures, form),
        "bigrams": cue_rows(figures["bigrams"], "bigrams", figures, form),
        "negations": cue_rows(figures["negations"], "unigrams", figures, form),
        "lmi": [row | {"shown": millionths(row["lmi"])} for row in figures["lmi"][:CUES_IN_LIST]],
        "dci": [row | {"shown": decimals(row["dci"])} for row in figures["dci"][:CUES_IN_LIST]],
    }


def cue_bars(rows, figure):
    """The strongest cues, as long as the figure that they are ordered by."""
    return charts.bars(
        [
            (row["cue"], max(row[figure], 0), shown_as(figure, row[figure]), row["label"])
            for row in rows[:CUES_IN_CHART]
        ],
        row_height=26,
    )


def shown_as(figure, value):
    return millionths(value) if figure == "lmi" else decimals(value)


def millionths(value):
    """LMI in millionths of a nat: as a plain number it begins with three zeros."""
    return intcomma(round(value * 1_000_000))


def cue_rows(rows, kind, figures, form):
    """The rows of a table, each with the address of its claims."""
    return [
        row
        | {
            "url": claims_url(form, row["cue"], kind),
            "with_label": row["by_label"][row["label"]],
            "millionths": millionths(row["lmi"]),
            "is_in_all": row["n_folds_present"] == figures["resamples"],
        }
        for row in rows[:CUES_IN_TABLE]
    ]


def claims_url(form, cue, kind):
    """Where the claims behind a cue are, under the same choices."""
    chosen = {name: form.chosen(name) for name in ("wave", "tokens")}
    query = {"cue": cue, "kind": kind} | {name: value for name, value in chosen.items() if value}
    return reverse("agreement:cue-claims", args=[form.campaign.slug], query=query)
