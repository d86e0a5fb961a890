"""Datasets over HTTP."""

from datasets.api import exports, imports, localising, releases, results, scoring, validator

URLS = [
    *exports.URLS,
    *imports.URLS,
    *localising.URLS,
    *releases.URLS,
    *results.URLS,
    *scoring.URLS,
    *validator.URLS,
]
