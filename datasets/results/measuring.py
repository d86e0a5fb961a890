"""Baselines on a release: how far plain search and a linear model come."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from datasets.baselines import (
    VerdictModel,
    pipeline_figures,
    pipeline_predictions,
    retrieval_figures,
    train_both,
    verdict_figures,
)
from datasets.baselines.pairs import pair_of, texts_beside
from datasets.baselines.pipeline import KEPT, READ
from datasets.baselines.retrieval import can_be_judged
from datasets.baselines.verdicts import MODELS, STRENGTHS
from datasets.models import Release
from datasets.records import LabelledClaim
from datasets.releases.facts import rounded
from datasets.results.claims import ReleasedClaims, released_claims, roles_of
from datasets.results.searching import WAYS, Search
from datasets.scorers import BadInput
from datasets.untold import untold
from dictionaries.evaluating import DEPTH

JUDGES = (*MODELS, "majority")
PACKAGES = ("numpy", "scikit-learn")
EVERYTHING = "all"


@dataclass
class Measured:
    """What one run found; the fields are those of a ReleaseResult."""

    settings: dict
    figures: dict
    confusions: dict


class Steps:
    """One bar over searches and trainings, whose numbers are known before."""

    def __init__(self, progress: Callable[..., None], total: int):
        self.progress, self.done, self.total = progress, 0, total
        progress(0, total, _("Reading the release"))

    def __call__(self, message: str) -> None:
        self.done += 1
        self.progress(self.done, self.total, message)


@dataclass
class Run:
    """One run while it goes on. search: None where there is no corpus; undefined: {part: why it
    has no figures}, in code words."""

    release: Release
    seed: int
    released: ReleasedClaims
    roles: Mapping[str, str]
    search: Search | None
    undefined: dict[str, str] = field(default_factory=dict)
    confusions: dict[str, dict] = field(default_factory=dict)

    def claims_for(self, role: str) -> list[LabelledClaim]:
        return self.released.splits[self.roles[role]]


def measured(release: Release, *, seed: int, progress: Callable[..., None] = untold) -> Measured:
    """The baselines of a release; the same release, index and seed give the same.

    Raises ValidationError where its files are not there or no claim is decided, IndexUnavailable
    where its corpus has no index that can be asked.
    """
    released = released_claims(release)
    if not released.all:
        raise ValidationError(_("No claim of this release has a label; nothing can be measured."))
    sizes = {split: len(claims) for split, claims in released.splits.items()}
    corpus = release.campaign.corpus
    search = Search(corpus, released.known) if corpus else None
    run = Run(release, seed, released, roles_of(sizes), search)
    if reason := why_no_verdicts(run):
        run.undefined |= {"verdicts": reason, "pipeline": reason}
    elif not has_texts(run.claims_for("train")):
        run.undefined |= {"claim_and_evidence": "no_texts", "pipeline": "no_texts"}
    asked = claims_to_ask(run)
    trainings = 0 if "verdicts" in run.undefined else len(MODELS) * len(STRENGTHS)
    steps = Steps(progress, len(asked) + trainings)
    models = trained(run, steps)
    ask(run, asked, steps)
    figures = {
        "n_claims": sizes,
        "undecided": released.undecided,
        "retrieval": retrieval(run),
        "verdicts": verdicts(run, models),
        "pipeline": pipeline(run, models),
        "undefined": run.undefined,
    }
    return Measured(settings_of(run), rounded(figures), run.confusions)


def why_no_verdicts(run: Run) -> str:
    """Why nothing can be learnt and tested; '' where it can."""
    if len(run.roles) < 3:
        return "no_splits"
    if not all(run.claims_for(role) for role in run.roles):
        return "empty_split"
    train = run.claims_for("train")
    if len({claim.label for claim in train}) < 2:
        return "one_label"
    return "" if any(pair_of(claim.text, "").claim for claim in train) else "no_words"


def has_texts(claims: Sequence[LabelledClaim]) -> bool:
    return any(text for claim in claims for text in texts_beside(claim))


def claims_to_ask(run: Run) -> list[LabelledClaim]:
    """Claims whose evidence is known, and those that the pipeline is tested on."""
    if run.search is None:
        return []
    piped = None if "pipeline" in run.undefined else run.roles["test"]
    return [
        claim
        for split, claims in run.released.splits.items()
        for claim in claims
        if split == piped or can_be_judged(claim)
    ]


def trained(run: Run, steps: Steps) -> dict[str, VerdictModel]:
    if "verdicts" in run.undefined:
        return {}
    return train_both(
        run.claims_for("train"),
        run.claims_for("dev"),
        seed=run.seed,
        progress=lambda *_done: steps(_("Training")),
    )


def ask(run: Run, claims: Sequence[LabelledClaim], steps: Steps) -> None:
    for claim in claims:
        run.search.ask(claim, read=READ)
        steps(_("Searching"))


def retrieval(run: Run) -> dict | None:
    """Figures of each way over all claims, and over each split where there are several."""
    if run.search is None:
        run.undefined["retrieval"] = "no_corpus"
        return None
    judged = [claim for claim in run.released.all if can_be_judged(claim)]
    if not judged:
        run.undefined["retrieval"] = "no_evidence"
        return None
    splits = run.released.splits
    scopes = {EVERYTHING: run.released.all} | (dict(splits) if len(splits) > 1 else {})
    figures = {
        name: retrieval_figures(claims, run.search.rankings) for name, claims in scopes.items()
    }
    return {
        "left_out": figures[EVERYTHING]["left_out"],
        "limits": run.search.facts(judged),
        "scopes": {name: figures[name]["ways"] for name in scopes},
    }


def verdicts(run: Run, models: Mapping[str, VerdictModel]) -> dict | None:
    if not models:
        return None
    figures = verdict_figures(*(run.claims_for(role) for role in ("train", "dev", "test")), models)
    for name in JUDGES:
        run.confusions[name] = figures[name].pop("confusion")
    if "claim_and_evidence" in run.undefined:
        figures["claim_and_evidence"] = None
        del run.confusions["claim_and_evidence"]
    return figures


def pipeline(run: Run, models: Mapping[str, VerdictModel]) -> dict | None:
    """What the model reaches on the test split with what each way of search finds."""
    if run.search is None and "pipeline" not in run.undefined:
        run.undefined["pipeline"] = "no_corpus"
    if "pipeline" in run.undefined:
        return None
    test, model, figures = run.claims_for("test"), models["claim_and_evidence"], {}
    for way in WAYS:
        told = pipeline_predictions(
            model, test, run.search.rankings[way], run.search.texts.__getitem__
        )
        figures[way], run.confusions[way] = scored(test, told)
    return figures


def scored(claims: Sequence[LabelledClaim], told: Sequence[Mapping]) -> tuple[dict, dict]:
    """The figures of predictions in CTKFacts' form, and their confusion.

    Raises ValidationError where no claim has a label.
    """
    try:
        reports = pipeline_figures(claims, told)
    except BadInput as bad:
        raise ValidationError(str(bad)) from None
    figures = {task: report.scores.figures for task, report in reports.items()}
    return figures, reports["ctkfacts"].scores.confusion.as_json()


def settings_of(run: Run) -> dict:
    """All that the figures depend on beside the release and the seed."""
    search = run.search
    return {
        "splits": dict(run.roles),
        "depth": DEPTH,
        "kept": KEPT,
        "read": READ,
        "strengths": list(STRENGTHS),
        "packages": {name: version(name) for name in PACKAGES},
        "corpus": search.corpus.slug if search else "",
        "is_dated": bool(search) and not search.corpus.undated,
        "encoder": search.index.model if search else "",
        "index_version": search.index.version if search else "",
        "index_paragraphs": search.index.paragraphs if search else 0,
    }
