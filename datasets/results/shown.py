"""What the page of a release shows of its results."""

from django.utils.translation import gettext_lazy as _

from datasets.models import Release, ReleaseResult
from datasets.records import LABELS
from datasets.results.claims import decided_in
from datasets.results.services import shown_job_of
from datasets.results.words import (
    KEYS,
    heading_of,
    reasons_of,
    retrieval_rows,
    split_of,
    verdict_rows,
)

ROLES = {"train": _("Trained on"), "dev": _("Tuned on"), "test": _("Tested on")}


def shown_results(release: Release) -> dict:
    """The newest baselines with their tables, models beside them, and the job, if one is to see."""
    results = release.results.defer("confusions").select_related("created_by")
    baselines, *older = list(results.baselines()) or [None]
    models = list(results.predictions())
    return {
        "cutoffs": KEYS,
        "baselines": baselines,
        "older_baselines": older,
        "models": models,
        "retrieval": retrieval_rows(baselines.figures, split_of(baselines)) if baselines else [],
        "reasons": reasons_of(baselines.figures) if baselines else [],
        "verdicts": verdict_rows([*([baselines] if baselines else []), *models]),
        "baselines_job": shown_job_of(release),
    }


def facts_of(result: ReleaseResult) -> dict:
    """The same for one result alone."""
    of_baselines = not result.is_predictions
    return {
        "heading": heading_of(result),
        "cutoffs": KEYS,
        "retrieval": retrieval_rows(result.figures) if of_baselines else [],
        "reasons": reasons_of(result.figures) if of_baselines else [],
        "verdicts": verdict_rows([result]),
        "labels": LABELS,
        "rests_on": rests_on(result) if of_baselines else [],
    }


def rests_on(result: ReleaseResult) -> list[tuple[str, object]]:
    """(words, value) of what decided the figures of baselines, in order."""
    chosen = result.settings
    index = [
        (_("Index"), chosen["index_version"]),
        (_("Paragraphs in the index"), chosen["index_paragraphs"]),
        (_("Encoder"), chosen["encoder"]),
        (_("Paragraphs that a search gives"), chosen["depth"]),
        (_("Paragraphs that the model reads"), chosen["read"]),
    ]
    return [
        (_("Seed"), result.seed),
        *[(ROLES[role], chosen["splits"][role]) for role in ROLES if role in chosen["splits"]],
        *(index if chosen["index_version"] else []),
        *sorted(chosen["packages"].items()),
    ]


def splits_to_predict(release: Release) -> list[str]:
    """Splits that have decided claims, a test split first."""
    splits = [split for split, n in decided_in(release).items() if n]
    return sorted(splits, key=lambda split: (split != "test", split))
