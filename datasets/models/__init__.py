"""The rows of datasets."""

from datasets.models.exports import Export
from datasets.models.imports import DatasetImport

__all__ = ["DatasetImport", "Export"]
