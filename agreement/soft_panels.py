"""Soft labels and plans as the dashboard draws them."""

from django.contrib.humanize.templatetags.humanize import intcomma
from django.utils.translation import gettext as _

from agreement import charts
from agreement.templatetags.agreement_tags import decimals, percent

# What a plan is drawn for; the table has it for other numbers of labels too.
LABELS_EACH = 2


def soft_panel(soft):
    """Bars of instances by entropy, and a row of them for each share; None without any."""
    if not soft["n_units"]:
        return None
    return {
        "bars": charts.bars(
            [
                (between(row), row["n"], counted(row["n"], soft["n_units"]), None)
                for row in soft["entropy"]
            ],
            row_height=24,
        ),
        "shares": [
            (shares_between(rows[0]), [row["n"] for row in rows])
            for rows in zip(*soft["shares"].values(), strict=True)
        ],
    }


def between(row):
    return f"{decimals(row['low'], 1)} – {decimals(row['high'], 1)}"


def shares_between(row):
    return f"{decimals(100 * row['low'], 0)} – {percent(row['high'])}"


def counted(n, total):
    return f"{intcomma(n)} · {percent(n / total)}"


def plan_panel(planning):
    """Bars of half the interval's width by number of further claims, and the rows of a table."""
    known = [row for row in planning["rows"] if row["half_width"] is not None]
    if not known:
        return None
    drawn = [row for row in known if row["labels_each"] == LABELS_EACH]
    more = sorted({row["n_more"] for row in known})
    by_place = {(row["n_more"], row["labels_each"]): row for row in known}
    each = sorted({row["labels_each"] for row in known})
    return {
        "bars": charts.bars(
            [
                (named(row["n_more"]), row["half_width"], f"± {decimals(row['half_width'])}", None)
                for row in drawn
            ]
        ),
        "labels_each": each,
        "rows": [(named(n), [by_place[n, labels] for labels in each]) for n in more],
    }


def named(n_more):
    return _("%(n)s more") % {"n": intcomma(n_more)} if n_more else _("as it is")
