"""The agreement on evidence as the dashboard draws it."""

from django.contrib.humanize.templatetags.humanize import intcomma
from django.utils.translation import gettext_lazy, ngettext

from agreement import charts
from agreement.templatetags.agreement_tags import percent

OVERLAPS = {
    "exact": gettext_lazy("the same"),
    "half_or_more": gettext_lazy("half or more"),
    "less_than_half": gettext_lazy("less than half"),
    "disjoint": gettext_lazy("nothing in common"),
    "both_empty": gettext_lazy("neither cites any"),
}
UNITS = {
    "all": gettext_lazy("all claims"),
    "relaxed": gettext_lazy("those with a label that two gave"),
    "strict": gettext_lazy("those with two such labels"),
}


def evidence_panel(evidence):
    """Bars and rows by overlap, and alpha on parts; None where nobody cited anything."""
    if not evidence["n_cited"]:
        return None
    rows = [{"name": str(OVERLAPS[name]), **row} for name, row in evidence["feverous"].items()]
    return {
        "overlaps": rows,
        "bars": charts.bars(
            [
                (row["name"], row["percent"], says(row), None)
                for row in rows
                if row["percent"] is not None
            ],
            longest=1,
        ),
        "scifact": evidence["scifact"],
        "ambifc": [(UNITS[units], alpha) for units, alpha in evidence["ambifc"].items()],
        "mean_jaccard": evidence["mean_jaccard"],
        "n_units_cited": evidence["n_units_cited"],
    }


def says(row):
    n = row["n_pairs"]
    pairs = ngettext("%(n)s pair", "%(n)s pairs", n) % {"n": intcomma(n)}
    return f"{percent(row['percent'])} · {pairs}"
