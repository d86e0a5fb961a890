"""Cues as they are shown: the stored ones, with the classifier's scores as soon as a job made them.

The figures of few claims are made while the page is drawn, but for the classifier, which takes
seconds. Its scores depend on the claims and the seed alone, so that any stored figures of the same
claims have them, however their cues were cut or put in order.
"""

from dataclasses import replace

from agreement import snapshots
from agreement.cue_figures import CueSettings
from agreement.cues.claim_only import without_scores
from agreement.figures import Scope
from agreement.models import FigureSnapshot
from agreement.snapshots import KIND, Shown

NOT_COMPUTED, BEING_COMPUTED = "not_computed", "being_computed"


def shown_cues(scope: Scope, settings: CueSettings) -> Shown:
    """What page, API and files show; `claim_only` says why it has no scores yet."""
    shown = snapshots.shown(KIND.CUES, scope, settings)
    if shown.figures is None or shown.figures["claim_only"]:
        return shown
    alone = claim_only_now(scope, settings)
    return replace(shown, figures=shown.figures | {"claim_only": alone})


def claim_only_now(scope: Scope, settings: CueSettings) -> dict:
    """The scores for the labels as they stand, or whether a job is at them."""
    if kept := kept_scores(scope, settings):
        return kept
    job = snapshots.live_job(KIND.CUES, scope, settings)
    return without_scores(BEING_COMPUTED if job else NOT_COMPUTED)


def kept_scores(scope: Scope, settings: CueSettings) -> dict | None:
    """The scores in the newest stored cues of these claims, if nothing changed since."""
    rows = FigureSnapshot.objects.filter(
        campaign=scope.campaign,
        wave=scope.wave,
        kind=KIND.CUES,
        settings__seed=settings.seed,
        data_version=snapshots.data_version(scope.campaign),
    )
    row = rows.defer("details", "conflicts").order_by("-computed_at").first()
    return row and row.figures["claim_only"]
