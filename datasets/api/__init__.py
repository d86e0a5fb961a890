"""Datasets over HTTP."""

from datasets.api import exports, imports

URLS = exports.URLS + imports.URLS
