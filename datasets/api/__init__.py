"""Datasets over HTTP."""

from datasets.api import exports, imports, releases, scoring, validator

URLS = exports.URLS + imports.URLS + releases.URLS + scoring.URLS + validator.URLS
