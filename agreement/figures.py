"""Figures of a campaign or of one wave, computed from its rows: for pages, API, commands, cards."""

import json
from dataclasses import dataclass

import numpy as np

from agreement import tables
from agreement.aggregation import decide, left_out
from agreement.cues import cue_report
from agreement.cues.claim_only import claim_only_scores
from agreement.measures import AnnotationTable, Undefined, alpha_contributions, label_confusion
from agreement.measures.report import report_of, unit_clusters
from agreement.over_time import alpha_by_day
from annotation.models import Campaign, Instance, Wave
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


@dataclass(frozen=True)
class CueSettings:
    """How claims are cut into tokens, and which cues are listed."""

    tokens: str = "published"
    order_by: str = "harmonic_mean"
    min_count: int = 3
    resamples: int = 10
    top: int = 50
    seed: int = 0


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


@dataclass(frozen=True)
class DecidedClaims:
    """Columns (n,) of the claims that have a label: text, label, the claim's id, its source."""

    text: list[str]
    label: list[str]
    claim: list[int]
    source: list[int]
    language: str
    left_out: dict[str, int]


def cue_figures(scope: Scope, settings: CueSettings, *, with_classifier: bool = True) -> dict:
    """The cues of claims with a decided label, ready for JSON: the keys of `cues --json`.

    The classifier takes seconds and more, so that a page may ask for the figures without it.
    """
    claims = decided_claims(scope)
    report = cue_report(
        claims.text,
        claims.label,
        keys=claims.claim,
        rng=np.random.default_rng(settings.seed),
        language=claims.language,
        resamples=settings.resamples,
        min_count=settings.min_count,
        top=settings.top,
        tokens=settings.tokens,
        order_by=settings.order_by,
        label_order=tables.LABEL_ORDER,
    )
    alone = None
    if with_classifier:
        alone = claim_only_scores(
            claims.text, claims.label, groups=claims.source, seed=settings.seed
        )
    more = {"claim_only": alone, "left_out": claims.left_out, "language": claims.language}
    return as_stored(report | more)


def decided_claims(scope: Scope) -> DecidedClaims:
    """The claims of a scope with the label that an export would give them."""
    with snapshot():
        votes = tables.votes_of(scope.campaign, scope.waves, with_evidence=False)
        decisions = {instance: decide(each) for instance, each in votes}
        facts = claim_facts(scope.campaign)
    labelled = [(facts[one], made.label) for one, made in decisions.items() if made.label]
    return DecidedClaims(
        text=[fact["claim__text"] for fact, _ in labelled],
        label=[label for _, label in labelled],
        claim=[fact["claim"] for fact, _ in labelled],
        source=[fact["claim__source__article"] or -fact["claim"] for fact, _ in labelled],
        language=labelled[0][0]["claim__language"] if labelled else "",
        left_out=left_out(decisions.values()),
    )


def claim_facts(campaign: Campaign) -> dict[int, dict]:
    """{instance id: what cues need of its claim}."""
    rows = Instance.objects.filter(claim__campaign=campaign).values(
        "pk", "claim", "claim__text", "claim__language", "claim__source__article"
    )
    return {row["pk"]: row for row in rows.iterator(chunk_size=tables.CHUNK)}
