"""Agreement among annotators: pure functions on arrays, no Django.

Rows of (unit, annotator, label) become an `AnnotationTable` under named policies; its `counts`
feed every coefficient. A measure without a value raises `Undefined`; `agreement_report` gives
None with the reason instead.
"""

from agreement.measures.alpha import (
    alpha_contributions,
    alpha_per_label,
    alpha_without_each,
    coincidences,
    krippendorff_alpha,
    label_confusion,
)
from agreement.measures.annotations import AnnotationTable, annotation_table
from agreement.measures.evidence import (
    EvidenceAnswer,
    alpha_of_parts,
    kappa_of_parts,
    label_agreement_by_overlap,
    mean_jaccard,
)
from agreement.measures.intervals import Interval, alpha_interval, kalpha_interval
from agreement.measures.kappa import (
    brennan_prediger,
    cohen_kappa,
    cohen_pairs,
    cohen_summary,
    fleiss_by_raters,
    fleiss_kappa,
    fleiss_of_sample,
    generalised_kappa,
    gwet_ac1,
)
from agreement.measures.percent import labels_per_unit, percent_agreement, tied_units
from agreement.measures.report import agreement_report, report_of
from agreement.measures.undefined import Undefined, figure
from agreement.measures.wilson import wilson

__all__ = [
    "AnnotationTable",
    "EvidenceAnswer",
    "Interval",
    "Undefined",
    "agreement_report",
    "alpha_contributions",
    "alpha_interval",
    "alpha_of_parts",
    "alpha_per_label",
    "alpha_without_each",
    "annotation_table",
    "brennan_prediger",
    "cohen_kappa",
    "cohen_pairs",
    "cohen_summary",
    "coincidences",
    "figure",
    "fleiss_by_raters",
    "fleiss_kappa",
    "fleiss_of_sample",
    "generalised_kappa",
    "gwet_ac1",
    "kalpha_interval",
    "kappa_of_parts",
    "krippendorff_alpha",
    "label_agreement_by_overlap",
    "label_confusion",
    "labels_per_unit",
    "mean_jaccard",
    "percent_agreement",
    "report_of",
    "tied_units",
    "wilson",
]
