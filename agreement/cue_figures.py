"""The cues of a campaign, of one wave or of a file: the same for page, API and command."""

from dataclasses import dataclass, field

import numpy as np

from agreement import tables
from agreement.aggregation import decide, left_out
from agreement.cues import cue_report
from agreement.cues.claim_only import claim_only_scores, claim_only_undefined
from agreement.figures import Scope, as_stored
from agreement.sources import sources_of
from annotation.models import Campaign, Instance
from operations.snapshots import snapshot


@dataclass(frozen=True)
class CueSettings:
    """How claims are cut into tokens, and which cues are listed.

    min_count: cues that stand in fewer claims are left out; resamples: how many subsamples.
    """

    tokens: str = "published"
    order_by: str = "harmonic_mean"
    min_count: int = 3
    resamples: int = 10
    top: int = 50
    seed: int = 0


@dataclass(frozen=True)
class DecidedClaims:
    """Columns (n,) of the claims that have a label: text, label, what is one claim, its source.

    A campaign's claim is known by its id; language: a code, '' where it is not known; instance:
    the ids of a campaign's instances, in order of the claims' numbers.
    """

    text: list[str]
    label: list[str]
    claim: list
    source: list
    language: str
    left_out: dict[str, int]
    instance: list[int] = field(default_factory=list)


def cue_figures(scope: Scope, settings: CueSettings, *, with_classifier: bool = True) -> dict:
    """The cues of claims with a decided label, ready for JSON: the keys of `cues --json`."""
    return figures_of(decided_claims(scope), settings, with_classifier=with_classifier)


def figures_of(
    claims: DecidedClaims, settings: CueSettings, *, with_classifier: bool = True
) -> dict:
    """The figures of these claims, ready for JSON.

    The classifier takes seconds and more, so that a page may ask for the figures without it:
    `claim_only` is then None, or says why there can be none.
    """
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
        with_dci=True,
    )
    more = {
        "order_by": settings.order_by,
        "claim_only": claim_only(claims, settings.seed, with_classifier),
        "left_out": claims.left_out,
        "language": claims.language,
    }
    return as_stored(report | more)


def claim_only(claims: DecidedClaims, seed: int, with_classifier: bool) -> dict | None:
    if not with_classifier:
        return claim_only_undefined(claims.label, claims.source)
    return claim_only_scores(claims.text, claims.label, groups=claims.source, seed=seed)


def decided_claims(scope: Scope) -> DecidedClaims:
    """The claims of a scope with the label that an export would give them."""
    with snapshot():
        votes = tables.votes_of(scope.campaign, scope.waves, with_evidence=False)
        decisions = {instance: decide(each) for instance, each in votes}
        facts = claim_facts(scope.campaign)
        sources = sources_of(scope.campaign)
    labelled = [(facts[one], made.label) for one, made in decisions.items() if made.label]
    return DecidedClaims(
        text=[fact["claim__text"] for fact, _ in labelled],
        label=[label for _, label in labelled],
        claim=[fact["claim"] for fact, _ in labelled],
        source=[sources[fact["claim"]] for fact, _ in labelled],
        language=labelled[0][0]["claim__language"] if labelled else "",
        left_out=left_out(decisions.values()),
        instance=[one for one, made in decisions.items() if made.label],
    )


def claim_facts(campaign: Campaign) -> dict[int, dict]:
    """{instance id: what cues need of its claim}."""
    rows = Instance.objects.filter(claim__campaign=campaign).values(
        "pk", "claim", "claim__text", "claim__language"
    )
    return {row["pk"]: row for row in rows.iterator(chunk_size=tables.CHUNK)}
