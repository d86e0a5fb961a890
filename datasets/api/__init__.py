"""Datasets over HTTP."""

from datasets.api import exports, imports, releases, validator

URLS = exports.URLS + imports.URLS + releases.URLS + validator.URLS
