"""The rows of datasets."""

from datasets.models.exports import Export
from datasets.models.imports import DatasetImport
from datasets.models.releases import Release
from datasets.models.results import ReleaseResult
from datasets.models.translations import TranslationAnswer, TranslationItem, TranslationSample

__all__ = [
    "DatasetImport",
    "Export",
    "Release",
    "ReleaseResult",
    "TranslationAnswer",
    "TranslationItem",
    "TranslationSample",
]
