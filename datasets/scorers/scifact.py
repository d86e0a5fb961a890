"""SciFact: abstracts with a label and rationale sentences, pooled over all claims.

Source: Wadden et al., "Fact or Fiction" (2020), section 5, and the leaderboard's evaluator, which
looks at the first three predicted sentences, or at as many as the shortest rationale has.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from datasets.readers.problems import Unusable
from datasets.scorers.confusion import confusion
from datasets.scorers.fields import id_of, is_number, needed, shown
from datasets.scorers.verdicts import Scores, harmonic

SUPPORT, CONTRADICT, NOTHING = "SUPPORT", "CONTRADICT", "NOT_ENOUGH_INFO"
LABELS = {"SUPPORT": SUPPORT, "CONTRADICT": CONTRADICT, "REFUTE": CONTRADICT}
MAX_SENTENCES = 3
LEVELS = ("abstract_label_only", "abstract_rationalized", "sentence_selection", "sentence_label")


class GoldAbstract(NamedTuple):
    """rationales: alternatives that share no sentence."""

    label: str
    rationales: list[list[int]]


class PredictedAbstract(NamedTuple):
    label: str
    sentences: list[int]


@dataclass(slots=True)
class Gold:
    key: str | None
    abstracts: dict[str, GoldAbstract]


@dataclass(slots=True)
class Prediction:
    key: str | None
    abstracts: dict[str, PredictedAbstract]


def gold_of(values: Mapping[str, Any]) -> Gold:
    """A gold line; raises Unusable where it is none or its rationales contradict each other."""
    return Gold(id_of(values), {doc: gold_abstract(doc, told) for doc, told in evidence(values)})


def evidence(values: Mapping[str, Any]) -> Iterable[tuple[str, Any]]:
    found = needed(values, "evidence")
    if not isinstance(found, dict):
        raise Unusable(f"evidence is {shown(found)}; use an object by doc_id", "evidence")
    return found.items()


def gold_abstract(doc: str, told: object) -> GoldAbstract:
    if not isinstance(told, list) or not told:
        raise Unusable(f"abstract {doc} has {shown(told)}; use a list of rationales", doc)
    labels = {label_of(doc, one) for one in told}
    if len(labels) > 1:
        raise Unusable(f"abstract {doc} has rationales of both labels; keep one label", doc)
    rationales = [sentences_of(doc, one) for one in told]
    count = Counter(number for one in rationales for number in one)
    if twice := sorted(number for number, n in count.items() if n > 1):
        raise Unusable(f"sentence {twice[0]} of abstract {doc} stands in two rationales", doc)
    return GoldAbstract(labels.pop(), rationales)


def prediction_of(values: Mapping[str, Any]) -> Prediction:
    """A predicted line; raises Unusable where it is none."""
    abstracts = {
        doc: PredictedAbstract(label_of(doc, told), sentences_of(doc, told))
        for doc, told in evidence(values)
    }
    return Prediction(id_of(values), abstracts)


def label_of(doc: str, told: object) -> str:
    label = told.get("label") if isinstance(told, dict) else None
    if not isinstance(label, str) or label not in LABELS:
        raise Unusable(
            f"the label of abstract {doc} is {shown(label)}; use SUPPORT or CONTRADICT", doc
        )
    return LABELS[label]


def sentences_of(doc: str, told: Any) -> list[int]:
    sentences = told.get("sentences")
    if not isinstance(sentences, list) or not all(map(is_number, sentences)):
        raise Unusable(
            f"the sentences of abstract {doc} are {shown(sentences)}; use whole numbers", doc
        )
    return sentences


def score(pairs: Iterable[tuple[Gold, Prediction | None]]) -> Scores:
    """Precision, recall and F1 of abstracts by label and with rationale, and of sentences.

    A claim without a prediction has none of its abstracts found. Figures are 0 where nothing is
    there to be found or was predicted. Raises ValueError without claims.
    """
    claims, triples, owners = [], [], []
    for place, (gold, told) in enumerate(pairs):
        name = gold.key or str(place + 1)
        predicted = told.abstracts if told else {}
        claims.append({"id": name, **counted(gold.abstracts, predicted)})
        found = list(labels_of(name, gold.abstracts, predicted))
        triples += found
        owners += [place] * len(found)
    if not claims:
        raise ValueError("There are no claims to score.")
    labels = (SUPPORT, CONTRADICT, NOTHING)
    return Scores(figures(claims), claims, confusion(triples, labels, owners=owners))


def labels_of(name: str, gold: dict[str, GoldAbstract], predicted: dict[str, PredictedAbstract]):
    """(claim and abstract, gold label, predicted label) of what either side names."""
    for doc in dict.fromkeys((*gold, *predicted)):
        given = gold[doc].label if doc in gold else NOTHING
        told = predicted[doc].label if doc in predicted else NOTHING
        yield {"id": name, "abstract": doc}, given, told


def counted(gold: dict[str, GoldAbstract], predicted: dict[str, PredictedAbstract]) -> dict:
    """What one claim adds to each sum: what was there, what was predicted, and what was right."""
    counts = {
        "abstracts": len(gold),
        "abstracts_predicted": len(predicted),
        "sentences": sum(len(one) for abstract in gold.values() for one in abstract.rationales),
        "sentences_predicted": sum(len(one.sentences) for one in predicted.values()),
        **dict.fromkeys(LEVELS, 0),
    }
    for doc in gold.keys() & predicted.keys():
        for level, right in rights(gold[doc], predicted[doc]).items():
            counts[level] += right
    return counts


def rights(gold: GoldAbstract, predicted: PredictedAbstract) -> dict[str, int]:
    """What is right in one abstract that was to be found and was predicted.

    A sentence is right once its whole rationale was predicted, however often it was named.
    """
    same = gold.label == predicted.label
    limit = max(MAX_SENTENCES, min(map(len, gold.rationales)))
    early, all_named = set(predicted.sentences[:limit]), set(predicted.sentences)
    sentences = sum(len(one) for one in gold.rationales if all_named.issuperset(one))
    return {
        "abstract_label_only": int(same),
        "abstract_rationalized": int(same and any(map(early.issuperset, gold.rationales))),
        "sentence_selection": sentences,
        "sentence_label": sentences if same else 0,
    }


def figures(claims: list[dict]) -> dict[str, float]:
    sums = {name: sum(claim[name] for claim in claims) for name in claims[0] if name != "id"}
    found: dict[str, float] = {}
    for level in LEVELS:
        what = "abstracts" if level.startswith("abstract") else "sentences"
        precision = share(sums[level], sums[f"{what}_predicted"])
        recall = share(sums[level], sums[what])
        found |= {
            f"{level}_precision": precision,
            f"{level}_recall": recall,
            f"{level}_f1": harmonic(precision, recall),
        }
    return found


def share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0
