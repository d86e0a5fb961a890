"""Figures as the dashboard draws them: what stands in which chart and table, in words."""

from datetime import date

from django.contrib.humanize.templatetags.humanize import intcomma
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from agreement import charts, evidence_panels, soft_panels
from agreement.reasons import why
from agreement.templatetags.agreement_tags import decimals, label_name, percent

PEOPLE_IN_MAP = 8
PAIRS_SHOWN = 50
HARDEST_SHOWN = 10


def dashboard_panels(figures, names):
    """Everything the dashboard draws of `figures`. names: {pseudonym: what a person is called}."""
    return {
        "pairs": pair_panel(figures, names),
        "labels": bars_of_labels(figures),
        "per_claim": bars_of_labels_per_claim(figures),
        "confusion": confusion_panel(figures),
        "kappas": kappa_rows(figures),
        "line": line_of_days(figures["by_day"]),
        "annotators": annotator_rows(figures, names),
        "evidence": evidence_panels.evidence_panel(figures["evidence"]),
        "soft": soft_panels.soft_panel(figures["soft"]),
        "plan": soft_panels.plan_panel(figures["planning"]),
        "single": single_figures(figures),
        "left_out": left_out_rows(figures),
        "main_fleiss": main_fleiss(figures["fleiss"]),
    }


def main_fleiss(entries):
    """The kappa that rests on most claims; None where no claim has two labels."""
    return max(entries, key=lambda entry: entry["n_units"], default=None)


def pair_panel(figures, names):
    """The heat map of those with most labels, and the pairs with most claims in common."""
    people = sorted(busiest(figures), key=lambda name: (names.get(name, name).casefold(), name))
    place = {name: number for number, name in enumerate(people)}
    cohen = figures["cohen"]
    cells = {}
    for pair in cohen["pairs"]:
        places = sorted(place[name] for name in pair["annotators"] if name in place)
        if len(places) == 2:
            cells[tuple(places)] = (pair["kappa"], pair["n"], cell_data(pair, names))
    return {
        "map": charts.pair_map([names.get(name, name) for name in people], cells),
        "n_people": len(figures["annotators"]),
        "n_in_map": len(people),
        "rows": [cell_data(pair, names) for pair in largest(cohen["pairs"])],
        "n_pairs": cohen["n_pairs"] + cohen["n_pairs_undefined"],
    }


def busiest(figures):
    """Those with most labels."""
    n = figures["annotators"]
    return sorted(n, key=lambda name: (-n[name], name))[:PEOPLE_IN_MAP]


def largest(pairs):
    """The pairs with most claims in common."""
    return sorted(pairs, key=lambda pair: (-pair["n"], pair["annotators"]))[:PAIRS_SHOWN]


def drawn_pairs(figures):
    """The pairs that a page needs of all: those of the heat map and those of the table."""
    pairs, people = figures["cohen"]["pairs"], set(busiest(figures))
    listed = {tuple(pair["annotators"]) for pair in largest(pairs)}
    return [
        pair
        for pair in pairs
        if tuple(pair["annotators"]) in listed or people.issuperset(pair["annotators"])
    ]


def cell_data(pair, names):
    first, second = pair["annotators"]
    return {
        "first": first,
        "second": second,
        "names": [names.get(first, first), names.get(second, second)],
        "n": pair["n"],
        "percent": pair["percent"],
        "kappa": pair["kappa"],
        "says": decimals(pair["kappa"], 2),
    }


def bars_of_labels(figures):
    total = sum(figures["labels"].values()) or 1
    rows = [
        (str(label_name(label)), n, f"{intcomma(n)} · {percent(n / total)}", label)
        for label, n in figures["labels"].items()
    ]
    return charts.bars(rows)


def bars_of_labels_per_claim(figures):
    total = figures["n_units"] or 1
    rows = [
        (_("%(n)s labels") % {"n": size} if size != "1" else _("1 label"), n,
         f"{intcomma(n)} · {percent(n / total)}", size)
        for size, n in figures["labels_per_unit"].items()
    ]  # fmt: skip
    return charts.bars(rows)


def confusion_panel(figures):
    """Rows of {label, alpha, shares}: of a label's pairs, (label, how many met it)."""
    labels, alphas = list(figures["labels"]), figures["alpha_per_label"]
    return [
        {
            "label": label,
            "alpha": alphas.get(label),
            "shares": list(zip(labels, shares, strict=True)),
        }
        for label, shares in zip(labels, figures["confusion"], strict=True)
    ]


def kappa_rows(figures):
    """(how many labels a claim has, [(label, Fleiss' kappa of it or None), ...]) of each number."""
    labels = list(figures["labels"])
    return [
        (
            _("%(n)s labels") % {"n": row["n_raters"]},
            list(zip(labels, row["per_label"], strict=True)),
        )
        for row in figures["fleiss"]
    ]


