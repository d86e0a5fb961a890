"""The tables of the dashboard for a spreadsheet: each a header and rows."""

from django.utils.translation import gettext as _

from agreement.reasons import why


def figures_sheet(figures, names):
    header = [_("Figure"), _("Value"), _("Low"), _("High"), _("Claims"), _("Why undefined")]
    alpha = figures["alpha"]
    low, high = alpha["ci"] or (None, None)
    n, undefined = figures["n_units_pairable"], figures["undefined"]
    rows = [["alpha", alpha["value"], low, high, n, why(alpha["undefined"])]]
    rows += [
        [f"alpha, {label}", value, None, None, n, why(undefined.get(f"alpha_per_label.{label}"))]
        for label, value in figures["alpha_per_label"].items()
    ]
    for name in ("fleiss_generalised", "ac1", "brennan_prediger"):
        rows.append([name, figures[name], None, None, n, why(undefined.get(name))])
    for name in ("mean", "weighted_mean"):
        rows.append([f"cohen, {name}", figures["cohen"][name], None, None, None,
                     why(figures["cohen"]["undefined"])])  # fmt: skip
    for name, value in figures["percent"].items():
        if name != "undefined":
            rows.append([f"percent, {name}", value, None, None, n, why(undefined.get("percent"))])
    return header, rows + sizes(figures)


def sizes(figures):
    """What the figures rest on, and what was left out, as rows of the same sheet."""
    counts = {name: value for name, value in figures.items() if name.startswith("n_")}
    counts |= {f"left out: {name}": value for name, value in figures["left_out"].items()}
    policies = {f"policy: {name}": value for name, value in figures["policies"].items()}
    return [[name, value, None, None, None, ""] for name, value in (counts | policies).items()]


def fleiss_sheet(figures, names):
    header = [
        _("Labels per claim"),
        _("Fleiss' kappa"),
        _("Claims"),
        _("Share"),
        _("Why undefined"),
    ]
    rows = [
        [row["n_raters"], row["value"], row["n_units"], row["share"], why(row["undefined"])]
        for row in figures["fleiss"]
    ]
    return header, rows


def pairs_sheet(figures, names):
    header = [_("First"), _("Second"), _("Claims in common"), _("Percent agreement"),
              _("Cohen's kappa")]  # fmt: skip
    rows = [
        [*(names.get(name, name) for name in pair["annotators"]), pair["n"], pair["percent"],
         pair["kappa"]]
        for pair in figures["cohen"]["pairs"]
    ]  # fmt: skip
    return header, rows


def labels_sheet(figures, names):
    total = sum(figures["labels"].values()) or 1
    rows = [[label, n, n / total] for label, n in figures["labels"].items()]
    return [_("Label"), _("Labels"), _("Share")], rows


def per_claim_sheet(figures, names):
    return [_("Labels per claim"), _("Claims")], list(figures["labels_per_unit"].items())


def confusion_sheet(figures, names):
    labels = list(figures["labels"])
    rows = [[label, *shares] for label, shares in zip(labels, figures["confusion"], strict=True)]
    return [_("Label"), *labels], rows


def annotators_sheet(figures, names):
    header = [_("Person"), _("Labels"), _("Alpha without them"), _("Why undefined")]
    undefined = figures["undefined"]
    rows = [
        [names.get(name, name), n, figures["leave_one_out"].get(name),
         why(undefined.get(f"leave_one_out.{name}"))]
        for name, n in figures["annotators"].items()
    ]  # fmt: skip
    return header, rows


def days_sheet(figures, names):
    rows = [
        [row["day"], row["n_annotations"], row["value"], *(row["ci"] or (None, None)),
         why(row["undefined"])]
        for row in figures["by_day"]
    ]  # fmt: skip
    return [_("Day"), _("Labels"), _("Alpha"), _("Low"), _("High"), _("Why undefined")], rows


SHEETS = {
    "figures": figures_sheet,
    "fleiss": fleiss_sheet,
    "pairs": pairs_sheet,
    "labels": labels_sheet,
    "labels-per-claim": per_claim_sheet,
    "confusion": confusion_sheet,
    "annotators": annotators_sheet,
    "days": days_sheet,
}
