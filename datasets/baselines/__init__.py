"""How hard a dataset is: simple models and plain retrieval, scored as others' are. Pure.

Claims are `LabelledClaim`s whose paragraphs carry their texts; nothing here asks a database.
"""

from datasets.baselines.pipeline import pipeline_figures, pipeline_predictions
from datasets.baselines.retrieval import retrieval_figures
from datasets.baselines.verdicts import (
    VerdictModel,
    train_both,
    train_verdicts,
    verdict_figures,
)

__all__ = [
    "VerdictModel",
    "pipeline_figures",
    "pipeline_predictions",
    "retrieval_figures",
    "train_both",
    "train_verdicts",
    "verdict_figures",
]
