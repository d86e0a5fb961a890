"""Figures of a campaign or of one wave, computed from its rows: for pages, API, commands, cards."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from agreement import tables
from agreement.aggregation import dawid_skene
from agreement.evidence_figures import evidence_figures
from agreement.evidence_rows import evidence_answers
from agreement.label_rows import AnnotationRows, of_period, of_subset, of_task
from agreement.measures import (
    AnnotationTable,
    EvidenceAnswer,
    Undefined,
    alpha_contributions,
    label_confusion,
)
from agreement.measures.evidence_resampling import evidence_intervals
from agreement.measures.report import report_of, unit_clusters
from agreement.measures.resampling import intervals_of
from agreement.over_time import alpha_by_day
from agreement.people_facts import people_facts
from agreement.soft_figures import planning_figures, soft_figures
from agreement.sources import known_sources
from annotation.models import Campaign, Wave
from operations.snapshots import snapshot

HARDEST = 50
# What every figure is named with.
POLICIES = ("duplicates", "own", "conditional", "level", "resample", "interval", "task", "since",
            "until", "subset")  # fmt: skip
# Settings that say which labels are measured; bound, marks and among belong to a subset.
CHOOSING = ("duplicates", "own", "conditional", "task", "since", "until", "subset")


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
    """Which labels are measured, the policies of their table, and how the interval is drawn.

    resample: claims, or sources (the articles that claims were written from); interval:
    percentile, or kalpha (compatible with the KALPHA macro; it draws pairs of labels, so
    `resample` says nothing there). task, since, until (ISO days), subset with bound, marks and
    among: as in `agreement.label_rows`.
    """

    duplicates: str = "last"
    own: str = "never"
    conditional: str = "nei"
    resample: str = "claims"
    level: str = "nominal"
    n_samples: int = 10_000
    seed: int = 0
    interval: str = "percentile"
    task: str = "all"
    since: str = ""
    until: str = ""
    subset: str = "all"
    bound: str = "at-least"
    marks: int = 1
    among: int = 2

    @property
    def policies(self):
        """The policies of a table. Who asks for labels of own claims alone wants them to count."""
        return {
            "duplicates": self.duplicates,
            "own_labels": "vote" if self.task == "T2a" else self.own,
            "conditional_labels": self.conditional,
        }

    @property
    def takes_all(self) -> bool:
        """Whether it is the usual labels that are measured, under the usual policies."""
        usual = AgreementSettings()
        return all(getattr(self, name) == getattr(usual, name) for name in CHOOSING)

    def chosen_of(self, rows: AnnotationRows) -> AnnotationRows:
        """Those of the rows that are measured: of a task, a period and a subset of instances."""
        rows = of_period(of_task(rows, self.task), self.since, self.until)
        rule = {"bound": self.bound, "marks": self.marks, "among": self.among}
        return of_subset(rows, self.subset, **rule, **self.policies)


@dataclass(frozen=True)
class Read:
    """What figures rest on, read from one state of the database."""

    rows: AnnotationRows
    n_filtered: int
    left_out: dict[str, int]
    people: dict[str, dict]
    answers: list[EvidenceAnswer]


def what_is_measured(scope: Scope, settings: AgreementSettings) -> Read:
    campaign, waves = scope.campaign, scope.waves
    with snapshot():
        everything = tables.annotation_rows(campaign, waves)
        rows = settings.chosen_of(everything)
        if settings.resample == "sources":
            rows = replace(rows, source=known_sources(campaign, rows.source))
        as_nei = settings.conditional == "nei"
        return Read(
            rows=rows,
            n_filtered=len(everything) - len(rows),
            left_out=tables.left_out(campaign, waves),
            people=people_facts(
                campaign, waves, task=settings.task, since=settings.since, until=settings.until
            ),
            answers=evidence_answers(
                rows, rows.kept(**settings.policies), conditional_as_nei=as_nei
            ),
        )


def agreement_figures(
    scope: Scope, settings: AgreementSettings, *, with_intervals: bool = False
) -> dict:
    """All figures of agreement, ready for JSON: the keys of `agreement --json` and some more.

    with_intervals: also `intervals`, those of the measures beside alpha, by their paths.
    """
    read = what_is_measured(scope, settings)
    rows, table = read.rows, read.rows.table(**settings.policies)
    rng, clusters_of = np.random.default_rng(settings.seed), drawn_together(rows, settings)
    kalpha = settings.interval == "kalpha"
    report = report_of(
        table,
        rng=rng,
        level=settings.level,
        clusters=clusters_of(table),
        n_samples=settings.n_samples,
        kalpha=kalpha,
    )

    def table_of_first(n):
        return rows.table(first=n, **settings.policies)

    more = {
        "policies": policies_of(settings),
        "n_filtered": read.n_filtered,
        "n_conflicts": int(((table.counts > 0).sum(axis=1) > 1).sum()),
        "last_day": last_day(rows.day),
        "left_out": read.left_out,
        "annotators": labels_by_annotator(table),
        "people": read.people,
        "share_right": shares_right(table),
        "confusion": label_confusion(table.counts).tolist(),
        "hardest": hardest_units(table),
        "by_day": alpha_by_day(
            rows.day, table_of_first, rng=rng, clusters_of=clusters_of, kalpha=kalpha
        ),
        "evidence": evidence_figures(read.answers),
        "soft": soft_figures(table),
        "planning": planning_figures(
            table, seed=settings.seed, by_unit=settings.resample == "claims" and not kalpha
        ),
    }
    if with_intervals:
        more["intervals"] = intervals_beside_alpha(table, read.answers, settings.seed)
    return as_stored(report | more)


def intervals_beside_alpha(
    table: AnnotationTable, answers: Sequence[EvidenceAnswer], seed: int
) -> dict[str, list[float] | None]:
    """Drawn by claims, with a generator of their own: other figures do not depend on them."""
    rng = np.random.default_rng((seed, 1))
    return intervals_of(table, rng=rng) | evidence_intervals(answers, rng=rng)


def last_day(days: list[str]) -> dict | None:
    """The newest day with labels, and how many it has: {day, n}; None without labels."""
    newest = max(days, default=None)
    return newest and {"day": newest, "n": days.count(newest)}


def drawn_together(rows: AnnotationRows, settings: AgreementSettings):
    """What says of a table of the rows (n_units,) what is resampled together.

    None where each claim stands alone.
    """
    if settings.resample == "claims":
        return lambda table: None
    source = dict(zip(rows.unit.tolist(), rows.source.tolist(), strict=True))
    return lambda table: unit_clusters(table, source.keys(), source.values())


def as_stored(figures: dict) -> dict:
    """Figures as JSON gives them back, so that a stored one and a new one are alike."""
    return json.loads(json.dumps(figures))


def policies_of(settings: AgreementSettings) -> dict:
    """What the figures are named with: the policies as they were taken, whatever was asked for."""
    names = POLICIES if settings.subset != "rule" else (*POLICIES, "bound", "marks", "among")
    chosen = {name: getattr(settings, name) for name in names}
    return chosen | {"own": settings.policies["own_labels"]}


def labels_by_annotator(table: AnnotationTable) -> dict[str, int]:
    n = np.bincount(table.annotator, minlength=len(table.annotators))
    return dict(zip(table.annotators, n.tolist(), strict=True))


def shares_right(table: AnnotationTable) -> dict[str, float | None]:
    """{annotator: the share of their labels that Dawid and Skene's model takes for right}.

    None for all where nobody shares an instance with another: the model has nothing to go by.
    """
    if not (table.counts.sum(axis=1) > 1).any():
        return dict.fromkeys(table.annotators)
    return dict(zip(table.annotators, dawid_skene(table).share_right.tolist(), strict=True))


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
