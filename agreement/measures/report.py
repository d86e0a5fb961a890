"""Every figure of one table of annotations: what page, API, command and data card show."""

from collections.abc import Sequence

import numpy as np

from agreement.measures.alpha import (
    alpha_per_label,
    alpha_without_each,
    check_level,
    krippendorff_alpha,
)
from agreement.measures.annotations import AnnotationTable, annotation_table, encode
from agreement.measures.intervals import alpha_interval, kalpha_interval
from agreement.measures.kappa import (
    brennan_prediger,
    cohen_pairs,
    cohen_summary,
    fleiss_by_raters,
    generalised_kappa,
    gwet_ac1,
    sampled_by_raters,
)
from agreement.measures.percent import labels_per_unit, percent_agreement, tied_units
from agreement.measures.undefined import Undefined, figure

SINGLE_FIGURES = ("ac1", "brennan_prediger", "fleiss_generalised")
FIGURES_BY_NAME = ("alpha_per_label", "leave_one_out")
# What an interval says that it drew.
DRAWN = {
    "units": "units",
    "clusters": "clusters (sources with all their units)",
    "kalpha": "pairs of labels, compatible with KALPHA: its width does not shrink with more data",
}
# Counts of units by labels that are held at once, a quarter of a gigabyte; and labels whose
# distances are.
MOST_CELLS = 30_000_000
MOST_VALUES = 2_000
PERCENT_KINDS = ("unit_mean", "pooled_pairs", "value_weighted", "unanimous")


def agreement_report(
    units: Sequence,
    annotators: Sequence,
    labels: Sequence,
    *,
    rng: np.random.Generator,
    own: Sequence | None = None,
    conditional: Sequence | None = None,
    clusters: Sequence | None = None,
    duplicates: str = "last",
    own_labels: str = "never",
    conditional_labels: str = "nei",
    level: str = "nominal",
    label_order: Sequence | None = None,
    n_samples: int = 10_000,
    kalpha: bool = False,
) -> dict:
    """All figures of rows of (unit, annotator, label), oldest first, ready for JSON.

    clusters: (n,) what the row's unit is resampled with (its source article); the other
    columns and policies as in `annotation_table`. A figure without a value is None, and
    `undefined` names the reason under the figure's path.
    Raises ValueError for unknown policies or levels, or labels that are no numbers where the
    level needs them.
    """
    check_level(level)
    table = annotation_table(
        units,
        annotators,
        labels,
        own=own,
        conditional=conditional,
        duplicates=duplicates,
        own_labels=own_labels,
        conditional_labels=conditional_labels,
        label_order=label_order,
    )
    report = report_of(
        table,
        rng=rng,
        level=level,
        clusters=unit_clusters(table, units, clusters),
        n_samples=n_samples,
        kalpha=kalpha,
    )
    policies = {"duplicates": duplicates, "own": own_labels, "conditional": conditional_labels}
    return report | {"policies": policies | {"level": level}}


def unit_clusters(table, units, clusters) -> np.ndarray | None:
    """(n_units,): the cluster of each unit of the table, from the cluster of each row."""
    if clusters is None:
        return None
    of_unit = dict(zip(list(units), list(clusters), strict=True))
    return encode([of_unit[unit] for unit in table.units])[1]


def report_of(
    table: AnnotationTable,
    *,
    rng: np.random.Generator,
    level: str = "nominal",
    clusters: np.ndarray | None = None,
    n_samples: int = 10_000,
    kalpha: bool = False,
) -> dict:
    """As `agreement_report`, for a table that is already built. clusters: (n_units,)."""
    check_size(table, level)
    table = in_order_of_level(table, level)
    counts = table.counts
    values = label_values(table.labels, level)
    report = sizes(table) | {
        "labels": label_counts(table),
        "labels_per_unit": labels_per_unit(counts),
        "alpha": alpha_figure(counts, rng, level, values, clusters, n_samples, kalpha),
        "alpha_per_label": named(table.labels, alpha_per_label(counts)),
        "leave_one_out": named(
            table.annotators, alpha_without_each(table, level=level, values=values)
        ),
        "fleiss": fleiss_by_raters(counts),
        # A generator of its own, so that what else is drawn does not depend on it.
        "fleiss_sampled": sampled_by_raters(counts, rng=rng.spawn(1)[0]),
        "fleiss_generalised": figure(generalised_kappa, counts),
        "percent": percent_figures(counts),
        "cohen": cohen_figures(table),
        "ac1": figure(gwet_ac1, counts),
        "brennan_prediger": figure(brennan_prediger, counts),
        "majority": {"n_ties": int(tied_units(counts).sum())},
    }
    return with_reasons(report)


