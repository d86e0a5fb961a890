"""What results are called on pages, and the rows of their tables."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from agreement.measures.wilson import wilson
from datasets.models import ReleaseResult
from datasets.records import LABELS
from datasets.results.measuring import EVERYTHING
from datasets.scoring_words import matrix_rows
from dictionaries.evaluation import CUTOFFS

WAYS = {
    "keyword": _("Keyword search"),
    "semantic": _("Semantic search"),
    "combined": _("Both, by rank fusion"),
}
TITLES = {
    "claim_and_evidence": _("Linear model, gold evidence"),
    "claim_only": _("Linear model, claim alone"),
    "majority": _("The commonest label"),
    "keyword": _("Keyword search, then the linear model"),
    "semantic": _("Semantic search, then the linear model"),
    "combined": _("Both searches, then the linear model"),
    "predictions": _("Predictions"),
}
WHY = {
    "no_splits": _(
        "A verdict model needs splits train, dev (or validation) and test, and this release has "
        "not all three. Make a release with splits to have verdicts measured."
    ),
    "empty_split": _("One of the splits for training, tuning and testing has no decided claim."),
    "one_label": _("All training claims have one label; nothing can be learnt from them."),
    "no_words": _("The training claims have no words; nothing can be learnt from them."),
    "no_texts": _("The corpus has no text of any evidence, so verdicts rest on claims alone."),
    "no_corpus": _("The campaign has no corpus that could be searched."),
    "no_evidence": _("No SUPPORTS or REFUTES claim has evidence that could be looked for."),
}
KEYS = [str(k) for k in CUTOFFS]


def heading_of(result: ReleaseResult) -> str:
    """What a result is called on its page: a model by its name, baselines by their seed."""
    if result.is_predictions:
        return result.name
    return gettext("Baselines of seed %(seed)d") % {"seed": result.seed}


def reasons_of(figures: Mapping) -> list[str]:
    """Why parts have no figures, each reason once."""
    codes = dict.fromkeys(figures["undefined"].values())
    return [WHY[code] for code in WHY if code in codes]


def retrieval_rows(figures: Mapping, *splits: str) -> list[dict]:
    """Each way of search over all claims, then over these splits (or all, by name): {way, scope,
    n, mrr, recall_at, full_support_at}, the last two as (k, value). scope: '' for all claims."""
    found = figures["retrieval"]
    if found is None:
        return []
    names = sorted(found["scopes"].keys() - {EVERYTHING})
    scopes = [EVERYTHING, *[name for name in names if not splits or name in splits]]
    return [
        {
            "way": title,
            "scope": "" if scope == EVERYTHING else scope,
            "n": means["claims"],
            "mrr": means["mrr"],
            "recall_at": [(k, means["recall"][k]) for k in KEYS],
            "full_support_at": [(k, means["full_support"][k]) for k in KEYS],
        }
        for scope in scopes
        for way, title in WAYS.items()
        if (means := found["scopes"][scope][way])
    ]


def verdict_rows(results: Iterable[ReleaseResult]) -> list[dict]:
    """The rows of one table for baselines and models: {result, matrix, title, name, split, n,
    macro_f1, accuracy, interval, f1_by_label, se_at, fever}; f1_by_label and se_at are pairs;
    values of se_at (by k) and fever are None without retrieval."""
    return list(chain.from_iterable(map(rows_of, results)))


def rows_of(result: ReleaseResult) -> Iterator[dict]:
    figures = result.figures
    if result.is_predictions:
        yield row(result, "predictions", figures["n_claims"], **figures_in(figures))
        return
    verdicts, pipeline = figures["verdicts"], figures["pipeline"]
    if verdicts is None:
        return
    for name in ("majority", "claim_only", "claim_and_evidence"):
        if verdicts[name]:
            yield row(result, name, verdicts["n_test"], nse=verdicts[name])
    for way in WAYS if pipeline else ():
        yield row(result, way, verdicts["n_test"], **figures_in(pipeline[way]))


def figures_in(reports: Mapping) -> dict:
    """What a row shows of {ctkfacts, fever: figures}."""
    told = reports["ctkfacts"]
    se = [told["se"][k]["macro_f1"] for k in KEYS]
    return {"nse": told["nse"], "se": se, "fever": reports["fever"]["strict_score"]}


def row(result, matrix: str, n: int, *, nse: Mapping, se=None, fever=None) -> dict:
    return {
        "result": result,
        "matrix": matrix,
        "title": TITLES[matrix],
        "name": result.name if result.is_predictions else "",
        "split": split_of(result),
        "n": n,
        "macro_f1": nse["macro_f1"],
        "accuracy": nse["accuracy"],
        "interval": wilson(nse["accuracy"] * n, n) if n else (),
        "f1_by_label": [(label, nse["f1_by_label"][label]) for label in LABELS],
        "se_at": list(zip(KEYS, se or [None] * len(KEYS), strict=True)),
        "fever": fever,
    }


def split_of(result: ReleaseResult) -> str:
    """The split whose claims were judged; '' where none was."""
    if result.is_predictions:
        return result.settings["split"]
    return result.settings["splits"].get("test", "")


def matrices_of(result: ReleaseResult) -> list[dict]:
    """{name, title, predicted, rows} of each confusion; rows: (gold label, [(predicted, n)])."""
    return [
        {
            "name": name,
            "title": title,
            "predicted": found["predicted"],
            "rows": matrix_rows(found),
        }
        for name, title in TITLES.items()
        if (found := result.confusions.get(name))
    ]


def claims_in(result: ReleaseResult, matrix: str, gold: str, predicted: str) -> list[str] | None:
    """The ids of the claims of one cell, in the order of the file; None where there is none."""
    cells = result.confusions.get(matrix, {"cells": []})["cells"]
    found = (c["claims"] for c in cells if (c["gold"], c["predicted"]) == (gold, predicted))
    return next(found, None)
