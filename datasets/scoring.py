"""Predictions that people upload, scored by a job as `score` does.

The files go once they were read; the report and the results of each claim stay for a week.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError
from django.core.files import File
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User
from corpus.importing.uploads import safe_name
from datasets import kept
from datasets.readers.problems import printable
from datasets.scorers import BadInput, Report, score_files
from datasets.scorers.corpora import FORMS
from datasets.scorers.report import LIMITS, texts_of
from datasets.scoring_results import Results
from datasets.writers.lines import as_it_is
from operations.models import Job

JOB = "score-predictions"
PARTS = ("gold", "predictions", "corpus")
CLAIMS, CELLS, TEXTS = ".claims.jsonl", ".cells.json", ".texts.jsonl"
MOST_CLAIMS = 500_000
# More are no labels: a table of them would fill memory, and nobody could read it.
MOST_LABELS, LONGEST_LABEL = 60, 200
ALL = "all"


def start_score(
    *,
    task: str,
    files: Mapping[str, File],
    match: str = "auto",
    limits: Mapping[str, str],
    by: User,
) -> Job:
    """Keep the files and queue their scoring.

    files: gold, predictions and perhaps corpus; limits: of LIMITS, a number as text, "all", or
    '' for the usual one. Raises ValidationError, by field, for what does not belong to the task.
    """
    if "corpus" in files and task not in FORMS:
        raise ValidationError({"corpus": does_not_belong(task)})
    options = {"by": match, **limits_of(task, limits)}
    names = names_of(files)
    return kept.start(
        kind=JOB,
        files={names[role]: file for role, file in files.items()},
        arguments={"task": task, "names": names, "options": options},
        by=by,
    )


def limits_of(task: str, limits: Mapping[str, str]) -> dict[str, int | None]:
    """The limits that were given, by the name of the scorer's argument; None there is no limit."""
    given = {name: text for name, text in limits.items() if text}
    for name in given:
        if task not in LIMITS[name]:
            raise ValidationError({name: does_not_belong(task)})
    return {name: limit_of(name, text) for name, text in given.items()}


def limit_of(name: str, text: str) -> int | None:
    if text == ALL:
        return None
    if not (text.isascii() and text.isdecimal() and int(text)):
        told = _("“%(text)s” is no number of items; use a number from 1 on, or “all”.")
        raise ValidationError({name: told % {"text": text}})
    return int(text)


def does_not_belong(task: str) -> str:
    return _("This does not belong to the task %(task)s; leave it out.") % {"task": task}


def names_of(files: Mapping[str, File]) -> dict[str, str]:
    """What the files are called in messages, by their parts; those stand before equal names."""
    names = {part: safe_name(file.name) for part, file in files.items()}
    if len(set(names.values())) == len(names):
        return names
    return {part: f"{part}-{name}" for part, name in names.items()}


def score_job(progress, *, key, task, names, options):
    """Read the files, score them, keep what was found; run again after a crash, it ends so too."""

    def make(folder: Path) -> dict:
        paths = {part: folder / name for part, name in names.items()}
        texts = texts_of(task, paths["gold"])
        return store_scores(folder, scored(task, paths, options, progress), texts)

    report = kept.once(JOB, key, names.values(), make)
    found = {name: report[name] for name in ("n_claims", "missing", "extra")}
    return {**found, "url": reverse("datasets:score", args=[key])}


def scored(task: str, paths: Mapping[str, Path], options: Mapping[str, Any], progress) -> Report:
    """The report of `score`. Raises ValidationError, one line, for what cannot be scored."""
    kept.refuse_large([paths["gold"], paths["predictions"]], kept.MOST_UNPACKED)
    if "corpus" in paths:  # it is read line by line
        kept.refuse_large([paths["corpus"]], kept.MOST_BYTES)
    tell = teller(progress, paths)
    try:
        report = score_files(
            task,
            paths["gold"],
            paths["predictions"],
            corpus=paths.get("corpus"),
            tell=tell,
            **options,
        )
    except BadInput as bad:
        raise ValidationError(bad.reason) from None
    check_labels({*report.scores.confusion.rows, *report.scores.confusion.columns})
    progress(len(paths), len(paths), _("Writing the results"))
    return report


def teller(progress, paths: Mapping[str, Path]) -> Callable[[str, int], None]:
    """Tells which file is read, and how far; refuses one that would fill memory."""
    order = [path.name for path in paths.values()]

    def tell(name: str, n: int) -> None:
        told = {"name": name, "n": n}
        if n >= MOST_CLAIMS and paths.get("corpus", Path()).name != name:
            raise ValidationError(
                _("%(name)s has more than %(n)d claims; use the command `score` for it.") % told
            )
        progress(order.index(name), len(order), _("%(name)s: %(n)d claims were read") % told)

    return tell


def check_labels(labels: Iterable[str]) -> None:
    labels = sorted(labels)
    if len(labels) > MOST_LABELS:
        told = {"n": len(labels), "most": MOST_LABELS, "some": printable(", ".join(labels[:3]))}
        raise ValidationError(
            _("There are %(n)d different labels, such as %(some)s; at most %(most)d can be shown.")
            % told
        )
    if long := [label for label in labels if len(label) > LONGEST_LABEL]:
        told = {"label": printable(long[0][:40])}
        raise ValidationError(_("A label is very long: “%(label)s…”; use short ones.") % told)


def store_scores(folder: Path, report: Report, texts: Iterable[str]) -> dict:
    """Write what pages and answers show beside the report, which is given back to be written last:
    where it is, all is."""
    kept.store(folder / TEXTS, (f"{as_it_is({'text': text})}\n" for text in texts))
    kept.store(folder / CLAIMS, (f"{as_it_is(claim)}\n" for claim in report.scores.claims))
    told = report.as_json()
    places = report.scores.confusion.places
    cells = [places[cell["gold"], cell["predicted"]] for cell in told["confusion"]["cells"]]
    kept.store(folder / CELLS, [json.dumps(cells)])
    return told


def results_of(
    key: str, cell: tuple[str, str] | None = None, *, with_texts: bool = False
) -> Results | None:
    """What each claim earned, in the order of the gold file, or those of a cell of the matrix.

    cell: gold and predicted label; with_texts: with the text of each claim. None where the report
    is not there, or has no such cell.
    """
    folder, report = kept.folder_of(JOB, key), kept.report_of(JOB, key)
    if report is None:
        return None
    texts = folder / TEXTS if with_texts else None
    if cell is None:
        return Results(folder / CLAIMS, range(report["n_claims"]), texts=texts)
    places = json.loads((folder / CELLS).read_text(encoding="utf-8"))
    for told, of_claims in zip(report["confusion"]["cells"], places, strict=True):
        if (told["gold"], told["predicted"]) == cell:
            # SciFact's cells hold abstracts, several of one claim perhaps.
            names = [claim if isinstance(claim, dict) else {} for claim in told["claims"]]
            return Results(folder / CLAIMS, of_claims, names, texts)
    return None


def sweep_scores() -> None:
    kept.sweep(JOB)


HANDLERS = {JOB: score_job}
TITLES = {JOB: gettext_lazy("Scores of predictions")}
SWEEPS = [sweep_scores]
