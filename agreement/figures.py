"""Figures of a campaign or of one wave, computed from its rows: for pages, API, commands, cards."""

import json
from dataclasses import dataclass

import numpy as np

from agreement import tables
from agreement.measures import AnnotationTable, Undefined, alpha_contributions, label_confusion
from agreement.measures.report import report_of, unit_clusters
from agreement.over_time import alpha_by_day
from annotation.models import Campaign, Wave
from operations.snapshots import snapshot

HARDEST = 50


@dataclass(frozen=True)
class Scope:
    """Whose labels: those of a whole campaign, or of one of its waves."""

    campaign: Campaign
    wave: Wave | None = None

    @property
    def waves(self):
        return None if self.wave is None else [self.wave]


@dataclass(frozen=True)
class AgreementSettings:
    """The policies of a table of labels, and how its interval is drawn.

    resample: claims, or sources (the articles that claims were written from).
    """

    duplicates: str = "last"
    own: str = "never"
    conditional: str = "nei"
    resample: str = "claims"
    level: str = "nominal"
    n_samples: int = 10_000
    seed: int = 0

    @property
    def policies(self):
        return {
            "duplicates": self.duplicates,
            "own_labels": self.own,
            "conditional_labels": self.conditional,
        }


def agreement_figures(scope: Scope, settings: AgreementSettings) -> dict:
    """All figures of agreement, ready for JSON: the keys of `agreement --json` and some more."""
    with snapshot():
        rows = tables.annotation_rows(scope.campaign, scope.waves)
        never_counted = tables.left_out(scope.campaign, scope.waves)
    table = rows.table(**settings.policies)
    rng = np.random.default_rng(settings.seed)
    report = report_of(
        table,
        rng=rng,
        level=settings.level,
        clusters=clusters_of(table, rows, settings.resample),
        n_samples=settings.n_samples,
    )

    def table_of_first(n):
        return rows.table(first=n, **settings.policies)

    more = {
        "policies": policies_of(settings),
        "left_out": never_counted,
        "annotators": labels_by_annotator(table),
        "confusion": label_confusion(table.counts).tolist(),
        "hardest": hardest_units(table),
        "by_day": alpha_by_day(rows.day, table_of_first, rng=rng),
    }
    return as_stored(report | more)


def clusters_of(table: AnnotationTable, rows: tables.AnnotationRows, resample: str):
    """(n_units,): what is resampled together; None where each claim stands alone."""
    if resample == "claims":
        return None
    return unit_clusters(table, rows.unit.tolist(), rows.source.tolist())


def as_stored(figures: dict) -> dict:
    """Figures as JSON gives them back, so that a stored one and a new one are alike."""
    return json.loads(json.dumps(figures))


def policies_of(settings: AgreementSettings) -> dict:
    names = ("duplicates", "own", "conditional", "level", "resample")
    return {name: getattr(settings, name) for name in names}


def labels_by_annotator(table: AnnotationTable) -> dict[str, int]:
    n = np.bincount(table.annotator, minlength=len(table.annotators))
    return dict(zip(table.annotators, n.tolist(), strict=True))


def hardest_units(table: AnnotationTable) -> list[dict]:
    """The instances that cost the most agreement: {instance, share, labels}."""
    try:
        costs = alpha_contributions(table.counts)
    except Undefined:
        return []
    order = np.argsort(-costs, kind="stable")[:HARDEST]
    return [
        {
            "instance": int(table.units[place]),
            "share": float(costs[place] / costs.sum()),
            "labels": dict(zip(table.labels, table.counts[place].tolist(), strict=True)),
        }
        for place in order.tolist()
        if costs[place] > 0
    ]