def line_of_days(days):
    points = [(short_day(point["day"]), point["value"], point["ci"]) for point in days]
    return charts.line_with_band(points)


def short_day(day):
    return date_format(date.fromisoformat(day), pgettext("date format", "j M"))


def annotator_rows(figures, names):
    """Each annotator with what they did and what alpha is without them, most labels first.

    Cells are (name of the column, text, why it has no value), ready to be drawn: two hundred
    people have more than a thousand of them.
    """
    columns = [_("Labels"), _("Minutes a label"), _("Skips"), _("Share right"),
               _("Alpha without them"), _("Their effect")]  # fmt: skip
    rows = [annotator_row(figures, name, names) for name in annotators(figures)]
    rows.sort(key=lambda row: (-row["n"], row["name"]))
    return {"columns": columns, "rows": [(row["name"], in_cells(columns, row)) for row in rows]}


def in_cells(columns, row):
    texts = [
        intcomma(row["n"]),
        decimals(row["minutes"], 1),
        intcomma(row["skips"]),
        decimals(row["share_right"]),
        decimals(row["without"]),
        decimals(row["effect"]),
    ]
    whys = ["", "", "", "", why(row["why"]), ""]
    return list(zip(columns, texts, whys, strict=True))


def annotators(figures):
    """All who labelled, or were given something to label."""
    return list(dict.fromkeys([*figures["annotators"], *figures["people"]]))


def annotator_row(figures, name, names):
    alpha, without = figures["alpha"]["value"], figures["leave_one_out"].get(name)
    work = figures["people"].get(name, {"n_timed": 0, "seconds": 0, "skips": 0})
    return {
        "name": names.get(name, name),
        "n": figures["annotators"].get(name, 0),
        "minutes": work["seconds"] / work["n_timed"] / 60 if work["n_timed"] else None,
        "skips": work["skips"],
        "share_right": figures["share_right"].get(name),
        "without": without,
        "effect": None if None in (alpha, without) else alpha - without,
        "why": figures["undefined"].get(f"leave_one_out.{name}"),
    }


def single_figures(figures):
    """(name, value, reason) of the coefficients that stand beside alpha."""
    return [*percent_rows(figures["percent"]), *cohen_rows(figures["cohen"]), *others(figures)]


def percent_rows(shares):
    named = [
        ("unit_mean", _("Percent agreement, mean over claims")),
        ("pooled_pairs", _("Percent agreement, over all pairs of labels")),
        ("value_weighted", _("Percent agreement, claims weighted by labels")),
        ("unanimous", _("Claims on which all agree")),
    ]
    return [(name, percent(shares[kind], 1), shares["undefined"]) for kind, name in named]


def cohen_rows(cohen):
    named = [
        ("mean", _("Cohen's kappa, mean over pairs")),
        ("weighted_mean", _("Cohen's kappa, pairs weighted by claims")),
    ]
    return [(name, decimals(cohen[kind]), cohen["undefined"]) for kind, name in named]


def others(figures):
    named = [
        ("fleiss_generalised", _("Fleiss' kappa, any number of labels")),
        ("ac1", _("Gwet's AC1")),
        ("brennan_prediger", _("Brennan and Prediger's S")),
    ]
    undefined = figures["undefined"]
    return [(name, decimals(figures[kind]), undefined.get(kind)) for kind, name in named]


def hardest_claims(figures, found, *, most=HARDEST_SHOWN):
    """The claims that cost the most agreement, of those `found`: {id: instance}."""
    wanted = {row["instance"]: row for row in figures["hardest"]}
    return [
        {"instance": found[pk], "share": row["share"], "labels": in_use(row["labels"])}
        for pk, row in wanted.items()
        if pk in found
    ][:most]


def in_use(labels):
    return [(label, n) for label, n in labels.items() if n]


def left_out_rows(figures):
    """(why, how many) of the labels that do not count, each under the first reason that holds."""
    never = figures["left_out"]
    return [
        (_("Of sandbox waves"), never["sandbox"]),
        (_("Of withdrawn claims"), never["withdrawn"]),
        (
            _("Surplus: sent after their time had run out, when somebody else had answered"),
            never["surplus"],
        ),
        (_("Late: after the wave had closed"), never["late"]),
        (_("Of another task, time or subset than chosen"), figures["n_filtered"]),
        (_("Of one's own claims"), figures["n_own_dropped"]),
        (_("Repeats of an imported annotator"), figures["n_duplicates_dropped"]),
        (_("Under a condition"), figures["n_conditional_dropped"]),
    ]
