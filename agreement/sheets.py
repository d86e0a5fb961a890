"""The tables of the dashboard for a spreadsheet: each a header and rows."""

from django.utils.translation import gettext as _

from agreement.panels import annotators
from agreement.reasons import why
from agreement.scopes import instance_name
from annotation.models import Label


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
    return kappas_by_size(figures["fleiss"])


def fleiss_sampled_sheet(figures, names):
    return kappas_by_size(figures["fleiss_sampled"])


def kappas_by_size(entries):
    header = [
        _("Labels per claim"),
        _("Fleiss' kappa"),
        _("Claims"),
        _("Share"),
        _("Why undefined"),
    ]
    rows = [
        [row["n_raters"], row["value"], row["n_units"], row["share"], why(row["undefined"])]
        for row in entries
    ]
    return header, rows


def fleiss_per_label_sheet(figures, names):
    rows = [[row["n_raters"], *row["per_label"]] for row in figures["fleiss"]]
    return [_("Labels per claim"), *figures["labels"]], rows


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
    header = [_("Person"), _("Labels"), _("Timed answers"), _("Active seconds"), _("Skips"),
              _("Share right by Dawid and Skene's model"), _("Alpha without them"),
              _("Why undefined")]  # fmt: skip
    undefined = figures["undefined"]
    rows = [
        [names.get(name, name), figures["annotators"].get(name, 0),
         *(figures["people"].get(name, {}).get(fact) for fact in ("n_timed", "seconds", "skips")),
         figures["share_right"].get(name), figures["leave_one_out"].get(name),
         why(undefined.get(f"leave_one_out.{name}"))]
        for name in annotators(figures)
    ]  # fmt: skip
    return header, rows


def overlap_sheet(figures, names):
    header = [_("Evidence in common"), _("Pairs"), _("Same label"), _("Scott's pi"),
              _("Why undefined")]  # fmt: skip
    rows = [
        [name, row["n_pairs"], row["percent"], row["scott_pi"], why(row["undefined"])]
        for name, row in figures["evidence"]["feverous"].items()
    ]
    return header, rows


def evidence_sheet(figures, names):
    evidence = figures["evidence"]
    scifact = evidence["scifact"]
    rows = [["scifact: kappa", scifact["value"], scifact["n_units"], why(scifact["undefined"])]]
    for units, alpha in evidence["ambifc"].items():
        for name, each in (("", alpha), (", same label", alpha["same_label"])):
            rows.append([f"ambifc: alpha, {units}{name}", each["value"], each["n_units"],
                         why(each["undefined"])])  # fmt: skip
    rows.append(["mean jaccard", evidence["mean_jaccard"], evidence["n_units_cited"], ""])
    return [_("Figure"), _("Value"), _("Claims"), _("Why undefined")], rows


def days_sheet(figures, names):
    rows = [
        [row["day"], row["n_annotations"], row["value"], *(row["ci"] or (None, None)),
         why(row["undefined"])]
        for row in figures["by_day"]
    ]  # fmt: skip
    return [_("Day"), _("Labels"), _("Alpha"), _("Low"), _("High"), _("Why undefined")], rows


def entropy_sheet(figures, names):
    rows = [[row["low"], row["high"], row["n"]] for row in figures["soft"]["entropy"]]
    return [_("Entropy from"), _("to"), _("Claims")], rows


def soft_sheet(figures, names):
    rows = [
        [label, row["low"], row["high"], row["n"]]
        for label, bins in figures["soft"]["shares"].items()
        for row in bins
    ]
    return [_("Label"), _("Share from"), _("to"), _("Claims")], rows


def planning_sheet(figures, names):
    rows = [
        [row["n_more"], row["labels_each"], *(row["ci"] or (None, None)), row["half_width"]]
        for row in figures["planning"]["rows"]
    ]
    return [_("Further claims"), _("Labels each"), _("Low"), _("High"), _("Half width")], rows


SHEETS = {
    "figures": figures_sheet,
    "fleiss": fleiss_sheet,
    "fleiss-sampled": fleiss_sampled_sheet,
    "fleiss-per-label": fleiss_per_label_sheet,
    "pairs": pairs_sheet,
    "labels": labels_sheet,
    "labels-per-claim": per_claim_sheet,
    "confusion": confusion_sheet,
    "annotators": annotators_sheet,
    "days": days_sheet,
    "evidence": evidence_sheet,
    "evidence-overlap": overlap_sheet,
    "entropy": entropy_sheet,
    "soft-labels": soft_sheet,
    "planning": planning_sheet,
}


def hardest_sheet(rows):
    """Of `panels.hardest_claims`, as files name instances."""
    header = [_("Claim"), _("Text"), *Label.values, _("Share")]
    return header, [
        [name_of(row["instance"]), row["instance"].claim.text,
         *(dict(row["labels"]).get(label, 0) for label in Label.values), row["share"]]
        for row in rows
    ]  # fmt: skip


def hardest_part(rows):
    """The same for a program: [{instance, text, labels, share}]."""
    return [
        {"instance": name_of(row["instance"]), "text": row["instance"].claim.text,
         "labels": dict(row["labels"]), "share": row["share"]}
        for row in rows
    ]  # fmt: skip


def name_of(instance):
    article, passage = instance.article, instance.passage
    return instance_name(
        instance.claim.number,
        article and article.external_id,
        instance.article_version,
        passage and passage.public_id,
    )


def without_hardest(figures):
    """All figures but the list that names claims by ids of this database."""
    return {name: value for name, value in figures.items() if name != "hardest"}


def people_part(figures):
    names = ("annotators", "people", "share_right", "leave_one_out")
    return {name: figures[name] for name in names}


# What a table is drawn from, as the command and the API have it.
PARTS = {
    "figures": without_hardest,
    "fleiss": lambda figures: figures["fleiss"],
    "fleiss-sampled": lambda figures: figures["fleiss_sampled"],
    "fleiss-per-label": lambda figures: {
        "labels": list(figures["labels"]),
        "kappas": [
            {name: row[name] for name in ("n_raters", "per_label")} for row in figures["fleiss"]
        ],
    },
    "pairs": lambda figures: figures["cohen"],
    "labels": lambda figures: figures["labels"],
    "labels-per-claim": lambda figures: figures["labels_per_unit"],
    "confusion": lambda figures: {
        name: figures[name] for name in ("labels", "alpha_per_label", "confusion")
    },
    "annotators": people_part,
    "days": lambda figures: figures["by_day"],
    "evidence": lambda figures: figures["evidence"],
    "evidence-overlap": lambda figures: figures["evidence"]["feverous"],
    "entropy": lambda figures: {
        name: figures["soft"][name] for name in ("n_units", "mean_entropy", "entropy")
    },
    "soft-labels": lambda figures: figures["soft"]["shares"],
    "planning": lambda figures: figures["planning"],
}
