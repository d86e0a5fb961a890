"""The rows of datasets."""

from datasets.models.exports import Export

__all__ = ["Export"]
