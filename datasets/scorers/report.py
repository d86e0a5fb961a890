"""Scoring files: from two paths to figures, results per claim, and what did not match."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from datasets.readers.problems import Unusable
from datasets.scorers import ambifc, ctkfacts, fever, feverous, scifact
from datasets.scorers.corpora import not_in_corpus
from datasets.scorers.lines import BadInput, Place, Tell, read_parsed
from datasets.scorers.matching import Matching, Read, match, named, short, some
from datasets.scorers.verdicts import NEI, Scores
from datasets.untold import untold

TASKS: dict[str, ModuleType] = {
    "fever": fever,
    "feverous": feverous,
    "scifact": scifact,
    "ambifc": ambifc,
    "ctkfacts": ctkfacts,
}
# How many predicted items count, and in which tasks.
LIMITS = {"max_evidence": ("fever", "feverous"), "max_cells": ("feverous",)}


LONGEST_TEXT = 300


@dataclass(slots=True)
class Report:
    """The scores of one file of predictions, and how they were matched with the claims.

    unknown: what predictions cite and the corpus lacks; None where no corpus was asked.
    """

    task: str
    scores: Scores
    matching: Matching
    unknown: list[str] | None = None

    def as_json(self) -> dict:
        """One object: the figures under the names of the field, and everything about them."""
        return {
            "task": self.task,
            "n_claims": len(self.matching.pairs),
            **self.scores.figures,
            "matched_by": self.matching.by,
            "missing": len(self.matching.missing),
            "missing_ids": self.matching.missing,
            "extra": len(self.matching.extra),
            "extra_ids": self.matching.extra,
            **self.corpus_json(),
            "confusion": self.scores.confusion.as_json(),
        }

    def corpus_json(self) -> dict:
        if self.unknown is None:
            return {}
        return {"not_in_corpus": len(self.unknown), "not_in_corpus_ids": self.unknown}


def score_files(
    task: str,
    gold: Path,
    predictions: Path,
    *,
    by: str = "auto",
    corpus: Path | None = None,
    tell: Tell = untold,
    **options: Any,
) -> Report:
    """The scores of a file of predictions.

    task: one of TASKS; by: see `match`; corpus: a file in the dataset's own form, where what is
    cited is looked up (fever, scifact, ctkfacts); tell: see `read_parsed`; options: those of the
    task's `score`.
    Raises BadInput, which says in one line where and what.
    """
    module = TASKS[task]
    claims = list(read_parsed(gold, module.gold_of, tell))
    told = list(read_parsed(predictions, module.prediction_of, tell))
    report = report_of(task, claims, told, by=by, **options)
    if corpus is not None:
        report.unknown = not_in_corpus(task, (value for _, value in told), corpus, tell)
    return report


def texts_of(task: str, gold: Path) -> Iterator[str]:
    """The text of each claim of a file that was scored, in the order of its results.

    '' where it has none; cut after LONGEST_TEXT characters.
    """
    parse = TASKS[task].gold_of
    for _place, text in read_parsed(gold, lambda values: parse(values) and text_of(values)):
        yield text


def text_of(values: Mapping[str, Any]) -> str:
    text = values.get("claim")
    if not isinstance(text, str):
        return ""
    return text if len(text) <= LONGEST_TEXT else f"{text[:LONGEST_TEXT]}…"


def score_records(
    task: str,
    gold: Iterable[Mapping[str, Any]],
    predictions: Iterable[Mapping[str, Any]],
    *,
    by: str = "auto",
    **options: Any,
) -> Report:
    """The same for objects that are read already; none of them is changed."""
    module = TASKS[task]
    claims = parsed_records("gold", gold, module.gold_of)
    told = parsed_records("predictions", predictions, module.prediction_of)
    return report_of(task, claims, told, by=by, **options)


def parsed_records(what: str, records: Iterable[Mapping[str, Any]], parse) -> Read:
    found = []
    for number, values in enumerate(records, start=1):
        try:
            value = parse(values)
        except Unusable as error:
            raise BadInput(f"{what}, object {number}: {error}.") from None
        if value is not None:
            found.append((Place(what, number), value))
    return found


def report_of(task: str, gold: Read, predictions: Read, *, by: str, **options: Any) -> Report:
    if not gold:
        raise BadInput("There are no gold claims to score.")
    matching = match(gold, predictions, by=by)
    if task == "ambifc" and matching.missing:
        raise BadInput(
            f"{some(len(matching.missing), 'instance')} without a prediction, and no distribution "
            f"can stand in for it: {named(matching.missing)}."
        )
    if task == "fever":
        refuse_bare(matching, predictions)
    return Report(task, TASKS[task].score(matching.pairs, **options), matching)


def refuse_bare(matching: Matching, predictions: Read) -> None:
    """FEVER's own scorer looks at the evidence of verdicts alone; there it has to be given."""
    bare = {id(value): place for place, value in predictions if value.is_bare}
    for gold, told in matching.pairs:
        if told and told.is_bare and gold.label.upper() != NEI:
            place = bare[id(told)]
            claim = f"claim {short(gold.key)}" if gold.key else "the claim"
            raise BadInput(
                f"{place.file}:{place.line}:1: there is no {fever.EVIDENCE}, which only claims "
                f"with {NEI} do without: {claim} is {gold.label}"
            )


def flat(figures: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    """Nested figures one by one, the name of each with those that it stands under."""
    for name, value in figures.items():
        if isinstance(value, dict):
            yield from flat(value, f"{before}{name} ")
        else:
            yield f"{before}{name}", value
