"""A verdict model that needs no graphics card: linear, on words of claim and evidence."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agreement.measures.classification import macro_f1
from datasets.baselines.pairs import Features, Pair, first_pairs, gold_pairs
from datasets.records import LABELS, LabelledClaim
from datasets.scorers.confusion import confusion
from datasets.scorers.ctkfacts import label_figures

STRENGTHS = (0.03, 0.1, 0.3, 1.0, 3.0)
MODELS = {"claim_and_evidence": True, "claim_only": False}  # whether they see the evidence
Progress = Callable[[int, int], None]


@dataclass(slots=True)
class VerdictModel:
    """A trained model; strength: the C that served the dev split best; tuning: every one tried."""

    features: Features
    classifier: Any
    strength: float
    tuning: list[dict[str, float]]

    def predict(self, pairs: Sequence[Pair]) -> list[str]:
        """(n,): a label for each pair of claim and text."""
        if not pairs:
            return []
        return [str(label) for label in self.classifier.predict(self.features.transform(pairs))]


def train_verdicts(
    train: Sequence[LabelledClaim],
    dev: Sequence[LabelledClaim],
    *,
    with_evidence: bool,
    seed: int,
    progress: Progress | None = None,
) -> VerdictModel:
    """A linear support vector machine fitted on `train`, its strength chosen on `dev`.

    with_evidence: whether it sees the evidence or the claim alone; progress: told after each
    strength how many of how many were tried. Classes weigh alike, since macro F1 is the aim.
    The same claims and seed give the same model. Raises ValueError where train has fewer than two
    labels or dev has none.
    """
    pairs, labels = columns(gold_pairs(train))
    unseen, wanted = columns(first_pairs(dev))
    if len(set(labels)) < 2:
        raise ValueError("The training claims have fewer than two labels; nothing can be learnt.")
    if not wanted:
        raise ValueError("No claim of the dev split has a label; nothing can be tuned.")
    features = Features(with_evidence=with_evidence).fit(pairs)
    seen, judged = features.transform(pairs), features.transform(unseen)
    tried = []
    for number, strength in enumerate(STRENGTHS, start=1):
        model = classifier(strength, seed).fit(seen, labels)
        score = macro_f1(wanted, [str(label) for label in model.predict(judged)], LABELS)
        tried.append((score, model, strength))
        if progress:
            progress(number, len(STRENGTHS))
    best = max(tried, key=lambda one: one[0])  # the weakest of those that do as well
    tuning = [{"strength": strength, "macro_f1": score} for score, _, strength in tried]
    return VerdictModel(features, best[1], best[2], tuning)


def columns(rows) -> tuple[list[Pair], list[str]]:
    both = list(rows)
    return [pair for pair, _ in both], [label for _, label in both]


def classifier(strength: float, seed: int) -> Any:
    from sklearn.svm import LinearSVC

    return LinearSVC(C=strength, class_weight="balanced", random_state=seed)


def train_both(
    train: Sequence[LabelledClaim],
    dev: Sequence[LabelledClaim],
    *,
    seed: int,
    progress: Progress | None = None,
) -> dict[str, VerdictModel]:
    """The models that are compared, by name. Raises ValueError as `train_verdicts` does."""
    return {
        name: train_verdicts(train, dev, with_evidence=with_evidence, seed=seed, progress=progress)
        for name, with_evidence in MODELS.items()
    }


def verdict_figures(
    train: Sequence[LabelledClaim],
    dev: Sequence[LabelledClaim],
    test: Sequence[LabelledClaim],
    models: Mapping[str, VerdictModel],
) -> dict:
    """What is reached on `test` with gold evidence, from claims alone, and by one label for all.

    models: of `train_both`. How far the claim alone comes is what the wording gives away. Raises
    ValueError where no test claim has a label.
    """
    pairs, given = columns(first_pairs(test))
    if not given:
        raise ValueError("No claim of the test split has a label; nothing can be measured.")
    names = [str(claim.number) for claim in test if claim.label is not None]
    figures: dict[str, Any] = {"n_train": len(train), "n_dev": len(dev), "n_test": len(given)}
    for name, model in models.items():
        figures[name] = figures_of(names, given, model.predict(pairs)) | {
            "strength": model.strength,
            "tuning": model.tuning,
        }
    commonest = majority(train)
    figures["majority"] = {"label": commonest} | figures_of(names, given, [commonest] * len(given))
    return figures


def figures_of(names: Sequence[str], given: Sequence[str], told: Sequence[str]) -> dict:
    cells = confusion(zip(names, given, told, strict=True), LABELS)
    return label_figures(given, told) | {"confusion": cells.as_json()}


def majority(claims: Sequence[LabelledClaim]) -> str:
    """The commonest label; the first in the usual order where several are."""
    count = Counter(claim.label for claim in claims)
    return max(LABELS, key=lambda label: count[label])
