"""What each unit's labels come to, as lines of a file."""

from collections.abc import Iterator

import numpy as np

from agreement.aggregation.distributions import entropy, majority, soft_labels, tied_labels
from agreement.aggregation.error_rates import DawidSkene
from agreement.measures.annotations import AnnotationTable


def aggregate_lines(table: AnnotationTable, model: DawidSkene) -> Iterator[dict]:
    """One object per unit, in order: its counts, soft label, majority, and model's posteriors.

    majority: None where labels tie, and then `tied` names them; entropy: of the soft label, in
    nats; dawid_skene: what the labels most likely are by `model`, that of `dawid_skene(table)`,
    beside people's labels and never instead.
    """
    if not table.units:
        return
    names = [str(label) for label in table.labels]
    soft, tied = soft_labels(table.counts), tied_labels(table.counts)
    winner, spread = majority(table.counts), entropy(soft)
    for place, unit in enumerate(table.units):
        won = int(winner[place])
        yield {
            "unit": unit,
            "counts": dict(zip(names, table.counts[place].tolist(), strict=True)),
            "soft": rounded(names, soft[place]),
            "majority": names[won] if won >= 0 else None,
            "tied": [names[label] for label in np.flatnonzero(tied[place])] if won < 0 else [],
            "entropy": round(float(spread[place]), 6),
            "dawid_skene": rounded(names, model.posteriors[place]),
        }


def model_figures(table: AnnotationTable, model: DawidSkene) -> dict:
    """What the model found of labels and people, ready for JSON.

    priors: {label: share}; accuracy, share_right: {annotator: share} as in `DawidSkene`; errors:
    {annotator: {true label: {given label: share}}}, None for a true label that the annotator
    never met.
    """
    names = [str(label) for label in table.labels]
    people = [str(name) for name in table.annotators]
    return {
        "n_iterations": model.n_iterations,
        "priors": rounded(names, model.priors),
        "accuracy": rounded(people, model.accuracy),
        "share_right": rounded(people, model.share_right),
        "errors": {
            person: {
                true: rounded(names, matrix[:, place]) if matrix[:, place].any() else None
                for place, true in enumerate(names)
            }
            for person, matrix in zip(people, model.errors, strict=True)
        },
    }


def rounded(names: list[str], shares: np.ndarray) -> dict[str, float]:
    return {name: round(share, 6) for name, share in zip(names, shares.tolist(), strict=True)}
