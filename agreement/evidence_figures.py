"""All figures of the agreement on evidence, by the names of the papers they come from. Pure."""

from collections.abc import Sequence

from agreement.measures import (
    EvidenceAnswer,
    alpha_of_parts,
    figure,
    kappa_of_parts,
    label_agreement_by_overlap,
    mean_jaccard,
)
from agreement.measures.evidence import INTERPRETATIONS, Units, by_unit, shared_labels


def evidence_figures(answers: Sequence[EvidenceAnswer]) -> dict:
    """SciFact's kappa, AmbiFC's alphas and FEVEROUS' table, of answers of two people or more.

    scifact: as `kappa_of_parts`; ambifc: for all, relaxed and strict units, alpha on parts among
    all annotators and, under same_label, among those of one veracity interpretation; feverous:
    as `label_agreement_by_overlap`; mean_jaccard: None where nobody cited anything, of the
    n_units_cited units where somebody did.
    """
    by_units = by_unit(answers)
    shared = [shared_labels(unit) for unit in by_units]
    return {
        "n_units": len(by_units),
        "n_answers": len(answers),
        "n_cited": sum(len(answer.parts) for answer in answers),
        "n_units_cited": sum(any(answer.parts for answer in unit) for unit in by_units),
        "scifact": kappa_of_parts(by_units),
        "ambifc": {units: alphas(by_units, shared, units) for units in INTERPRETATIONS},
        "feverous": label_agreement_by_overlap(by_units),
        "mean_jaccard": mean_jaccard(by_units),
    }


def alphas(answers: Units, shared: Sequence[int], units: str) -> dict:
    """{value, undefined, n_units} of alpha on parts, and the same among those of one label.

    shared: (n,) as `shared_labels` of each unit.
    """
    least = INTERPRETATIONS.index(units)
    n, n_same = (sum(labels >= most for labels in shared) for most in (least, max(least, 1)))
    same = figure(alpha_of_parts, answers, units=units, per_label=True) | {"n_units": n_same}
    return figure(alpha_of_parts, answers, units=units) | {"n_units": n, "same_label": same}
