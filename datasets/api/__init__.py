"""Datasets over HTTP."""

from datasets.api import exports, imports, releases, results, scoring, validator

URLS = [
    *exports.URLS,
    *imports.URLS,
    *releases.URLS,
    *results.URLS,
    *scoring.URLS,
    *validator.URLS,
]