def check_size(table: AnnotationTable, level: str) -> None:
    """Refuse more labels than memory has room for: most often they are no labels at all."""
    n_labels, n_units = len(table.labels), len(table.units)
    if n_labels * n_units > MOST_CELLS or (level != "nominal" and n_labels > MOST_VALUES):
        raise ValueError(
            f"There are {n_labels:,} different labels on {n_units:,} units, too many to compare "
            f"at level {level}; check which column holds the label."
        )


def sizes(table: AnnotationTable) -> dict:
    """How many units, annotators and labels the figures rest on, and what was left out."""
    per_unit = table.counts.sum(axis=1)
    return {
        "n_units": len(table.units),
        "n_units_pairable": int((per_unit >= 2).sum()),
        "n_annotators": len(table.annotators),
        "n_annotations": len(table.unit),
        "n_missing": table.left_out.get("missing", 0),
        "n_own_dropped": table.left_out.get("own", 0),
        "n_duplicates_dropped": table.left_out.get("duplicates", 0),
        "n_conditional_dropped": table.left_out.get("conditional", 0),
    }


def label_counts(table: AnnotationTable) -> dict:
    totals = table.counts.sum(axis=0).tolist() if table.labels else []
    return dict(zip(map(str, table.labels), totals, strict=True))


def in_order_of_level(table: AnnotationTable, level: str) -> AnnotationTable:
    """The table with its labels by size, where the level compares them by size."""
    if level == "nominal":
        return table
    try:
        return table.with_labels_in(sorted(table.labels, key=float))
    except (TypeError, ValueError):
        raise ValueError(
            f"level is {level!r}, which needs numbers as labels, not {table.labels}; use nominal."
        ) from None


def label_values(labels: list, level: str) -> np.ndarray | None:
    """(n_labels,) the numbers that the labels are; None for the nominal level."""
    return None if level == "nominal" else np.array([float(label) for label in labels])


def alpha_figure(counts, rng, level, values, clusters, n_samples, kalpha) -> dict:
    """{value, ci, method, undefined} and what belongs to the interval."""
    alpha = figure(krippendorff_alpha, counts, level=level, values=values)
    if alpha["undefined"]:
        return {**alpha, "ci": None, "method": None}
    options = {"rng": rng, "n_samples": n_samples, "level": level, "values": values}
    if kalpha:
        interval = kalpha_interval(counts, **options)
    else:
        interval = alpha_interval(counts, clusters=clusters, **options)
    return alpha | {
        "ci": None if interval.low is None else [interval.low, interval.high],
        "method": f"{level}, 95 % interval from {n_samples} resamples of {DRAWN[interval.method]}",
        "n_samples": n_samples,
        "undefined_share": interval.undefined_share,
        "below_667": interval.below_667,
        "below_800": interval.below_800,
    }


def named(names: list, figures: list[dict]) -> dict:
    return dict(zip(map(str, names), figures, strict=True))


def percent_figures(counts: np.ndarray) -> dict:
    try:
        return percent_agreement(counts) | {"undefined": None}
    except Undefined as error:
        return dict.fromkeys(PERCENT_KINDS) | {"undefined": error.reason}


def cohen_figures(table: AnnotationTable) -> dict:
    """Summary and list of the pairs that share a unit, by the annotators' names."""
    pairs = cohen_pairs(table)
    listed = [
        {
            "annotators": [table.annotators[first], table.annotators[second]],
            "n": n,
            "percent": percent,
            "kappa": None if np.isnan(kappa) else kappa,
            # They met, or they would not be listed: both used one and the same label only.
            "undefined": "no_variation" if np.isnan(kappa) else None,
        }
        for first, second, n, percent, kappa in zip(
            *(pairs[name].tolist() for name in ("first", "second", "n", "percent", "kappa")),
            strict=True,
        )
    ]
    return cohen_summary(pairs) | {"pairs": listed}


def with_reasons(report: dict) -> dict:
    """The report with single figures as plain values, and all reasons under `undefined`."""
    reasons = {name: report[name]["undefined"] for name in ("alpha", "percent", "cohen")}
    for name in SINGLE_FIGURES:
        reasons[name] = report[name]["undefined"]
        report[name] = report[name]["value"]
    for group in FIGURES_BY_NAME:
        figures = report[group]
        reasons |= {f"{group}.{name}": figure["undefined"] for name, figure in figures.items()}
        report[group] = {name: figure["value"] for name, figure in figures.items()}
    return report | {"undefined": {name: reason for name, reason in reasons.items() if reason}}
