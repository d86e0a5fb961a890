"""AmbiFC: distributions of labels over a passage beside those of people, and evidence sentences.

Gold lines are the published ones; shorter ones with `annotations` (a list of labels) and
`gold_evidence` (a list of sentence numbers) are read too. Predictions: `predicted_distribution`
or `predicted` in the order refuting, neutral, supporting (or by name), `sentence_keys` or
`predicted_evidence`, and `multi_predicted` where the model names labels itself.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from agreement.aggregation.distributions import labels_with_share
from agreement.aggregation.soft_scores import evidence_f1, instance_scores, mean_scores
from datasets.readers.problems import Unusable
from datasets.scorers.confusion import confusion
from datasets.scorers.fields import id_of, list_of, needed, shown
from datasets.scorers.verdicts import Scores

LABELS = ("refuting", "neutral", "supporting")
NEUTRAL = "neutral"
TIED = "(tied)"
ROUNDING = 0.01


@dataclass(slots=True)
class Gold:
    """label: the file's aggregate one, if any; counts: annotations by label; evidence: sentences.

    sentences: those that are not blank, None where unknown.
    """

    key: str | None
    label: str | None
    counts: list[int]
    evidence: frozenset[str]
    sentences: frozenset[str] | None


@dataclass(slots=True)
class Prediction:
    """label: the single one that the model names; shares: by label; chosen: the set it names.

    label and chosen are None where it names none.
    """

    key: str | None
    label: str | None
    shares: list[float]
    evidence: frozenset[str]
    chosen: frozenset[str] | None


def key_of(values: Mapping[str, Any]) -> str | None:
    """An id, or claim and passage: the same claim stands against several passages."""
    if key := id_of(values):
        return key
    passage = id_of(values, "wiki_passage") or id_of(values, "passage")
    return " ".join(filter(None, (id_of(values, "claim_id"), passage))) or None


def gold_of(values: Mapping[str, Any]) -> Gold:
    """A gold line; raises Unusable where it is none."""
    given = labels_given(values)
    if not given:
        raise Unusable("nobody labelled this instance; leave it out", "passage_annotations")
    sentences = None
    if isinstance(texts := values.get("sentences"), dict):
        sentences = frozenset(key for key, text in texts.items() if str(text).strip())
    counts = [given.count(label) for label in LABELS]
    return Gold(key_of(values), label_of(values), counts, gold_evidence(values), sentences)


def label_of(values: Mapping[str, Any]) -> str | None:
    labels = values.get("labels")
    label = labels.get("passage") if isinstance(labels, dict) else None
    return None if label is None else known_label(label, "labels")


def labels_given(values: Mapping[str, Any]) -> list[str]:
    if "annotations" in values:
        field, given = "annotations", list_of(values, "annotations")
    else:
        field = "passage_annotations"
        given = [
            one.get("label") if isinstance(one, dict) else one for one in list_of(values, field)
        ]
    return [known_label(label, field) for label in given]


def known_label(label: object, field: str) -> str:
    if not isinstance(label, str) or label not in LABELS:
        raise Unusable(f"a label is {shown(label)}; use {', '.join(LABELS)}", field)
    return label


def gold_evidence(values: Mapping[str, Any]) -> frozenset[str]:
    """The sentences that at least one annotator did not call neutral."""
    if "gold_evidence" in values:
        return numbers(values, "gold_evidence")
    marked = needed(values, "sentence_annotations")
    if not isinstance(marked, dict):
        raise Unusable("sentence_annotations is no object by sentence", "sentence_annotations")
    return frozenset(key for key, given in marked.items() if is_evidence(given))


def is_evidence(annotations: object) -> bool:
    if not isinstance(annotations, list):
        raise Unusable(
            f"a sentence has the annotations {shown(annotations)}; use a list",
            "sentence_annotations",
        )
    return any(map(is_stance, annotations))


def is_stance(given: object) -> bool:
    if not isinstance(given, dict):
        raise Unusable(f"an annotation is {shown(given)}; use an object", "sentence_annotations")
    return known_label(given.get("annotation"), "sentence_annotations") != NEUTRAL


def numbers(values: Mapping[str, Any], field: str) -> frozenset[str]:
    found = list_of(values, field)
    if not all(isinstance(one, int | str) and not isinstance(one, bool) for one in found):
        raise Unusable(f"{field} is {shown(found)}; use numbers of sentences", field)
    return frozenset(map(str, found))


def prediction_of(values: Mapping[str, Any]) -> Prediction:
    """A predicted line; raises Unusable where it is none."""
    field = "predicted_distribution" if "predicted_distribution" in values else "predicted"
    named = "sentence_keys" if "sentence_keys" in values else "predicted_evidence"
    chosen = None
    if "multi_predicted" in values:
        told = list_of(values, "multi_predicted")
        chosen = frozenset(known_label(label, "multi_predicted") for label in told)
    label = values.get("predicted")
    return Prediction(
        key=key_of(values),
        label=known_label(label, "predicted") if isinstance(label, str) else None,
        shares=distribution(values, field),
        evidence=numbers(values, named),
        chosen=chosen,
    )


def distribution(values: Mapping[str, Any], field: str) -> list[float]:
    """Shares in the order of LABELS, exactly as given, but adding up to 1."""
    told = needed(values, field)
    if isinstance(told, dict) and set(told) == set(LABELS):
        told = [told[label] for label in LABELS]
    if not isinstance(told, list) or len(told) != len(LABELS) or not all(map(is_share, told)):
        raise Unusable(
            f"{field} is {shown(told)}; use three shares of 0 to 1: {', '.join(LABELS)}", field
        )
    if abs(math.fsum(told) - 1) > ROUNDING:
        raise Unusable(f"{field} adds up to {math.fsum(told):.3f}; shares add up to 1", field)
    return told


def is_share(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1


def score(pairs: Iterable[tuple[Gold, Prediction | None]]) -> Scores:
    """All soft scores, in the paper's and the code's variants, and those of each instance.

    Raises ValueError without instances, or where one has no prediction: no distribution could
    stand in for it.
    """
    both = [(gold, with_prediction(told)) for gold, told in pairs]
    if not both:
        raise ValueError("There are no instances to score.")
    human = np.array([gold.counts for gold, _ in both])
    shares = np.array([told.shares for _, told in both], dtype=float)
    evidence = np.array([evidence_of(gold, told) for gold, told in both])
    scores = instance_scores(human, shares, evidence, chosen_labels(both, shares))
    names = [gold.key or str(number) for number, (gold, _) in enumerate(both, start=1)]
    columns = {name: values.tolist() for name, values in scores.items()}
    labels = list(hard_labels(names, both))
    claims = [
        {"id": name, "label": given, "predicted_label": label}
        | {column: values[place] for column, values in columns.items()}
        for place, (name, given, label) in enumerate(labels)
    ]
    return Scores(mean_scores(scores), claims, confusion(labels, LABELS))


def with_prediction(told: Prediction | None) -> Prediction:
    if told is None:
        raise ValueError("An instance has no prediction, and no distribution can stand in for it.")
    return told


def evidence_of(gold: Gold, told: Prediction) -> float:
    """F1 of evidence; blank sentences, which nobody could mark, do not count."""
    if gold.sentences is None:
        return evidence_f1(gold.evidence, told.evidence)
    return evidence_f1(gold.evidence & gold.sentences, told.evidence & gold.sentences)


def chosen_labels(both: list[tuple[Gold, Prediction]], shares: np.ndarray) -> np.ndarray:
    """(n, 3): the labels that a model names, or those with a fifth of its shares."""
    chosen = labels_with_share(shares)
    for place, (_, told) in enumerate(both):
        if told.chosen is not None:
            chosen[place] = [label in told.chosen for label in LABELS]
    return chosen


def hard_labels(names: list[str], both: list[tuple[Gold, Prediction]]):
    """(instance, its one label, the likeliest predicted label); the first where shares tie.

    The file's aggregate label, or that of most annotators, or TIED.
    """
    for name, (gold, told) in zip(names, both, strict=True):
        most = [
            label for label, n in zip(LABELS, gold.counts, strict=True) if n == max(gold.counts)
        ]
        given = gold.label or (most[0] if len(most) == 1 else TIED)
        yield name, given, told.label or LABELS[told.shares.index(max(told.shares))]
