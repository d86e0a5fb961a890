"""A file of a model's predictions, read strictly: one for each claim of the split, or nothing."""

from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import ngettext

from datasets.readers.problems import Unusable, printable
from datasets.records import LABELS
from datasets.scorers import BadInput, ctkfacts
from datasets.scorers.fields import shown
from datasets.scorers.lines import read_parsed
from datasets.scorers.matching import named, short, with_ids
from datasets.scorers.verdicts import Prediction

MOST_BYTES = 50_000_000  # unpacked: what is read while somebody waits


def predictions_for(path: Path, ids: Sequence[int | str]) -> list[dict]:
    """The predictions of a file in CTKFacts' form, in the order of the claims' ids.

    Raises ValidationError with one line for the first mistake: a line that is broken or has
    another label, an id twice, a claim without a prediction, a prediction for no claim.
    """
    try:
        # One more than there may be is enough to be told apart.
        told = list(islice(read_parsed(path, prediction_of), len(ids) + 1))
        answers = with_ids(told)
    except BadInput as bad:
        raise ValidationError(bad.reason) from None
    refuse_others(answers, {str(one) for one in ids})
    refuse_missing([str(one) for one in ids if str(one) not in answers])
    return [as_record(one, answers[str(one)]) for one in ids]


def prediction_of(values: Mapping[str, Any]) -> Prediction:
    """A predicted line; raises Unusable where it is none, or of a label that no claim has."""
    told = ctkfacts.prediction_of(values)
    if told.label not in LABELS:
        reason = f"predicted_label is {shown(values['predicted_label'])}; use {', '.join(LABELS)}"
        raise Unusable(reason, "predicted_label")
    return told


def refuse_others(answers: Mapping[str, Prediction], ids: set[str]) -> None:
    if extra := [key for key in answers if key not in ids]:
        message = ngettext(
            "A prediction is for no claim of this split: %(ids)s.",
            "%(n)d predictions are for no claim of this split: %(ids)s.",
            len(extra),
        )
        raise ValidationError(message % {"n": len(extra), "ids": listed(extra)})


def refuse_missing(missing: Sequence[str]) -> None:
    if missing:
        message = ngettext(
            "A claim has no prediction: %(ids)s.",
            "%(n)d claims have no prediction: %(ids)s.",
            len(missing),
        )
        raise ValidationError(message % {"n": len(missing), "ids": listed(missing)})


def listed(ids: Sequence[str]) -> str:
    return named([printable(short(one)) for one in ids])


def as_record(number: int | str, told: Prediction) -> dict:
    pages = [page for (page,) in told.evidence]
    return {"id": number, "predicted_label": told.label, "predicted_pages": pages}
