"""The rows of datasets."""

from datasets.models.exports import Export
from datasets.models.imports import DatasetImport
from datasets.models.releases import Release

__all__ = ["DatasetImport", "Export", "Release"]
