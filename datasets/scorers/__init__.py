"""Scoring predictions as the field does. Pure: no Django."""

from datasets.scorers.lines import BadInput
from datasets.scorers.report import TASKS, Report, score_files, score_records
from datasets.scorers.verdicts import Scores

__all__ = ["TASKS", "BadInput", "Report", "Scores", "score_files", "score_records"]
